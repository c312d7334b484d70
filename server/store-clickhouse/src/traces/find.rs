//! Candidates for the list of traces.

use clickhouse::Row;
use domain::filter::Filter;
use domain::page::Cursor;
use domain::{ProjectId, Timestamp, TraceId};
use serde::Deserialize;

use crate::client::{ClickHouse, Read};
use crate::error::StoreError;
use crate::filter::{Compiled, with_conditions, with_params};
use crate::spans::row::{timestamp, trace_id};
use crate::traces::hours::Hours;

pub(crate) const SQL: &str = include_str!("find.sql");

/// Hours after the start of a trace in which its spans are looked for by conditions and latency. A
/// span that begins later than that is shown, but does not make its trace match.
pub(crate) const REACH_HOURS: u32 = 24;

#[derive(Row, Deserialize)]
struct CandidateRow {
    trace_id: String,
    first_ns: i64,
}

/// A trace that may belong to the list, with its start as far as the hours looked at show it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) trace_id: TraceId,
    pub(crate) start: Timestamp,
}

impl Candidate {
    /// Its place in the list.
    pub(crate) fn place(&self) -> Cursor {
        Cursor {
            start: self.start,
            id: self.trace_id.to_string(),
        }
    }
}

/// What is looked for.
pub(crate) struct Wanted<'a> {
    pub(crate) filter: &'a Filter,
    pub(crate) compiled: &'a Compiled,
    /// Before that in the list.
    pub(crate) before: &'a Cursor,
    pub(crate) limit: u32,
}

/// Candidates that begin in some hours, newest first.
pub(crate) async fn find(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &Wanted<'_>,
    window: Hours,
) -> Result<Vec<Candidate>, StoreError> {
    let mut conditions = wanted.compiled.on_versions_of_trace();
    let mut reach = if wanted.compiled.formulas.is_empty() {
        0
    } else {
        REACH_HOURS
    };
    if wanted.filter.min_latency_ms.is_some() {
        conditions.push_str(
            " AND (toUnixTimestamp64Nano(max(end_time)) - first_ns) / 1e6 >= {min_latency_ms:Float64}",
        );
        reach = REACH_HOURS;
    }
    let from = wanted
        .filter
        .from
        .unwrap_or(Timestamp::EPOCH)
        .max(window.begin());
    let query = clickhouse
        .read(&with_conditions(SQL, &conditions))
        .param("project_id", project.to_string())
        .param("from_hour", window.oldest)
        .param("to_hour", window.newest.saturating_add(reach))
        .param("from_ns", from.unix_nanos())
        .param(
            "before_ns",
            wanted.before.start.min(window.end()).unix_nanos(),
        )
        .param("before_id", &wanted.before.id)
        .param(
            "min_latency_ms",
            wanted.filter.min_latency_ms.unwrap_or(0.0),
        )
        .param("limit", wanted.limit);
    rows_of(with_params(query, wanted.compiled)).await
}

pub(crate) async fn rows_of(query: Read) -> Result<Vec<Candidate>, StoreError> {
    let rows = query.rows::<CandidateRow>().await?;
    let candidate = |row: CandidateRow| {
        Ok(Candidate {
            trace_id: trace_id(&row.trace_id)?,
            start: timestamp(row.first_ns),
        })
    };
    rows.into_iter().map(candidate).collect()
}
