//! What there is of users: traces, sessions, items of datasets made of them, runs over these.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use domain::deletion::{Counts, SharedTraces};
use domain::{Fault, ProjectId, TraceId};
use store_clickhouse::deletions::{self as telemetry, PartOf};
use store_clickhouse::traces::{self, Extent};
use store_postgres::deletions::{self, Erased, Things};

use crate::app::App;

/// Traces that are looked at at once; their ids travel in the address of a request.
const TRACES_AT_ONCE: usize = 400;
const ID_BYTES_AT_ONCE: usize = 12 * 1024;

/// Ids in portions that fit a request.
pub(crate) fn portions<T: AsRef<str>>(ids: &[T]) -> impl Iterator<Item = &[T]> {
    let mut rest = ids;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = rest.iter().take(TRACES_AT_ONCE).take_while(|id| {
            bytes += id.as_ref().len() + 8;
            bytes <= ID_BYTES_AT_ONCE
        });
        let many = fits.count().max(1).min(rest.len());
        let (portion, later) = rest.split_at(many);
        rest = later;
        (!portion.is_empty()).then_some(portion)
    })
}

/// What was found of several users, each by its own policy, in their order.
pub(super) async fn of_users(
    app: &App,
    project: ProjectId,
    users: &[(&str, SharedTraces)],
) -> Result<Vec<Things>, Fault> {
    let names: Vec<&str> = users.iter().map(|(user, _)| *user).collect();
    let mut by_user: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for some in portions(&names) {
        for named in telemetry::of_users(app.clickhouse(), project, some).await? {
            let of_user = by_user.entry(named.user).or_default();
            of_user.insert(named.trace_id.to_string());
        }
    }
    let mut all = Vec::with_capacity(users.len());
    for (user, policy) in users {
        let traces = by_user.remove(*user).unwrap_or_default();
        all.push(of_user(app, project, (user, *policy), traces).await?);
    }
    Ok(all)
}

async fn of_user(
    app: &App,
    project: ProjectId,
    (user, policy): (&str, SharedTraces),
    named: BTreeSet<String>,
) -> Result<Things, Fault> {
    let named: Vec<String> = named.into_iter().collect();
    let mut things = Things::default();
    let (mut sessions, mut own_spans) = (BTreeSet::new(), Vec::new());
    for some in portions(&named) {
        let parts = parts(app, project, some).await?;
        let shared = match policy {
            SharedTraces::Whole => BTreeSet::new(),
            SharedTraces::OwnSpans => shared(&parts, user),
        };
        for part in &parts {
            let is_own = part.users.iter().any(|it| it == user);
            if !shared.contains(part.trace_id.as_str()) {
                sessions.extend(part.sessions.iter().cloned());
            } else if is_own {
                own_spans.push(part.span_id.to_string());
            }
        }
        let (of_many, of_one): (Vec<_>, Vec<_>) = some
            .iter()
            .cloned()
            .partition(|id| shared.contains(id.as_str()));
        things.shared.extend(of_many);
        things.traces.extend(of_one);
    }
    let mut items: BTreeSet<String> = items(app, project, &things.traces)
        .await?
        .into_iter()
        .collect();
    for some in own_spans.chunks(10_000) {
        items.extend(deletions::items_of(app.postgres(), project, &[], some).await?);
    }
    things.items = items.into_iter().collect();
    add_runs(app, project, &mut things).await?;
    let sessions: Vec<String> = sessions.into_iter().collect();
    things.sessions = of_nobody_else(app, project, &things.traces, &sessions).await?;
    Ok(things)
}

/// Items of datasets that were made of some traces.
pub(super) async fn items(
    app: &App,
    project: ProjectId,
    traces: &[String],
) -> Result<Vec<String>, Fault> {
    let mut items = Vec::new();
    for some in traces.chunks(10_000) {
        items.extend(deletions::items_of(app.postgres(), project, some, &[]).await?);
    }
    Ok(items)
}

/// Traces that name somebody else as well.
fn shared(parts: &[PartOf], user: &str) -> BTreeSet<String> {
    let others = parts
        .iter()
        .filter(|part| part.users.iter().any(|it| it != user));
    others.map(|part| part.trace_id.to_string()).collect()
}

