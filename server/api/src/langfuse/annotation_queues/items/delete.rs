//! `DELETE /api/public/annotation-queues/{queueId}/items/{itemId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, ProjectScope, annotation_queues};

use super::existing_ids;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathIds;

/// Takes an item out of its queue.
pub(crate) async fn delete_item(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    ids: PathIds,
) -> Result<Response> {
    let (queue, item) = existing_ids(&ids)?;
    annotation_queues::delete_item(&app, &scope, queue, item).await?;
    let message = "Annotation queue item deleted successfully";
    Ok(Json(json!({ "success": true, "message": message })).into_response())
}
