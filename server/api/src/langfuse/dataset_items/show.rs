//! `GET /api/public/dataset-items/{id}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, datasets};

use super::existing_id;
use super::shape::ItemShape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// One item, archived or not.
pub(crate) async fn show_dataset_item(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    let item = datasets::show_item(&app, &scope, &existing_id(&id)?).await?;
    let shapes = ItemShape::of(&app, &scope, std::slice::from_ref(&item)).await?;
    Ok(Json(shapes.into_iter().next()).into_response())
}
