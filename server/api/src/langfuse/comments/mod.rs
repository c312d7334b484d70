//! Remarks on things. Bodies and queries are strict: what nobody knows is refused.

mod create;
mod list;
mod shape;
mod show;

pub(crate) use create::create_comment;
pub(crate) use list::list_comments;
pub(crate) use show::show_comment;

/// What may be remarked on.
const KINDS: [&str; 4] = ["TRACE", "OBSERVATION", "SESSION", "PROMPT"];
