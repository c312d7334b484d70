//! How long what is kept: set, shown before it is set, known to whoever takes telemetry in. What is past its time goes in the
//! background, and is looked for again afterwards.

/// What hangs on what goes.
mod hanging;
/// The work itself.
mod work;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use domain::content_sampling::ContentSampling;
use domain::log::LogRecord;
use domain::retention::{Keep, RetentionSettings, over_since};
use domain::tenancy::Permission;
use domain::{Fault, ProjectId, Span, TraceId};
use serde_json::{Value as Json, json};
use store_clickhouse::retention as telemetry;
use store_postgres::audit::{self, Entry};
use store_postgres::deletions::holds;
use store_postgres::retention;

use crate::app::App;
use crate::project_cache::ProjectCache;
use crate::rollback::actor;
use crate::scope::ProjectScope;

pub use store_postgres::retention::LastLook;
pub use work::run;

/// What holds for projects, in memory.
pub(crate) type Cache = ProjectCache<Known, Policy>;

/// What is read of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    settings: RetentionSettings,
    sampling: ContentSampling,
    held: Vec<String>,
}

/// How long what arrives is kept.
#[derive(Debug, Default)]
pub struct Policy {
    settings: RetentionSettings,
    sampling: ContentSampling,
    held: HashSet<String>,
}

impl Policy {
    /// Gives spans their days. What names a user who is held stays.
    pub fn stamp(&self, spans: &mut [Span]) {
        for span in spans {
            let user = span.user_id.as_deref();
            if !user.is_some_and(|user| self.held.contains(user)) {
                span.keep = self.keep(&span.environment, Some(&span.trace_id));
            }
        }
    }

    /// Gives log records theirs, by the environment of the process that sent them.
    pub fn stamp_logs(&self, records: &mut [LogRecord]) {
        for record in records {
            record.keep = self.keep(record.environment(), record.trace_id.as_ref());
        }
    }

    /// Of a row of a trace, which is whole in the sample or outside of it.
    fn keep(&self, environment: &str, trace: Option<&TraceId>) -> Keep {
        let keep = self.settings.keep(environment);
        match trace {
            Some(trace) if !self.sampling.keeps(environment, trace) => {
                keep.sampled(self.sampling.wait_days)
            }
            _ => keep,
        }
    }
}

/// What holds for a project; a change anywhere is seen within 5 s. `None` while it cannot be read and never was: what
/// arrives meanwhile gets its days at the next look.
pub async fn of_project(app: &App, project: ProjectId) -> Option<Arc<Policy>> {
    let load = async {
        let settings = retention::settings(app.postgres(), project).await?;
        let held = holds::list(app.postgres(), project).await?;
        let held = held.into_iter().map(|hold| hold.user_id).collect();
        let sampling = retention::sampling(app.postgres(), project).await?;
        let sampling = sampling.unwrap_or_default();
        let known = settings.map(|settings| Known {
            settings,
            sampling,
            held,
        });
        Ok(known.into_iter().collect())
    };
    let compile = |rows: &[Known]| {
        let policy = rows.first().map(|known| Policy {
            settings: known.settings.clone(),
            sampling: known.sampling.clone(),
            held: known.held.iter().cloned().collect(),
        });
        Arc::new(policy.unwrap_or_default())
    };
    app.retention().of_project(project, load, compile).await
}

/// What holds for the project: everything for ever by default.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn settings(app: &App, scope: &ProjectScope) -> Result<RetentionSettings, Fault> {
    let settings = retention::settings(app.postgres(), scope.project_id()).await?;
    Ok(settings.unwrap_or_default())
}

/// What the last look for older things found.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn last_look(app: &App, scope: &ProjectScope) -> Result<LastLook, Fault> {
    Ok(retention::last_look(app.postgres(), scope.project_id()).await?)
}

/// What would go if settings were set now, by store; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, `invalid` on a field; `unavailable` or `timeout` without the stores.
pub async fn preview(
    app: &App,
    scope: &ProjectScope,
    settings: &RetentionSettings,
) -> Result<BTreeMap<String, u64>, Fault> {
    scope.require(Permission::ManageProject)?;
    check(settings)?;
    let (project, now) = (scope.project_id(), app.clock().now());
    let held = holds::list(app.postgres(), project).await?;
    let held: Vec<String> = held.into_iter().map(|hold| hold.user_id).collect();
    let mut counts = telemetry::would_go(app.clickhouse(), project, (settings, now), &held).await?;
    if let Some(days) = settings.audit_days {
        let before = over_since(now, days);
        let entries = audit::count_before(app.postgres(), project, before).await?;
        if entries > 0 {
            counts.insert("audit_entries".to_owned(), entries);
        }
    }
    Ok(counts)
}

/// Sets them, for what there is and for what arrives; needs `ManageProject`. What is past its time then goes in the
/// background. The audit log has it as it was and as it is.
///
/// # Errors
/// `forbidden`, `invalid` on a field, or `unavailable` without Postgres.
pub async fn set(app: &App, scope: &ProjectScope, new: &RetentionSettings) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    check(new)?;
    let (project, now) = (scope.project_id(), app.clock().now());
    let entry = Entry {
        actor: actor(scope),
        action: "retention.set".into(),
        object: "retention".to_owned(),
        before: shown(&settings(app, scope).await?),
        after: shown(new),
    };
    let mut tx = app.postgres().begin().await?;
    retention::set(&mut tx, project, new, now).await?;
    audit::append(&mut tx, project, &entry, now).await?;
    tx.commit().await?;
    app.retention().forget(project);
    app.wake_retention().notify_one();
    Ok(())
}

fn shown(settings: &RetentionSettings) -> Json {
    json!(settings)
}

fn check(settings: &RetentionSettings) -> Result<(), Fault> {
    settings.check().map_err(|problem| {
        let message = format!("{}{}", problem.field, problem.message);
        Fault::invalid(message).on_field(problem.field)
    })
}
