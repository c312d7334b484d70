//! `POST /api/public/v2/datasets`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, datasets};

use super::draft;
use super::shape::DatasetShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Makes a dataset, or changes the one of that name.
pub(crate) async fn create_dataset(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let dataset = datasets::write(&app, &scope, draft::read(&body)?).await?;
    Ok(Json(DatasetShape::from(&dataset)).into_response())
}
