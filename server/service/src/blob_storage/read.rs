//! Tables of a window of time, page by page, so that memory does not depend on how much there is.

use std::collections::HashMap;

use domain::blob_storage::{ExportSettings, ExportTable, FieldGroup};
use domain::filter::Filter;
use domain::page::{Cursor, Limit};
use domain::score::wanted::Condition;
use domain::{Fault, Span, Timestamp, TraceId};

use super::record::Record;
use super::write::FileWriter;
use crate::app::App;
use crate::scope::ProjectScope;
use crate::{numbered, scores, spans, traces};

/// Things that are in memory at once.
const PAGE: u32 = 50;
/// Most bytes of a file before compression; what does not fit is exported in shorter windows.
const MAX_FILE_BYTES: u64 = 512 << 20;

/// A window of time: its beginning, and the first instant after it.
pub(super) type Window = (Timestamp, Timestamp);

/// Writes all of a table; `false`: it is too large for one file.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; `internal` when the disk refuses.
pub(super) async fn table(
    (app, scope): (&App, &ProjectScope),
    (settings, table): (&ExportSettings, ExportTable),
    window: Window,
    file: &mut FileWriter,
) -> Result<bool, Fault> {
    let mut cursor = None;
    loop {
        let (records, next) = match table {
            ExportTable::Traces => of_traces(app, scope, window, cursor.as_ref()).await?,
            ExportTable::Scores => of_scores(app, scope, window, cursor.as_ref()).await?,
            ExportTable::Observations => {
                of_observations((app, scope), None, window, cursor.as_ref()).await?
            }
            ExportTable::Enriched => {
                let groups = settings.field_groups.as_deref();
                let groups = Some(groups.unwrap_or(FieldGroup::ALL));
                of_observations((app, scope), groups, window, cursor.as_ref()).await?
            }
        };
        for record in &records {
            file.write(record).await.map_err(Fault::internal)?;
        }
        if file.bytes() > MAX_FILE_BYTES {
            return Ok(false);
        }
        cursor = next;
        if cursor.is_none() {
            return Ok(true);
        }
    }
}

type Page = (Vec<Record>, Option<Cursor>);

fn within((from, to): Window) -> Filter {
    Filter {
        from: Some(from),
        to: Some(to),
        ..Filter::default()
    }
}

async fn of_traces(
    app: &App,
    scope: &ProjectScope,
    window: Window,
    cursor: Option<&Cursor>,
) -> Result<Page, Fault> {
    let limit = Limit::new(PAGE)?;
    let _turn = spans::turn(app, scope, limit).await?;
    let page = traces::list(app, scope, &within(window), limit, cursor).await?;
    let ids: Vec<TraceId> = page.data.into_iter().map(|trace| trace.trace_id).collect();
    let portraits = numbered::portraits(app, scope, &ids).await?;
    let (project, records) = (scope.project_id(), app.records());
    let records = portraits.iter().map(|it| (records.trace)(project, it));
    let records = records.collect::<Result<_, _>>();
    Ok((records.map_err(Fault::internal)?, page.next_cursor))
}

async fn of_observations(
    (app, scope): (&App, &ProjectScope),
    groups: Option<&[FieldGroup]>,
    window: Window,
    cursor: Option<&Cursor>,
) -> Result<Page, Fault> {
    let limit = Limit::new(PAGE)?;
    let _turn = spans::turn(app, scope, limit).await?;
    let (page, _) = spans::list(app, scope, &within(window), limit, cursor).await?;
    let (project, records) = (scope.project_id(), app.records());
    let written: Result<Vec<Record>, _> = match groups {
        None => {
            let those = page.data.iter();
            those
                .map(|span| (records.observation)(project, span))
                .collect()
        }
        Some(groups) => {
            let found = numbered::summaries(app, scope, &page.data).await?;
            let by_id: HashMap<_, _> = found.iter().map(|it| (&it.trace_id, it)).collect();
            let record = |span: &Span| {
                let trace = by_id.get(&span.trace_id).copied();
                (records.enriched)(project, span, trace, groups)
            };
            page.data.iter().map(record).collect()
        }
    };
    Ok((written.map_err(Fault::internal)?, page.next_cursor))
}

async fn of_scores(
    app: &App,
    scope: &ProjectScope,
    (from, to): Window,
    cursor: Option<&Cursor>,
) -> Result<Page, Fault> {
    let slice = scores::Slice {
        after: cursor.cloned(),
        offset: 0,
        limit: PAGE,
    };
    let wanted = [Condition::from(from), Condition::before(to)];
    let found = scores::list(app, scope, &wanted, &slice).await?;
    let last = found.last().filter(|_| found.len() == PAGE as usize);
    let next = last.map(|score| Cursor {
        start: score.time,
        id: score.id.clone(),
    });
    let (project, records) = (scope.project_id(), app.records());
    let written = found.iter().map(|score| (records.score)(project, score));
    let written = written.collect::<Result<_, _>>();
    Ok((written.map_err(Fault::internal)?, next))
}
