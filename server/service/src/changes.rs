//! What changes of observations and traces come to, stored as spans.

use domain::change::{Subject, fold};
use domain::{ProjectId, Span};
use store_clickhouse::changes::{Changed, of_subjects};
use store_clickhouse::{StoreError, spans, writer};
use uuid::Uuid;

use crate::app::App;
use crate::{prices, quality_rules};

/// Observations or traces that are put together at once: each may hold whole conversations.
const AT_ONCE: usize = 256;

/// Reads all changes of some observations and traces and stores what they come to. Repeating it, or
/// doing it twice at once, is harmless: the state of more changes goes before one of fewer, and who
/// inserted the last change sees them all.
///
/// # Errors
/// When ClickHouse is away or refuses.
pub(crate) async fn settle(
    app: &App,
    project: ProjectId,
    changed: Changed,
) -> Result<(), StoreError> {
    let subjects = [
        (Subject::Trace, changed.traces),
        (Subject::Observation, changed.observations),
    ];
    let rules = quality_rules::of_project_id(app, project).await;
    for (subject, ids) in subjects {
        let ids: Vec<String> = ids.into_iter().collect();
        for ids in ids.chunks(AT_ONCE) {
            let changes = of_subjects(app.clickhouse(), project, subject, ids).await?;
            let folded = changes.into_iter().filter_map(fold);
            let settled = folded
                .filter_map(|folded| app.settle(folded, &rules))
                .collect();
            store(app, project, settled).await?;
        }
    }
    Ok(())
}

async fn store(app: &App, project: ProjectId, mut settled: Vec<Span>) -> Result<(), StoreError> {
    let Some(newest) = settled.iter().map(|span| span.start).max() else {
        return Ok(());
    };
    if let Some(prices) = prices::of_project_id(app, project).await {
        prices.complete(&mut settled);
    }
    let block = spans::encode(project, &settled)?;
    let token = format!("settled-{}", Uuid::now_v7());
    writer::insert_unspooled(app.clickhouse(), vec![block.into()], &token).await?;
    // Nobody may be listening.
    let _listeners = app.live().send((project, newest));
    Ok(())
}
