use domain::evaluator::{EvaluationState, Evaluator};
use domain::score::ScoreValue;
use domain::{EvaluatorId, ProjectId, SpanId, Timestamp, TraceId, Usd};
use uuid::Uuid;

use super::settings::Row;
use crate::{Postgres, StoreError, Transaction};

/// Spans that may wait for one evaluator.
pub const MOST_WAITING: i64 = 20_000;

/// An evaluator whose turn it is to look for spans.
#[derive(Clone, Debug)]
pub struct Look {
    /// The evaluator.
    pub evaluator: Evaluator,
    /// Its project.
    pub project: ProjectId,
    /// The name of this turn.
    pub claim: Uuid,
    /// When it was switched on.
    pub on_since: Timestamp,
    /// What ended before was looked at.
    pub looked_until: Timestamp,
    /// What somebody wanted scored after the fact and was not looked at yet: what ended from ≤ t < until.
    pub back: Option<(Timestamp, Timestamp)>,
    /// Spans that wait for it.
    pub waiting: u64,
}

/// Takes up an evaluator that is due to look for spans, and holds it for a while.
///
/// # Errors
/// When Postgres is away, or what it keeps cannot be understood.
pub async fn take_look(
    db: &Postgres,
    claim: Uuid,
    (now, held_until): (Timestamp, Timestamp),
) -> Result<Option<Look>, StoreError> {
    let row = sqlx::query!(
        r#"WITH due AS (
             SELECT id
             FROM evaluators
             WHERE look_at <= $2
             ORDER BY look_at
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         UPDATE evaluators e
         SET look_claim = $1, look_at = $3
         FROM due
         WHERE e.id = due.id
         RETURNING e.id, e.project_id, e.document::TEXT AS "document!", e.created_at, e.updated_at, e.on_since,
             e.looked_until, e.back_from, e.back_until,
             (SELECT count(*) FROM evaluations w WHERE w.evaluator_id = e.id AND w.due_at IS NOT NULL) AS "waiting!""#,
        claim,
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let evaluator = Row {
        id: row.id,
        document: row.document,
        created_at: row.created_at,
        updated_at: row.updated_at,
    };
    Ok(Some(Look {
        evaluator: evaluator.read()?,
        project: row.project_id.into(),
        claim,
        on_since: row.on_since.into(),
        looked_until: row.looked_until.into(),
        back: stretch(row.back_from, row.back_until),
        waiting: row.waiting.unsigned_abs(),
    }))
}

/// Has spans wait for an evaluator that a turn holds, unless they did before; how many are new. No more wait than may.
///
/// # Errors
/// When Postgres is away.
pub async fn enqueue(
    db: &Postgres,
    look: &Look,
    spans: &[(TraceId, SpanId)],
    now: Timestamp,
) -> Result<u64, StoreError> {
    let (traces, ids): (Vec<String>, Vec<String>) = spans
        .iter()
        .map(|(trace, span)| (trace.to_string(), span.to_string()))
        .filter(|(trace, span)| !trace.contains('\0') && !span.contains('\0'))
        .unzip();
    let stored = sqlx::query!(
        "INSERT INTO evaluations (evaluator_id, trace_id, span_id, state, tries, due_at, value, words)
         SELECT e.id, found.trace_id, found.span_id, 'waiting', 0, $5, '', ''
         FROM evaluators e
         CROSS JOIN unnest($3::TEXT[], $4::TEXT[]) AS found (trace_id, span_id)
         WHERE e.id = $1
             AND e.look_claim = $2
             AND e.is_enabled
             AND (SELECT count(*) FROM evaluations w WHERE w.evaluator_id = $1 AND w.due_at IS NOT NULL) < $6
         ON CONFLICT (evaluator_id, trace_id, span_id) DO NOTHING",
        look.evaluator.id.as_uuid(),
        look.claim,
        &traces,
        &ids,
        now.to_utc(),
        MOST_WAITING
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected())
}

/// Ends a turn: how far it looked, what is left of the stretch that is scored after the fact, when the next one is due;
/// what came of spans before `old` is forgotten. Whether the turn still had it.
///
/// # Errors
/// When Postgres is away.
pub async fn looked(
    db: &Postgres,
    look: &Look,
    (until, back, next): (Option<Timestamp>, Option<(Timestamp, Timestamp)>, Timestamp),
    old: Timestamp,
) -> Result<bool, StoreError> {
    // Whoever asked for another stretch meanwhile took the turn away.
    let noted = sqlx::query!(
        "UPDATE evaluators
         SET looked_until = coalesce($3, looked_until), look_at = $4, back_from = $5, back_until = $6
         WHERE id = $1 AND look_claim = $2 AND is_enabled",
        look.evaluator.id.as_uuid(),
        look.claim,
        until.map(|at| at.to_utc()),
        next.to_utc(),
        back.map(|(from, _)| from.to_utc()),
        back.map(|(_, until)| until.to_utc())
    )
    .execute(db.pool())
    .await?;
    sqlx::query!(
        "DELETE FROM evaluations WHERE evaluator_id = $1 AND tried_at < $2 AND due_at IS NULL",
        look.evaluator.id.as_uuid(),
        old.to_utc()
    )
    .execute(db.pool())
    .await?;
    sqlx::query!(
        "DELETE FROM evaluator_hours WHERE evaluator_id = $1 AND hour < $2",
        look.evaluator.id.as_uuid(),
        old.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(noted.rows_affected() == 1)
}

/// A stretch of time, where both of its ends are told.
pub(super) fn stretch(
    from: Option<time::OffsetDateTime>,
    until: Option<time::OffsetDateTime>,
) -> Option<(Timestamp, Timestamp)> {
    Some((from?.into(), until?.into()))
}

/// Spans that a server has taken up for an evaluator.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The evaluator.
    pub evaluator: Evaluator,
    /// Its project.
    pub project: ProjectId,
    /// The name of this turn.
    pub claim: Uuid,
    /// The spans, with how often each was tried.
    pub spans: Vec<(TraceId, SpanId, u32)>,
    /// Calls that failed since the last one that did not.
    pub failures: u32,
}

/// Takes up spans that wait for one evaluator, and holds them for a while. None of those whose calls fail just now, nor
/// of those that have spent what they may since `midnight`.
///
/// # Errors
/// When Postgres is away, or what it keeps cannot be understood.
pub async fn take(
    db: &Postgres,
    claim: Uuid,
    (now, held_until): (Timestamp, Timestamp),
    midnight: Timestamp,
) -> Result<Option<Taken>, StoreError> {
    let rows = sqlx::query!(
        r#"WITH chosen AS (
             SELECT e.id, e.at_once
             FROM evaluators e
             WHERE e.is_enabled
                 AND (e.held_until IS NULL OR e.held_until <= $2)
                 AND EXISTS (SELECT FROM evaluations w WHERE w.evaluator_id = e.id AND w.due_at <= $2)
                 AND (
                     e.max_nano_usd_per_day IS NULL
                     OR e.max_nano_usd_per_day > (
                         SELECT coalesce(sum(h.nano_usd), 0)
                         FROM evaluator_hours h
                         WHERE h.evaluator_id = e.id AND h.hour >= $4
                     )
                 )
             ORDER BY random()
             LIMIT 1
         ),
         due AS (
             SELECT w.evaluator_id, w.trace_id, w.span_id
             FROM evaluations w
             JOIN chosen ON chosen.id = w.evaluator_id
             WHERE w.due_at <= $2
             ORDER BY w.due_at
             LIMIT (SELECT at_once FROM chosen)
             FOR UPDATE OF w SKIP LOCKED
         )
         UPDATE evaluations w
         SET claim = $1, due_at = $3
         FROM due
         JOIN evaluators e ON e.id = due.evaluator_id
         WHERE w.evaluator_id = due.evaluator_id AND w.trace_id = due.trace_id AND w.span_id = due.span_id
         RETURNING w.trace_id, w.span_id, w.tries, e.id, e.project_id, e.document::TEXT AS "document!", e.failures,
             e.created_at, e.updated_at"#,
        claim,
        now.to_utc(),
        held_until.to_utc(),
        midnight.to_utc()
    )
    .fetch_all(db.pool())
    .await?;
    let mut taken: Option<Taken> = None;
    for row in rows {
        let trace = TraceId::from_text(&row.trace_id);
        let trace = trace.map_err(|error| StoreError::Row(error.into()))?;
        let span = SpanId::from_text(&row.span_id);
        let span = span.map_err(|error| StoreError::Row(error.into()))?;
        let taken = match &mut taken {
            Some(taken) => taken,
            None => {
                let evaluator = Row {
                    id: row.id,
                    document: row.document,
                    created_at: row.created_at,
                    updated_at: row.updated_at,
                };
                taken.insert(Taken {
                    evaluator: evaluator.read()?,
                    project: row.project_id.into(),
                    claim,
                    spans: Vec::new(),
                    failures: u32::try_from(row.failures).unwrap_or(0),
                })
            }
        };
        taken
            .spans
            .push((trace, span, u32::try_from(row.tries).unwrap_or(0)));
    }
    Ok(taken)
}

