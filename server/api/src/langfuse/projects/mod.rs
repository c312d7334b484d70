//! The project of a key.

mod list;
mod shape;

pub(crate) use list::list_projects;
