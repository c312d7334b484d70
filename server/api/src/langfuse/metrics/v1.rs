//! `GET /api/public/metrics`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, metrics};

use super::asked;
use super::names::Version;
use super::shape::Answer;
use crate::langfuse::error::Result;
use crate::langfuse::query::Query;

/// What a question comes to.
pub(crate) async fn show_metrics(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let asked = asked::read(&query, Version::V1)?;
    let rows = metrics::rows(&app, &scope, &asked.query).await?;
    Ok(Json(Answer::new(&asked, &rows)).into_response())
}
