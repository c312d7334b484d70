//! Projects: the one of a key, and those that an organisation manages.

mod create;
mod delete;
pub(crate) mod draft;
mod list;
pub(crate) mod shape;
mod update;

pub(crate) use create::create_project;
pub(crate) use delete::delete_project;
pub(crate) use list::list_projects;
pub(crate) use update::update_project;
