//! `POST /api/public/models`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, models};

use super::draft;
use super::shape::ModelShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Lists a model with its prices.
pub(crate) async fn create_model(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let draft = draft::read(&body)?;
    let created = models::create(&app, &scope, draft).await;
    let model = created.map_err(draft::in_its_words)?;
    Ok(Json(ModelShape::new(&model)).into_response())
}
