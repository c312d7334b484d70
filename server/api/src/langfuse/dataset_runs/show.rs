//! `GET /api/public/datasets/{datasetName}/runs/{runName}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, datasets};

use super::shape::RunShape;
use crate::langfuse::datasets::PathNames;
use crate::langfuse::error::Result;

/// A run with what it made of items.
pub(crate) async fn show_run(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    names: PathNames,
) -> Result<Response> {
    let place = (names.dataset.as_slice(), names.run.as_slice());
    let (run, items) = datasets::show_run(&app, &scope, place).await?;
    Ok(Json(RunShape::from(&run).with_items(&items)).into_response())
}
