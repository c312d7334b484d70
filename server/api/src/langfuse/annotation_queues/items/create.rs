//! `POST /api/public/annotation-queues/{queueId}/items`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::annotation::{MAX_OBJECT_BYTES, ObjectKind};
use service::annotation_queues::ItemDraft;
use service::{App, ProjectScope, annotation_queues};

use super::shape::ItemShape;
use super::{existing_id, status};
use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::path::PathId;

/// Puts something into a queue, whether it has come already or not.
pub(crate) async fn create_item(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(queue): PathId,
    body: Body,
) -> Result<Response> {
    let draft = draft(&body)?;
    let item = annotation_queues::add_item(&app, &scope, existing_id(&queue)?, draft).await?;
    Ok(Json(ItemShape::from(&item)).into_response())
}

fn draft(body: &Body) -> Result<ItemDraft> {
    body.only(&["objectId", "objectType", "status"])?;
    body.required_text("objectType")?;
    let kinds = ["TRACE", "OBSERVATION", "SESSION"];
    let kind = body.word("objectType", ObjectKind::from_name, &kinds)?;
    let object_id = body.required_text("objectId")?;
    let fits = (1..=MAX_OBJECT_BYTES).contains(&object_id.len()) && !object_id.contains('\0');
    if !fits {
        let message = "must have 1 to 800 bytes and no NUL characters";
        return Err(Issue::new("custom", "objectId", message).into());
    }
    Ok(ItemDraft {
        kind: kind.unwrap_or_default(),
        object_id: object_id.to_owned(),
        status: status(body)?.unwrap_or_default(),
    })
}
