//! The end of a project: what is in Postgres goes at once, its keys with it; telemetry and attachments
//! follow in the background.
//!
//! Telemetry may still be on its way when the project ends: in the queue of this server or another, or
//! with a key that a server trusts for some seconds. So it is removed several times, the last a day
//! later. A pass may break off anywhere and be repeated by any server.

use std::time::Duration;

use domain::tenancy::{Permission, Tenant};
use domain::{Fault, Nanos, ProjectId};
use store_clickhouse::remove::remove_project;
use store_postgres::{organisations, removed_projects};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::audit::record_project;
use crate::media;
use crate::scope::ProjectScope;

/// How long after a pass the next one is due.
const NEXT_PASSES: [Nanos; 3] = [
    Nanos::from_seconds(60),
    Nanos::from_seconds(3_600),
    Nanos::from_seconds(86_400),
];
/// How long until a pass that broke off is repeated; where one takes longer another server does the same,
/// which does no harm.
const HOLD: Nanos = Nanos::from_seconds(60);
/// Between two looks whether there is something to do.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// How long spans that were received before may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);

/// Removes a project with everything that is of it; needs `ManageProject`. Its keys are refused at once
/// here, within 5 s elsewhere; its telemetry is removed in the background.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn remove(app: &App, scope: &ProjectScope) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let id = scope.project_id();
    let now = app.clock().now();
    let owner = organisations::owner_of(app.postgres(), id).await?;
    if !removed_projects::remove(app.postgres(), id, now).await? {
        return Err(Fault::not_found(format!("no project {id}")));
    }
    app.gate().forget_keys_of(Tenant::Project(id));
    app.wake_removal().notify_one();
    if let Some(owner) = owner {
        record_project(app, (owner, scope.actor()), "project.removed", id).await;
    }
    Ok(())
}

/// Removes the telemetry of projects that are gone, until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match pass(&app).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(fault) => {
                let cause = std::error::Error::source(&fault);
                tracing::warn!(cause, "removing telemetry of a project broke off: {fault}");
            }
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = app.wake_removal().notified() => {}
            () = stop.cancelled() => {}
        }
    }
}

/// Whether there was something to do.
async fn pass(app: &App) -> Result<bool, Fault> {
    let now = app.clock().now();
    let due = removed_projects::take(app.postgres(), now, now.plus(HOLD)).await?;
    let Some(due) = due else {
        return Ok(false);
    };
    let _drained = app.spool().wait_until_drained(DRAIN_PATIENCE).await;
    remove_project(app.clickhouse(), due.project_id).await?;
    media::forget_project(app, due.project_id).await?;
    let wait = NEXT_PASSES.get(due.passes as usize);
    let next = wait.map(|wait| app.clock().now().plus(*wait));
    removed_projects::passed(app.postgres(), due.project_id, next).await?;
    Ok(true)
}

/// Removes what may be left of a project that is about to be made anew under its id: it begins empty.
///
/// # Errors
/// `unavailable` without Postgres or ClickHouse.
pub(crate) async fn finish(app: &App, project: ProjectId) -> Result<(), Fault> {
    if removed_projects::is_pending(app.postgres(), project).await? {
        remove_project(app.clickhouse(), project).await?;
        media::forget_project(app, project).await?;
    }
    Ok(())
}
