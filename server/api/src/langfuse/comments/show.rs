//! `GET /api/public/comments/{commentId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use service::{App, ProjectScope, comments};

use super::shape::CommentShape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// One comment.
pub(crate) async fn show_comment(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    // An id that is none is the id of no comment.
    let missing = |_| Fault::not_found("Comment not found within authorized project");
    let comment = comments::show(&app, &scope, id.parse().map_err(missing)?).await?;
    Ok(Json(CommentShape::new(&comment, scope.project_id())).into_response())
}
