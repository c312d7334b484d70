//! The list of spans: newest first, each once. In two steps, as the list of traces.

use std::collections::{HashMap, HashSet};

use clickhouse::Row;
use domain::filter::Filter;
use domain::page::{Cursor, Limit, Page};
use domain::{ProjectId, Span, SpanId, Timestamp, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{Compiled, LATENCY, compile, with_conditions, with_params};
use crate::spans::row::{span_id, timestamp, trace_id};
use crate::spans::whole::whole_that;
use crate::traces::extent::{Extent, extents, hour};
use crate::traces::hours::{Hours, Walk};

pub(crate) const SQL: &str = include_str!("find.sql");

#[derive(Row, Deserialize)]
pub(crate) struct CandidateRow {
    trace_id: String,
    span_id: String,
    start_ns: i64,
}

impl CandidateRow {
    pub(crate) fn into_place(self) -> Result<Place, StoreError> {
        Ok(Place {
            start: timestamp(self.start_ns),
            trace_id: trace_id(&self.trace_id)?,
            span_id: span_id(&self.span_id)?,
        })
    }
}

/// The place of a span in the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    start: Timestamp,
    trace_id: TraceId,
    span_id: SpanId,
}

impl Place {
    fn of(span: &Span) -> Self {
        Place {
            start: span.start,
            trace_id: span.trace_id.clone(),
            span_id: span.span_id.clone(),
        }
    }

    /// As a cursor: the trace id with its length before it, for ids may hold any sign.
    pub(crate) fn cursor(&self) -> Cursor {
        let trace = self.trace_id.as_str();
        Cursor {
            start: self.start,
            id: format!("{}.{trace}{}", trace.len(), self.span_id),
        }
    }
}

/// Spans with their starts below this, by trace and span id: all three in descending order.
pub(crate) struct Bound {
    pub(crate) start: Timestamp,
    pub(crate) trace_id: String,
    pub(crate) span_id: String,
}

/// One page of whole spans.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn list(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    (limit, cursor): (Limit, Option<&Cursor>),
) -> Result<Page<Span>, StoreError> {
    let compiled = compile(filter);
    let mut before = Bound::of(filter, cursor);
    let target = limit.rows() as usize + 1;
    let mut found: Vec<Span> = Vec::new();
    let within = Hours {
        oldest: hour(filter.from.unwrap_or(Timestamp::EPOCH)),
        newest: hour(before.start),
    };
    let mut walk = Walk::back_through(within);
    'windows: while let Some(window) = walk.next(clickhouse, project).await? {
        loop {
            let asked = u32::try_from(target - found.len()).unwrap_or(u32::MAX);
            let search = (filter, &compiled, &before, asked);
            let places = find(clickhouse, project, search, window).await?;
            let Some(last) = places.last() else { break };
            before = Bound {
                start: last.start,
                trace_id: last.trace_id.to_string(),
                span_id: last.span_id.to_string(),
            };
            let is_last = (places.len() as u64) < u64::from(asked);
            found.extend(read(clickhouse, project, (filter, &compiled), places).await?);
            if found.len() >= target {
                break 'windows;
            }
            if is_last {
                break;
            }
        }
    }
    let has_more = found.len() >= target;
    found.truncate(limit.rows() as usize);
    let next_cursor = found
        .last()
        .filter(|_| has_more)
        .map(|last| Place::of(last).cursor());
    Ok(Page {
        data: found,
        next_cursor,
    })
}

/// Whether a cursor is one of this list.
pub fn is_ours(cursor: &Cursor) -> bool {
    ids_of(&cursor.id).is_some()
}

impl Bound {
    /// Where a list goes on: after a cursor, else at the end of what the filter asks for.
    pub(crate) fn of(filter: &Filter, cursor: Option<&Cursor>) -> Self {
        let end = filter.to.unwrap_or(Timestamp::MAX);
        let place = cursor.filter(|cursor| cursor.start < end).map(|cursor| {
            let (trace_id, span_id) = ids_of(&cursor.id).unwrap_or((&cursor.id, ""));
            Bound {
                start: cursor.start,
                trace_id: trace_id.to_owned(),
                span_id: span_id.to_owned(),
            }
        });
        place.unwrap_or(Bound {
            start: end,
            trace_id: String::new(),
            span_id: String::new(),
        })
    }
}

fn ids_of(id: &str) -> Option<(&str, &str)> {
    let (length, ids) = id.split_once('.')?;
    ids.split_at_checked(length.parse().ok()?)
}

async fn find(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (filter, compiled, before, limit): (&Filter, &Compiled, &Bound, u32),
    window: Hours,
) -> Result<Vec<Place>, StoreError> {
    let mut conditions = compiled.on_span();
    if filter.min_latency_ms.is_some() {
        conditions = format!("{conditions} AND {LATENCY}");
    }
    let query = clickhouse
        .read(&with_conditions(SQL, &conditions))
        .param("project_id", project.to_string())
        .param("from_hour", window.oldest)
        .param("to_hour", window.newest)
        .param(
            "from_ns",
            filter.from.unwrap_or(Timestamp::EPOCH).unix_nanos(),
        )
        .param("before_ns", before.start.unix_nanos())
        .param("before_trace", &before.trace_id)
        .param("before_span", &before.span_id)
        .param("min_latency_ms", filter.min_latency_ms.unwrap_or(0.0))
        .param("limit", limit);
    let rows = with_params(query, compiled).rows::<CandidateRow>().await?;
    rows.into_iter().map(CandidateRow::into_place).collect()
}

/// The live spans at those places that meet the conditions, in the list's order.
pub(crate) async fn read(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (filter, compiled): (&Filter, &Compiled),
    places: Vec<Place>,
) -> Result<Vec<Span>, StoreError> {
    let traces: HashSet<&TraceId> = places.iter().map(|place| &place.trace_id).collect();
    let traces: Vec<&TraceId> = traces.into_iter().collect();
    let spans: Vec<&SpanId> = places.iter().map(|place| &place.span_id).collect();
    let known = extents(clickhouse, project, &traces).await?;
    let seen = places.iter().map(|place| Extent {
        first: place.start,
        last: place.start,
    });
    // The live version of a span may lie anywhere in its trace.
    let Some(extent) = known.values().copied().chain(seen).reduce(Extent::joined) else {
        return Ok(Vec::new());
    };
    let mut conditions = compiled.on_span();
    if filter.min_latency_ms.is_some() {
        conditions = format!("{conditions} AND {LATENCY}");
    }
    let judge = (conditions.as_str(), compiled, filter.min_latency_ms);
    let live = whole_that(clickhouse, project, (&traces, &spans), (extent, judge)).await?;
    let mut by_place: HashMap<Place, Span> = live
        .into_iter()
        .map(|span| (Place::of(&span), span))
        .collect();
    Ok(places
        .iter()
        .filter_map(|place| by_place.remove(place))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_gives_both_ids_back_whatever_is_in_them() {
        let span = crate::spans::samples::span("3.a.b é", "c.1", 7);
        let cursor = Place::of(&span).cursor();
        assert_eq!(ids_of(&cursor.id), Some(("3.a.b é", "c.1")));
        assert_eq!(ids_of("nonsense"), None);
        assert_eq!(ids_of("99.short"), None);
    }
}
