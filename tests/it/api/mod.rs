mod document;
mod health;
mod keys;
mod live;
mod parameters;
mod spans;
mod traces;
