//! What went wrong in the meaning of answers.

mod list;

pub(crate) use list::list_semantic_events;
