//! Experiments, newest first.

use std::collections::HashMap;

use clickhouse::Row;
use domain::filter::Filter;
use domain::{ProjectId, Span, SpanId, Timestamp, TraceId};
use serde::Deserialize;

use super::Wanted;
use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{compile, with_conditions, with_params};
use crate::spans::row::{span_id, timestamp, trace_id};
use crate::spans::whole::of_places;
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("list.sql");

#[derive(Row, Deserialize)]
struct ExtractRow {
    experiment_id: String,
    start_ns: i64,
    end_ns: i64,
    items: u64,
    speaker: (String, String),
}

/// What the spans of an experiment come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Extract {
    /// Id of the experiment.
    pub id: String,
    /// When the first of these spans began.
    pub start: Timestamp,
    /// When the last ended.
    pub end: Timestamp,
    /// Items whose root is among them.
    pub items: u64,
    /// The span that speaks for it.
    pub speaker: Span,
}

/// Experiments before a place in the list, at most `limit`.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn list(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &Wanted,
    (before, limit): (Option<(Timestamp, &str)>, u32),
) -> Result<Vec<Extract>, StoreError> {
    let compiled = compile(&Filter {
        conditions: wanted.conditions.clone(),
        ..Filter::default()
    });
    let (before, before_id) = before.unwrap_or((Timestamp::MAX, ""));
    let query = clickhouse
        .read(&with_conditions(SQL, &compiled.on_span()))
        .param("project_id", project.to_string())
        .param("from_hour", hour(wanted.from))
        .param("to_hour", hour(wanted.to))
        .param("from_ns", wanted.from.unix_nanos())
        .param("to_ns", wanted.to.unix_nanos())
        .param("ids", &wanted.ids)
        .param("before_ns", before.unix_nanos())
        .param("before_id", before_id)
        .param("limit", limit);
    let rows = with_params(query, &compiled).rows::<ExtractRow>().await?;
    let mut speakers = speakers(clickhouse, project, &rows).await?;
    let extracts = rows.into_iter().filter_map(|row| {
        // One that was deleted meanwhile speaks no more.
        let speaker = speakers.remove(&row.speaker)?;
        Some(Extract {
            id: row.experiment_id,
            start: timestamp(row.start_ns),
            end: timestamp(row.end_ns),
            items: row.items,
            speaker,
        })
    });
    Ok(extracts.collect())
}

async fn speakers(
    clickhouse: &ClickHouse,
    project: ProjectId,
    rows: &[ExtractRow],
) -> Result<HashMap<(String, String), Span>, StoreError> {
    let ids: Vec<(TraceId, SpanId)> = rows
        .iter()
        .map(|row| Ok((trace_id(&row.speaker.0)?, span_id(&row.speaker.1)?)))
        .collect::<Result<_, StoreError>>()?;
    let places: Vec<(&TraceId, &SpanId)> = ids.iter().map(|(trace, span)| (trace, span)).collect();
    let found = of_places(clickhouse, project, &places).await?;
    let place = |span: &Span| (span.trace_id.to_string(), span.span_id.to_string());
    Ok(found.into_iter().map(|span| (place(&span), span)).collect())
}
