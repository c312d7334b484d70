//! `DELETE /api/v1/dashboards/{dashboard_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, dashboards};

use crate::error::Result;
use crate::extract::{Caller, PathDashboard};

/// Deletes a dashboard.
pub(crate) async fn delete_dashboard(
    State(app): State<App>,
    Caller(scope): Caller,
    PathDashboard(id): PathDashboard,
) -> Result<StatusCode> {
    dashboards::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
