//! Requests: generations with the spans around them, and their scores.

/// When releases and versions of prompts were first seen.
mod firsts;
/// A stored row as a span that tells of a call.
mod row;

use domain::axes::request::{CallSpan, ScoreOf};
use domain::filter::Filter;
use domain::{ProjectId, SpanId, Timestamp, TraceId};

use crate::client::{ClickHouse, Read};
use crate::error::StoreError;
use crate::filter::{LATENCY, compile, with_conditions, with_params};
use crate::traces::extent::hour;

pub use firsts::firsts;
use row::{CallRow, Names, ScoreRow};

const NEWEST_SPANS: &str = concat!(include_str!("newest.sql"), include_str!("spans.sql"));
const SAMPLED_SPANS: &str = concat!(include_str!("sampled.sql"), include_str!("spans.sql"));
const NEWEST_SCORES: &str = concat!(include_str!("newest.sql"), include_str!("scores.sql"));
const SAMPLED_SCORES: &str = concat!(include_str!("sampled.sql"), include_str!("scores.sql"));

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("requests/newest.sql spans.sql", NEWEST_SPANS),
    ("requests/sampled.sql spans.sql", SAMPLED_SPANS),
    ("requests/newest.sql scores.sql", NEWEST_SCORES),
    ("requests/sampled.sql scores.sql", SAMPLED_SCORES),
    ("requests/firsts.sql", firsts::SQL),
];

/// How long before and after a range other spans of its traces are looked for.
const REACH_HOURS: u32 = 1;
/// Scores that are read at most: the latest.
const MOST_SCORES: u32 = 500_000;

/// A place among requests, newest first: what follows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Before {
    /// Start of the request.
    pub start: Timestamp,
    /// Its trace.
    pub trace_id: TraceId,
    /// Its span.
    pub span_id: SpanId,
}

/// Which generations are read, with the spans of their traces.
#[derive(Clone, Debug)]
pub enum Choice {
    /// The newest ones, behind a place.
    Newest(Option<Before>, u32),
    /// So many, of whole traces; of more those with the smallest hash of the trace.
    Sampled(u32),
}

/// Spans of the traces of generations that match, in any order. The filter needs both ends of its range.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn spans(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    choice: &Choice,
) -> Result<Vec<CallSpan>, StoreError> {
    let sql = match choice {
        Choice::Newest(..) => NEWEST_SPANS,
        Choice::Sampled(_) => SAMPLED_SPANS,
    };
    let query = query(clickhouse, project, (filter, choice), sql);
    let mut rows = query.cursor::<CallRow>()?;
    let (mut names, mut found) = (Names::default(), Vec::new());
    while let Some(row) = rows.next().await? {
        found.push(row.into_span(&mut names)?);
    }
    Ok(found)
}

/// Numeric and boolean scores of the same traces and their spans, the latest first.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn scores(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    choice: &Choice,
) -> Result<Vec<ScoreOf>, StoreError> {
    let sql = match choice {
        Choice::Newest(..) => NEWEST_SCORES,
        Choice::Sampled(_) => SAMPLED_SCORES,
    };
    let query = query(clickhouse, project, (filter, choice), sql).param("score_limit", MOST_SCORES);
    let mut names = Names::default();
    let rows = query.rows::<ScoreRow>().await?;
    rows.into_iter()
        .map(|row| row.into_score(&mut names))
        .collect()
}

fn query(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (filter, choice): (&Filter, &Choice),
    sql: &str,
) -> Read {
    let compiled = compile(filter);
    let mut conditions = compiled.on_span();
    if filter.min_latency_ms.is_some() {
        conditions = format!("{conditions} AND {LATENCY}");
    }
    let (from, to) = (
        filter.from.unwrap_or(Timestamp::EPOCH),
        filter.to.unwrap_or(Timestamp::MAX),
    );
    let mut query = clickhouse
        .read(&with_conditions(sql, &conditions))
        .param("project_id", project.to_string())
        .param("from_hour", hour(from))
        .param("to_hour", hour(to))
        .param("near_from_hour", hour(from).saturating_sub(REACH_HOURS))
        .param("near_to_hour", hour(to).saturating_add(REACH_HOURS))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("min_latency_ms", filter.min_latency_ms.unwrap_or(0.0));
    query = match choice {
        Choice::Sampled(limit) => query.param("limit", *limit),
        Choice::Newest(before, limit) => {
            let before = before.as_ref();
            query
                .param("limit", *limit)
                .param(
                    "before_ns",
                    before.map_or(i64::MAX, |before| before.start.unix_nanos()),
                )
                .param(
                    "before_trace",
                    before.map_or("", |before| before.trace_id.as_str()),
                )
                .param(
                    "before_span",
                    before.map_or("", |before| before.span_id.as_str()),
                )
        }
    };
    with_params(query, &compiled)
}
