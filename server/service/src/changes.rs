//! What changes of observations and traces come to, stored as spans.

use std::sync::Arc;

use domain::change::{Folded, Subject, fold};
use domain::quality::Expected;
use domain::span::PromptRef;
use domain::{ProjectId, Span};
use store_clickhouse::changes::{Changed, of_subjects};
use store_clickhouse::{StoreError, spans, writer};
use uuid::Uuid;

use crate::app::App;
use crate::{prices, prompts, quality_rules, retention};

/// Observations or traces that are put together at once: each may hold whole conversations.
const AT_ONCE: usize = 256;
/// Spans that are stored at once: a batch is seen whole, as far as that is possible in memory.
const STORED_AT_ONCE: usize = 16_384;
/// Bytes of their ids, which travel in the address of a request.
const ID_BYTES_AT_ONCE: usize = 16 * 1024;

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
    let mut settled = Vec::new();
    for (subject, ids) in subjects {
        for ids in portions(ids) {
            let changes = of_subjects(app.clickhouse(), project, subject, &ids).await?;
            let folded: Vec<Folded> = changes.into_iter().filter_map(fold).collect();
            let named = folded.iter().filter_map(prompt_of).collect();
            let expected = Expected {
                rules: Arc::clone(&rules),
                prompts: prompts::formats(app, project, named).await,
            };
            let folded = folded.into_iter();
            settled.extend(folded.filter_map(|folded| app.settle(folded, &expected)));
            if settled.len() >= STORED_AT_ONCE {
                store(app, project, std::mem::take(&mut settled)).await?;
            }
        }
    }
    store(app, project, settled).await
}

/// The managed prompt that an observation names.
fn prompt_of(folded: &Folded) -> Option<PromptRef> {
    let version = folded.body.get("promptVersion")?;
    Some(PromptRef {
        name: folded.body.get("promptName")?.as_str()?.to_owned(),
        version: version.as_u64()?.to_string(),
    })
}

fn portions(ids: impl IntoIterator<Item = String>) -> Vec<Vec<String>> {
    let mut portions: Vec<Vec<String>> = Vec::new();
    let mut bytes = 0;
    for id in ids {
        bytes += id.len();
        match portions.last_mut() {
            Some(last) if last.len() < AT_ONCE && bytes <= ID_BYTES_AT_ONCE => last.push(id),
            _ => {
                bytes = id.len();
                portions.push(vec![id]);
            }
        }
    }
    portions
}

async fn store(app: &App, project: ProjectId, mut settled: Vec<Span>) -> Result<(), StoreError> {
    let Some(newest) = settled.iter().map(|span| span.start).max() else {
        return Ok(());
    };
    if let Some(prices) = prices::of_project_id(app, project).await {
        prices.complete(&mut settled);
    }
    if let Some(policy) = retention::of_project(app, project).await {
        policy.stamp(&mut settled);
    }
    let block = spans::encode(project, &settled)?;
    let token = format!("settled-{}", Uuid::now_v7());
    writer::insert_unspooled(app.clickhouse(), vec![block.into()], &token).await?;
    // Nobody may be listening.
    let _listeners = app.live().send((project, newest));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_are_bounded_in_number_and_in_bytes() {
        let short: Vec<String> = (0..1_000).map(|id| format!("{id:04}")).collect();
        let long: Vec<String> = (0..100).map(|id| format!("{id:0800}")).collect();
        for ids in [short, long] {
            let portions = portions(ids.clone());
            assert_eq!(portions.concat(), ids);
            for portion in portions {
                assert!(portion.len() <= AT_ONCE && portion.concat().len() <= ID_BYTES_AT_ONCE);
            }
        }
        assert!(portions([]).is_empty());
    }
}
