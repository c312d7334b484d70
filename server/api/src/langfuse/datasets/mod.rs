//! Datasets.

mod create;
mod draft;
mod list;
mod names;
mod shape;
mod show;
/// The first version of these routes, which shows items and runs along with a dataset.
pub(crate) mod v1;

pub(crate) use create::create_dataset;
pub(crate) use list::list_datasets;
pub(crate) use names::{PathNames, dataset_names};
pub(crate) use show::show_dataset;
