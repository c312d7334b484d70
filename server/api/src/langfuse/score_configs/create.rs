//! `POST /api/public/score-configs`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, score_configs};

use super::draft;
use super::shape::ScoreConfigShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Sets what scores may be.
pub(crate) async fn create_score_config(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let draft = draft::read(&body)?;
    let config = score_configs::create(&app, &scope, draft).await?;
    Ok(Json(ScoreConfigShape::new(&config, scope.project_id())).into_response())
}