/// Holds spans for longer; whether the turn still has any of them.
///
/// # Errors
/// When Postgres is away.
pub async fn hold(db: &Postgres, taken: &Taken, until: Timestamp) -> Result<bool, StoreError> {
    let held = sqlx::query!(
        "UPDATE evaluations SET due_at = $3 WHERE evaluator_id = $1 AND claim = $2 AND due_at IS NOT NULL",
        taken.evaluator.id.as_uuid(),
        taken.claim,
        until.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(held.rows_affected() > 0)
}

/// What came of a try.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The trace.
    pub trace: TraceId,
    /// The span.
    pub span: SpanId,
    /// What came of it; what waits is due again.
    pub state: EvaluationState,
    /// When that is.
    pub due_at: Option<Timestamp>,
    /// Whether it counts as a try; without its turn it does not.
    pub is_try: bool,
    /// The score.
    pub value: Option<ScoreValue>,
    /// Why, or what went wrong.
    pub words: String,
    /// Whether a model answered, or was asked and did not.
    pub is_call: bool,
    /// What the call cost; `None`: not known.
    pub cost: Option<Usd>,
    /// Its tokens.
    pub tokens: Option<u64>,
    /// How long it took.
    pub latency_ms: Option<f64>,
}

/// What becomes of the evaluator after some tries.
#[derive(Clone, Debug, PartialEq)]
pub enum Hold {
    /// It goes on as it was.
    AsIs,
    /// It works: what went wrong is over.
    Works,
    /// It waits until then, and why.
    Until(Timestamp, String),
}

