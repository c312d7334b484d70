//! `POST /api/public/dataset-items`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, datasets};

use super::draft;
use super::shape::ItemShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Makes an item, or writes the next version of the one of that id.
pub(crate) async fn write_dataset_item(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let written = draft::read(&body)?;
    let place = (&written.dataset, written.id);
    let item = datasets::write_item(&app, &scope, place, written.draft).await?;
    let shapes = ItemShape::of(&app, &scope, std::slice::from_ref(&item)).await?;
    Ok(Json(shapes.into_iter().next()).into_response())
}
