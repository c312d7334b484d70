//! What happened in the business: take, list, delete. They are kept in Postgres: they are few beside telemetry, their
//! sender is answered when they are stored, and they are deleted one by one, with their trace or with their project.

use domain::business_event::BusinessEvent;
use domain::masking::Counts;
use domain::tenancy::Permission;
use domain::{Fault, Nanos, Timestamp};
use store_postgres::business_events;
use uuid::Uuid;

use crate::app::App;
use crate::deletions::tombstones;
use crate::masking;
use crate::scope::ProjectScope;

pub use store_postgres::business_events::Wanted;

/// Events of one request.
pub const MOST: usize = 1_000;
/// How far ahead of ours the clock of a sender may be.
const AHEAD: Nanos = Nanos::from_seconds(24 * 3600);
/// How long lists look back unless told otherwise.
const USUAL: Nanos = Nanos::from_seconds(7 * 24 * 3600);

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Ids of its events, in its order.
    pub ids: Vec<String>,
    /// How many were not there before.
    pub stored: u64,
}

/// Stores events, all or none; needs `ChangeTelemetry`. Those without an id get one; one whose id is there already
/// stays as it is. When this returns they are durable.
///
/// # Errors
/// `forbidden`; `too_large` of too many; `invalid` on the time of one that is far ahead; `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    mut events: Vec<BusinessEvent>,
) -> Result<Taken, Fault> {
    scope.require(Permission::ChangeTelemetry)?;
    let latest = app.clock().now().plus(AHEAD);
    if let Some(at) = events.iter().position(|event| event.at > latest) {
        let message = format!("[{at}].at: lies more than a day ahead");
        return Err(Fault::invalid(message).on_field(format!("[{at}].at")));
    }
    for event in &mut events {
        if event.id.is_empty() {
            event.id = Uuid::now_v7().to_string();
        }
    }
    let ids = events.iter().map(|event| event.id.clone()).collect();
    let project = scope.project_id();
    if let Some(gone) = tombstones::of_project(app, project).await {
        let dropped = gone.business_events(&mut events);
        tombstones::note(app, project, dropped).await;
    }
    if let Some(masker) = masking::of_project(app, project).await?.masker() {
        let mut counts = Counts::default();
        masker.business_events(&mut events, &mut counts);
        masking::note(app, project, counts);
    }
    let stored = business_events::create(app.postgres(), project, &events).await?;
    Ok(Taken { ids, stored })
}

/// The range of a list: the last week unless told otherwise.
///
/// # Errors
/// `invalid` on `to` when nothing lies between.
pub fn range(
    app: &App,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Result<(Timestamp, Timestamp), Fault> {
    let to = to.unwrap_or_else(|| app.clock().now().plus(AHEAD));
    let from = from.unwrap_or_else(|| to.minus(AHEAD).minus(USUAL));
    match from < to {
        true => Ok((from, to)),
        false => Err(Fault::invalid("to: must be later than from").on_field("to")),
    }
}

/// Those that are wanted, the newest first.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    limit: u32,
) -> Result<Vec<BusinessEvent>, Fault> {
    Ok(business_events::list(app.postgres(), scope.project_id(), wanted, limit).await?)
}

/// Deletes one; needs `ChangeTelemetry`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: &str) -> Result<(), Fault> {
    scope.require(Permission::ChangeTelemetry)?;
    match business_events::delete(app.postgres(), scope.project_id(), id).await? {
        true => Ok(()),
        false => Err(Fault::not_found("no such business event")),
    }
}
