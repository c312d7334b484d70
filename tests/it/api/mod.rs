mod document;
mod health;
mod huge;
mod keys;
mod live;
mod parameters;
mod spans;
mod traces;
