//! `PATCH /api/public/score-configs/{configId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, score_configs};

use super::shape::ScoreConfigShape;
use super::{draft, existing_id};
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// Changes those fields that are given; null takes away what may be missing.
pub(crate) async fn update_score_config(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
    body: Body,
) -> Result<Response> {
    let change = draft::change(&body)?;
    let config = score_configs::update(&app, &scope, existing_id(&id)?, change).await?;
    Ok(Json(ScoreConfigShape::new(&config, scope.project_id())).into_response())
}
