//! Labels that not everybody moves.

use domain::Fault;
use domain::prompt::{Label, Labels};
use domain::tenancy::Permission;
use store_postgres::prompts;

use super::change;
use crate::app::App;
use crate::scope::ProjectScope;

/// The protected labels, in order.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn protected(app: &App, scope: &ProjectScope) -> Result<Vec<Label>, Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    Ok(prompts::protected(&mut tx, scope.project_id()).await?)
}

/// Protects these labels and no others; needs `ManageProject`. It takes `MoveProtectedLabels` to give
/// one, to move it, or to delete a version that has it.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn set_protected(
    app: &App,
    scope: &ProjectScope,
    labels: &Labels,
) -> Result<Vec<Label>, Fault> {
    scope.require(Permission::ManageProject)?;
    let project = scope.project_id();
    let labels: Vec<Label> = labels.iter().cloned().collect();
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = change::begin(app, scope).await?;
    prompts::set_protected(&mut tx, project, &labels, app.clock().now()).await?;
    let protected = prompts::protected(&mut tx, project).await?;
    tx.commit().await?;
    Ok(protected)
}
