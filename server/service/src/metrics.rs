//! Numbers over many traces, observations or scores.

use domain::Fault;
use domain::metrics::{Query, Row};
use store_clickhouse::metrics;

use crate::app::App;
use crate::scope::ProjectScope;

/// What a question comes to.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away, or the answer takes too long or is too large.
pub async fn rows(app: &App, scope: &ProjectScope, query: &Query) -> Result<Vec<Row>, Fault> {
    Ok(metrics::rows(app.clickhouse(), scope.project_id(), query).await?)
}
