//! `DELETE /api/public/datasets/{datasetName}/runs/{runName}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, ProjectScope, datasets};

use crate::langfuse::datasets::PathNames;
use crate::langfuse::error::Result;

/// Deletes a run with its links; traces and scores stay.
pub(crate) async fn delete_run(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    names: PathNames,
) -> Result<Response> {
    let place = (names.dataset.as_slice(), names.run.as_slice());
    datasets::delete_run(&app, &scope, place).await?;
    let message = "Dataset run successfully deleted";
    Ok(Json(json!({ "message": message })).into_response())
}
