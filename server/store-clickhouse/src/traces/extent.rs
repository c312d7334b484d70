//! Where in time traces lie.

use std::collections::HashMap;

use clickhouse::Row;
use domain::{ProjectId, Timestamp, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{timestamp, trace_id};

pub(crate) const SQL: &str = include_str!("extent.sql");

#[derive(Row, Deserialize)]
struct ExtentRow {
    trace_id: String,
    first_ns: i64,
    last_ns: i64,
}

/// From the first to the last start of some spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Earliest start.
    pub first: Timestamp,
    /// Latest start.
    pub last: Timestamp,
}

impl Extent {
    pub(crate) fn first_hour(self) -> u32 {
        hour(self.first)
    }

    pub(crate) fn last_hour(self) -> u32 {
        hour(self.last)
    }

    pub(crate) fn joined(self, other: Extent) -> Extent {
        Extent {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

/// Whole hours since 1970, as `spans.start_hour` has them.
pub(crate) fn hour(instant: Timestamp) -> u32 {
    u32::try_from(instant.unix_seconds() / 3600).unwrap_or(u32::MAX)
}

/// The extents of those traces that the project has.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn extents(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_ids: &[&TraceId],
) -> Result<HashMap<TraceId, Extent>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("trace_ids", trace_ids)
        .rows::<ExtentRow>()
        .await?;
    let extent = |row: ExtentRow| {
        let extent = Extent {
            first: timestamp(row.first_ns),
            last: timestamp(row.last_ns),
        };
        Ok((trace_id(&row.trace_id)?, extent))
    };
    rows.into_iter().map(extent).collect()
}

/// The extent of one trace; `None` when the project has no such trace.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn extent(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
) -> Result<Option<Extent>, StoreError> {
    Ok(extents(clickhouse, project, &[trace_id])
        .await?
        .remove(trace_id))
}
