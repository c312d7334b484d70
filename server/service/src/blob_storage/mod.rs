//! Exports of a project's telemetry to an object store: set, show, delete, run.
//!
//! A window of time is exported once it is over for [`LAG`]; its files have names that follow from the
//! window, so that whoever exports it again writes the same ones. [`run`] may be stopped anywhere, and
//! several servers may do it at once.

/// A file on its way to Azure.
mod azure;
/// What is checked of an export.
mod check;
/// Files of Parquet.
mod parquet;
/// Tables by cursor.
mod read;
/// A thing as it is exported.
mod record;
/// A file on its way to the store.
mod send;
/// The work itself.
mod work;
/// Files.
mod write;

use domain::blob_storage::{BlobStorage, ExportSettings, LAG};
use domain::tenancy::Permission;
use domain::{Fault, ProjectId, Timestamp};
use store_postgres::blob_storage::{self, Set};

use crate::app::App;
use crate::scope::{OrganisationScope, ProjectScope};

pub use record::{ColumnKind, Record, Records};
pub use work::run;

/// What is set.
pub struct Draft {
    /// Where to, and what; the public part of the credential is empty where it stays as it is.
    pub settings: ExportSettings,
    /// Secret part of the credential; `None`: it stays as it is.
    pub secret: Option<String>,
}

/// The exports of an organisation's projects; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn list(app: &App, scope: &OrganisationScope) -> Result<Vec<BlobStorage>, Fault> {
    scope.require(Permission::ManageProject)?;
    let organisation = scope.organisation_id();
    Ok(blob_storage::of_organisation(app.postgres(), organisation).await?)
}

/// The export of a project; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope) -> Result<BlobStorage, Fault> {
    scope.require(Permission::ManageProject)?;
    let found = blob_storage::show(app.postgres(), scope.project_id()).await?;
    found.ok_or_else(none)
}

/// Sets the export of a project; needs `ManageProject`. It goes on from where it is, unless another
/// beginning is set.
///
/// # Errors
/// `forbidden`, `invalid` on a field, or `unavailable` without Postgres.
pub async fn set(app: &App, scope: &ProjectScope, draft: Draft) -> Result<BlobStorage, Fault> {
    scope.require(Permission::ManageProject)?;
    let (db, project) = (app.postgres(), scope.project_id());
    let known = blob_storage::show(db, project).await?;
    let Draft {
        mut settings,
        secret,
    } = draft;
    if let Some(known) = known.as_ref().filter(|_| settings.access_key_id.is_empty()) {
        settings
            .access_key_id
            .clone_from(&known.settings.access_key_id);
    }
    check::settings(app, &settings)?;
    let secret = match &secret {
        Some(secret) => {
            check::secret(secret, settings.kind)?;
            Some(app.settings().vault.seal(&place(project), secret)?)
        }
        None if known.is_none() => {
            return Err(Fault::invalid("is needed").on_field("secretAccessKey"));
        }
        None => None,
    };
    let now = app.clock().now();
    let begins_as_before = |known: &&BlobStorage| {
        let before = &known.settings;
        (before.mode, before.start) == (settings.mode, settings.start)
    };
    let goes_on = known.as_ref().filter(begins_as_before);
    let exported_until = match goes_on {
        Some(known) => known.progress.exported_until,
        None => settings.begin(now),
    };
    let set = Set {
        settings: &settings,
        secret: secret.as_deref(),
        exported_until,
        next_sync_at: next(&settings, exported_until, now),
        at: now,
    };
    let is_there = match (&known, &secret) {
        (None, Some(secret)) => blob_storage::create(db, project, &set, secret).await?,
        _ => blob_storage::replace(db, project, &set).await?,
    };
    if !is_there {
        return Err(Fault::unavailable("somebody set or deleted it just now"));
    }
    app.wake_exports().notify_one();
    blob_storage::show(db, project).await?.ok_or_else(none)
}

/// Deletes the export of a project, and its credential with it; needs `ManageProject`. What was exported
/// stays where it is.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    if blob_storage::delete(app.postgres(), scope.project_id()).await? {
        Ok(())
    } else {
        Err(none())
    }
}

/// When the window that begins at an instant is due: at once where it was due before.
fn next(settings: &ExportSettings, exported_until: Timestamp, now: Timestamp) -> Timestamp {
    let end = settings.frequency.window_end(exported_until);
    end.plus(LAG).max(now)
}

/// What the secret is sealed for.
fn place(project: ProjectId) -> String {
    format!("blob_storage {project} secret")
}

fn none() -> Fault {
    Fault::not_found("Blob storage integration not found")
}
