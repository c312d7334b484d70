//! One session of the scope's project: its turns, and what was said in some of them.

use domain::comment::{Comment, CommentedKind};
use domain::score::Score;
use domain::score::wanted::{Condition, Field};
use domain::session::{Said, Turns};
use domain::{Fault, TraceId};
use store_clickhouse::sessions;

use crate::app::App;
use crate::scope::ProjectScope;
use crate::{comments, scores};

/// Turns of which what was said is read at once.
pub const SAID_AT_ONCE: usize = 20;
/// Spans that stand for the memory that this takes.
const SPANS_OF_A_READ: u64 = 2 * SAID_AT_ONCE as u64;
/// Scores and comments of a session that are read.
const REMARKS: u32 = 100;

/// The turns of a session, the earliest first; `None` when the project has no such session.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; so for all reads here.
pub async fn turns(app: &App, scope: &ProjectScope, session: &str) -> Result<Option<Turns>, Fault> {
    // No id holds the character that stores cannot keep.
    if session.is_empty() || session.contains('\0') {
        return Ok(None);
    }
    Ok(sessions::turns(app.clickhouse(), scope.project_id(), session).await?)
}

/// What was said in some turns, the first [`SAID_AT_ONCE`] of them, in their order.
///
/// # Errors
/// As [`turns`]; `unavailable` when many large traces are being read.
pub async fn said(
    app: &App,
    scope: &ProjectScope,
    traces: &[&TraceId],
) -> Result<Vec<Said>, Fault> {
    let traces = &traces[..traces.len().min(SAID_AT_ONCE)];
    let project = scope.project_id();
    let _turn = app.reads().turn(project, SPANS_OF_A_READ).await?;
    Ok(sessions::said(app.clickhouse(), project, traces).await?)
}

/// What a session as a whole was given: its scores, the newest first, and what was remarked on it.
///
/// # Errors
/// As [`turns`]; `unavailable` without Postgres.
pub async fn remarks(
    app: &App,
    scope: &ProjectScope,
    session: &str,
) -> Result<(Vec<Score>, Vec<Comment>), Fault> {
    let of_session = [Condition::any_of(Field::SessionId, [session])];
    let slice = scores::Slice {
        limit: REMARKS,
        ..scores::Slice::default()
    };
    let wanted = comments::Wanted {
        kind: Some(CommentedKind::Session),
        object_id: Some(session.to_owned()),
        author: None,
    };
    let (scores, comments) = tokio::join!(
        scores::list(app, scope, &of_session, &slice),
        comments::list(app, scope, &wanted, (0, REMARKS)),
    );
    Ok((scores?, comments?.0))
}
