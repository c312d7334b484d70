//! Experiments that came as links to a run alone. One begins with its run and ends with its last link; in
//! lists of items a link stands where it was made, for its trace may not have come.

use std::collections::HashMap;

use domain::attr::langfuse as attr;
use domain::dataset::{DatasetItem, DatasetItemId, DatasetRun, DatasetRunItem};
use domain::experiment::{Experiment, ExperimentItem, Identity, holds};
use domain::page::Cursor;
use domain::span::Level;
use domain::{Fault, Span, SpanId, Timestamp, TraceId};
use serde_json::{Map, Value};
use store_clickhouse::{experiments, spans, traces};
use store_postgres::datasets::{self, Summary, WantedRuns};
use uuid::Uuid;

use super::Wanted;
use crate::app::App;
use crate::scope::ProjectScope;

/// Rows that are looked at before some turn out to be told of by spans.
const LOOKED_AT: u32 = 200;
/// Where the trace is not there to say.
const NO_ENVIRONMENT: &str = "default";

/// Experiments before a place in the list, at most `most`.
pub(super) async fn experiments(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    (before, most): (Option<(Timestamp, &str)>, u32),
) -> Result<Vec<Experiment>, Fault> {
    let Some(of_runs) = of_runs(wanted) else {
        return Ok(Vec::new());
    };
    let project = scope.project_id();
    let mut found: Vec<Experiment> = Vec::new();
    let mut before = before.map(|(start, id)| (start, id.to_owned()));
    loop {
        let place = before.as_ref().map(|(start, id)| (*start, id.as_str()));
        let rows =
            datasets::newest_runs(app.postgres(), project, &of_runs, (place, LOOKED_AT)).await?;
        let Some(last) = rows.last() else { break };
        before = Some((last.run.created_at, last.run.id.to_string()));
        let is_last = (rows.len() as u64) < u64::from(LOOKED_AT);
        let ids: Vec<&str> = rows.iter().map(|row| row.run.id.as_str()).collect();
        let told = experiments::known(app.clickhouse(), project, &ids).await?;
        let alone = rows
            .iter()
            .filter(|row| !told.contains(row.run.id.as_str()) && matches(wanted, &row.run, None));
        found.extend(alone.map(experiment));
        if is_last || found.len() >= most as usize {
            break;
        }
    }
    found.truncate(most as usize);
    Ok(found)
}

fn experiment(row: &Summary) -> Experiment {
    let said = identity(&row.run);
    Experiment {
        id: said.id,
        name: said.name,
        description: said.description,
        start: row.run.created_at,
        end: row.last_link.unwrap_or(row.run.created_at),
        items: row.items,
        dataset_id: said.dataset_id,
        metadata: said.metadata,
    }
}

fn identity(run: &DatasetRun) -> Identity {
    Identity {
        id: run.id.to_string(),
        name: run.name.to_string(),
        description: run.description.clone(),
        dataset_id: Some(run.dataset_id.to_string()),
        metadata: run.metadata.as_object().cloned(),
    }
}

/// What of the conditions Postgres can see to; `None` when no run can match.
fn of_runs(wanted: &Wanted) -> Option<WantedRuns> {
    let datasets = wanted.any_of(attr::EXPERIMENT_DATASET_ID);
    let known: Vec<Uuid> = datasets.iter().filter_map(|id| id.parse().ok()).collect();
    if known.is_empty() && !datasets.is_empty() {
        return None;
    }
    Some(WantedRuns {
        from: Some(wanted.from),
        to: wanted.to,
        ids: wanted.any_of(attr::EXPERIMENT_ID),
        names: wanted.any_of(attr::EXPERIMENT_NAME),
        datasets: known,
        items: wanted.any_of(attr::EXPERIMENT_ITEM_ID),
    })
}

fn matches(wanted: &Wanted, run: &DatasetRun, item: Option<&DatasetItemId>) -> bool {
    let dataset = run.dataset_id.to_string();
    holds(&wanted.conditions, |key| match key {
        attr::EXPERIMENT_ID => Some(run.id.as_str()),
        attr::EXPERIMENT_NAME => Some(run.name.as_str()),
        attr::EXPERIMENT_DATASET_ID => Some(dataset.as_str()),
        attr::EXPERIMENT_ITEM_ID => item.map(DatasetItemId::as_str),
        _ => None,
    })
}

/// What is known when the items of a page are put together.
struct Known {
    spans: Vec<Span>,
    roots: HashMap<TraceId, Span>,
    items: HashMap<DatasetItemId, DatasetItem>,
}

/// Items after a place, at most `most`, and where the list goes on: `Some` where it does.
pub(super) async fn items(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    (after, most): (Option<&Cursor>, u32),
) -> Result<(Vec<ExperimentItem>, Option<Option<Cursor>>), Fault> {
    let Some(of_runs) = of_runs(wanted) else {
        return Ok((Vec::new(), None));
    };
    let most = most as usize;
    let mut before = after.map(place).transpose()?;
    let mut kept: Vec<(DatasetRunItem, DatasetRun)> = Vec::new();
    'pages: loop {
        let page = (before, LOOKED_AT);
        let project = scope.project_id();
        let links = datasets::newest_links(app.postgres(), project, &of_runs, page).await?;
        let is_last = (links.len() as u64) < u64::from(LOOKED_AT);
        let runs = alone(app, scope, &links).await?;
        for link in links {
            before = Some((link.created_at, link.id));
            let Some(run) = runs.get(link.run_id.as_str()) else {
                continue;
            };
            if matches(wanted, run, Some(&link.item_id)) {
                kept.push((link, run.clone()));
            }
            // One more tells whether there is another page.
            if kept.len() > most {
                break 'pages;
            }
        }
        if is_last {
            break;
        }
    }
    let has_more = kept.len() > most;
    kept.truncate(most);
    let last = kept.last().map(|(link, _)| Cursor {
        start: link.created_at,
        id: link.id.to_string(),
    });
    // With no room left on this page the next one begins where this would have.
    let next = has_more.then(|| last.or_else(|| after.cloned()));
    Ok((whole(app, scope, kept).await?, next))
}

