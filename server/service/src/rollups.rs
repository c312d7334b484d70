//! Sessions and users of the scope's project, with what their traces of a stretch of time come to.

use std::collections::HashMap;

use domain::rollup::{RollupPage, RollupQuery};
use domain::{Fault, Timestamp};
use store_clickhouse::rollups;

use crate::app::App;
use crate::scope::ProjectScope;

/// A page of the list.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; so for all reads here.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    query: &RollupQuery,
) -> Result<RollupPage, Fault> {
    Ok(rollups::list(app.clickhouse(), scope.project_id(), query).await?)
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
