//! How to reach providers of models.

mod delete;
mod draft;
mod list;
mod set;
mod shape;

pub(crate) use delete::delete_llm_connection;
pub(crate) use list::list_llm_connections;
pub(crate) use set::set_llm_connection;
