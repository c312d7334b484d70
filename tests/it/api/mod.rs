mod document;
mod health;
mod keys;
mod live;
mod parameters;
mod serving;
mod spans;
mod traces;
