//! An item.

use domain::dataset::DatasetItem;
use serde::Serialize;
use service::{App, ProjectScope};

use super::media::{MediaReference, references};
use crate::langfuse::content::Readable;
use crate::langfuse::error::Result;
use crate::langfuse::time::Millis;

/// An item, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemShape<'a> {
    id: &'a str,
    status: &'static str,
    input: Readable<'a>,
    expected_output: Readable<'a>,
    metadata: Readable<'a>,
    source_trace_id: Option<&'a str>,
    source_observation_id: Option<&'a str>,
    dataset_id: String,
    dataset_name: &'a str,
    created_at: Millis,
    updated_at: Millis,
    media_references: Vec<MediaReference>,
}

impl<'a> ItemShape<'a> {
    /// Items in order, with the files that they refer to.
    ///
    /// # Errors
    /// When a store is away.
    pub(crate) async fn of(
        app: &App,
        scope: &ProjectScope,
        items: &'a [DatasetItem],
    ) -> Result<Vec<Self>> {
        let references = references(app, scope, items).await?;
        let pairs = items.iter().zip(references);
        Ok(pairs
            .map(|(item, references)| ItemShape::new(item, references))
            .collect())
    }

    fn new(item: &'a DatasetItem, media_references: Vec<MediaReference>) -> Self {
        ItemShape {
            id: item.id.as_str(),
            status: item.status.as_str(),
            input: Readable(&item.input),
            expected_output: Readable(&item.expected_output),
            metadata: Readable(&item.metadata),
            source_trace_id: item.source_trace_id.as_ref().map(domain::TraceId::as_str),
            source_observation_id: item
                .source_observation_id
                .as_ref()
                .map(domain::SpanId::as_str),
            dataset_id: item.dataset_id.to_string(),
            dataset_name: item.dataset_name.as_str(),
            created_at: Millis(item.created_at),
            updated_at: Millis(item.updated_at.max(item.created_at)),
            media_references,
        }
    }
}
