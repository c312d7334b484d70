//! A comment.

use domain::ProjectId;
use domain::comment::Comment;
use serde::Serialize;

use crate::langfuse::time::Millis;

/// A comment, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentShape<'a> {
    id: String,
    project_id: String,
    created_at: Millis,
    updated_at: Millis,
    object_type: &'static str,
    object_id: &'a str,
    content: &'a str,
    author_user_id: Option<String>,
}

impl<'a> CommentShape<'a> {
    /// A comment of a project.
    pub(super) fn new(comment: &'a Comment, project: ProjectId) -> Self {
        let draft = &comment.draft;
        CommentShape {
            id: comment.id.to_string(),
            project_id: project.to_string(),
            created_at: Millis(comment.created_at),
            updated_at: Millis(comment.updated_at),
            object_type: draft.kind.as_str(),
            object_id: &draft.object_id,
            content: &draft.content,
            author_user_id: draft.author.map(|person| person.to_string()),
        }
    }
}
