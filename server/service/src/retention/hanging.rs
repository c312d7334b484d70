//! What hangs on what goes: remarks, what waits to be judged, attachments, business events. It goes before the rows that it
//! is found by, so that a look that broke off finds it again.

use domain::content_sampling::ContentSampling;
use domain::retention::RetentionSettings;
use domain::{Fault, ProjectId, Timestamp};
use store_clickhouse::deletions::delete_session_scores;
use store_clickhouse::retention::{self as telemetry, PastTrace};
use store_postgres::deletions::{self, Erased};
use store_postgres::retention::traces_with_media;

use crate::app::App;
use crate::deletions::portions;
use crate::media;

/// Traces with attachments that are looked at at once.
const AT_ONCE: u32 = 300;

/// What hangs on spans, traces and sessions that are past their time; how many traces went as wholes.
pub(super) async fn of_rows(
    app: &App,
    project: ProjectId,
    at: (&RetentionSettings, Timestamp),
) -> Result<u64, Fault> {
    let (mut after, mut wholes) = (String::new(), 0);
    loop {
        let page = telemetry::past_traces(app.clickhouse(), project, at, &after).await?;
        let Some(last) = page.last() else {
            return Ok(wholes);
        };
        last.trace_id.clone_into(&mut after);
        wholes += page.iter().filter(|trace| trace.is_whole).count() as u64;
        let sessions = past_sessions(app, project, at, &page).await?;
        for some in portions(&sessions) {
            let ids: Vec<&str> = some.iter().map(String::as_str).collect();
            delete_session_scores(app.clickhouse(), project, &ids).await?;
        }
        let whole = page.iter().filter(|trace| trace.is_whole);
        let traces: Vec<String> = whole.map(|trace| trace.trace_id.clone()).collect();
        let spans: Vec<String> = page.into_iter().flat_map(|trace| trace.spans).collect();
        let erased = Erased {
            traces: &traces,
            spans: &spans,
            sessions: &sessions,
        };
        erase(app, project, &erased).await?;
    }
}

/// Sessions of which nothing stays.
async fn past_sessions(
    app: &App,
    project: ProjectId,
    at: (&RetentionSettings, Timestamp),
    page: &[PastTrace],
) -> Result<Vec<String>, Fault> {
    let mut sessions: Vec<String> = page
        .iter()
        .flat_map(|trace| trace.sessions.clone())
        .collect();
    sessions.sort_unstable();
    sessions.dedup();
    let mut past = Vec::new();
    for some in portions(&sessions) {
        past.extend(telemetry::past_sessions(app.clickhouse(), project, at, some).await?);
    }
    Ok(past)
}

/// Attachments of traces whose contents are past their time.
pub(super) async fn of_contents(
    app: &App,
    project: ProjectId,
    at: ((&RetentionSettings, Timestamp), &ContentSampling),
) -> Result<(), Fault> {
    let mut after = String::new();
    loop {
        let page = traces_with_media(app.postgres(), project, &after, AT_ONCE).await?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        last.clone_into(&mut after);
        for some in portions(&page) {
            let past = telemetry::past_contents(app.clickhouse(), project, at, some).await?;
            let mut tx = app.postgres().begin().await?;
            let unnamed = deletions::erase_media(&mut tx, project, &past).await?;
            media::delete_files(app, project, &unnamed).await?;
            tx.commit().await?;
        }
    }
}

async fn erase(app: &App, project: ProjectId, erased: &Erased<'_>) -> Result<(), Fault> {
    let mut tx = app.postgres().begin().await?;
    let unnamed = deletions::erase(&mut tx, project, erased).await?;
    media::delete_files(app, project, &unnamed).await?;
    Ok(tx.commit().await?)
}
