//! Sessions and users of the scope's project, with what their traces of a stretch of time come to.

use std::collections::HashMap;
use std::sync::Arc;

use domain::rollup::{RollupPage, RollupQuery};
use domain::{Fault, Timestamp};
use store_clickhouse::rollups;

use crate::answers::{self, Question};
use crate::app::App;
use crate::scope::ProjectScope;

/// A page of the list; of a large project as it was a moment ago.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; so for all reads here.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    query: &RollupQuery,
) -> Result<RollupPage, Fault> {
    let (clickhouse, project) = (app.clickhouse().clone(), scope.project_id());
    let timeless = RollupQuery {
        from: Timestamp::EPOCH,
        to: Timestamp::EPOCH,
        ..query.clone()
    };
    let range = (query.from, query.to);
    let question = Question::new(app, (project, "rollups"), range, &format!("{timeless:?}"));
    let query = query.clone();
    let find = async move { Ok(rollups::list(&clickhouse, project, &query).await?) };
    Ok(Arc::unwrap_or_clone(
        answers::ask(app, question, find).await?,
    ))
}

/// The first and the last start of spans that name some users, ever.
///
/// # Errors
/// As [`list`].
pub async fn seen(
    app: &App,
    scope: &ProjectScope,
    users: &[&str],
) -> Result<HashMap<String, (Timestamp, Timestamp)>, Fault> {
    Ok(rollups::seen(app.clickhouse(), scope.project_id(), users).await?)
}
