//! `PUT /api/public/integrations/blob-storage`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, OrganisationScope, blob_storage, external_ids};

use super::draft;
use super::shape::BlobStorageShape;
use super::show::project_of;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Sets the export of the project that the body names.
pub(crate) async fn set_blob_storage(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    body: Body,
) -> Result<Response> {
    let draft = draft::read(&body)?;
    let id = external_ids::project_id(body.required_text("projectId")?);
    let project = project_of(&app, &scope, id).await?;
    let export = blob_storage::set(&app, &project, draft).await?;
    Ok(Json(BlobStorageShape::from(&export)).into_response())
}
