//! Slices of the sessions or users of some time, in several orders.

use clickhouse::Row;
use domain::ProjectId;
use domain::rollup::{Place, Rollup, RollupBy, RollupOrder, RollupPage, RollupQuery};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{timestamp, usd};
use crate::traces::extent::hour;
use crate::traces::find::REACH_HOURS;

pub(crate) const SQL: &str = concat!(
    "WITH ",
    include_str!("chosen.sql"),
    ",\n",
    include_str!("../traces/wholes.sql"),
    ",\n",
    include_str!("judged.sql"),
    include_str!("list.sql")
);

/// Traces that may belong to what was chosen.
const TRACES: &str = "trace_id IN (SELECT trace_id FROM spans \
     WHERE project_id = {project_id:UUID} \
     AND start_hour BETWEEN {whole_from_hour:UInt32} AND {whole_to_hour:UInt32} \
     AND /* key */ session_id IN (SELECT chosen_id FROM chosen))";
/// Candidates beyond a page: of some the traces name another session by now.
const SPARE: u64 = 8;
/// More candidates than there can be.
const EVERY: u64 = 1 << 40;

#[derive(Row, Deserialize)]
struct RollupRow {
    id: String,
    first_ns: i64,
    last_seen_ns: u64,
    end_ns: Option<i64>,
    its_traces: u64,
    its_failed: u64,
    its_sessions: u64,
    its_users: Vec<String>,
    its_environments: Vec<String>,
    its_input_tokens: Option<u64>,
    its_output_tokens: Option<u64>,
    its_cost: Option<i128>,
    its_unpriced: u64,
    its_failed_checks: u64,
    all_scores: u64,
    score_sum: f64,
    low_scores: u64,
    rank: u64,
}

/// One page.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn list(
    clickhouse: &ClickHouse,
    project: ProjectId,
    query: &RollupQuery,
) -> Result<RollupPage, StoreError> {
    let by_activity = query.order == RollupOrder::Activity;
    let wanted = u64::from(query.limit) + 1;
    let before = query.after.clone().unwrap_or_else(Place::start);
    let candidates = if by_activity { wanted + SPARE } else { EVERY };
    let (first, last) = (hour(query.from), hour(query.to));
    let mut rows = clickhouse
        .read(&sql(query))
        .param("project_id", project.to_string())
        .param("from_hour", first)
        .param("to_hour", last)
        .param("from_ns", query.from.unix_nanos())
        .param("to_ns", query.to.unix_nanos())
        .param("whole_from_hour", first.saturating_sub(REACH_HOURS))
        .param("whole_to_hour", last.saturating_add(REACH_HOURS))
        .param("began_from_ns", 0)
        .param("began_to_ns", 0)
        .param("judged_from_ns", query.from.unix_nanos())
        .param("ids", &query.ids)
        .param("users", &query.users)
        .param("environments", &query.environments)
        .param("text", query.text.as_deref().unwrap_or_default())
        .param("by_activity", by_activity)
        .param("candidates", candidates)
        .param("before_rank", before.rank)
        .param("before_id", before.id)
        .param("limit", query.limit.saturating_add(1))
        .rows::<RollupRow>()
        .await?;
    let goes_on = rows.len() as u64 == wanted;
    rows.truncate(query.limit as usize);
    let last = rows.last().filter(|_| goes_on);
    Ok(RollupPage {
        next: last.map(|row| Place {
            rank: row.rank,
            id: row.id.clone(),
        }),
        rows: rows.into_iter().map(Rollup::from).collect(),
    })
}

fn sql(query: &RollupQuery) -> String {
    let (key, whole) = match query.by {
        RollupBy::Session => ("session_id", "wholes.session_id"),
        RollupBy::User => ("user_id", "wholes.user_id"),
    };
    let rank = match query.order {
        RollupOrder::Activity => "last_seen_ns",
        RollupOrder::Traces => "its_traces",
        RollupOrder::Cost => "greatest(ifNull(its_cost, 0), 0) * 1000000000",
        RollupOrder::Tokens => "ifNull(its_input_tokens, 0) + ifNull(its_output_tokens, 0)",
        RollupOrder::Errors => "its_failed",
        RollupOrder::Duration => "greatest(ifNull(end_ns, first_ns) - first_ns, 0)",
    };
    SQL.replace("/* traces */ 1", TRACES)
        .replace("/* whole key */ wholes.session_id", whole)
        .replace("/* key */ session_id", key)
        .replace("/* rank */ last_seen_ns", rank)
}

impl From<RollupRow> for Rollup {
    fn from(row: RollupRow) -> Self {
        let last = i64::try_from(row.last_seen_ns).unwrap_or(i64::MAX);
        Rollup {
            id: row.id,
            first: timestamp(row.first_ns),
            last: timestamp(last),
            end: row.end_ns.map(timestamp),
            traces: row.its_traces,
            failed_traces: row.its_failed,
            sessions: row.its_sessions,
            users: row.its_users,
            environments: row.its_environments,
            input_tokens: row.its_input_tokens,
            output_tokens: row.its_output_tokens,
            cost: row.its_cost.map(usd),
            unpriced_calls: row.its_unpriced,
            failed_checks: row.its_failed_checks,
            scores: row.all_scores,
            score_mean: (row.all_scores > 0).then(|| row.score_sum / row.all_scores as f64),
            low_scores: row.low_scores,
        }
    }
}
