//! Remarks on things of the scope's project.

use std::time::Duration;

use domain::comment::{Comment, CommentDraft, CommentedKind, Remark, mentioned};
use domain::span::SpanKind;
use domain::tenancy::{Permission, Person};
use domain::{CommentId, Fault, PromptId, SpanId, TraceId};
use store_clickhouse::{sessions, traces};
pub use store_postgres::comments::Wanted;
use store_postgres::{comments, members, prompts};
use uuid::Uuid;

use crate::app::App;
use crate::scope::{Actor, ProjectScope};
use crate::spans;

/// Comments on one thing.
const MOST: i64 = 10_000;
/// Comments that are shown beside a span.
const MOST_SHOWN: u32 = 500;
/// People who are offered to be mentioned.
const MOST_PEOPLE: u32 = 1_000;
/// How long a comment waits for a thing that was received before it but is not stored yet.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);

/// Comments, newest first, and how many there are in all.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    slice: (u64, u32),
) -> Result<(Vec<Comment>, u64), Fault> {
    Ok(comments::list(app.postgres(), scope.project_id(), wanted, slice).await?)
}

/// One of them.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope, id: CommentId) -> Result<Comment, Fault> {
    let found = comments::show(app.postgres(), scope.project_id(), id).await?;
    found.ok_or_else(|| Fault::not_found("Comment not found within authorized project"))
}

/// Comments on a trace as a whole and on one of its spans, newest first; of very many the newest.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn thread(
    app: &App,
    scope: &ProjectScope,
    (trace_id, span_id): (&TraceId, &SpanId),
) -> Result<Vec<Remark>, Fault> {
    let of = (trace_id, span_id);
    Ok(comments::thread(app.postgres(), scope.project_id(), of, MOST_SHOWN).await?)
}

/// Who can be mentioned: members who may enter the project; of very many some.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn people(app: &App, scope: &ProjectScope) -> Result<Vec<Person>, Fault> {
    Ok(members::people(app.postgres(), scope.project_id(), MOST_PEOPLE).await?)
}

/// Deletes one that the person of the scope wrote; needs `Annotate`.
///
/// # Errors
/// `forbidden`; `not_found` when they wrote no such comment; `unavailable` without Postgres.
pub async fn delete_own(app: &App, scope: &ProjectScope, id: CommentId) -> Result<(), Fault> {
    scope.require(Permission::Annotate)?;
    let missing = || Fault::not_found("you wrote no such comment");
    let Actor::Person(author) = scope.actor() else {
        return Err(missing());
    };
    let deleted = comments::delete(app.postgres(), scope.project_id(), id, author).await?;
    if deleted { Ok(()) } else { Err(missing()) }
}

/// Writes one, and tells those members that it names; needs `Annotate`.
///
/// # Errors
/// `forbidden`; `invalid` on a field, for an author of another organisation, or when there are too many on
/// the thing; `not_found` when there is no such thing; `unavailable` or `timeout` without the stores.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    mut draft: CommentDraft,
) -> Result<Comment, Fault> {
    scope.require(Permission::Annotate)?;
    draft.check()?;
    if draft.kind == CommentedKind::Prompt
        && let Ok(id) = draft.object_id.parse::<PromptId>()
    {
        // A UUID may be written in several ways; comments are found by one.
        draft.object_id = id.to_string();
    }
    let (postgres, project) = (app.postgres(), scope.project_id());
    if let Some(author) = draft.author
        && !members::has(postgres, project, author).await?
    {
        return Err(Fault::invalid(
            "authorUserId: there is no such member of the organisation",
        ));
    }
    require_thing(app, scope, &draft).await?;
    let mut named = match draft.content.contains('@') {
        true => mentioned(&draft.content, &people(app, scope).await?),
        false => Vec::new(),
    };
    named.retain(|person| Some(*person) != draft.author);
    let now = app.clock().now();
    let comment = Comment {
        id: CommentId(Uuid::now_v7()),
        draft,
        created_at: now,
        updated_at: now,
    };
    if comments::create(postgres, project, (&comment, &named), MOST).await? {
        Ok(comment)
    } else {
        let message = format!("there are at most {MOST} comments on one thing");
        Err(Fault::invalid(message))
    }
}

/// A thing that was acknowledged is there, though it may still be in the spool.
async fn require_thing(app: &App, scope: &ProjectScope, draft: &CommentDraft) -> Result<(), Fault> {
    let is_telemetry = draft.kind != CommentedKind::Prompt;
    if exists(app, scope, draft).await?
        || is_telemetry
            && app.spool().wait_until_drained(DRAIN_PATIENCE).await
            && exists(app, scope, draft).await?
    {
        return Ok(());
    }
    Err(Fault::not_found(format!(
        "Reference object {} {} not found within authorized project",
        draft.kind, draft.object_id
    )))
}

async fn exists(app: &App, scope: &ProjectScope, draft: &CommentDraft) -> Result<bool, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let id = draft.object_id.as_str();
    // What is no id is the id of nothing.
    match draft.kind {
        CommentedKind::Trace => match TraceId::from_text(id) {
            Ok(id) => Ok(traces::extent(clickhouse, project, &id).await?.is_some()),
            Err(_) => Ok(false),
        },
        CommentedKind::Observation => match SpanId::from_text(id) {
            // What describes a trace as a whole is no observation.
            Ok(id) => Ok(spans::find(app, scope, &id)
                .await?
                .is_some_and(|span| span.kind != SpanKind::Trace)),
            Err(_) => Ok(false),
        },
        CommentedKind::Session => Ok(sessions::exists(clickhouse, project, id).await?),
        CommentedKind::Prompt => match id.parse() {
            Ok(id) => Ok(prompts::has(app.postgres(), project, id).await?),
            Err(_) => Ok(false),
        },
    }
}