/// Notes what came of tries that a turn still has; how many it had.
///
/// # Errors
/// When Postgres is away.
pub async fn finish(
    db: &Postgres,
    (taken, now): (&Taken, Timestamp),
    finished: &[Finished],
    hold: &Hold,
) -> Result<usize, StoreError> {
    let mut tx = db.begin().await?;
    let id = taken.evaluator.id;
    let mut counted = Vec::new();
    for one in finished {
        if note(&mut tx, (taken, now), one).await? {
            counted.push(one);
        }
    }
    count(&mut tx, (id, now), &counted).await?;
    match hold {
        Hold::AsIs => {}
        Hold::Works => {
            sqlx::query!(
                "UPDATE evaluators
                 SET failures = 0, held_until = NULL, last_error = ''
                 WHERE id = $1 AND (failures > 0 OR held_until IS NOT NULL OR last_error <> '')",
                id.as_uuid()
            )
            .execute(tx.connection())
            .await?;
        }
        Hold::Until(until, why) => {
            sqlx::query!(
                "UPDATE evaluators
                 SET failures = least(failures + 1, 1000), held_until = $2, last_error = $3
                 WHERE id = $1",
                id.as_uuid(),
                until.to_utc(),
                without_nul(why)
            )
            .execute(tx.connection())
            .await?;
        }
    }
    tx.commit().await?;
    Ok(counted.len())
}

