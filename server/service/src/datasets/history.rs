//! One item of a dataset with what it was before, and drafts of new ones taken from what was recorded.

use domain::dataset::{DatasetItem, DatasetItemId};
use domain::{DatasetId, Fault, SpanId, TraceId};
use serde_json::Value;
use store_postgres::datasets;

use super::items::no_such_item;
use crate::app::App;
use crate::scope::ProjectScope;
use crate::spans;

/// Most versions of an item that are shown.
const SHOWN: u32 = 100;

/// The versions of an item, that of now first, then the newest hundred before it.
///
/// # Errors
/// `not_found` when the dataset has no such item now; `unavailable` without Postgres.
pub async fn item_versions(
    app: &App,
    scope: &ProjectScope,
    (dataset, id): (DatasetId, &DatasetItemId),
) -> Result<Vec<DatasetItem>, Fault> {
    let item = super::show_item(app, scope, id).await?;
    if item.dataset_id != dataset {
        return Err(no_such_item(id));
    }
    let place = (scope.project_id(), dataset);
    Ok(datasets::item_versions(app.postgres(), place, id, SHOWN).await?)
}

/// Input and output of a span as contents of an item: JSON where they are that, else texts.
///
/// # Errors
/// `not_found`; `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn contents_of(
    app: &App,
    scope: &ProjectScope,
    (trace_id, span_id): (&TraceId, &SpanId),
) -> Result<(Value, Value), Fault> {
    let span = spans::show(app, scope, trace_id, span_id).await?;
    let span = span.ok_or_else(|| Fault::not_found("there is no span of this id in this trace"))?;
    let content = |text: Option<&str>| match text {
        None => Value::Null,
        Some(text) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
    };
    Ok((
        content(span.input.as_ref().map(|content| &*content.text)),
        content(span.output.as_ref().map(|content| &*content.text)),
    ))
}