fn place(cursor: &Cursor) -> Result<(Timestamp, Uuid), Fault> {
    let wrong = |_| Fault::invalid("cursor: not one of this list").on_field("cursor");
    Ok((cursor.start, cursor.id.parse().map_err(wrong)?))
}

/// The runs of some links that no span tells of.
async fn alone(
    app: &App,
    scope: &ProjectScope,
    links: &[DatasetRunItem],
) -> Result<HashMap<String, DatasetRun>, Fault> {
    let mut ids: Vec<String> = links.iter().map(|link| link.run_id.to_string()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let project = scope.project_id();
    let texts: Vec<&str> = ids.iter().map(String::as_str).collect();
    let told = experiments::known(app.clickhouse(), project, &texts).await?;
    let wanted = WantedRuns {
        ids,
        ..WantedRuns::default()
    };
    let runs = datasets::newest_runs(app.postgres(), project, &wanted, (None, LOOKED_AT)).await?;
    let runs = runs
        .into_iter()
        .map(|row| (row.run.id.to_string(), row.run));
    Ok(runs.filter(|(id, _)| !told.contains(id)).collect())
}

/// Items with what is known of their spans and of themselves.
async fn whole(
    app: &App,
    scope: &ProjectScope,
    kept: Vec<(DatasetRunItem, DatasetRun)>,
) -> Result<Vec<ExperimentItem>, Fault> {
    if kept.is_empty() {
        return Ok(Vec::new());
    }
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let mut ids: Vec<DatasetItemId> = kept.iter().map(|(link, _)| link.item_id.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    let named: Vec<(&TraceId, &SpanId)> = kept
        .iter()
        .filter_map(|(link, _)| Some((&link.trace_id, link.observation_id.as_ref()?)))
        .collect();
    let unnamed = kept
        .iter()
        .filter(|(link, _)| link.observation_id.is_none());
    let mut unnamed: Vec<&TraceId> = unnamed.map(|(link, _)| &link.trace_id).collect();
    unnamed.sort_unstable();
    unnamed.dedup();
    let (items, spans, portraits) = tokio::join!(
        datasets::some_items(app.postgres(), project, &ids),
        spans::of_places(clickhouse, project, &named),
        traces::portraits(clickhouse, project, &unnamed),
    );
    let roots = portraits?.into_iter().filter_map(|portrait| {
        let mut root = portrait.root.clone()?;
        // What was said of the trace as a whole is what was made of the item.
        root.environment = portrait.summary.environment.clone();
        let content = |text: &str| domain::span::Content {
            text: text.into(),
            attribute: None,
        };
        (root.input, root.output) = (
            portrait.input().map(content),
            portrait.output().map(content),
        );
        Some((root.trace_id.clone(), root))
    });
    let known = Known {
        spans: spans?,
        roots: roots.collect(),
        items: items?
            .into_iter()
            .map(|item| (item.id.clone(), item))
            .collect(),
    };
    Ok(kept
        .into_iter()
        .map(|(link, run)| known.item(link, &run))
        .collect())
}

impl Known {
    fn item(&self, link: DatasetRunItem, run: &DatasetRun) -> ExperimentItem {
        let span = match &link.observation_id {
            Some(id) => self
                .spans
                .iter()
                .find(|span| span.trace_id == link.trace_id && span.span_id == *id),
            None => self.roots.get(&link.trace_id),
        };
        let item = self.items.get(&link.item_id);
        let text = |value: &Value| (!value.is_null()).then(|| value.to_string());
        let id = link.observation_id.as_ref().map(SpanId::to_string);
        let text_of = |content: &domain::span::Content| content.text.to_string();
        ExperimentItem {
            id: span
                .map(|span| span.span_id.to_string())
                .or(id)
                .unwrap_or_else(|| link.trace_id.to_string()),
            trace_id: link.trace_id,
            start: span.map_or(link.created_at, |span| span.start),
            end: span.and_then(|span| span.end),
            level: span.map_or(Level::default(), |span| span.level),
            environment: span.map_or_else(
                || NO_ENVIRONMENT.to_owned(),
                |span| span.environment.clone(),
            ),
            of: identity(run),
            item_id: link.item_id.to_string(),
            item_version: version(&run.metadata),
            input: span.and_then(|span| span.input.as_ref()).map(text_of),
            output: span.and_then(|span| span.output.as_ref()).map(text_of),
            expected_output: item.and_then(|item| text(&item.expected_output)),
            metadata: span.map(|span| span.metadata.clone()).unwrap_or_default(),
            item_metadata: item.and_then(|item| object(&item.metadata)),
        }
    }
}

/// The version of the dataset that a run took its items from.
fn version(metadata: &Value) -> Option<Timestamp> {
    let text = metadata.get("dataset_version")?.as_str()?;
    Timestamp::parse(text).ok()
}

fn object(value: &Value) -> Option<Map<String, Value>> {
    value.as_object().cloned()
}
