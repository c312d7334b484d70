//! Legal holds: users who must not be forgotten for the time being.

use domain::legal_hold::{LegalHold, MAX_REASON};
use domain::tenancy::Permission;
use domain::{Code, Fault, LegalHoldId};
use serde_json::{Value, json};
use store_postgres::audit::{self, Entry};
use store_postgres::deletions::holds;
use store_postgres::retention;
use uuid::Uuid;

use crate::app::App;
use crate::rollback::actor;
use crate::scope::ProjectScope;

/// Holds of one project.
const MOST: i64 = 10_000;

/// Those of the project, the newest first; needs `ReadLegalHolds`, as the rest here needs `ManageProject`.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<LegalHold>, Fault> {
    scope.require(Permission::ReadLegalHolds)?;
    Ok(holds::list(app.postgres(), scope.project_id()).await?)
}

/// Sets one.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` where the user is held already or is being forgotten, which nothing
/// stops; `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    (user, reason): (&str, &str),
) -> Result<LegalHold, Fault> {
    scope.require(Permission::ManageProject)?;
    super::checked(&[user.to_owned()]).map_err(|fault| fault.on_field("user_id"))?;
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > MAX_REASON || reason.contains('\0') {
        let message = format!("reason: give 1 to {MAX_REASON} characters");
        return Err(Fault::invalid(message).on_field("reason"));
    }
    let asked = super::list(app, scope, (Some(user), None), 1).await?;
    let under_way = asked.first().filter(|last| last.state.is_under_way());
    if let Some(deletion) = under_way {
        let message = format!(
            "this user is being forgotten by the deletion {}; it can no longer be stopped",
            deletion.id
        );
        return Err(Fault::new(Code::Conflict, message));
    }
    let hold = LegalHold {
        id: LegalHoldId(Uuid::now_v7()),
        user_id: user.to_owned(),
        reason: reason.to_owned(),
        created_by: actor(scope),
        created_at: app.clock().now(),
    };
    let mut tx = app.postgres().begin().await?;
    if !holds::create(&mut tx, scope.project_id(), &hold, MOST).await? {
        let message = "this user is held already, or there are too many holds";
        return Err(Fault::new(Code::Conflict, message));
    }
    let after = json!({ "reason": hold.reason });
    note(&mut tx, app, scope, ("legal_hold.set", hold.id, after)).await?;
    retention::wake(&mut tx, scope.project_id(), hold.created_at).await?;
    tx.commit().await?;
    look_at(app, scope);
    Ok(hold)
}

/// Lifts one.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: LegalHoldId) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let mut tx = app.postgres().begin().await?;
    if !holds::delete(&mut tx, scope.project_id(), id).await? {
        return Err(Fault::not_found(format!("no legal hold {id}")));
    }
    note(&mut tx, app, scope, ("legal_hold.lifted", id, Value::Null)).await?;
    retention::wake(&mut tx, scope.project_id(), app.clock().now()).await?;
    tx.commit().await?;
    look_at(app, scope);
    Ok(())
}

/// What is held is kept beyond its time, and what no longer is goes.
fn look_at(app: &App, scope: &ProjectScope) {
    app.retention().forget(scope.project_id());
    app.wake_retention().notify_one();
}

async fn note(
    tx: &mut store_postgres::Transaction,
    app: &App,
    scope: &ProjectScope,
    (action, id, after): (&'static str, LegalHoldId, Value),
) -> Result<(), Fault> {
    let entry = Entry {
        actor: actor(scope),
        action: action.into(),
        object: format!("legal_hold:{id}"),
        before: Value::Null,
        after,
    };
    Ok(audit::append(tx, scope.project_id(), &entry, app.clock().now()).await?)
}
