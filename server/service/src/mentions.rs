//! Comments that name the person of the scope.

use domain::comment::{CommentedKind, Mention};
use domain::prompt::PromptName;
use domain::{CommentId, Fault, PersonId, SpanId, TraceId};
use store_postgres::{mentions, prompts};

use crate::app::App;
use crate::comments;
use crate::scope::{Actor, ProjectScope};
use crate::spans;

/// Mentions that are listed.
const MOST: u32 = 200;
/// Mentions that are counted.
pub const MOST_COUNTED: u32 = 100;

/// What a comment is on, so that a page of it can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A trace as a whole.
    Trace(TraceId),
    /// A span of a trace.
    Span(TraceId, SpanId),
    /// A session, by its id.
    Session(String),
    /// A version of a prompt.
    Prompt(PromptName, u32),
}

/// How many the person of the scope has not followed yet; 0 for a program.
///
/// # Errors
/// `unavailable` without Postgres; so for all here.
pub async fn unread(app: &App, scope: &ProjectScope) -> Result<u64, Fault> {
    match person(scope) {
        Some(person) => {
            let (db, project) = (app.postgres(), scope.project_id());
            Ok(mentions::unread(db, project, person, MOST_COUNTED).await?)
        }
        None => Ok(0),
    }
}

/// Those of the person of the scope, newest first; of very many the newest.
///
/// # Errors
/// `unavailable`.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<Mention>, Fault> {
    match person(scope) {
        Some(person) => {
            let (db, project) = (app.postgres(), scope.project_id());
            Ok(mentions::list(db, project, person, MOST).await?)
        }
        None => Ok(Vec::new()),
    }
}

/// Calls all of them read.
///
/// # Errors
/// `unavailable`.
pub async fn read_all(app: &App, scope: &ProjectScope) -> Result<(), Fault> {
    mark(app, scope, None).await
}

/// Calls one read, and tells where its comment is.
///
/// # Errors
/// `not_found` when the comment or what it is on has gone; `unavailable`.
pub async fn follow(app: &App, scope: &ProjectScope, id: CommentId) -> Result<Place, Fault> {
    let comment = comments::show(app, scope, id).await?;
    mark(app, scope, Some(id)).await?;
    let gone = || Fault::not_found("what the comment is on has been deleted");
    let object = comment.draft.object_id;
    Ok(match comment.draft.kind {
        CommentedKind::Trace => Place::Trace(TraceId::from_text(&object).map_err(|_| gone())?),
        CommentedKind::Observation => {
            let id = SpanId::from_text(&object).map_err(|_| gone())?;
            let span = spans::find(app, scope, &id).await?.ok_or_else(gone)?;
            Place::Span(span.trace_id, id)
        }
        CommentedKind::Session => Place::Session(object),
        CommentedKind::Prompt => {
            let id = object.parse().map_err(|_| gone())?;
            let named = prompts::named(app.postgres(), scope.project_id(), id).await?;
            let (name, version) = named.ok_or_else(gone)?;
            Place::Prompt(name, version)
        }
    })
}

async fn mark(app: &App, scope: &ProjectScope, one: Option<CommentId>) -> Result<(), Fault> {
    let Some(person) = person(scope) else {
        return Ok(());
    };
    let whose = (scope.project_id(), person);
    Ok(mentions::mark_read(app.postgres(), whose, one, app.clock().now()).await?)
}

fn person(scope: &ProjectScope) -> Option<PersonId> {
    match scope.actor() {
        Actor::Person(person) => Some(person),
        _ => None,
    }
}
