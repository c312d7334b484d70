//! `PATCH /api/public/annotation-queues/{queueId}/items/{itemId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, annotation_queues};

use super::shape::ItemShape;
use super::{existing_ids, status};
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathIds;

/// Sets how far an item is.
pub(crate) async fn update_item(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    ids: PathIds,
    body: Body,
) -> Result<Response> {
    body.only(&["status"])?;
    let status = status(&body)?;
    let item = annotation_queues::update_item(&app, &scope, existing_ids(&ids)?, status).await?;
    Ok(Json(ItemShape::from(&item)).into_response())
}
