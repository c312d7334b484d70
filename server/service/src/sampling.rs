//! What clients should record of requests right now.

use domain::{Fault, Timestamp};
use store_postgres::alerts::progress;

use crate::app::App;
use crate::scope::ProjectScope;

/// Share of requests with a span for each token, usually: tokens are many.
const USUAL_RATIO: f64 = 0.01;

/// What to record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Share of requests with a span for each token, 0 to 1.
    pub token_spans: f64,
    /// Until when that is raised; `None`: it is not.
    pub boosted_until: Option<Timestamp>,
    /// Share of requests with their content.
    pub content: f64,
}

/// What to record of a project's requests: more of them while an incident of the first severity is fresh.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope) -> Result<Sampling, Fault> {
    let standing = progress::standing(app.postgres(), scope.project_id()).await?;
    let now = app.clock().now();
    let boosted_until = standing.boosted_until.filter(|until| *until > now);
    Ok(Sampling {
        token_spans: if boosted_until.is_some() {
            1.0
        } else {
            USUAL_RATIO
        },
        boosted_until,
        content: 1.0,
    })
}
