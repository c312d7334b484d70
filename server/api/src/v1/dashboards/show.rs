//! `GET /api/v1/dashboards/{dashboard_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, dashboards};

use crate::error::Result;
use crate::extract::{Caller, PathDashboard};
use crate::shape::DashboardShape;

/// One dashboard.
pub(crate) async fn show_dashboard(
    State(app): State<App>,
    Caller(scope): Caller,
    PathDashboard(id): PathDashboard,
) -> Result<Response> {
    let dashboard = dashboards::show(&app, &scope, id).await?;
    Ok(Json(DashboardShape::from(&dashboard)).into_response())
}
