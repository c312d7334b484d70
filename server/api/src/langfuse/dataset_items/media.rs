//! Files that items refer to. Their contents are texts of the form `@@@langfuseMedia:…@@@` within inputs,
//! expected outputs and metadata; clients that know the file of such a text get it told beside the item.
//!
//! This is the only place that tells. To resolve references: find them in the items, ask for their files
//! at once for all items of an answer, and give each item its own.

use domain::dataset::DatasetItem;
use serde::Serialize;
use service::{App, ProjectScope};

use crate::langfuse::error::Result;

/// One file that an item refers to.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MediaReference {
    field: &'static str,
    reference_string: String,
    json_path: String,
    media: serde_json::Value,
}

/// The files of some items, those of each in its place. There are no files yet.
///
/// # Errors
/// When a store is away.
pub(super) async fn references(
    _app: &App,
    _scope: &ProjectScope,
    items: &[DatasetItem],
) -> Result<Vec<Vec<MediaReference>>> {
    Ok(items.iter().map(|_| Vec::new()).collect())
}
