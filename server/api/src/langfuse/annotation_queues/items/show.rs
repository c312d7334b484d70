//! `GET /api/public/annotation-queues/{queueId}/items/{itemId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, annotation_queues};

use super::existing_ids;
use super::shape::ItemShape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathIds;

/// One item.
pub(crate) async fn show_item(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    ids: PathIds,
) -> Result<Response> {
    let (queue, item) = existing_ids(&ids)?;
    let item = annotation_queues::item(&app, &scope, queue, item).await?;
    Ok(Json(ItemShape::from(&item)).into_response())
}
