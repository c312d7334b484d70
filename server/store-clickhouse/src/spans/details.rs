//! What graphs of a trace need of its steps beside its tree.

use clickhouse::Row;
use domain::agents::{Detail, Details};
use domain::{ProjectId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{some, span_id};
use crate::traces::extent::Extent;

pub(crate) const SQL: &str = include_str!("details.sql");

#[derive(Row, Deserialize)]
struct DetailRow {
    span_id: String,
    error_kind: String,
    input_digest: Option<u64>,
    input_head: String,
    plan: String,
}

/// Details of the steps of a trace that lies within an extent, of at most `limit` rows.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn details(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (trace_id, limit): (&TraceId, u32),
    extent: Extent,
) -> Result<Details, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_id", trace_id.as_str())
        .param("limit", limit)
        .rows::<DetailRow>()
        .await?;
    let mut details = Details::with_capacity(rows.len());
    for row in rows {
        // The newest version of a span comes first.
        details.entry(span_id(&row.span_id)?).or_insert(Detail {
            error_kind: some(row.error_kind),
            input_digest: row.input_digest,
            input_head: row.input_head,
            plan: some(row.plan),
        });
    }
    Ok(details)
}
