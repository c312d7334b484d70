//! Labels of prompts that go back: what projects set, what came of it, what is still to be decided.

/// What came of it.
mod history;
/// What projects set.
mod policies;
/// What is still to be decided.
mod queue;
/// Rows and what they stand for.
mod row;

pub use history::{
    create, find, is_suspect, last_applied, last_automatic, list, of_incident, open_answers,
    open_incident, recovered, undo,
};
pub use policies::{Held, find_policy, set_policy};
pub use queue::{Outcome, Taken, decide, postpone, push, take};
