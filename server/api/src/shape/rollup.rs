//! A session or a user, with what their traces come to, and the turns of a session.

use domain::rollup::Rollup;
use domain::session::{Turn, Turns};
use domain::{Nanos, Timestamp, Usd};
use serde::Serialize;

use super::trace::{CostShape, UsageShape};

/// What is the same of sessions and users.
#[derive(Serialize)]
struct SumShape {
    first: String,
    last: String,
    end: Option<String>,
    duration_ms: Option<f64>,
    trace_count: u64,
    error_trace_count: u64,
    usage: Option<UsageShape>,
    cost: Option<CostShape>,
    unpriced_calls: u64,
    failed_checks: u64,
    low_scores: u64,
}

/// A session of the list.
#[derive(Serialize)]
pub(crate) struct SessionRow<'a> {
    session_id: &'a str,
    #[serde(flatten)]
    sum: SumShape,
    users: &'a [String],
    environments: &'a [String],
    score_count: u64,
    score_mean: Option<f64>,
}

/// A user of the list.
#[derive(Serialize)]
pub(crate) struct UserRow<'a> {
    user_id: &'a str,
    #[serde(flatten)]
    sum: SumShape,
    session_count: u64,
    environments: &'a [String],
    score_count: u64,
    score_mean: Option<f64>,
    first_seen: String,
    last_seen: String,
}

/// A session with its turns.
#[derive(Serialize)]
pub(crate) struct WholeSession<'a> {
    session_id: &'a str,
    #[serde(flatten)]
    sum: SumShape,
    turns: Vec<TurnShape<'a>>,
    turns_left_out: u64,
}

#[derive(Serialize)]
struct TurnShape<'a> {
    trace_id: &'a str,
    name: &'a str,
    start: String,
    end: Option<String>,
    latency_ms: Option<f64>,
    user_id: Option<&'a str>,
    environment: &'a str,
    error_count: u64,
    failed_checks: u64,
    low_scores: u64,
    usage: Option<UsageShape>,
    cost: Option<CostShape>,
    unpriced_calls: u64,
}

/// Turns of a session that are written.
const MOST_TURNS: usize = 1_000;

impl<'a> SessionRow<'a> {
    /// Of a row of the list.
    pub(crate) fn new(row: &'a Rollup) -> Self {
        SessionRow {
            session_id: &row.id,
            sum: SumShape::from(row),
            users: &row.users,
            environments: &row.environments,
            score_count: row.scores,
            score_mean: row.score_mean,
        }
    }
}

impl<'a> UserRow<'a> {
    /// Of a row of the list, with when they were first and last seen, ever.
    pub(crate) fn new(row: &'a Rollup, seen: Option<(Timestamp, Timestamp)>) -> Self {
        let (first, last) = seen.unwrap_or((row.first, row.last));
        UserRow {
            user_id: &row.id,
            sum: SumShape::from(row),
            session_count: row.sessions,
            environments: &row.environments,
            score_count: row.scores,
            score_mean: row.score_mean,
            first_seen: first.to_string(),
            last_seen: last.to_string(),
        }
    }
}

impl From<&Rollup> for SumShape {
    fn from(row: &Rollup) -> Self {
        SumShape {
            first: row.first.to_string(),
            last: row.last.to_string(),
            end: row.end.map(|end| end.to_string()),
            duration_ms: row.duration().map(Nanos::as_millis_f64),
            trace_count: row.traces,
            error_trace_count: row.failed_traces,
            usage: UsageShape::of(row.input_tokens, row.output_tokens),
            cost: row.cost.map(CostShape::new),
            unpriced_calls: row.unpriced_calls,
            failed_checks: row.failed_checks,
            low_scores: row.low_scores,
        }
    }
}

impl<'a> WholeSession<'a> {
    /// Of a session with its turns.
    pub(crate) fn new(id: &'a str, turns: &'a Turns) -> Self {
        let all = &turns.turns;
        let edge = |turn: Option<&Turn>| turn.map_or(Timestamp::EPOCH, |turn| turn.start);
        let count = |part: fn(&Turn) -> u64| all.iter().map(part).sum::<u64>();
        let input = turns.sum(|turn| turn.input_tokens, u64::saturating_add);
        let output = turns.sum(|turn| turn.output_tokens, u64::saturating_add);
        let cost = turns.sum(|turn| turn.cost, |a: Usd, b: Usd| a + b);
        WholeSession {
            session_id: id,
            sum: SumShape {
                first: edge(all.first()).to_string(),
                last: edge(all.last()).to_string(),
                end: turns.end().map(|end| end.to_string()),
                duration_ms: turns.duration().map(Nanos::as_millis_f64),
                trace_count: all.len() as u64 + turns.left_out,
                error_trace_count: count(|turn| u64::from(turn.errors > 0)),
                usage: UsageShape::of(input, output),
                cost: cost.map(CostShape::new),
                unpriced_calls: count(|turn| turn.unpriced_calls),
                failed_checks: count(|turn| turn.failed_checks),
                low_scores: count(|turn| turn.low_scores),
            },
            turns: all.iter().take(MOST_TURNS).map(TurnShape::from).collect(),
            turns_left_out: turns.left_out + all.len().saturating_sub(MOST_TURNS) as u64,
        }
    }
}

impl<'a> From<&'a Turn> for TurnShape<'a> {
    fn from(turn: &'a Turn) -> Self {
        TurnShape {
            trace_id: turn.trace_id.as_str(),
            name: &turn.name,
            start: turn.start.to_string(),
            end: turn.end.map(|end| end.to_string()),
            latency_ms: turn.latency().map(Nanos::as_millis_f64),
            user_id: turn.user_id.as_deref(),
            environment: &turn.environment,
            error_count: turn.errors,
            failed_checks: turn.failed_checks,
            low_scores: turn.low_scores,
            usage: UsageShape::of(turn.input_tokens, turn.output_tokens),
            cost: turn.cost.map(CostShape::new),
            unpriced_calls: turn.unpriced_calls,
        }
    }
}
