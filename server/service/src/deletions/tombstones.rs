//! What arrives of users who were forgotten is dropped, and counted: late, sent again, or replayed.
//!
//! Those of a project are in memory; a project without any costs a request one look at a map. A change anywhere is seen
//! within 5 s.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::business_event::BusinessEvent;
use domain::change::{Change, Subject};
use domain::deletion::{SubjectHash, USER_ATTRIBUTES};
use domain::log::LogRecord;
use domain::score::Score;
use domain::{Nanos, ProjectId, Span, Timestamp, Value};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use store_postgres::deletions::tombstones::{self, Of, Tombstone};

use crate::app::App;
use crate::counters::Counter;
use crate::project_cache::ProjectCache;
use crate::vault::{Vault, keyed};

/// What the key is for.
const PURPOSE: &str = "tombstones";
const DROPPED: &str = "triaxis_tombstone_dropped_total";
/// How long a trace is remembered of which something was dropped.
const TRACE_STANDS: Nanos = Nanos::from_seconds(7 * 86_400);

/// Tombstones in memory.
pub(crate) type Cache = ProjectCache<Tombstone, Tombstones>;

/// What is dropped of a project.
#[derive(Clone, Default)]
pub struct Tombstones {
    hasher: Option<Hasher>,
    /// With whether a trace goes with its user.
    users: HashMap<SubjectHash, bool>,
    traces: HashSet<SubjectHash>,
}

/// Records of one request that were dropped.
#[derive(Debug, Default)]
pub struct Dropped {
    by: HashMap<SubjectHash, u64>,
    /// Traces that go with their users.
    traces: HashSet<String>,
}

/// Hashes ids of one project.
#[derive(Clone)]
pub(super) struct Hasher(Hmac<Sha256>);

impl Hasher {
    pub(super) fn new(vault: &Vault, project: ProjectId) -> Self {
        let mut mac = keyed(&vault.derive(PURPOSE));
        mac.update(project.as_uuid().as_bytes());
        Hasher(mac)
    }

    pub(super) fn user(&self, id: &str) -> SubjectHash {
        self.hash(b'u', id)
    }

    pub(super) fn trace(&self, id: &str) -> SubjectHash {
        self.hash(b't', id)
    }

    fn hash(&self, kind: u8, id: &str) -> SubjectHash {
        let mut mac = self.0.clone();
        mac.update(&[kind]);
        mac.update(id.as_bytes());
        SubjectHash(mac.finalize().into_bytes().into())
    }
}

/// Those of a project; `None` where there are none.
pub async fn of_project(app: &App, project: ProjectId) -> Option<Arc<Tombstones>> {
    let now = app.clock().now();
    let load = tombstones::list(app.postgres(), project, now);
    let hasher = Hasher::new(&app.settings().vault, project);
    let compile = move |rows: &[Tombstone]| Arc::new(Tombstones::new(hasher, rows));
    let found = app.tombstones().of_project(project, load, compile).await?;
    found.hasher.is_some().then_some(found)
}

/// Counts what was dropped, and has the rest of its traces dropped, too.
pub async fn note(app: &App, project: ProjectId, dropped: Dropped) {
    let total: u64 = dropped.by.values().sum();
    if total == 0 {
        return;
    }
    app.counters().add(Counter::new(DROPPED), total);
    let by: Vec<(SubjectHash, u64)> = dropped.by.into_iter().collect();
    let counted = tombstones::count(app.postgres(), project, &by).await;
    let hasher = Hasher::new(&app.settings().vault, project);
    let traces: Vec<SubjectHash> = dropped.traces.iter().map(|id| hasher.trace(id)).collect();
    let set = remember(app, project, &traces).await;
    if let Err(error) = counted.and(set) {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "what was dropped could not be counted");
    }
}

async fn remember(
    app: &App,
    project: ProjectId,
    traces: &[SubjectHash],
) -> Result<(), store_postgres::StoreError> {
    if traces.is_empty() {
        return Ok(());
    }
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let times = (now, now.plus(TRACE_STANDS));
    tombstones::set(&mut tx, project, (Of::Trace, traces), times, true).await?;
    tx.commit().await?;
    app.tombstones().forget(project);
    Ok(())
}

impl Tombstones {
    fn new(hasher: Hasher, rows: &[Tombstone]) -> Self {
        let users = rows.iter().filter(|row| row.of == Of::User);
        let traces = rows.iter().filter(|row| row.of == Of::Trace);
        Tombstones {
            hasher: (!rows.is_empty()).then_some(hasher),
            users: users.map(|row| (row.hash, row.takes_trace)).collect(),
            traces: traces.map(|row| row.hash).collect(),
        }
    }

    fn user(&self, id: &str) -> Option<(SubjectHash, bool)> {
        let hash = self.hasher.as_ref()?.user(id);
        self.users
            .get(&hash)
            .map(|takes_trace| (hash, *takes_trace))
    }

