//! Whether a candidate of a list begins where it seems to.

use std::collections::HashMap;

use domain::{ProjectId, Timestamp, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::traces::extent::{Extent, extents};
use crate::traces::find::{Candidate, rows_of};
use crate::traces::hours::Hours;

pub(crate) const SQL: &str = include_str!("starts.sql");

/// Those candidates that begin within the hours they were found in, each with the extent of its trace.
/// A trace that began before shows with a later span there; it is a candidate of earlier hours, too.
///
/// Asks exactly only where something is odd: a candidate that begins where `traces` says begins in
/// these hours, or was sent again since, which reading its row will tell.
pub(crate) async fn beginning_in(
    clickhouse: &ClickHouse,
    project: ProjectId,
    candidates: Vec<Candidate>,
    window: Hours,
) -> Result<Vec<(Candidate, Extent)>, StoreError> {
    let ids: Vec<&TraceId> = candidates
        .iter()
        .map(|candidate| &candidate.trace_id)
        .collect();
    let extents = extents(clickhouse, project, &ids).await?;
    let placed: Vec<(Candidate, Extent)> = candidates
        .into_iter()
        .map(|candidate| {
            let extent = extent_of(&candidate, &extents);
            (candidate, extent)
        })
        .collect();
    let odd = placed
        .iter()
        .filter(|(candidate, extent)| extent.first != candidate.start);
    let starts = starts(clickhouse, project, odd).await?;
    let begins_here = |(candidate, _): &(Candidate, Extent)| {
        let start = starts.get(&candidate.trace_id);
        start.is_none_or(|start| window.contain(*start))
    };
    Ok(placed.into_iter().filter(begins_here).collect())
}

async fn starts(
    clickhouse: &ClickHouse,
    project: ProjectId,
    odd: impl Iterator<Item = &(Candidate, Extent)>,
) -> Result<HashMap<TraceId, Timestamp>, StoreError> {
    let (ids, extents): (Vec<&TraceId>, Vec<Extent>) = odd
        .map(|(candidate, extent)| (&candidate.trace_id, *extent))
        .unzip();
    let Some(extent) = extents.into_iter().reduce(Extent::joined) else {
        return Ok(HashMap::new());
    };
    let query = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_ids", &ids);
    let rows = rows_of(query).await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.trace_id, row.start))
        .collect())
}

/// The rows of `traces` follow those of `spans` by a moment: until then the candidate's own start.
fn extent_of(candidate: &Candidate, extents: &HashMap<TraceId, Extent>) -> Extent {
    let seen = Extent {
        first: candidate.start,
        last: candidate.start,
    };
    extents.get(&candidate.trace_id).copied().unwrap_or(seen)
}
