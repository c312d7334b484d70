//! Makes invisible what was found: at once, for every reader. What hangs on traces in Postgres goes before them, so that
//! whoever begins again still finds them.

use std::collections::HashSet;

use domain::deletion::{Gone, REDACTED};
use domain::{Fault, ProjectId, TraceId};
use serde_json::Value;
use store_clickhouse::deletions::{self as telemetry, LogKey, Part};
use store_clickhouse::traces;
use store_postgres::deletions::mentions::{self, PLACES, Place, Rewritten};
use store_postgres::deletions::{self, Erased, Things};

use super::find;
use crate::app::App;
use crate::media;

/// Spans that are made invisible at once.
const PARTS_AT_ONCE: usize = 300;

/// Some traces with all that hangs on them.
pub(super) async fn traces(app: &App, project: ProjectId, traces: &[String]) -> Result<(), Fault> {
    for some in find::portions(traces) {
        let parts = find::parts(app, project, some).await?;
        let mut spans: Vec<String> = parts.iter().map(|part| part.span_id.to_string()).collect();
        spans.sort_unstable();
        spans.dedup();
        forget(app, project, some, &spans).await?;
        let ids = find::ids(some);
        let ids: Vec<&TraceId> = ids.iter().collect();
        traces::delete(app.clickhouse(), project, &ids).await?;
        app.opened().forget(project, &ids);
    }
    app.facets().forget(project);
    app.answers().forget(project);
    app.hub().note_change(project);
    Ok(())
}

/// Spans of a user in traces that others have a part in.
pub(super) async fn own_spans(
    app: &App,
    project: ProjectId,
    (user, traces): (&str, &[String]),
) -> Result<(), Fault> {
    for some in find::portions(traces) {
        let parts = find::parts(app, project, some).await?;
        let own: Vec<Part> = parts
            .into_iter()
            .filter(|part| part.users.iter().any(|it| it == user))
            .map(|part| Part {
                trace_id: part.trace_id,
                span_id: part.span_id,
            })
            .collect();
        let spans: Vec<String> = own.iter().map(|part| part.span_id.to_string()).collect();
        forget(app, project, &[], &spans).await?;
        for some in own.chunks(PARTS_AT_ONCE) {
            telemetry::delete_parts(app.clickhouse(), project, some).await?;
        }
        let ids = find::ids(some);
        app.opened()
            .forget(project, &ids.iter().collect::<Vec<_>>());
    }
    Ok(())
}

async fn forget(
    app: &App,
    project: ProjectId,
    traces: &[String],
    spans: &[String],
) -> Result<(), Fault> {
    let mut tx = app.postgres().begin().await?;
    let erased = Erased {
        traces,
        spans,
        ..Erased::default()
    };
    let unnamed = deletions::erase(&mut tx, project, &erased).await?;
    media::delete_files(app, project, &unnamed).await?;
    Ok(tx.commit().await?)
}

/// Sessions of nobody else, items of datasets, and what names the user itself.
pub(super) async fn rest(
    app: &App,
    project: ProjectId,
    (user, things): (&str, &Things),
) -> Result<(), Fault> {
    for some in find::portions(&things.sessions) {
        let ids: Vec<&str> = some.iter().map(String::as_str).collect();
        telemetry::delete_session_scores(app.clickhouse(), project, &ids).await?;
    }
    let mut tx = app.postgres().begin().await?;
    let erased = Erased {
        sessions: &things.sessions,
        ..Erased::default()
    };
    let mut unnamed = deletions::erase(&mut tx, project, &erased).await?;
    unnamed.extend(deletions::erase_items(&mut tx, project, &things.items).await?);
    deletions::forget_user(&mut tx, project, user).await?;
    media::delete_files(app, project, &unnamed).await?;
    Ok(tx.commit().await?)
}

/// Log records that name users themselves; the hashes of what they said.
pub(super) async fn logs(
    app: &App,
    project: ProjectId,
    users: &[&str],
) -> Result<Vec<(String, u64)>, Fault> {
    let mut found = Vec::new();
    for some in find::portions(users) {
        found.extend(telemetry::logs(app.clickhouse(), project, some).await?);
    }
    for some in found.chunks(PARTS_AT_ONCE) {
        let keys = some.iter().map(|log| LogKey {
            trace_id: log.trace_id.clone(),
            content: log.content,
        });
        let keys: Vec<LogKey> = keys.collect();
        telemetry::delete_logs(app.clickhouse(), project, &keys).await?;
    }
    let found = found.into_iter();
    Ok(found.map(|log| (log.user, log.content)).collect())
}

/// What names the user, or a trace of theirs, in settings and reports; how many there were.
pub(super) async fn mentions(
    app: &App,
    project: ProjectId,
    (user, things): (&str, &Things),
) -> Result<u64, Fault> {
    let traces: HashSet<String> = things.traces.iter().cloned().collect();
    let gone = Gone {
        user,
        traces: &traces,
    };
    let mut changed = 0;
    for place in &PLACES {
        let mut tx = app.postgres().begin().await?;
        let rewrite = |said: &str| rewritten(place, &gone, said);
        changed += mentions::rewrite(&mut tx, project, (place, user), rewrite).await?;
        tx.commit().await?;
    }
    Ok(changed)
}

/// States of lists and jobs that are about the user go; reports and rules stay, without the user.
fn rewritten(place: &Place, gone: &Gone<'_>, said: &str) -> Option<Rewritten> {
    if place.table == "saved_views" {
        let mut pairs = url::form_urlencoded::parse(said.as_bytes());
        let asks = pairs.any(|(name, value)| gone.is_asked_for(&format!("{name}={value}")));
        return asks.then_some(Rewritten::Goes);
    }
    let mut value: Value = serde_json::from_str(said).ok()?;
    if place.table == "evaluators" {
        // What a judge is asked is everybody's: words of it that are an id as well stay.
        let filter = value.get_mut("filter")?;
        let asks = filter.as_str().is_some_and(|text| gone.is_asked_for(text));
        *filter = REDACTED.into();
        return asks.then(|| Rewritten::Says(value.to_string()));
    }
    if !gone.scrub(&mut value) {
        return None;
    }
    Some(match place.table {
        "bulk_jobs" | "fills" => Rewritten::Goes,
        _ => Rewritten::Says(value.to_string()),
    })
}
