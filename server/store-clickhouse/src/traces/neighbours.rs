//! The traces just before and after one in the unfiltered list.

use domain::page::{Cursor, Limit};
use domain::{ProjectId, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::traces::extent::hour;
use crate::traces::find::{Candidate, rows_of};
use crate::traces::hours::{Hours, hours_with_spans};
use crate::traces::list::list;
use crate::traces::starts::beginning_in;

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
    // The trace itself may stand a little before its own start.
    let two = Limit::new(2).unwrap_or_default();
    let everything = domain::filter::Filter::default();
    let older = list(clickhouse, project, &everything, (two, Some(place)));
    let (newer, older) = tokio::join!(newer(clickhouse, project, place), older);
    let mut older = older?.data.into_iter().map(|summary| summary.trace_id);
    Ok((newer?, older.find(|id| id.as_str() != place.id)))
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
        let last = candidates.last().map(Candidate::place);
        let mine = beginning_in(clickhouse, project, candidates, window).await?;
        let mut others = mine.into_iter().map(|(candidate, _)| candidate.trace_id);
        if let Some(next) = others.find(|id| id.as_str() != place.id) {
            return Ok(Some(next));
        }
        match last {
            Some(last) => after = last,
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
