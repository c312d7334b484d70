//! `POST /api/public/annotation-queues/{queueId}/assignments`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use serde_json::json;
use service::{App, ProjectScope, annotation_queues};

use crate::langfuse::annotation_queues::existing_id;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// Has somebody work on a queue, once.
pub(crate) async fn create_assignment(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(queue): PathId,
    body: Body,
) -> Result<Response> {
    body.only(&["userId"])?;
    let (queue, user) = (existing_id(&queue)?, body.required_text("userId")?);
    let missing = |_| Fault::not_found("User not found or without access to this project");
    let person = user.parse().map_err(missing)?;
    annotation_queues::assign(&app, &scope, queue, person).await?;
    let body = json!({
        "userId": person.to_string(),
        "projectId": scope.project_id().to_string(),
        "queueId": queue.to_string(),
    });
    Ok(Json(body).into_response())
}
