//! `GET /api/public/v2/datasets/{datasetName}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, datasets};

use super::PathNames;
use super::shape::DatasetShape;
use crate::langfuse::error::Result;

/// One dataset.
pub(crate) async fn show_dataset(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    names: PathNames,
) -> Result<Response> {
    let dataset = datasets::show(&app, &scope, &names.dataset).await?;
    Ok(Json(DatasetShape::from(&dataset)).into_response())
}
