//! `GET /api/public/score-configs/{configId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, score_configs};

use super::existing_id;
use super::shape::ScoreConfigShape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// One configuration.
pub(crate) async fn show_score_config(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    let config = score_configs::show(&app, &scope, existing_id(&id)?).await?;
    Ok(Json(ScoreConfigShape::new(&config, scope.project_id())).into_response())
}
