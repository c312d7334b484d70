//! `DELETE /api/public/annotation-queues/{queueId}/assignments`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, ProjectScope, annotation_queues};

use crate::langfuse::annotation_queues::existing_id;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// Has somebody no longer work on a queue, if they did.
pub(crate) async fn delete_assignment(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(queue): PathId,
    body: Body,
) -> Result<Response> {
    body.only(&["userId"])?;
    // An id that is none is the id of nobody.
    let person = body.required_text("userId")?.parse().ok();
    annotation_queues::unassign(&app, &scope, existing_id(&queue)?, person).await?;
    Ok(Json(json!({ "success": true })).into_response())
}
