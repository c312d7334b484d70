//! `POST /api/public/dataset-run-items`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, datasets};

use super::draft;
use super::shape::RunItemShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::time::Millis;

/// Links an item to what a run made of it; the run is made with its first link.
pub(crate) async fn link_item(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let (run, link) = draft::read(&body)?;
    let version = run
        .dataset_version
        .map(|version| Millis(version).to_string());
    let linked = datasets::link(&app, &scope, (&run, version), link).await?;
    Ok(Json(RunItemShape::from(&linked)).into_response())
}
