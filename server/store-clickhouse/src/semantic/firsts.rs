//! When things first had an event of each type.

use clickhouse::Row;
use domain::impact::First;
use domain::semantic::EventType;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::timestamp;

use super::{FIRSTS, query};

#[derive(Row, Deserialize)]
struct FirstRow {
    trace_id: String,
    session: String,
    what: String,
    first_ns: i64,
}

/// The first events of a range, the earliest `limit` of them.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn firsts(
    clickhouse: &ClickHouse,
    project: ProjectId,
    range: (Timestamp, Timestamp),
    limit: u32,
) -> Result<Vec<First>, StoreError> {
    let query = query(clickhouse, (project, FIRSTS), range, (EventType::ALL, ""));
    let rows = query.param("limit", limit).rows::<FirstRow>().await?;
    let first = |row: FirstRow| {
        Some(First {
            event_type: EventType::from_name(&row.what)?,
            trace_id: row.trace_id,
            session_id: row.session,
            at: timestamp(row.first_ns),
        })
    };
    Ok(rows.into_iter().filter_map(first).collect())
}
