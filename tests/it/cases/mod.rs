//! Acceptance cases: what somebody outside the product does, and what must come out.

mod repetition;
mod times;
mod content;
mod trees;
