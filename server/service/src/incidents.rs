//! Incidents: list, show, acknowledge, resolve.

use domain::alert::cause::Cause;
use domain::alert::incident::{Happening, Incident, Moment};
use domain::alert::state::Resolution;
use domain::rollback::Rollback;
use domain::tenancy::Permission;
use domain::{AlertChannelId, Fault, IncidentId, ProjectId, Timestamp};
use store_postgres::alerts::{attributions, channels, incidents, notifications, rules};
use store_postgres::rollbacks;

use crate::alerts::Recorder;
use crate::app::App;
use crate::scope::ProjectScope;

pub use store_postgres::alerts::attributions::Attached;
pub use store_postgres::alerts::incidents::Wanted;
pub use store_postgres::alerts::notifications::Delivery;

/// Those of a project, the newest first.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    limit: u32,
) -> Result<Vec<Incident>, Fault> {
    Ok(incidents::list(app.postgres(), scope.project_id(), wanted, limit).await?)
}

/// More that go on are not counted one by one.
pub const MOST_COUNTED: u32 = 100;

/// How many go on that were told; [`MOST_COUNTED`] at most.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn going_on(app: &App, scope: &ProjectScope) -> Result<u64, Fault> {
    Ok(incidents::count_going_on(app.postgres(), scope.project_id(), MOST_COUNTED).await?)
}

/// An incident with all that belongs to it.
pub struct Whole {
    /// The incident.
    pub incident: Incident,
    /// What happened in it, in order.
    pub moments: Vec<Moment>,
    /// How messages about it stand.
    pub deliveries: Vec<Delivery>,
    /// What it kept silent.
    pub suppressed: Vec<Incident>,
    /// Labels of prompts that went back because of it, or might.
    pub rollbacks: Vec<Rollback>,
    /// What it comes from; `None`: nobody asks, or no request has its series.
    pub attribution: Option<Attached>,
}

/// One with all that belongs to it.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope, id: IncidentId) -> Result<Whole, Fault> {
    let (db, project) = (app.postgres(), scope.project_id());
    let incident = incidents::show(db, project, id).await?;
    let incident = incident.ok_or_else(|| none(id))?;
    let end = incident.resolved_at.unwrap_or(Timestamp::MAX);
    let suppressed = match incident.rule_id {
        Some(rule) => incidents::suppressed(db, project, rule, (incident.onset, end)).await?,
        None => Vec::new(),
    };
    Ok(Whole {
        moments: incidents::moments(db, project, id).await?,
        deliveries: notifications::of_incident(db, project, id).await?,
        rollbacks: rollbacks::of_incident(db, project, id).await?,
        attribution: attributions::show(db, project, id).await?,
        suppressed,
        incident,
    })
}

/// What one comes from in short, as far as that is known.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn cause(
    app: &App,
    scope: &ProjectScope,
    id: IncidentId,
) -> Result<Option<Cause>, Fault> {
    let attached = attributions::show(app.postgres(), scope.project_id(), id).await?;
    let answer = attached.and_then(|attached| attached.answer);
    Ok(answer.as_ref().and_then(Cause::of_answer))
}

/// Says that somebody knows of one; needs `SetExpectations`. Where that is known, or it is over, nothing changes.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn acknowledge(
    app: &App,
    scope: &ProjectScope,
    id: IncidentId,
) -> Result<Incident, Fault> {
    scope.require(Permission::SetExpectations)?;
    let (db, project, at) = (app.postgres(), scope.project_id(), app.clock().now());
    let mut tx = db.begin().await?;
    if incidents::acknowledge(&mut tx, project, id, at).await? {
        let moment = Moment {
            at,
            what: Happening::Acknowledged,
            detail: String::new(),
        };
        incidents::note(&mut tx, project, id, &moment).await?;
    }
    tx.commit().await?;
    incidents::show(db, project, id)
        .await?
        .ok_or_else(|| none(id))
}

/// Says that one is over, and tells so where it was told; needs `SetExpectations`. The rule fires again once its series
/// was normal in between. Where it is over, nothing changes.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn resolve(app: &App, scope: &ProjectScope, id: IncidentId) -> Result<Incident, Fault> {
    scope.require(Permission::SetExpectations)?;
    let (db, project, at) = (app.postgres(), scope.project_id(), app.clock().now());
    let incident = incidents::show(db, project, id).await?;
    let incident = incident.ok_or_else(|| none(id))?;
    let to = channels_of(app, project, &incident).await?;
    let channels = channels::list(db, project).await?;
    let recorder = Recorder::new(app, project, &channels);
    let mut tx = db.begin().await?;
    let over = (at, Resolution::Person);
    recorder.end(&mut tx, (id, &to), over).await?;
    tx.commit().await?;
    incidents::show(db, project, id)
        .await?
        .ok_or_else(|| none(id))
}

/// Called once for each incident of the first severity that was told, after it is written: where its attribution is
/// taken up. That it is wanted is written with the incident, so that a stop in between loses nothing.
pub(crate) fn told(app: &App, project: ProjectId, incident: &Incident) {
    let id = incident.id;
    app.wake_attributions().notify_one();
    tracing::info!(%project, incident.id = %id, "an incident of the first severity was told");
}

/// Where messages about an incident go: as its rule says now.
pub(crate) async fn channels_of(
    app: &App,
    project: ProjectId,
    incident: &Incident,
) -> Result<Vec<AlertChannelId>, Fault> {
    let rules = rules::list(app.postgres(), project).await?;
    let rule = rules
        .into_iter()
        .find(|rule| Some(rule.id) == incident.rule_id);
    Ok(rule.map(|rule| rule.draft.channels).unwrap_or_default())
}

fn none(id: IncidentId) -> Fault {
    Fault::not_found(format!("no incident {id}"))
}
