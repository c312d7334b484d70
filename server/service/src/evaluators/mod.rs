//! Evaluators: set, tried out, at work.
//!
//! **Invariants:** each span is scored once, for what waits and what is over is one row of Postgres; a score has an id
//! that follows from what is scored, so that a repetition replaces it; an answer that is no judgement never becomes a
//! score; requests to models go by [`crate::completions`] alone.

/// Evaluators against people.
mod agreement;
/// One span is scored.
mod ask;
/// What would be scored.
mod trial;
/// Looks for spans and scores them, until the server stops.
mod work;

use std::collections::HashMap;

use domain::evaluator::{Evaluation, Evaluator, EvaluatorDraft, Figures, Method};
use domain::tenancy::Permission;
use domain::{Code, EvaluatorId, Fault, Nanos, Timestamp};
use store_postgres::{StoreError, evaluators as store};
use uuid::Uuid;

pub use agreement::agreement;
pub use ask::{Spent, Tried, Trouble};
pub use trial::{Trial, try_out};
pub use work::run;

use crate::app::App;
use crate::completions;
use crate::llm_connections;
use crate::scope::ProjectScope;

/// Evaluators of one project.
const MOST: i64 = 100;
/// Results that a page shows.
const MOST_RECENT: i64 = 100;
/// A day.
const DAY: Nanos = Nanos::from_seconds(24 * 3_600);
/// A week.
const WEEK: Nanos = Nanos::from_seconds(7 * 24 * 3_600);
/// How far is looked back at once.
pub const MOST_BACK: Nanos = Nanos::from_seconds(366 * 24 * 3_600);
/// The constraint that names are told apart by.
const NAMES: &str = "evaluators_project_id_name_key";

/// Evaluators by name, with how each does.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<(Evaluator, Figures)>, Fault> {
    let all = store::list(app.postgres(), scope.project_id()).await?;
    let mut figures = figures(app, scope).await?;
    let all = all.into_iter().map(|evaluator| {
        let figures = figures.remove(&evaluator.id).unwrap_or_default();
        (evaluator, figures)
    });
    Ok(all.collect())
}

/// One with how it does.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    id: EvaluatorId,
) -> Result<(Evaluator, Figures), Fault> {
    let evaluator = found(app, scope, id).await?;
    let mut figures = figures(app, scope).await?;
    let figures = figures.remove(&id).unwrap_or_default();
    Ok((evaluator, figures))
}

/// What came of the spans that it tried last, the newest first.
///
/// # Errors
/// As [`show`]; of one that is not there there is nothing.
pub async fn recent(
    app: &App,
    scope: &ProjectScope,
    id: EvaluatorId,
) -> Result<Vec<Evaluation>, Fault> {
    let place = (scope.project_id(), id);
    Ok(store::recent(app.postgres(), place, MOST_RECENT).await?)
}

/// Makes one; needs `SetExpectations`, and `RunModels` where a model judges.
///
/// # Errors
/// `forbidden`; `invalid` on a field; `conflict` when there are too many, or one has that name; `unavailable` without
/// Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: EvaluatorDraft,
) -> Result<Evaluator, Fault> {
    let draft = checked(app, scope, draft).await?;
    let now = app.clock().now();
    let evaluator = Evaluator {
        id: EvaluatorId(Uuid::now_v7()),
        draft,
        created_at: now,
        updated_at: now,
    };
    let made = store::create(app.postgres(), scope.project_id(), &evaluator, MOST).await;
    match made.map_err(taken)? {
        true => Ok(evaluator),
        false => {
            let message = format!("a project has at most {MOST} evaluators");
            Err(Fault::new(Code::Conflict, message))
        }
    }
}

/// Changes one; needs what [`create`] does. What it scored stays; where it is switched off nothing waits for it any more.
///
/// # Errors
/// `not_found`, whatever `change` says, and as [`create`].
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    id: EvaluatorId,
    change: impl FnOnce(EvaluatorDraft) -> Result<EvaluatorDraft, Fault>,
) -> Result<Evaluator, Fault> {
    scope.require(Permission::SetExpectations)?;
    let mut evaluator = found(app, scope, id).await?;
    evaluator.draft = checked(app, scope, change(evaluator.draft)?).await?;
    evaluator.updated_at = app.clock().now();
    let set = (&evaluator.draft, evaluator.updated_at);
    let changed = store::replace(app.postgres(), scope.project_id(), id, set).await;
    match changed.map_err(taken)? {
        true => Ok(evaluator),
        false => Err(none(id)),
    }
}

