//! `PUT /api/v1/dashboards/{dashboard_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::dashboard::Document;
use service::{App, dashboards};

use crate::error::Result;
use crate::extract::{Body, Caller, PathDashboard};
use crate::shape::DashboardShape;

/// Replaces what a dashboard is made of.
pub(crate) async fn replace_dashboard(
    State(app): State<App>,
    Caller(scope): Caller,
    PathDashboard(id): PathDashboard,
    body: Body,
) -> Result<Response> {
    let document = Document::from_json(&body.written())?;
    let replaced = dashboards::change(&app, &scope, id, |known| {
        *known = document;
        Ok(())
    });
    Ok(Json(DashboardShape::from(&replaced.await?)).into_response())
}
