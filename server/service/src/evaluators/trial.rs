//! What would be scored: the last spans that match, without a score being written.

use domain::evaluator::{EvaluatorDraft, Method};
use domain::page::Limit;
use domain::{Fault, Span};
use futures_util::future::join_all;

use super::ask::{Asker, Tried};
use super::{WEEK, checked};
use crate::app::App;
use crate::scope::ProjectScope;
use crate::spans;

/// Spans that a rule is tried on.
const MOST_OF_RULES: u32 = 20;
/// Spans that a model is tried on: each costs money.
const MOST_OF_JUDGES: u32 = 3;

/// A span, and what would become of it.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The span, whole.
    pub span: Span,
    /// What came of it.
    pub tried: Tried,
}

/// Tries a draft on the last spans of a week that match, whether they are in the sample or not; needs what making one
/// does. Nothing is kept.
///
/// # Errors
/// As [`super::create`]; `unavailable` or `timeout` without ClickHouse.
pub async fn try_out(
    app: &App,
    scope: &ProjectScope,
    draft: EvaluatorDraft,
) -> Result<Vec<Trial>, Fault> {
    let draft = checked(app, scope, draft).await?;
    let asker = Asker::new(&draft)?;
    let mut filter = draft.spans()?;
    filter.from = Some(app.clock().now().minus(WEEK));
    let limit = Limit::new(match draft.method {
        Method::Judge(_) => MOST_OF_JUDGES,
        Method::Rule(_) => MOST_OF_RULES,
    })?;
    let _turn = spans::turn(app, scope, limit).await?;
    let (page, _) = spans::list(app, scope, &filter, limit, None).await?;
    let ended = page.data.into_iter().filter(|span| span.end.is_some());
    let tried = ended.map(|span| tried(app, scope, &asker, span));
    join_all(tried).await.into_iter().collect()
}

async fn tried(
    app: &App,
    scope: &ProjectScope,
    asker: &Asker<'_>,
    listed: Span,
) -> Result<Trial, Fault> {
    // With what log records say of it.
    let whole = spans::show(app, scope, &listed.trace_id, &listed.span_id).await?;
    let span = whole.unwrap_or(listed);
    let tried = asker.ask(app, scope, &span).await;
    Ok(Trial { span, tried })
}
