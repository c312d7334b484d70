//! `GET /api/public/annotation-queues/{queueId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, annotation_queues};

use super::existing_id;
use super::shape::QueueShape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// One queue.
pub(crate) async fn show_annotation_queue(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    let queue = annotation_queues::show(&app, &scope, existing_id(&id)?).await?;
    Ok(Json(QueueShape::from(&queue)).into_response())
}
