//! What must not be stored of a project: set, known to whoever takes telemetry in, counted, tried out.

/// What would be found.
mod trial;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::masking::{Counts, FieldKeys, Masker, MaskingSettings, Pseudonym};
use domain::tenancy::Permission;
use domain::{Fault, Nanos, ProjectId, Span};
use hmac::Mac;
use serde_json::json;
use store_postgres::audit::{self, Entry};
use store_postgres::masking;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::project_cache::ProjectCache;
use crate::rollback::actor;
use crate::scope::ProjectScope;
use crate::vault::{Vault, keyed};

pub use store_postgres::masking::DayCount;
pub use trial::{Finding, Tried, TriedText, try_on_recent, try_on_text};

/// What the key is for.
const PURPOSE: &str = "masking";
/// How long counts wait in memory.
const COUNT_EVERY: Duration = Duration::from_secs(3);
/// Days of counts that are shown.
const SHOWN: Nanos = Nanos::from_seconds(30 * 86_400);

/// Rules in memory.
pub(crate) type Cache = ProjectCache<MaskingSettings, Rules>;

/// The rules of a project, compiled; without any nothing is masked.
#[derive(Debug, Default)]
pub struct Rules(Option<Masker>);

/// Counts that are not written down yet.
#[derive(Default)]
pub(crate) struct Tally(Mutex<HashMap<ProjectId, Counts>>);

impl Rules {
    /// What masks; `None` where nothing is masked.
    pub fn masker(&self) -> Option<&Masker> {
        self.0.as_ref()
    }
}

/// The rules that hold for a project; a change anywhere is seen within 5 s.
///
/// # Errors
/// `unavailable` while they cannot be read and never were: nothing is let in unmasked meanwhile.
pub async fn of_project(app: &App, project: ProjectId) -> Result<Arc<Rules>, Fault> {
    let load = masking::settings(app.postgres(), project);
    let (pseudonym, keys) = (pseudonym(&app.settings().vault, project), keys(app));
    let compile = move |rows: &[MaskingSettings]| {
        let masker = rows
            .first()
            .and_then(|set| Masker::new(set, pseudonym, keys));
        Arc::new(Rules(masker))
    };
    let rules = app.masking().of_project(project, load, compile).await;
    rules.ok_or_else(|| Fault::unavailable("what is to be masked cannot be read just now"))
}

/// What the project set; nothing by default.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn settings(app: &App, scope: &ProjectScope) -> Result<MaskingSettings, Fault> {
    let set = masking::settings(app.postgres(), scope.project_id()).await?;
    Ok(set.into_iter().next().unwrap_or_default())
}

/// Sets it for what arrives from now on; needs `ManageProject`. The audit log has it as it was and as it is.
///
/// # Errors
/// `forbidden`, `invalid` on a field, or `unavailable` without Postgres.
pub async fn set(app: &App, scope: &ProjectScope, new: &MaskingSettings) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    check(new)?;
    let project = scope.project_id();
    let entry = Entry {
        actor: actor(scope),
        action: "masking.set".into(),
        object: "masking".to_owned(),
        before: json!(settings(app, scope).await?),
        after: json!(new),
    };
    let mut tx = app.postgres().begin().await?;
    masking::set(&mut tx, project, new).await?;
    audit::append(&mut tx, project, &entry, app.clock().now()).await?;
    tx.commit().await?;
    app.masking().forget(project);
    Ok(())
}

fn check(settings: &MaskingSettings) -> Result<(), Fault> {
    let wrong = |problem: domain::masking::Problem| {
        Fault::invalid(format!("{}{}", problem.field, problem.message)).on_field(problem.field)
    };
    settings.check().map_err(wrong)
}

/// How often each rule found something in the last 30 days, the latest day first.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn counts(app: &App, scope: &ProjectScope) -> Result<Vec<DayCount>, Fault> {
    let since = app.clock().now().minus(SHOWN);
    Ok(masking::counts(app.postgres(), scope.project_id(), since).await?)
}

/// Counts what was found. It is written down within seconds.
pub fn note(app: &App, project: ProjectId, counts: Counts) {
    if !counts.is_empty() {
        app.masked().add(project, counts);
    }
}

/// Masks spans that the product makes itself.
///
/// # Errors
/// As [`of_project`].
pub(crate) async fn mask_spans(
    app: &App,
    project: ProjectId,
    spans: &mut [Span],
) -> Result<(), Fault> {
    if let Some(masker) = of_project(app, project).await?.masker() {
        let mut counts = Counts::default();
        masker.spans(spans, &mut counts);
        note(app, project, counts);
    }
    Ok(())
}

/// Writes counts down until `stop`, and what is left then.
pub async fn run(app: App, stop: CancellationToken) {
    loop {
        let stopped = tokio::time::timeout(COUNT_EVERY, stop.cancelled())
            .await
            .is_ok();
        for (project, counts) in app.masked().take() {
            let now = app.clock().now();
            if let Err(error) = masking::count(app.postgres(), project, now, &counts).await {
                let error = &error as &dyn std::error::Error;
                tracing::debug!(error, "what was masked is counted later");
                app.masked().add(project, counts);
            }
        }
        if stopped {
            return;
        }
    }
}

impl Tally {
    fn add(&self, project: ProjectId, counts: Counts) {
        let mut tally = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tally.entry(project).or_default().merge(counts);
    }

    fn take(&self) -> HashMap<ProjectId, Counts> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The keyed hash of a project: equal texts of two projects have nothing in common.
fn pseudonym(vault: &Vault, project: ProjectId) -> Pseudonym {
    let mut mac = keyed(&vault.derive(PURPOSE));
    mac.update(project.as_uuid().as_bytes());
    Arc::new(move |text| {
        let mut mac = mac.clone();
        mac.update(text.as_bytes());
        let whole: [u8; 32] = mac.finalize().into_bytes().into();
        let mut half = [0; 16];
        half.copy_from_slice(&whole[..16]);
        half
    })
}

fn keys(app: &App) -> FieldKeys {
    FieldKeys::new(app.catalogue())
}
