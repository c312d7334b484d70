//! What went wrong in the meaning of answers: list.

use domain::filter::{Column, Condition};
use domain::semantic::SemanticEvent;
use domain::{Fault, Nanos, Timestamp};
use store_clickhouse::semantic;

use crate::app::App;
use crate::scope::ProjectScope;

pub use store_clickhouse::semantic::{Place, Wanted};

/// How long lists look back unless told otherwise.
const USUAL: Nanos = Nanos::from_seconds(7 * 24 * 3600);

/// The range of a list: the last week unless told otherwise.
///
/// # Errors
/// `invalid` on `to` when nothing lies between.
pub fn range(
    app: &App,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Result<(Timestamp, Timestamp), Fault> {
    let to = to.unwrap_or_else(|| app.clock().now());
    let from = from.unwrap_or_else(|| to.minus(USUAL));
    match from < to {
        true => Ok((from, to)),
        false => Err(Fault::invalid("to: must be later than from").on_field("to")),
    }
}

/// Those that are wanted, the newest first. Sessions, users and tags are those of the trace, which only some of its
/// spans may name; everything else is of the event's own span.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    mut wanted: Wanted,
    limit: u32,
) -> Result<Vec<SemanticEvent>, Fault> {
    for condition in &mut wanted.filter.conditions {
        widen(condition);
    }
    Ok(semantic::list(app.clickhouse(), scope.project_id(), &wanted, limit).await?)
}

fn widen(condition: &mut Condition) {
    let is_of_trace = matches!(
        condition.column,
        Column::SessionId | Column::UserId | Column::Tag
    );
    if is_of_trace {
        condition.column = Column::OfTrace(Box::new(condition.column.clone()));
    }
}
