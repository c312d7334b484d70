//! `GET /api/public/models/{id}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, models};

use super::client::Client;
use super::shape::ModelShape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// One model.
pub(crate) async fn show_model(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    client: Client,
    PathId(id): PathId,
) -> Result<Response> {
    let model = models::show(&app, &scope, &id).await?;
    Ok(Json(ModelShape::for_client(&model, client)).into_response())
}
