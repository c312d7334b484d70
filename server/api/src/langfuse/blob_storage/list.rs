//! `GET /api/public/integrations/blob-storage`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, OrganisationScope, blob_storage};

use super::shape::BlobStorageShape;
use crate::langfuse::error::Result;

/// The exports of the organisation's projects.
pub(crate) async fn list_blob_storages(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
) -> Result<Response> {
    let exports = blob_storage::list(&app, &scope).await?;
    let exports: Vec<_> = exports.iter().map(BlobStorageShape::from).collect();
    Ok(Json(json!({ "data": exports })).into_response())
}
