//! Acceptance cases: what somebody outside the product does, and what must come out.

mod content;
mod costs;
mod datasets;
mod judgements;
mod mapping;
mod repetition;
mod times;
mod trees;
