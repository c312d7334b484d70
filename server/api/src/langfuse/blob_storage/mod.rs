//! Exports to object stores, as keys of organisations set them.

mod delete;
mod draft;
mod list;
mod set;
mod shape;
mod show;

pub(crate) use delete::delete_blob_storage;
pub(crate) use list::list_blob_storages;
pub(crate) use set::set_blob_storage;
pub(crate) use show::show_blob_storage;
