//! Targets that metrics are fetched from, on behalf of the scope's project. Their credentials are sealed here, and shown to
//! nobody.

/// What is checked of a target before it is kept.
mod check;
/// One question to a target.
mod fetch;
/// One scrape: question, answer, series, the end of those that are gone.
mod scrape;
/// Series that a target had in its last scrape.
mod seen;
/// Scrapes all that this server holds, each when it is due.
mod work;

use bytes::Bytes;
use domain::axes::{Labels, Track};
use domain::scrape::{AuthHint, ScrapeOutcome, ScrapeTarget, TargetDraft};
use domain::tenancy::Permission;
use domain::{Code, Fault, ProjectId, ScrapeTargetId, Timestamp};
use store_postgres::StoreError;
use store_postgres::scrape_targets::{self, Held, Sealed};
use uuid::Uuid;

pub use work::run;

use crate::app::App;
use crate::scope::ProjectScope;

/// Targets of one project.
const MOST: i64 = 200;

/// What a target answered, to be read.
pub struct Scraped {
    /// Its content type; empty where it said none.
    pub content_type: String,
    /// Its body, decompressed.
    pub body: Bytes,
    /// Labels that each series gets.
    pub labels: Labels,
    /// When the scrape began.
    pub at: Timestamp,
}

/// What stood in an answer.
#[derive(Debug)]
pub struct Exposition {
    /// Series with their samples.
    pub tracks: Vec<Track>,
    /// What cannot be used of it: how much, and the first reason.
    pub refused: Option<String>,
}

/// Reads an answer.
///
/// # Errors
/// `invalid` for what is no exposition, `too_large` for one with too many samples.
pub type ReadExposition = fn(&Scraped) -> Result<Exposition, Fault>;

/// With what a target is asked.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// A token.
    Bearer(String),
    /// User and password.
    Basic(String, String),
}

/// What becomes of a target's credential when the target is changed.
pub enum AuthChange {
    /// It stays.
    Keep,
    /// Another one, or none.
    Set(Option<Credential>),
}

/// The project's targets, by name.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<ScrapeTarget>, Fault> {
    Ok(scrape_targets::list(app.postgres(), scope.project_id()).await?)
}

/// One target.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    id: ScrapeTargetId,
) -> Result<ScrapeTarget, Fault> {
    let found = scrape_targets::find(app.postgres(), scope.project_id(), id).await?;
    let (target, _) = found.ok_or_else(|| no_such_target(id))?;
    Ok(target)
}

/// Sets a target; needs `ManageConnections`. It is scraped within some seconds.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` on its name or when there are too many, `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: TargetDraft,
    credential: Option<Credential>,
) -> Result<ScrapeTarget, Fault> {
    scope.require(Permission::ManageConnections)?;
    let draft = check::checked(app, draft)?;
    let (id, project) = (ScrapeTargetId(Uuid::now_v7()), scope.project_id());
    let (auth, sealed) = seal(app, (project, id), credential)?;
    let now = app.clock().now();
    let target = ScrapeTarget {
        id,
        draft,
        auth,
        outcome: None,
        created_at: now,
        updated_at: now,
    };
    let made = scrape_targets::create(app.postgres(), project, (&target, &sealed), MOST).await;
    if made.map_err(name_is_taken)? {
        app.wake_scraping().notify_one();
        return Ok(target);
    }
    let message = format!("a project has at most {MOST} targets");
    Err(Fault::new(Code::Conflict, message))
}

/// Changes a target; needs `ManageConnections`. `change` makes the new draft of the one that is set. A credential goes
/// to another host only when it is given again: who may set targets may not read what others entered.
///
/// # Errors
/// As [`create`], `not_found`, and what `change` says.
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    id: ScrapeTargetId,
    change: impl FnOnce(TargetDraft) -> Result<(TargetDraft, AuthChange), Fault>,
) -> Result<ScrapeTarget, Fault> {
    scope.require(Permission::ManageConnections)?;
    let (db, project) = (app.postgres(), scope.project_id());
    let found = scrape_targets::find(db, project, id).await?;
    let (known, sealed) = found.ok_or_else(|| no_such_target(id))?;
    let (draft, auth) = change(known.draft.clone())?;
    let draft = check::checked(app, draft)?;
    let (auth, sealed) = match auth {
        AuthChange::Set(credential) => seal(app, (project, id), credential)?,
        AuthChange::Keep => {
            let elsewhere = !check::is_same_origin(&known.draft.url, &draft.url);
            if known.auth.is_some() && elsewhere {
                let message = "give the credential again: it was for another host";
                return Err(Fault::invalid(message).on_field("auth"));
            }
            (known.auth.clone(), sealed)
        }
    };
    let target = ScrapeTarget {
        draft,
        auth,
        outcome: None,
        updated_at: app.clock().now(),
        ..known.clone()
    };
    let updated = scrape_targets::update(db, project, (&target, &sealed), &known).await;
    if !updated.map_err(name_is_taken)? {
        let message = "somebody changed it just now: look at it again";
        return Err(Fault::new(Code::Conflict, message));
    }
    app.wake_scraping().notify_one();
    Ok(target)
}

/// Deletes a target; needs `ManageConnections`. Its series stay.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: ScrapeTargetId) -> Result<(), Fault> {
    scope.require(Permission::ManageConnections)?;
    if !scrape_targets::delete(app.postgres(), scope.project_id(), id).await? {
        return Err(no_such_target(id));
    }
    app.wake_scraping().notify_one();
    Ok(())
}

/// Asks a target now and tells what was found, without keeping any of it; needs `ManageConnections`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres. What is wrong with the target stands in the outcome.
pub async fn test(
    app: &App,
    scope: &ProjectScope,
    id: ScrapeTargetId,
) -> Result<ScrapeOutcome, Fault> {
    scope.require(Permission::ManageConnections)?;
    let project = scope.project_id();
    let found = scrape_targets::find(app.postgres(), project, id).await?;
    let (target, sealed) = found.ok_or_else(|| no_such_target(id))?;
    let held = Held {
        project,
        target,
        sealed,
    };
    Ok(scrape::look(app, &held).await.outcome)
}

fn seal(
    app: &App,
    target: (ProjectId, ScrapeTargetId),
    credential: Option<Credential>,
) -> Result<(Option<AuthHint>, Sealed), Fault> {
    let Some(credential) = credential else {
        return Ok((None, None));
    };
    check::credential(&credential)?;
    let (hint, secret) = match credential {
        Credential::Bearer(token) => (AuthHint::Bearer, token),
        Credential::Basic(user, password) => (AuthHint::Basic(user), password),
    };
    let sealed = app.settings().vault.seal(&place(target), &secret)?;
    Ok((Some(hint), Some(sealed)))
}

/// What a credential is sealed for.
fn place((project, id): (ProjectId, ScrapeTargetId)) -> String {
    format!("scrape_targets {project} {id} auth")
}

fn no_such_target(id: ScrapeTargetId) -> Fault {
    Fault::not_found(format!("no scrape target {id}"))
}

fn name_is_taken(error: StoreError) -> Fault {
    error.on_constraint("scrape_targets_project_id_name_key", || {
        Fault::new(Code::Conflict, "name: another target has this name").on_field("name")
    })
}
