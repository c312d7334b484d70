use std::collections::HashMap;

use domain::evaluator::{Evaluation, EvaluationState, Figures, Sums};
use domain::{EvaluatorId, ProjectId, SpanId, Timestamp, TraceId, Usd};

use super::work::stretch;
use crate::{Postgres, StoreError};

/// How the evaluators of a project do: since `day` and `week`, and what was spent since `midnight`.
///
/// # Errors
/// When Postgres is away.
pub async fn figures(
    db: &Postgres,
    project: ProjectId,
    (day, week, midnight): (Timestamp, Timestamp, Timestamp),
) -> Result<HashMap<EvaluatorId, Figures>, StoreError> {
    let mut all = states(db, project).await?;
    for (since, is_day) in [(day, true), (week, false)] {
        for (id, (sums, _)) in sums(db, project, since).await? {
            if let Some(figures) = all.get_mut(&id) {
                match is_day {
                    true => figures.day = sums,
                    false => figures.week = sums,
                }
            }
        }
    }
    for (id, (_, spent)) in sums(db, project, midnight).await? {
        if let Some(figures) = all.get_mut(&id) {
            figures.spent_today = spent;
        }
    }
    Ok(all)
}

async fn states(
    db: &Postgres,
    project: ProjectId,
) -> Result<HashMap<EvaluatorId, Figures>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             e.id, e.held_until, e.last_error, e.back_from, e.back_until,
             (SELECT count(*) FROM evaluations w WHERE w.evaluator_id = e.id AND w.due_at IS NOT NULL) AS "waiting!"
         FROM evaluators e
         WHERE e.project_id = $1"#,
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let all = rows.into_iter().map(|row| {
        let figures = Figures {
            waiting: row.waiting.unsigned_abs(),
            held_until: row.held_until.map(Into::into),
            last_error: row.last_error,
            back: stretch(row.back_from, row.back_until),
            ..Figures::default()
        };
        (row.id.into(), figures)
    });
    Ok(all.collect())
}

async fn sums(
    db: &Postgres,
    project: ProjectId,
    since: Timestamp,
) -> Result<HashMap<EvaluatorId, (Sums, Usd)>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             h.evaluator_id,
             sum(h.scored)::BIGINT AS "scored!",
             sum(h.failures)::BIGINT AS "failures!",
             sum(h.skipped)::BIGINT AS "skipped!",
             sum(h.calls)::BIGINT AS "calls!",
             sum(h.nano_usd)::BIGINT AS "nano_usd!",
             sum(h.tokens)::BIGINT AS "tokens!",
             sum(h.latency_ms) / nullif(sum(h.calls), 0)::DOUBLE PRECISION AS latency_ms,
             sum(h.total) / nullif(sum(h.numbers), 0)::DOUBLE PRECISION AS mean
         FROM evaluator_hours h
         JOIN evaluators e ON e.id = h.evaluator_id
         WHERE e.project_id = $1 AND h.hour >= $2
         GROUP BY h.evaluator_id"#,
        project.as_uuid(),
        since.to_utc()
    )
    .fetch_all(db.pool())
    .await?;
    let all = rows.into_iter().map(|row| {
        let cost = Usd::from_nanos(row.nano_usd);
        let sums = Sums {
            scored: row.scored.unsigned_abs(),
            failures: row.failures.unsigned_abs(),
            skipped: row.skipped.unsigned_abs(),
            calls: row.calls.unsigned_abs(),
            cost,
            tokens: row.tokens.unsigned_abs(),
            latency_ms: row.latency_ms,
            mean: row.mean,
        };
        (row.evaluator_id.into(), (sums, cost))
    });
    Ok(all.collect())
}

/// What came of the spans that were tried last, the newest first.
///
/// # Errors
/// When Postgres is away, or what it keeps cannot be understood.
pub async fn recent(
    db: &Postgres,
    (project, id): (ProjectId, EvaluatorId),
    most: i64,
) -> Result<Vec<Evaluation>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             w.trace_id, w.span_id, w.state, w.tries, w.tried_at, w.value, w.words, w.nano_usd, w.tokens, w.latency_ms
         FROM evaluations w
         JOIN evaluators e ON e.id = w.evaluator_id
         WHERE e.project_id = $1 AND e.id = $2 AND w.tried_at IS NOT NULL
         ORDER BY w.tried_at DESC, w.trace_id, w.span_id
         LIMIT $3"#,
        project.as_uuid(),
        id.as_uuid(),
        most
    )
    .fetch_all(db.pool())
    .await?;
    let all = rows.into_iter().map(|row| {
        let trace = TraceId::from_text(&row.trace_id);
        let span = SpanId::from_text(&row.span_id);
        Ok(Evaluation {
            trace: trace.map_err(|error| StoreError::Row(error.into()))?,
            span: span.map_err(|error| StoreError::Row(error.into()))?,
            state: EvaluationState::from_name(&row.state).unwrap_or_default(),
            tries: u32::try_from(row.tries).unwrap_or(0),
            tried_at: row.tried_at.map(Into::into),
            value: row.value,
            words: row.words,
            cost: row.nano_usd.map(Usd::from_nanos),
            tokens: row.tokens.map(i64::unsigned_abs),
            latency_ms: row.latency_ms,
        })
    });
    all.collect()
}