/// What an application made of items that were made of the user's traces is made of the same content.
async fn add_runs(app: &App, project: ProjectId, things: &mut Things) -> Result<(), Fault> {
    let mut traces: BTreeSet<String> = std::mem::take(&mut things.traces).into_iter().collect();
    for some in portions(&things.items) {
        traces.extend(deletions::runs_of(app.postgres(), project, some).await?);
        let ids: Vec<&str> = some.iter().map(String::as_str).collect();
        let found = telemetry::of_items(app.clickhouse(), project, &ids).await?;
        traces.extend(found.iter().map(ToString::to_string));
    }
    things.traces = traces.into_iter().collect();
    Ok(())
}

/// Those of some sessions that have no other traces than these.
async fn of_nobody_else(
    app: &App,
    project: ProjectId,
    traces: &[String],
    sessions: &[String],
) -> Result<Vec<String>, Fault> {
    let own: HashSet<&str> = traces.iter().map(String::as_str).collect();
    let mut others = HashSet::new();
    for some in portions(sessions) {
        let ids: Vec<&str> = some.iter().map(String::as_str).collect();
        for found in telemetry::sessions(app.clickhouse(), project, &ids).await? {
            if !own.contains(found.trace_id.as_str()) {
                others.insert(found.user);
            }
        }
    }
    let sessions = sessions.iter();
    Ok(sessions
        .filter(|session| !others.contains(*session))
        .cloned()
        .collect())
}

/// The spans of some traces, wherever they lie.
pub(super) async fn parts(
    app: &App,
    project: ProjectId,
    traces: &[String],
) -> Result<Vec<PartOf>, Fault> {
    let ids = ids(traces);
    let ids: Vec<&TraceId> = ids.iter().collect();
    let extents = traces::extents(app.clickhouse(), project, &ids).await?;
    let whole = extents.into_values().reduce(|all, one| Extent {
        first: all.first.min(one.first),
        last: all.last.max(one.last),
    });
    match whole {
        None => Ok(Vec::new()),
        Some(extent) => Ok(telemetry::parts(app.clickhouse(), project, &ids, extent).await?),
    }
}

/// Ids as they were stored.
pub(super) fn ids(traces: &[String]) -> Vec<TraceId> {
    let ids = traces.iter();
    ids.filter_map(|id| TraceId::from_text(id).ok()).collect()
}

/// How much it is, by store.
pub(super) async fn counts(
    app: &App,
    project: ProjectId,
    (user, things): (&str, &Things),
) -> Result<Counts, Fault> {
    let mut counts = Counts::new();
    let mut add = |store: &str, many: u64| *counts.entry(store.to_owned()).or_default() += many;
    add("traces", things.traces.len() as u64);
    add("sessions", things.sessions.len() as u64);
    add("dataset_items", things.items.len() as u64);
    if !things.shared.is_empty() {
        add("shared_traces", things.shared.len() as u64);
    }
    for some in portions(&things.traces) {
        let parts = parts(app, project, some).await?;
        add("spans", parts.len() as u64);
        let ids = ids(some);
        let ids: Vec<&TraceId> = ids.iter().collect();
        for (store, many) in telemetry::counts(app.clickhouse(), project, &ids, &[]).await? {
            add(&store, many);
        }
        let spans: Vec<String> = parts.iter().map(|part| part.span_id.to_string()).collect();
        let erased = Erased {
            traces: some,
            spans: &spans,
            ..Erased::default()
        };
        for (store, many) in deletions::counts(app.postgres(), project, &erased).await? {
            add(store, many);
        }
    }
    for some in portions(&things.shared) {
        let parts = parts(app, project, some).await?;
        let own = parts
            .iter()
            .filter(|part| part.users.iter().any(|it| it == user));
        add("spans", own.count() as u64);
    }
    for some in portions(&things.sessions) {
        let ids: Vec<&str> = some.iter().map(String::as_str).collect();
        for (store, many) in telemetry::counts(app.clickhouse(), project, &[], &ids).await? {
            add(&store, many);
        }
    }
    let of = (things.traces.as_slice(), things.sessions.as_slice());
    let events = deletions::count_business_events(app.postgres(), project, user, of).await?;
    add("business_events", events);
    let erased = Erased {
        sessions: &things.sessions,
        ..Erased::default()
    };
    for (store, many) in deletions::counts(app.postgres(), project, &erased).await? {
        add(store, many);
    }
    Ok(counts)
}
