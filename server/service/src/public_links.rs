//! Traces that anybody may see: those that their clients or members call public, in projects that allow it.
//!
//! **Invariant:** an [`OpenTrace`] opens one trace and nothing else, and is made by [`enter`] alone, anew for
//! each request: what is taken back is closed at once.

use std::sync::Arc;
use std::time::Duration;

use domain::change::{Change, Subject};
use domain::media::{Media, MediaId};
use domain::score::Judgements;
use domain::tenancy::{Permission, Role};
use domain::trace::{TraceSummary, TraceView};
use domain::{Fault, ProjectId, Span, SpanId, TraceId};
use serde_json::{Map, Value as Json, json};
use store_clickhouse::traces;
use store_postgres::public_links;
use uuid::Uuid;

use crate::app::App;
use crate::media::{self, Fetchable};
use crate::scope::{Actor, ProjectScope};
use crate::{ingestion, numbered, scores, spans};

/// Proof that a trace may be seen by anybody.
pub struct OpenTrace {
    /// Of nobody in particular; it leaves this module with no one.
    scope: ProjectScope,
    trace_id: TraceId,
}

/// Whether the project shows public traces to anybody.
///
/// # Errors
/// `not_found` when it has been deleted; `unavailable` without Postgres.
pub async fn allowed(app: &App, scope: &ProjectScope) -> Result<bool, Fault> {
    let allowed = public_links::allowed(app.postgres(), scope.project_id()).await?;
    allowed.ok_or_else(|| Fault::not_found("this project has been deleted"))
}

/// Has the project show them, or not; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn allow(app: &App, scope: &ProjectScope, is_allowed: bool) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let now = app.clock().now();
    Ok(public_links::allow(app.postgres(), scope.project_id(), is_allowed, now).await?)
}

/// How long a change of a trace is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long before the trace is looked at again.
const PAUSE: Duration = Duration::from_millis(100);

/// Whether a trace is public.
///
/// # Errors
/// `unavailable` or `timeout` when a store is away or takes too long; so for all reads here.
pub async fn is_public(app: &App, scope: &ProjectScope, trace_id: &TraceId) -> Result<bool, Fault> {
    Ok(traces::is_public(app.clickhouse(), scope.project_id(), trace_id).await?)
}

/// Makes a trace public, or private again, as its client might; needs `ChangeTelemetry`. Returns once it is so.
///
/// # Errors
/// `forbidden`; `not_found` when the project has no such trace; `unavailable` while it cannot be stored.
pub async fn publish(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
    is_public: bool,
) -> Result<(), Fault> {
    scope.require(Permission::ChangeTelemetry)?;
    let portrait = numbered::trace(app, scope, trace_id).await?;
    let portrait = portrait.ok_or_else(missing)?;
    if portrait.summary.is_public == is_public {
        return Ok(());
    }
    let mut body = match portrait.description {
        Some(_) => Map::new(),
        // What describes a trace goes before its spans: it says what they said.
        None => described(&portrait.summary),
    };
    body.insert("public".to_owned(), json!(is_public));
    let change = Change {
        subject: Subject::Trace,
        id: trace_id.to_string(),
        time: app.clock().now(),
        is_update: false,
        place: 0,
        event_id: Uuid::now_v7().to_string(),
        kind: String::new(),
        body,
    };
    let sealed = ingestion::seal_changes(app, scope, std::slice::from_ref(&change))?;
    ingestion::keep(app, sealed).await?;
    let becomes_so = async {
        loop {
            let portrait = numbered::trace(app, scope, trace_id).await?;
            if portrait.is_none_or(|portrait| portrait.summary.is_public == is_public) {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    match tokio::time::timeout(PATIENCE, becomes_so).await {
        Ok(done) => done,
        Err(_) => Err(Fault::unavailable(
            "the telemetry store is behind; the trace changes when it has caught up",
        )),
    }
}

fn described(trace: &TraceSummary) -> Map<String, Json> {
    let mut body = Map::new();
    let texts = [
        ("timestamp", trace.start.to_exact_text()),
        ("name", trace.name.clone()),
        ("environment", trace.environment.clone()),
    ];
    body.extend(texts.map(|(name, text)| (name.to_owned(), Json::String(text))));
    body
}

/// Opens a trace for anybody.
///
/// # Errors
/// `not_found` where there is none that is public, or the project does not allow it: nobody learns which.
pub async fn enter(app: &App, project: ProjectId, trace_id: TraceId) -> Result<OpenTrace, Fault> {
    let allowed = public_links::allowed(app.postgres(), project).await?;
    if allowed != Some(true) {
        return Err(missing());
    }
    let scope = ProjectScope::new(project, Actor::Anybody, Role::Viewer);
    match is_public(app, &scope, &trace_id).await? {
        true => Ok(OpenTrace { scope, trace_id }),
        false => Err(missing()),
    }
}

fn missing() -> Fault {
    Fault::not_found("there is no trace here that anybody may see")
}

impl OpenTrace {
    /// Its id.
    pub fn trace_id(&self) -> &TraceId {
        &self.trace_id
    }

    /// Its project.
    pub fn project_id(&self) -> ProjectId {
        self.scope.project_id()
    }

    /// All of it without content.
    ///
    /// # Errors
    /// `not_found` when it went meanwhile.
    pub async fn open(&self, app: &App) -> Result<Arc<TraceView>, Fault> {
        let trace = crate::traces::open(app, &self.scope, &self.trace_id).await?;
        trace.ok_or_else(missing)
    }

    /// The first of some of its spans that says something.
    ///
    /// # Errors
    /// As [`is_public`].
    pub async fn span(&self, app: &App, ids: &[SpanId]) -> Result<Option<Span>, Fault> {
        spans::first_with_content(app, &self.scope, &self.trace_id, ids).await
    }

    /// What judges it.
    ///
    /// # Errors
    /// As [`is_public`].
    pub async fn judgements(&self, app: &App) -> Result<Judgements, Fault> {
        scores::of_traces(app, &self.scope, std::slice::from_ref(&self.trace_id)).await
    }

    /// Those of some attachments that it names and whose bytes are here.
    ///
    /// # Errors
    /// As [`is_public`].
    pub async fn media(&self, app: &App, ids: &[&MediaId]) -> Result<Vec<Media>, Fault> {
        let project = self.scope.project_id();
        Ok(store_postgres::media::named_by(app.postgres(), project, &self.trace_id, ids).await?)
    }

    /// An attachment that it names, with a token that ends soon.
    ///
    /// # Errors
    /// `not_found` when it names no such attachment.
    pub async fn attachment(&self, app: &App, id: &MediaId) -> Result<Fetchable, Fault> {
        let named = self.media(app, &[id]).await?;
        let named = named.into_iter().next().ok_or_else(missing)?;
        Ok(media::briefly(
            app,
            (self.scope.project_id(), &self.trace_id),
            named,
        ))
    }
}
