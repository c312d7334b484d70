//! What people remark on a session as a whole: written beside its replay.

use axum::extract::{RawPathParams, State};
use domain::comment::{CommentDraft, CommentedKind};
use service::{App, comments};

use super::session_id;
use crate::extract::{InProject, Pairs, Posted};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Writes one, and comes back to the turn that was open.
pub(crate) async fn create_session_comment(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
    Posted(form): Posted,
) -> Answer {
    let id = session_id(&params)?;
    let content = form.get("content").unwrap_or_default();
    let draft = CommentDraft {
        kind: CommentedKind::Session,
        object_id: id.to_owned(),
        // Forms end lines in two characters.
        content: content.trim().replace("\r\n", "\n"),
        author: Some(entered.reader.visitor.person.id),
    };
    comments::create(&app, &entered.scope, draft).await?;
    let turn = pairs.filled("turn").and_then(|turn| turn.parse().ok());
    Ok(see_other(&match turn {
        Some(turn) => urls::session_turn(entered.id(), id, turn),
        None => urls::session(entered.id(), id),
    }))
}
