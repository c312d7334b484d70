//! Datasets with their kinds. What is in them is read and written by Langfuse's API.

mod create;
mod list;

pub(crate) use create::create_dataset;
pub(crate) use list::list_datasets;

use domain::dataset::DatasetKind;
use domain::{Fault, Timestamp};
use serde::Serialize;

use crate::extract::wrong;

/// A dataset, ready to be written.
#[derive(Serialize)]
struct DatasetRow<'a> {
    id: String,
    name: &'a str,
    kind: &'static str,
    description: Option<&'a str>,
    items: u64,
    runs: u64,
    created_at: String,
    updated_at: String,
}

/// A kind by its name.
fn kind(name: &str) -> Result<DatasetKind, Fault> {
    let kind = DatasetKind::from_name(name);
    kind.ok_or_else(|| wrong("kind", "give plain, golden, rolling or adversarial"))
}

fn time(at: Timestamp) -> String {
    at.to_string()
}
