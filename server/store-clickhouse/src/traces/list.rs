//! The list of traces: newest first, each once.
//!
//! Two steps, so that no more is read than a page needs: [`find`] names candidates in windows of hours
//! that grow backwards, [`summarise`] reads the live spans of a page's candidates and judges each
//! exactly.
//!
//! A row shows what the live spans say and nothing else. Its place in the order is that of its
//! candidate: the earliest start that is stored in its window, which for a span that was sent again
//! with a later start is the earlier one until a merge removes it. A trace is listed once, in the window
//! in which it begins.

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
use crate::traces::starts::beginning_in;
use crate::traces::summarise::{Calls, Judged, summarise};

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
    let mut found: Vec<(Cursor, TraceSummary)> = Vec::new();
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
            let next = last.place();
            let is_last = (candidates.len() as u64) < u64::from(asked);
            found.extend(judge(clickhouse, project, &wanted, (candidates, window)).await?);
            before = next;
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

fn page_of(mut found: Vec<(Cursor, TraceSummary)>, limit: Limit) -> Page<TraceSummary> {
    let rows = limit.rows() as usize;
    let has_more = found.len() > rows;
    found.truncate(rows);
    let last = found.last().filter(|_| has_more);
    Page {
        next_cursor: last.map(|(place, _)| place.clone()),
        data: found.into_iter().map(|(_, summary)| summary).collect(),
    }
}

/// The candidates that do belong to the list, in its order, each with its place.
async fn judge(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &Wanted<'_>,
    (candidates, window): (Vec<Candidate>, Hours),
) -> Result<Vec<(Cursor, TraceSummary)>, StoreError> {
    let mine = beginning_in(clickhouse, project, candidates, window).await?;
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
    let how = (wanted.compiled, Calls::Counted);
    let judged = summarise(clickhouse, project, (&ids, extent), how).await?;
    let mut by_id: HashMap<TraceId, Judged> = judged
        .into_iter()
        .map(|judged| (judged.summary.trace_id.clone(), judged))
        .collect();
    let in_order = mine.into_iter().filter_map(|(candidate, _)| {
        let Judged { summary, meets } = by_id.remove(&candidate.trace_id)?;
        let begins_here = window.contain(summary.start) && is_in_range(wanted.filter, &summary);
        let belongs = meets && begins_here && is_slow_enough(wanted.filter, &summary);
        belongs.then(|| (candidate.place(), summary))
    });
    Ok(in_order.collect())
}

/// Some traces by id, in no order, each with whether it matches; without those that the project does
/// not have.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn some(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_ids: &[&TraceId],
    filter: &Filter,
) -> Result<Vec<Judged>, StoreError> {
    let known = extents(clickhouse, project, trace_ids).await?;
    let Some(extent) = known.values().copied().reduce(Extent::joined) else {
        return Ok(Vec::new());
    };
    let ids: Vec<&TraceId> = known.keys().collect();
    let compiled = compile(filter);
    let how = (&compiled, Calls::Counted);
    let mut judged = summarise(clickhouse, project, (&ids, extent), how).await?;
    for trace in &mut judged {
        let summary = &trace.summary;
        trace.meets &= is_in_range(filter, summary) && is_slow_enough(filter, summary);
    }
    Ok(judged)
}

fn is_in_range(filter: &Filter, summary: &TraceSummary) -> bool {
    filter.from.is_none_or(|from| from <= summary.start)
        && filter.to.is_none_or(|to| summary.start < to)
}

fn is_slow_enough(filter: &Filter, summary: &TraceSummary) -> bool {
    filter.min_latency_ms.is_none_or(|least| {
        summary
            .latency()
            .is_some_and(|latency| latency.as_millis_f64() >= least)
    })
}

/// One trace summed up but for tokens and cost, which follow from its spans
/// ([`TraceSummary::with_totals`]); `None` when the project has no such trace.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn summary(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<Option<TraceSummary>, StoreError> {
    let how = (&Compiled::default(), Calls::LeftOpen);
    let judged = summarise(clickhouse, project, (&[trace_id], extent), how).await?;
    Ok(judged.into_iter().next().map(|judged| judged.summary))
}