/// Has one score what ended from ≤ t < until after the fact, the newest first, as far as it matches and is in the sample; what it
/// scored already it does not score again. It takes the place of what was wanted before. Needs what [`create`] does.
///
/// # Errors
/// `forbidden`; `not_found`; `conflict` where it is off; `invalid` for no stretch, or one of more than [`MOST_BACK`];
/// `unavailable` without Postgres.
pub async fn look_back(
    app: &App,
    scope: &ProjectScope,
    id: EvaluatorId,
    (from, until): (Timestamp, Timestamp),
) -> Result<(), Fault> {
    let evaluator = found(app, scope, id).await?;
    let is_on = evaluator.draft.is_enabled;
    checked(app, scope, evaluator.draft).await?;
    let now = app.clock().now();
    let until = until.min(now);
    if from >= until {
        return Err(Fault::invalid("give a time before to").on_field("from"));
    }
    if until - from > MOST_BACK {
        let days = MOST_BACK.0 / DAY.0;
        let message = format!("at most {days} days are looked back at once");
        return Err(Fault::invalid(message).on_field("from"));
    }
    let place = (scope.project_id(), id);
    if is_on && store::look_back(app.postgres(), place, (from, until), now).await? {
        return Ok(());
    }
    let message = "the evaluator is off: switch it on first";
    Err(Fault::new(Code::Conflict, message))
}

/// Deletes one; needs `SetExpectations`. Its scores stay.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: EvaluatorId) -> Result<(), Fault> {
    scope.require(Permission::SetExpectations)?;
    match store::delete(app.postgres(), scope.project_id(), id).await? {
        true => Ok(()),
        false => Err(none(id)),
    }
}

/// The draft as it may be kept by whoever asks for it.
async fn checked(
    app: &App,
    scope: &ProjectScope,
    draft: EvaluatorDraft,
) -> Result<EvaluatorDraft, Fault> {
    scope.require(Permission::SetExpectations)?;
    let draft = draft.checked()?;
    if let Method::Judge(judge) = &draft.method {
        scope.require(Permission::RunModels)?;
        let field = "judge.connection_id";
        let connection = llm_connections::found(app, scope, judge.connection).await;
        let connection = connection.map_err(|fault| match fault.code {
            Code::NotFound => Fault::invalid("there is no such connection").on_field(field),
            _ => fault,
        })?;
        if !completions::is_served(connection.adapter) {
            return Err(Fault::invalid("its interface is not served here").on_field(field));
        }
    }
    Ok(draft)
}

async fn found(app: &App, scope: &ProjectScope, id: EvaluatorId) -> Result<Evaluator, Fault> {
    let found = store::show(app.postgres(), scope.project_id(), id).await?;
    found.ok_or_else(|| none(id))
}

async fn figures(app: &App, scope: &ProjectScope) -> Result<HashMap<EvaluatorId, Figures>, Fault> {
    let now = app.clock().now();
    let since = (now.minus(DAY), now.minus(WEEK), midnight(now));
    Ok(store::figures(app.postgres(), scope.project_id(), since).await?)
}

/// When the day began, UTC.
fn midnight(now: Timestamp) -> Timestamp {
    let nanos = u64::try_from(now.unix_nanos()).unwrap_or(0);
    now.minus(Nanos(nanos % DAY.0))
}

fn none(id: EvaluatorId) -> Fault {
    Fault::not_found(format!("no evaluator {id}"))
}

fn taken(error: StoreError) -> Fault {
    error.on_constraint(NAMES, || {
        Fault::new(Code::Conflict, "another evaluator has that name").on_field("name")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_utc() {
        let at = |text| Timestamp::parse(text).unwrap();
        let begun = at("2026-11-05T00:00:00Z");
        assert_eq!(midnight(at("2026-11-05T13:14:15.16Z")), begun);
        assert_eq!(midnight(begun), begun);
    }
}
