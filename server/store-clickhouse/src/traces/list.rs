//! The list of traces: newest first, each once.
//!
//! Two steps, so that no more is read than a page needs: [`find`] names candidates in windows of hours
//! that grow backwards, [`summarise`] reads the live spans of a page's candidates and judges each
//! exactly. The order is that of `traces.first_start`, which new rows do not move.

use std::collections::HashMap;

use domain::filter::Filter;
use domain::page::{Cursor, Limit, Page};
use domain::trace::TraceSummary;
use domain::{ProjectId, Timestamp, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{Compiled, compile};
use crate::traces::extent::{Extent, extents, hour};
use crate::traces::find::{Candidate, Wanted, find};
use crate::traces::hours::{Hours, Walk};
use crate::traces::summarise::{Judged, summarise};

/// Candidates that are judged at once beyond what a page still needs: some may fall out.
const SPARE: u32 = 8;

/// One page.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn list(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    (limit, cursor): (Limit, Option<&Cursor>),
) -> Result<Page<TraceSummary>, StoreError> {
    let compiled = compile(filter);
    let mut before = first_bound(filter, cursor);
    // One more than the page holds tells whether there is a next one.
    let target = limit.rows() as usize + 1;
    let mut found: Vec<TraceSummary> = Vec::new();
    let within = Hours {
        oldest: hour(filter.from.unwrap_or(Timestamp::EPOCH)),
        newest: hour(before.start),
    };
    let mut walk = Walk::back_through(within);
    'windows: while let Some(window) = walk.next(clickhouse, project).await? {
        loop {
            let missing = u32::try_from(target - found.len()).unwrap_or(u32::MAX);
            let asked = missing.saturating_add(SPARE);
            let wanted = Wanted {
                filter,
                compiled: &compiled,
                before: &before,
                limit: asked,
            };
            let candidates = find(clickhouse, project, &wanted, window).await?;
            let Some(last) = candidates.last() else { break };
            before = Cursor {
                start: last.start,
                id: last.trace_id.to_string(),
            };
            let is_last = (candidates.len() as u64) < u64::from(asked);
            found.extend(judge(clickhouse, project, &compiled, (filter, candidates)).await?);
            if found.len() >= target {
                break 'windows;
            }
            if is_last {
                break;
            }
        }
    }
    Ok(page_of(found, limit))
}

fn first_bound(filter: &Filter, cursor: Option<&Cursor>) -> Cursor {
    // No id is smaller than the empty one: the bound itself is left out.
    let end = Cursor {
        start: filter.to.unwrap_or(Timestamp::MAX),
        id: String::new(),
    };
    match cursor {
        Some(cursor) if cursor.start < end.start => cursor.clone(),
        _ => end,
    }
}

pub(crate) fn page_of(mut found: Vec<TraceSummary>, limit: Limit) -> Page<TraceSummary> {
    let rows = limit.rows() as usize;
    let has_more = found.len() > rows;
    found.truncate(rows);
    let cursor = |last: &TraceSummary| Cursor {
        start: last.start,
        id: last.trace_id.to_string(),
    };
    let next_cursor = found.last().filter(|_| has_more).map(cursor);
    Page {
        data: found,
        next_cursor,
    }
}

/// The candidates that do belong to the list, in its order.
async fn judge(
    clickhouse: &ClickHouse,
    project: ProjectId,
    compiled: &Compiled,
    (filter, candidates): (&Filter, Vec<Candidate>),
) -> Result<Vec<TraceSummary>, StoreError> {
    let ids: Vec<&TraceId> = candidates
        .iter()
        .map(|candidate| &candidate.trace_id)
        .collect();
    let extents = extents(clickhouse, project, &ids).await?;
    // A trace that began before the window comes in an earlier one.
    let mine: Vec<(&Candidate, Extent)> = candidates
        .iter()
        .map(|candidate| (candidate, extent_of(candidate, &extents)))
        .filter(|(candidate, extent)| extent.first == candidate.start)
        .collect();
    let Some(extent) = mine
        .iter()
        .map(|(_, extent)| *extent)
        .reduce(Extent::joined)
    else {
        return Ok(Vec::new());
    };
    let ids: Vec<&TraceId> = mine
        .iter()
        .map(|(candidate, _)| &candidate.trace_id)
        .collect();
    let judged = summarise(clickhouse, project, (&ids, extent), compiled).await?;
    let mut by_id: HashMap<TraceId, Judged> = judged
        .into_iter()
        .map(|judged| (judged.summary.trace_id.clone(), judged))
        .collect();
    let in_order = mine.into_iter().filter_map(|(candidate, extent)| {
        let judged = by_id.remove(&candidate.trace_id)?;
        let summary = TraceSummary {
            start: extent.first,
            ..judged.summary
        };
        (judged.meets && is_slow_enough(filter, &summary)).then_some(summary)
    });
    Ok(in_order.collect())
}

/// The rows of `traces` follow those of `spans` by a moment: until then the candidate's own start.
fn extent_of(candidate: &Candidate, extents: &HashMap<TraceId, Extent>) -> Extent {
    let seen = Extent {
        first: candidate.start,
        last: candidate.start,
    };
    extents.get(&candidate.trace_id).copied().unwrap_or(seen)
}

fn is_slow_enough(filter: &Filter, summary: &TraceSummary) -> bool {
    filter.min_latency_ms.is_none_or(|least| {
        summary
            .latency()
            .is_some_and(|latency| latency.as_millis_f64() >= least)
    })
}

/// One trace summed up; `None` when the project has no such trace.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn summary(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<Option<TraceSummary>, StoreError> {
    let compiled = Compiled::default();
    let judged = summarise(clickhouse, project, (&[trace_id], extent), &compiled).await?;
    let summary = judged.into_iter().next().map(|judged| judged.summary);
    Ok(summary.map(|summary| TraceSummary {
        start: extent.first,
        ..summary
    }))
}
