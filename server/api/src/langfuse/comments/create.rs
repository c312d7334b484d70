//! `POST /api/public/comments`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::comment::{CommentDraft, CommentedKind};
use domain::{Fault, PersonId};
use serde_json::json;
use service::{App, ProjectScope, comments};

use super::KINDS;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Writes a comment on something that is there.
pub(crate) async fn create_comment(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let comment = comments::create(&app, &scope, draft(&body)?).await?;
    Ok(Json(json!({ "id": comment.id.to_string() })).into_response())
}

fn draft(body: &Body) -> Result<CommentDraft> {
    body.only(&[
        "projectId",
        "objectType",
        "objectId",
        "content",
        "authorUserId",
    ])?;
    // The project is the key's, whatever is said; clients must say something.
    body.required_text("projectId")?;
    body.required_text("objectType")?;
    let kind = body.word("objectType", CommentedKind::from_name, &KINDS)?;
    let author = body.text("authorUserId")?.map(author);
    Ok(CommentDraft {
        kind: kind.unwrap_or_default(),
        object_id: body.required_text("objectId")?.to_owned(),
        content: body.required_text("content")?.to_owned(),
        author: author.transpose()?,
    })
}

/// An id that is none is the id of nobody.
fn author(text: &str) -> Result<PersonId> {
    let nobody = |_| Fault::invalid("authorUserId: there is no such member of the organisation");
    Ok(text.parse().map_err(nobody)?)
}
