//! A run, and what it made of an item.

use domain::dataset::{DatasetRun, DatasetRunItem};
use serde::Serialize;
use serde_json::Value;

use crate::langfuse::time::Millis;

/// A run, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunShape<'a> {
    id: &'a str,
    name: &'a str,
    description: Option<&'a str>,
    metadata: &'a Value,
    dataset_id: String,
    dataset_name: &'a str,
    created_at: Millis,
    updated_at: Millis,
    #[serde(skip_serializing_if = "Option::is_none")]
    dataset_run_items: Option<Vec<RunItemShape<'a>>>,
}

/// What a run made of an item, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunItemShape<'a> {
    id: String,
    dataset_run_id: &'a str,
    dataset_run_name: &'a str,
    dataset_item_id: &'a str,
    trace_id: &'a str,
    observation_id: Option<&'a str>,
    created_at: Millis,
    updated_at: Millis,
}

impl<'a> From<&'a DatasetRun> for RunShape<'a> {
    fn from(run: &'a DatasetRun) -> Self {
        RunShape {
            id: run.id.as_str(),
            name: run.name.as_str(),
            description: run.description.as_deref(),
            metadata: &run.metadata,
            dataset_id: run.dataset_id.to_string(),
            dataset_name: run.dataset_name.as_str(),
            created_at: Millis(run.created_at),
            updated_at: Millis(run.updated_at),
            dataset_run_items: None,
        }
    }
}

impl<'a> RunShape<'a> {
    /// With what it made of items.
    pub(super) fn with_items(mut self, items: &'a [DatasetRunItem]) -> Self {
        self.dataset_run_items = Some(items.iter().map(RunItemShape::from).collect());
        self
    }
}

impl<'a> From<&'a DatasetRunItem> for RunItemShape<'a> {
    fn from(item: &'a DatasetRunItem) -> Self {
        RunItemShape {
            id: item.id.to_string(),
            dataset_run_id: item.run_id.as_str(),
            dataset_run_name: item.run_name.as_str(),
            dataset_item_id: item.item_id.as_str(),
            trace_id: item.trace_id.as_str(),
            observation_id: item.observation_id.as_ref().map(domain::SpanId::as_str),
            created_at: Millis(item.created_at),
            updated_at: Millis(item.updated_at),
        }
    }
}
