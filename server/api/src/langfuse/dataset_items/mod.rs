//! Items of datasets.

mod delete;
mod draft;
mod list;
/// Files that items refer to.
mod media;
mod shape;
mod show;
mod write;

pub(crate) use delete::delete_dataset_item;
pub(crate) use draft::{observation_id, trace_id};
pub(crate) use list::list_dataset_items;
pub(crate) use shape::ItemShape;
pub(crate) use show::show_dataset_item;
pub(crate) use write::write_dataset_item;

use domain::Fault;
use domain::dataset::DatasetItemId;

use super::error::Result;

/// What is no id is the id of no item.
fn existing_id(text: &str) -> Result<DatasetItemId> {
    let missing = |_| Fault::not_found("Dataset item not found");
    Ok(DatasetItemId::parse(text).map_err(missing)?)
}