async fn note(
    tx: &mut Transaction,
    (taken, now): (&Taken, Timestamp),
    one: &Finished,
) -> Result<bool, StoreError> {
    let noted = sqlx::query!(
        "UPDATE evaluations
         SET state = $5, due_at = $6, claim = NULL, tries = tries + $7, value = $8, words = $9,
             tried_at = CASE WHEN $7 > 0 THEN $10 ELSE tried_at END,
             nano_usd = CASE WHEN $11::BIGINT IS NULL THEN nano_usd ELSE coalesce(nano_usd, 0) + $11 END,
             tokens = coalesce($12, tokens), latency_ms = coalesce($13, latency_ms)
         WHERE evaluator_id = $1 AND claim = $2 AND trace_id = $3 AND span_id = $4",
        taken.evaluator.id.as_uuid(),
        taken.claim,
        one.trace.as_str(),
        one.span.as_str(),
        one.state.as_str(),
        one.due_at.map(|at| at.to_utc()),
        i32::from(one.is_try),
        one.value.as_ref().map_or_else(String::new, words),
        without_nul(&one.words),
        now.to_utc(),
        one.cost.map(Usd::nanos),
        one.tokens.map(whole),
        one.latency_ms
    )
    .execute(tx.connection())
    .await?;
    Ok(noted.rows_affected() == 1)
}

async fn count(
    tx: &mut Transaction,
    (id, now): (EvaluatorId, Timestamp),
    finished: &[&Finished],
) -> Result<(), StoreError> {
    let tries: Vec<&&Finished> = finished.iter().filter(|one| one.is_try).collect();
    if tries.is_empty() {
        return Ok(());
    }
    let of = |state| whole(tries.iter().filter(|one| one.state == state).count() as u64);
    let scored = of(EvaluationState::Scored);
    let skipped = of(EvaluationState::Skipped);
    let numbers: Vec<f64> = tries
        .iter()
        .filter_map(|one| match &one.value {
            Some(value @ (ScoreValue::Numeric(_) | ScoreValue::Boolean(_))) => Some(value.number()),
            _ => None,
        })
        .collect();
    let costs: i64 = tries
        .iter()
        .filter_map(|one| one.cost)
        .fold(0, |sum, cost| sum.saturating_add(cost.nanos()));
    let tokens: u64 = tries.iter().filter_map(|one| one.tokens).sum();
    let latency: f64 = tries.iter().filter_map(|one| one.latency_ms).sum();
    sqlx::query!(
        "INSERT INTO evaluator_hours AS h
             (evaluator_id, hour, scored, failures, skipped, total, numbers, calls, nano_usd, tokens, latency_ms)
         SELECT e.id, date_trunc('hour', $2::TIMESTAMPTZ, 'UTC'), $3, $4, $5, $6, $7, $8, $9, $10, $11
         FROM evaluators e
         WHERE e.id = $1
         ON CONFLICT (evaluator_id, hour) DO UPDATE
         SET scored = h.scored + excluded.scored,
             failures = h.failures + excluded.failures,
             skipped = h.skipped + excluded.skipped,
             total = h.total + excluded.total,
             numbers = h.numbers + excluded.numbers,
             calls = h.calls + excluded.calls,
             nano_usd = h.nano_usd + excluded.nano_usd,
             tokens = h.tokens + excluded.tokens,
             latency_ms = h.latency_ms + excluded.latency_ms",
        id.as_uuid(),
        now.to_utc(),
        scored,
        whole(tries.len() as u64) - scored - skipped,
        skipped,
        numbers.iter().sum::<f64>(),
        whole(numbers.len() as u64),
        whole(tries.iter().filter(|one| one.is_call).count() as u64),
        costs,
        whole(tokens),
        latency
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A score as its list shows it.
fn words(value: &ScoreValue) -> String {
    match value.words() {
        Some(words) => words.to_owned(),
        None => value.number().to_string(),
    }
}

fn without_nul(text: &str) -> String {
    text.replace('\0', "")
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