    fn trace(&self, id: &str) -> Option<SubjectHash> {
        let hash = self.hasher.as_ref()?.trace(id);
        self.traces.contains(&hash).then_some(hash)
    }

    /// Drops what is of them. Of a user whose traces go as wholes, spans of the request that are in the same trace go
    /// along; others of a shared trace stay.
    pub fn spans(&self, spans: &mut Vec<Span>) -> Dropped {
        let named = spans
            .iter()
            .map(|span| (span.trace_id.as_str(), span.user_id.as_deref()));
        let verdicts = self.verdicts(&named.collect::<Vec<_>>());
        retain(spans, verdicts, |span| span.trace_id.as_str())
    }

    /// The same of changes.
    pub fn changes(&self, changes: &mut Vec<Change>) -> Dropped {
        let named = changes
            .iter()
            .map(|change| (trace_of(change), user_of(change)));
        let verdicts = self.verdicts(&named.collect::<Vec<_>>());
        retain(changes, verdicts, trace_of)
    }

    /// The same of log records.
    pub fn logs(&self, logs: &mut Vec<LogRecord>) -> Dropped {
        fn trace(log: &LogRecord) -> &str {
            log.trace_id.as_ref().map_or("", |id| id.as_str())
        }
        let named = logs.iter().map(|log| (trace(log), user_of_log(log)));
        let verdicts = self.verdicts(&named.collect::<Vec<_>>());
        // A line names a user without its trace being theirs.
        let mut dropped = retain(logs, verdicts, trace);
        dropped.traces.clear();
        dropped
    }

    /// The same of scores: those of traces.
    pub fn scores(&self, scores: &mut Vec<Score>) -> Dropped {
        fn trace(score: &Score) -> &str {
            score.trace_id().map_or("", |id| id.as_str())
        }
        let named = scores.iter().map(|score| (trace(score), None));
        let verdicts = self.verdicts(&named.collect::<Vec<_>>());
        retain(scores, verdicts, trace)
    }

    /// The same of business events.
    pub fn business_events(&self, events: &mut Vec<BusinessEvent>) -> Dropped {
        fn trace(event: &BusinessEvent) -> &str {
            event.trace_id.as_deref().unwrap_or_default()
        }
        let named = events
            .iter()
            .map(|event| (trace(event), event.user_id.as_deref()));
        let verdicts = self.verdicts(&named.collect::<Vec<_>>());
        let mut dropped = retain(events, verdicts, trace);
        dropped.traces.clear();
        dropped
    }

    /// By what each is dropped, with whether its trace goes along.
    fn verdicts(&self, named: &[(&str, Option<&str>)]) -> Vec<Option<(SubjectHash, bool)>> {
        let mut whole: HashMap<&str, SubjectHash> = HashMap::new();
        let own: Vec<Option<(SubjectHash, bool)>> = named
            .iter()
            .map(|(trace, user)| {
                let by = user.and_then(|user| self.user(user));
                if let Some((hash, true)) = by
                    && !trace.is_empty()
                {
                    whole.insert(trace, hash);
                }
                by
            })
            .collect();
        let of_trace = |trace: &str| {
            if trace.is_empty() {
                return None;
            }
            let along = whole.get(trace).copied();
            along.or_else(|| self.trace(trace)).map(|hash| (hash, true))
        };
        let both = named.iter().zip(own);
        both.map(|((trace, _), own)| own.or_else(|| of_trace(trace)))
            .collect()
    }
}

fn retain<T>(
    records: &mut Vec<T>,
    verdicts: Vec<Option<(SubjectHash, bool)>>,
    trace: impl Fn(&T) -> &str,
) -> Dropped {
    let mut dropped = Dropped::default();
    let mut verdicts = verdicts.into_iter();
    records.retain(|record| match verdicts.next().flatten() {
        None => true,
        Some((hash, takes_trace)) => {
            *dropped.by.entry(hash).or_default() += 1;
            if takes_trace && !trace(record).is_empty() {
                dropped.traces.insert(trace(record).to_owned());
            }
            false
        }
    });
    dropped
}

fn trace_of(change: &Change) -> &str {
    match change.subject {
        Subject::Trace => &change.id,
        Subject::Observation => text(change, "traceId").unwrap_or_default(),
    }
}

fn user_of(change: &Change) -> Option<&str> {
    text(change, "userId")
}

fn text<'a>(change: &'a Change, field: &str) -> Option<&'a str> {
    change.body.get(field).and_then(serde_json::Value::as_str)
}

fn user_of_log(log: &LogRecord) -> Option<&str> {
    let named = log.attributes.iter().find_map(|(key, value)| match value {
        Value::Str(text) if USER_ATTRIBUTES.contains(&key.as_ref()) => Some(text),
        _ => None,
    });
    named.map(AsRef::as_ref)
}

/// Until when tombstones of a number of days stand.
pub(super) fn until(now: Timestamp, days: u32) -> Timestamp {
    now.plus(Nanos::from_seconds(u64::from(days) * 86_400))
}
