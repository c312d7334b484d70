//! A dataset.

use domain::dataset::Dataset;
use serde::Serialize;
use serde_json::Value;

use crate::langfuse::time::Millis;

/// A dataset, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DatasetShape<'a> {
    id: String,
    project_id: String,
    name: &'a str,
    description: Option<&'a str>,
    metadata: &'a Value,
    input_schema: Option<&'a Value>,
    expected_output_schema: Option<&'a Value>,
    created_at: Millis,
    updated_at: Millis,
}

/// With its items and the names of its runs, as the first version shows it.
#[derive(Serialize)]
pub(super) struct ListingShape<'a, Item> {
    #[serde(flatten)]
    pub(super) dataset: DatasetShape<'a>,
    pub(super) items: Vec<Item>,
    pub(super) runs: &'a [String],
}

impl<'a> From<&'a Dataset> for DatasetShape<'a> {
    fn from(dataset: &'a Dataset) -> Self {
        DatasetShape {
            id: dataset.id.to_string(),
            project_id: dataset.project_id.to_string(),
            name: dataset.name.as_str(),
            description: dataset.description.as_deref(),
            metadata: &dataset.metadata,
            input_schema: dataset.input_schema.as_ref(),
            expected_output_schema: dataset.expected_output_schema.as_ref(),
            created_at: Millis(dataset.created_at),
            updated_at: Millis(dataset.updated_at),
        }
    }
}
