//! Who works on a queue.

mod create;
mod delete;

pub(crate) use create::create_assignment;
pub(crate) use delete::delete_assignment;
