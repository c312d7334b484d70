//! What is done to many traces at once: ask for it, show, cancel. It goes on in the background, after a
//! restart too.

/// The work itself.
mod work;

use domain::bulk::{BulkAction, BulkJob, BulkState};
use domain::dataset::DatasetName;
use domain::filter::Filter;
use domain::tenancy::Permission;
use domain::{BulkJobId, Code, Fault, Timestamp};
use store_postgres::bulk_jobs;
use uuid::Uuid;

use crate::app::App;
use crate::datasets;
use crate::scope::{Actor, ProjectScope};

pub use work::run;

/// Jobs of one project that run at once.
const MOST_RUNNING: i64 = 5;
/// Jobs that are listed.
const MOST_LISTED: i64 = 50;

/// Asks for something to be done to all traces that match and have begun; needs the right to it.
///
/// # Errors
/// `forbidden`; `not_found` when there is no such dataset; `conflict` while many run; `unavailable`
/// without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    action: BulkAction,
    mut filter: Filter,
) -> Result<BulkJob, Fault> {
    let Actor::Person(person) = scope.actor() else {
        return Err(Fault::new(Code::Forbidden, "jobs belong to people"));
    };
    scope.require(permission(&action))?;
    if let BulkAction::AddToDataset(name) = &action {
        datasets::show(app, scope, &[DatasetName::parse(name)?]).await?;
    }
    let now = app.clock().now();
    filter.to = Some(filter.to.unwrap_or(Timestamp::MAX).min(now));
    let job = BulkJob {
        id: BulkJobId(Uuid::now_v7()),
        person,
        action,
        filter,
        state: BulkState::Running,
        done: 0,
        total: None,
        skipped: 0,
        fault: None,
        created_at: now,
        updated_at: now,
    };
    let stored = bulk_jobs::create(app.postgres(), scope.project_id(), &job, MOST_RUNNING).await?;
    if !stored {
        let message =
            format!("{MOST_RUNNING} jobs of this project are under way: wait for one of them");
        return Err(Fault::new(Code::Conflict, message));
    }
    app.wake_bulk().notify_one();
    Ok(job)
}

/// One of the project.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres; so for all here.
pub async fn show(app: &App, scope: &ProjectScope, id: BulkJobId) -> Result<BulkJob, Fault> {
    let found = bulk_jobs::show(app.postgres(), scope.project_id(), id).await?;
    found.ok_or_else(|| Fault::not_found("there is no such job"))
}

/// The newest of the project.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<BulkJob>, Fault> {
    Ok(bulk_jobs::list(app.postgres(), scope.project_id(), MOST_LISTED).await?)
}

/// Stops one that runs; what was done stays done. Needs the right to what it does.
///
/// # Errors
/// `forbidden`, `not_found`; one that has ended already stays as it is.
pub async fn cancel(app: &App, scope: &ProjectScope, id: BulkJobId) -> Result<(), Fault> {
    let job = show(app, scope, id).await?;
    scope.require(permission(&job.action))?;
    let now = app.clock().now();
    bulk_jobs::cancel(app.postgres(), scope.project_id(), (id, now)).await?;
    Ok(())
}

fn permission(action: &BulkAction) -> Permission {
    match action {
        BulkAction::Delete => Permission::ChangeTelemetry,
        BulkAction::AddToDataset(_) => Permission::ChangeDatasets,
    }
}
