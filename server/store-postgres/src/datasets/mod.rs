//! Datasets of a project: items with their history, runs with what they made of each item.
//!
//! **Invariant:** an item is written in a transaction that has [`hold`] and [`lock_item`], so that the
//! versions of an item come one after the other, and none is written while a schema is set. It is
//! deleted with [`lock_item`] alone.

/// One dataset, and lists of them.
mod dataset;
/// What items were.
mod history;
/// New versions of items.
mod item_versions;
/// Items as they are and as they were.
mod items;
/// Datasets and their items as lists show them.
mod overview;
/// Rows and what they stand for.
mod row;
/// What runs made of items.
mod run_items;
/// Runs.
mod runs;
/// Files between their upload and their import.
mod uploads;

pub use dataset::{NAME_KEY, create, find, find_by_id, hold, list, lock, lock_by_id, update};
pub use history::{item_versions, items_then};
pub use item_versions::{create_items, create_version, delete_item, lock_item};
pub use items::{
    Last, WantedItems, item_at, item_ids, items_after, known_items, last, list_items, some_items,
};
pub use overview::{ItemHead, Overview, count_items, item_heads, items_beyond, overviews};
pub use run_items::{link, list_run_items, newest_links};
pub use runs::{
    Summary, WantedRuns, delete_run, find_run, list_runs, newest_runs, run_ids, start_run,
};
pub use uploads::{Upload, find_upload, forget_upload, keep_upload, uploaded_bytes};

use domain::dataset::DatasetName;

fn texts(names: &[DatasetName]) -> Vec<String> {
    names.iter().map(DatasetName::to_string).collect()
}

/// A number of rows as Postgres takes it.
fn rows(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
