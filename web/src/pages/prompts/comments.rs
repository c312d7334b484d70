//! Remarks on a version.

use askama::Template;
use domain::Timestamp;
use domain::comment::Comment;
use domain::tenancy::Permission;

use super::content::frame;
use super::head::{Head, Standing, author, when};
use super::query::PromptQuery;
use crate::extract::Reader;
use crate::layout::{Frame, Shell};
use crate::urls;

/// Comments on a version.
#[derive(Template)]
#[template(path = "prompts/comments.html")]
pub(crate) struct CommentsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) head: Head,
    pub(crate) rows: Vec<CommentRow>,
    pub(crate) action: String,
    pub(crate) may_comment: bool,
}

/// A comment.
pub(crate) struct CommentRow {
    pub(crate) by: String,
    pub(crate) at: String,
    pub(crate) exact: String,
    pub(crate) text: String,
}

impl CommentsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (standing, query): (&Standing, &PromptQuery),
        comments: &[Comment],
        now: Timestamp,
    ) -> Self {
        let row = |comment: &Comment| CommentRow {
            by: match comment.draft.author {
                Some(id) => author(&standing.authors, &id.to_string(), reader.lang()),
                None => "API".to_owned(),
            },
            at: when(reader, comment.created_at, now),
            exact: reader.zone().exact(comment.created_at),
            text: comment.draft.content.clone(),
        };
        CommentsPage {
            shell: Frame::shell(reader),
            frame: frame(reader),
            head: Head::new(reader, standing, query, now),
            rows: comments.iter().map(row).collect(),
            action: urls::prompt_do(reader.id(), "comments", &standing.shown.name),
            may_comment: reader.may(Permission::Annotate),
        }
    }
}
