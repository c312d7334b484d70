//! `POST /api/v1/dashboards`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::dashboard::Document;
use service::{App, dashboards};

use crate::error::Result;
use crate::extract::{Body, Caller};
use crate::shape::DashboardShape;

/// Makes a dashboard.
pub(crate) async fn create_dashboard(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let document = Document::from_json(&body.written())?;
    let made = dashboards::create(&app, &scope, document).await?;
    Ok((StatusCode::CREATED, Json(DashboardShape::from(&made))).into_response())
}
