//! Numbers over many traces, observations or scores.

use std::sync::Arc;

use domain::metrics::{Draft, Query, Row};
use domain::{Fault, Timestamp};
use store_clickhouse::metrics;

use crate::answers::{self, Question};
use crate::app::App;
use crate::scope::ProjectScope;

/// What a question comes to.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away, or the answer takes too long or is too large.
pub async fn rows(app: &App, scope: &ProjectScope, query: &Query) -> Result<Vec<Row>, Fault> {
    Ok(metrics::rows(app.clickhouse(), scope.project_id(), query).await?)
}

/// The same; of a large project as it was a moment ago. For pages, which ask the same again and again.
///
/// # Errors
/// As [`rows`].
pub async fn kept_rows(app: &App, scope: &ProjectScope, query: &Query) -> Result<Vec<Row>, Fault> {
    let (clickhouse, project) = (app.clickhouse().clone(), scope.project_id());
    let asked = query.asked();
    let timeless = Draft {
        from: Timestamp::EPOCH,
        to: Timestamp::EPOCH,
        ..asked.clone()
    };
    let range = (asked.from, asked.to);
    let question = Question::new(app, (project, "metrics"), range, &format!("{timeless:?}"));
    let query = query.clone();
    let find = async move { Ok(metrics::rows(&clickhouse, project, &query).await?) };
    Ok(Arc::unwrap_or_clone(
        answers::ask(app, question, find).await?,
    ))
}
