//! The turns of a session, without what was said.

use clickhouse::Row;
use domain::ProjectId;
use domain::session::{Turn, Turns};
use serde::Deserialize;

use super::extent::extent;
use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{some, timestamp, trace_id, usd};
use crate::traces::find::REACH_HOURS;

pub(crate) const SQL: &str = concat!(
    "WITH ",
    include_str!("../traces/wholes.sql"),
    ",\n",
    include_str!("../rollups/judged.sql"),
    include_str!("turns.sql")
);

/// Traces that may belong to the session.
const TRACES: &str = "trace_id IN (SELECT trace_id FROM spans \
     WHERE project_id = {project_id:UUID} \
     AND start_hour BETWEEN {whole_from_hour:UInt32} AND {whole_to_hour:UInt32} \
     AND session_id = {session_id:String})";
/// Turns that are read at most, the earliest ones.
const MOST: u32 = 30_000;
const NANOS_PER_HOUR: i64 = 3_600_000_000_000;

#[derive(Row, Deserialize)]
struct TurnRow {
    trace_id: String,
    name: String,
    start_ns: i64,
    end_ns: Option<i64>,
    user_id: String,
    environment: String,
    errors: u64,
    failed_checks: u64,
    low_scores: u64,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    its_cost: Option<i128>,
    unpriced: u32,
    total: u64,
}

/// The turns of a session, the first thirty thousand; `None` when the project has no such session.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn turns(
    clickhouse: &ClickHouse,
    project: ProjectId,
    session: &str,
) -> Result<Option<Turns>, StoreError> {
    let Some(hours) = extent(clickhouse, project, session).await? else {
        return Ok(None);
    };
    let from_hour = hours.first_hour.saturating_sub(REACH_HOURS);
    let rows = clickhouse
        .read(&SQL.replace("/* traces */ 1", TRACES))
        .param("project_id", project.to_string())
        .param("session_id", session)
        .param("whole_from_hour", from_hour)
        .param("whole_to_hour", hours.last_hour.saturating_add(REACH_HOURS))
        .param("began_from_ns", 0)
        .param("began_to_ns", 0)
        .param(
            "judged_from_ns",
            i64::from(from_hour).saturating_mul(NANOS_PER_HOUR),
        )
        .param("limit", MOST)
        .rows::<TurnRow>()
        .await?;
    let total = rows.first().map_or(0, |row| row.total);
    let turns: Vec<Turn> = rows
        .into_iter()
        .map(TurnRow::into_turn)
        .collect::<Result<_, _>>()?;
    Ok((!turns.is_empty()).then(|| Turns {
        left_out: total.saturating_sub(turns.len() as u64),
        turns,
    }))
}

impl TurnRow {
    fn into_turn(self) -> Result<Turn, StoreError> {
        Ok(Turn {
            trace_id: trace_id(&self.trace_id)?,
            name: self.name,
            start: timestamp(self.start_ns),
            end: self.end_ns.map(timestamp),
            user_id: some(self.user_id),
            environment: self.environment,
            errors: self.errors,
            failed_checks: self.failed_checks,
            low_scores: self.low_scores,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cost: self.its_cost.map(usd),
            unpriced_calls: u64::from(self.unpriced),
        })
    }
}
