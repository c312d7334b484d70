//! Experiments of the scope's project, newest first, and what they made of each item.
//!
//! Newer clients tell of an experiment on its spans, older ones link traces to a run over a dataset, and
//! some do both: then the spans count.

/// Runs, one beside the other.
mod compared;
/// Those that came as links alone.
mod linked;
/// With what that cost and how it was judged.
mod results;

use domain::attr::langfuse as attr;
use domain::experiment::{Experiment, ExperimentItem, Identity};
use domain::filter::{Column, Condition, Operator};
use domain::page::{Cursor, Limit, Page};
use domain::score::wanted::{Condition as ScoreCondition, Field};
use domain::score::{Score, Target};
use domain::{Fault, Timestamp, TraceId};
use store_clickhouse::experiments::{self, Extract};
use store_clickhouse::{scores, spans};

pub use compared::{Cell, Compared, Comparison, MAX_RESULTS, RUNS, compare};
pub use results::{ItemResult, Results, find, find_by_id, item_results, latency_ms};

use crate::app::App;
use crate::reads::Turn;
use crate::scope::ProjectScope;

/// Which experiments, or items of them, are looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// That went on then or later.
    pub from: Timestamp,
    /// And before.
    pub to: Option<Timestamp>,
    /// What holds of the attributes under `langfuse.experiment.`.
    pub conditions: Vec<Condition>,
}

/// Where a list of items goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Among those that spans tell of, which come first.
    Spans(Cursor),
    /// Among those that came as links alone; `None`: before the first of them.
    Links(Option<Cursor>),
}

/// Experiments that match. What is told of one are the spans of the time that is asked for.
///
/// # Errors
/// `unavailable` or `timeout` when a store is away or takes too long; so for all reads here.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    (limit, after): (Limit, Option<&Cursor>),
) -> Result<Page<Experiment>, Fault> {
    // One more tells whether there is another page.
    let most = limit.rows() + 1;
    let before = after.map(|last| (last.start, last.id.as_str()));
    let of_spans = wanted.of_spans();
    let of_spans = experiments::list(
        app.clickhouse(),
        scope.project_id(),
        &of_spans,
        (before, most),
    );
    let (of_spans, of_links) = tokio::join!(
        of_spans,
        linked::experiments(app, scope, wanted, (before, most))
    );
    let mut found: Vec<Experiment> = of_spans?.into_iter().filter_map(experiment).collect();
    found.extend(of_links?);
    found.sort_by(|a, b| (b.start, &b.id).cmp(&(a.start, &a.id)));
    let has_more = found.len() >= most as usize;
    found.truncate(limit.rows() as usize);
    let next_cursor = found.last().filter(|_| has_more).map(|last| Cursor {
        start: last.start,
        id: last.id.clone(),
    });
    Ok(Page {
        data: found,
        next_cursor,
    })
}

fn experiment(extract: Extract) -> Option<Experiment> {
    let said = Identity::of(&extract.speaker)?;
    Some(Experiment {
        id: extract.id,
        name: said.name,
        description: said.description,
        start: extract.start,
        end: extract.end,
        items: extract.items,
        dataset_id: said.dataset_id,
        metadata: said.metadata,
    })
}

/// What experiments made of items: first those that spans tell of, newest first, then those that came as
/// links alone, likewise. The turn is to be kept as long as they are.
///
/// # Errors
/// As [`list`]; `invalid` for a cursor of another list.
pub async fn items(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    (limit, after): (Limit, Option<&Place>),
) -> Result<(Vec<ExperimentItem>, Option<Place>, Turn), Fault> {
    let turn = app
        .reads()
        .turn(scope.project_id(), u64::from(limit.rows()))
        .await?;
    let mut found = Vec::new();
    let after_links = match after {
        Some(Place::Links(after)) => after.as_ref(),
        None | Some(Place::Spans(_)) => {
            let after = match after {
                Some(Place::Spans(cursor)) => Some(cursor),
                _ => None,
            };
            if after.is_some_and(|cursor| !spans::is_ours(cursor)) {
                return Err(Fault::invalid("cursor: not one of this list").on_field("cursor"));
            }
            let (clickhouse, project) = (app.clickhouse(), scope.project_id());
            let page = (limit, after);
            let page = experiments::items(clickhouse, project, &wanted.of_spans(), page).await?;
            found.extend(page.data.into_iter().filter_map(ExperimentItem::of));
            if let Some(next) = page.next_cursor {
                return Ok((found, Some(Place::Spans(next)), turn));
            }
            None
        }
    };
    let left = limit
        .rows()
        .saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
    let (links, next) = linked::items(app, scope, wanted, (after_links, left)).await?;
    found.extend(links);
    Ok((found, next.map(Place::Links), turn))
}

/// The newest scores of an experiment as a whole.
///
/// # Errors
/// As [`list`].
pub async fn scores_of(
    app: &App,
    scope: &ProjectScope,
    experiment: &str,
    limit: u32,
) -> Result<Vec<Score>, Fault> {
    let wanted = [ScoreCondition::any_of(Field::DatasetRunId, [experiment])];
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    Ok(scores::list(clickhouse, project, &wanted, (None, 0, limit)).await?)
}

/// The newest scores of items, those of each in its place: of their root or of its trace as a whole.
///
/// # Errors
/// As [`list`].
pub async fn scores_of_items(
    app: &App,
    scope: &ProjectScope,
    items: &[ExperimentItem],
    limit: u32,
) -> Result<Vec<Vec<Score>>, Fault> {
    let mut traces: Vec<TraceId> = items.iter().map(|item| item.trace_id.clone()).collect();
    traces.sort_unstable();
    traces.dedup();
    let all = scores::of_traces(app.clickhouse(), scope.project_id(), &traces).await?;
    let of = |item: &ExperimentItem| {
        let its = all.iter().rev().filter(|score| judges(score, item));
        its.take(limit as usize).cloned().collect()
    };
    Ok(items.iter().map(of).collect())
}

fn judges(score: &Score, item: &ExperimentItem) -> bool {
    match &score.target {
        Target::Trace {
            trace_id,
            observation_id,
        } => {
            let observation = observation_id.as_ref();
            *trace_id == item.trace_id && observation.is_none_or(|id| id.as_str() == item.id)
        }
        Target::Session(_) | Target::DatasetRun(_) => false,
    }
}

impl Wanted {
    fn of_spans(&self) -> experiments::Wanted {
        experiments::Wanted {
            from: self.from,
            to: self.to.unwrap_or(Timestamp::MAX),
            ids: self.any_of(attr::EXPERIMENT_ID),
            conditions: self.conditions.clone(),
        }
    }

    /// The values that an attribute may have, by the first condition that says so; all where there is
    /// none.
    fn any_of(&self, key: &str) -> Vec<String> {
        let found = self.conditions.iter().find(|condition| {
            let names = matches!(&condition.column, Column::Attribute(name) if name == key);
            names && condition.operator == Operator::AnyOf
        });
        found
            .map(|condition| condition.values.clone())
            .unwrap_or_default()
    }
}
