//! The traces just before and after one in the unfiltered list.

use domain::page::{Cursor, Limit};
use domain::{ProjectId, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::traces::extent::{extents, hour};
use crate::traces::find::{Candidate, rows_of};
use crate::traces::hours::{Hours, hours_with_spans};
use crate::traces::list::list;

pub(crate) const SQL: &str = include_str!("newer.sql");

/// Candidates looked at in one step: traces that began earlier fall out.
const STEP: u32 = 20;

/// The next newer and the next older trace.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn neighbours(
    clickhouse: &ClickHouse,
    project: ProjectId,
    place: &Cursor,
) -> Result<(Option<TraceId>, Option<TraceId>), StoreError> {
    let one = Limit::new(1).unwrap_or_default();
    let everything = domain::filter::Filter::default();
    let older = list(clickhouse, project, &everything, (one, Some(place)));
    let (newer, older) = tokio::join!(newer(clickhouse, project, place), older);
    Ok((
        newer?,
        older?
            .data
            .into_iter()
            .next()
            .map(|summary| summary.trace_id),
    ))
}

async fn newer(
    clickhouse: &ClickHouse,
    project: ProjectId,
    place: &Cursor,
) -> Result<Option<TraceId>, StoreError> {
    let mut after = place.clone();
    let mut length = 1u32;
    loop {
        let rest = Hours {
            oldest: hour(after.start),
            newest: u32::MAX,
        };
        let Some(hours) = hours_with_spans(clickhouse, project, rest).await? else {
            return Ok(None);
        };
        let window = Hours {
            oldest: hours.oldest,
            newest: hours.oldest.saturating_add(length - 1).min(hours.newest),
        };
        let candidates = newer_in(clickhouse, project, &after, window).await?;
        if let Some(next) = first_of_its_start(clickhouse, project, &candidates).await? {
            return Ok(Some(next));
        }
        match candidates.last() {
            Some(last) => {
                after = Cursor {
                    start: last.start,
                    id: last.trace_id.to_string(),
                }
            }
            None if window.newest >= hours.newest => return Ok(None),
            None => {
                after = Cursor {
                    start: window.end(),
                    id: String::new(),
                }
            }
        }
        length = length.saturating_mul(4);
    }
}

async fn newer_in(
    clickhouse: &ClickHouse,
    project: ProjectId,
    after: &Cursor,
    window: Hours,
) -> Result<Vec<Candidate>, StoreError> {
    let query = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", window.oldest)
        .param("to_hour", window.newest)
        .param("after_ns", after.start.unix_nanos())
        .param("after_id", &after.id)
        .param("limit", STEP);
    rows_of(query).await
}

/// The first candidate that did not begin before the hours looked at.
async fn first_of_its_start(
    clickhouse: &ClickHouse,
    project: ProjectId,
    candidates: &[Candidate],
) -> Result<Option<TraceId>, StoreError> {
    let ids: Vec<&TraceId> = candidates
        .iter()
        .map(|candidate| &candidate.trace_id)
        .collect();
    let extents = extents(clickhouse, project, &ids).await?;
    let own_start = |candidate: &&Candidate| {
        extents
            .get(&candidate.trace_id)
            .is_none_or(|extent| extent.first == candidate.start)
    };
    Ok(candidates
        .iter()
        .find(own_start)
        .map(|candidate| candidate.trace_id.clone()))
}
