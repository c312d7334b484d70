//! How soon answers should come, and the share of calls that do.

use std::collections::BTreeMap;

use domain::objective::{Goodput, Objective, ObjectiveDraft, objective_of};
use domain::tenancy::Permission;
use domain::{Code, Fault, ObjectiveId, Timestamp};
use store_clickhouse::calls;
use store_postgres::objectives;
use uuid::Uuid;

use crate::app::App;
use crate::scope::ProjectScope;
use crate::{names, window};

/// Objectives of one project.
const MOST: i64 = 200;
/// Longest time that is an objective: an hour.
const MAX_MS: f64 = 3_600_000.0;

/// The project's objectives, by model.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<Objective>, Fault> {
    Ok(objectives::list(app.postgres(), scope.project_id()).await?)
}

/// Sets an objective; needs `SetExpectations`.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` when there are too many, or `unavailable` without
/// Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: ObjectiveDraft,
) -> Result<Objective, Fault> {
    scope.require(Permission::SetExpectations)?;
    check(&draft)?;
    let objective = Objective {
        id: ObjectiveId(Uuid::now_v7()),
        draft,
        created_at: app.clock().now(),
    };
    if objectives::create(app.postgres(), scope.project_id(), &objective, MOST).await? {
        Ok(objective)
    } else {
        let message = format!("a project has at most {MOST} objectives");
        Err(Fault::new(Code::Conflict, message))
    }
}

/// Deletes an objective; needs `SetExpectations`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: ObjectiveId) -> Result<(), Fault> {
    scope.require(Permission::SetExpectations)?;
    if objectives::delete(app.postgres(), scope.project_id(), id).await? {
        Ok(())
    } else {
        Err(Fault::not_found(format!("no objective {id}")))
    }
}

/// What a report is about, and the report.
pub struct Report {
    /// First instant.
    pub from: Timestamp,
    /// First instant after it.
    pub to: Timestamp,
    /// One for each model that has an objective, the most called first.
    pub models: Vec<Goodput>,
}

/// Goodput by model between two instants, by today's objectives; the last day unless told otherwise.
///
/// # Errors
/// `invalid` on `to`; `unavailable` or `timeout` when a store is away or takes too long.
pub async fn goodput(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Result<Report, Fault> {
    let window = window::until_now(app.clock().now(), from, to)?;
    let (from, to) = window;
    let objectives = list(app, scope).await?;
    let mut models = Vec::new();
    if !objectives.is_empty() {
        let (clickhouse, project) = (app.clickhouse(), scope.project_id());
        let served = calls::served(clickhouse, project, window).await?;
        let with_objective = served.into_iter().filter_map(|served| {
            let model = served.calls.serving.model;
            let objective = objective_of(&objectives, &model)?.clone();
            Some((model, objective))
        });
        let by_model: BTreeMap<String, Objective> = with_objective.collect();
        models = calls::paced(clickhouse, project, window, &by_model).await?;
    }
    Ok(Report { from, to, models })
}

fn check(draft: &ObjectiveDraft) -> Result<(), Fault> {
    names::name("model", draft.model.as_str())?;
    for (field, time) in [("ttft_ms", draft.ttft_ms), ("tpot_ms", draft.tpot_ms)] {
        if time.is_some_and(|time| !(time > 0.0 && time <= MAX_MS)) {
            return Err(wrong(
                field,
                "give milliseconds, more than 0, up to an hour",
            ));
        }
    }
    if draft.ttft_ms.is_none() && draft.tpot_ms.is_none() {
        let message = "give a time to first token, a time per output token, or both";
        return Err(wrong("ttft_ms", message));
    }
    Ok(())
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field}: {why}")).on_field(field)
}

#[cfg(test)]
mod tests {
    use domain::pattern::NamePattern;

    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let field_of = |model: &str, ttft_ms, tpot_ms| {
            let draft = ObjectiveDraft {
                model: NamePattern::new(model),
                ttft_ms,
                tpot_ms,
            };
            check(&draft).err().and_then(|fault| fault.field)
        };
        let named = |field: &str| Some(field.to_owned());
        assert_eq!(field_of("*", Some(500.0), None), None);
        assert_eq!(field_of("", Some(500.0), None), named("model"));
        assert_eq!(field_of("*", None, None), named("ttft_ms"));
        assert_eq!(field_of("*", Some(0.0), None), named("ttft_ms"));
        assert_eq!(field_of("*", None, Some(f64::NAN)), named("tpot_ms"));
        assert_eq!(field_of("*", None, Some(1e9)), named("tpot_ms"));
    }
}
