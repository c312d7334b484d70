//! Which traces keep their contents: set, and what holds.

use domain::Fault;
use domain::content_sampling::ContentSampling;
use domain::tenancy::Permission;
use serde_json::json;
use store_postgres::audit::{self, Entry};
use store_postgres::retention;

use crate::app::App;
use crate::rollback::actor;
use crate::scope::ProjectScope;

/// What the project set; all of them by default.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn settings(app: &App, scope: &ProjectScope) -> Result<ContentSampling, Fault> {
    let sampling = retention::sampling(app.postgres(), scope.project_id()).await?;
    Ok(sampling.unwrap_or_default())
}

/// Sets it for traces that arrive from now on; what of earlier ones is kept follows it at the next look. Needs
/// `ManageProject`. The audit log has it as it was and as it is.
///
/// # Errors
/// `forbidden`, `invalid` on a field, or `unavailable` without Postgres.
pub async fn set(app: &App, scope: &ProjectScope, new: &ContentSampling) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    new.check().map_err(|problem| {
        let message = format!("{}{}", problem.field, problem.message);
        Fault::invalid(message).on_field(problem.field)
    })?;
    let (project, now) = (scope.project_id(), app.clock().now());
    let entry = Entry {
        actor: actor(scope),
        action: "content_sampling.set".into(),
        object: "content_sampling".to_owned(),
        before: json!(settings(app, scope).await?),
        after: json!(new),
    };
    let mut tx = app.postgres().begin().await?;
    retention::set_sampling(&mut tx, project, new, now).await?;
    audit::append(&mut tx, project, &entry, now).await?;
    tx.commit().await?;
    app.retention().forget(project);
    app.wake_retention().notify_one();
    Ok(())
}
