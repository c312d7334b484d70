//! What models cost: those that come with the product, and a project's own.

/// What the client that asks can read.
mod client;
mod create;
mod delete;
/// A model, as a body describes it.
mod draft;
mod list;
mod shape;
mod show;

pub(crate) use create::create_model;
pub(crate) use delete::delete_model;
pub(crate) use list::list_models;
pub(crate) use show::show_model;
