//! What projects set for all their rules.

use domain::Fault;
use domain::alert::AlertSettings;
use domain::tenancy::Permission;
use serde_json::{Map, Value};
use store_postgres::alerts::{baselines, settings};

use crate::app::App;
use crate::scope::ProjectScope;

/// The settings of a project.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope) -> Result<AlertSettings, Fault> {
    Ok(settings::show(app.postgres(), scope.project_id()).await?)
}

/// Sets those that are given; needs `SetExpectations`. What is usual is worked out anew.
///
/// # Errors
/// `forbidden`, `invalid` on a field, or `unavailable` without Postgres.
pub async fn set(
    app: &App,
    scope: &ProjectScope,
    fields: &Map<String, Value>,
) -> Result<AlertSettings, Fault> {
    scope.require(Permission::SetExpectations)?;
    let (db, project) = (app.postgres(), scope.project_id());
    let changed = settings::show(db, project).await?.changed(fields)?;
    settings::set(db, project, &changed, app.clock().now()).await?;
    baselines::forget(db, project).await?;
    Ok(changed)
}
