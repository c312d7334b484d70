//! What an experiment made of its items, with what that cost and how it was judged.

use std::collections::{BTreeMap, HashMap};

use domain::attr::langfuse as attr;
use domain::experiment::{Experiment, ExperimentItem};
use domain::filter::{Column, Condition, Filter, Operator};
use domain::page::Limit;
use domain::score::{Score, ScoreValue};
use domain::{DatasetId, Fault, Timestamp, TraceId, Usd};
use store_clickhouse::traces;

use super::{Place, Wanted, items, list, scores_of_items};
use crate::app::App;
use crate::reads::Turn;
use crate::scope::ProjectScope;

/// An item with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemResult {
    /// What was made of it.
    pub item: ExperimentItem,
    /// How that was judged, the newest first.
    pub scores: Vec<Score>,
    /// US dollars of its trace; `None` when unknown.
    pub cost: Option<Usd>,
}

/// What the items of an experiment come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Items that were looked at.
    pub items: u64,
    /// Means of their scores by name; of yes and no the share of yes.
    pub scores: BTreeMap<String, f64>,
    /// US dollars, of those items of which that is known.
    pub cost: Option<Usd>,
    /// Mean time from start to end, milliseconds, of those items that have ended.
    pub latency_ms: Option<f64>,
}

/// Most scores of one item that count.
const SCORES: u32 = 100;

impl Wanted {
    /// The experiments over a dataset.
    pub fn over(dataset: DatasetId) -> Self {
        Self::with(attr::EXPERIMENT_DATASET_ID, &dataset.to_string())
    }

    /// One experiment.
    pub fn one(id: &str) -> Self {
        Self::with(attr::EXPERIMENT_ID, id)
    }

    fn with(key: &str, value: &str) -> Self {
        Wanted {
            from: Timestamp::EPOCH,
            to: None,
            conditions: vec![Condition {
                column: Column::Attribute(key.to_owned()),
                operator: Operator::AnyOf,
                values: vec![value.to_owned()],
            }],
        }
    }
}

/// One experiment over a dataset.
///
/// # Errors
/// `not_found` where that dataset has none of that id; `unavailable` or `timeout` without a store.
pub async fn find(
    app: &App,
    scope: &ProjectScope,
    (dataset, id): (DatasetId, &str),
) -> Result<Experiment, Fault> {
    let first = Limit::new(1)?;
    let page = list(app, scope, &Wanted::one(id), (first, None)).await?;
    let dataset = dataset.to_string();
    let mut found = page.data.into_iter();
    found
        .find(|experiment| experiment.dataset_id.as_ref() == Some(&dataset))
        .ok_or_else(|| Fault::not_found("there is no such run over this dataset"))
}

/// Items with what is known of them, in the order of [`items`]. The turn is to be kept as long as they are.
///
/// # Errors
/// As [`items`].
pub async fn item_results(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    page: (Limit, Option<&Place>),
) -> Result<(Vec<ItemResult>, Option<Place>, Turn), Fault> {
    let (items, next, turn) = items(app, scope, wanted, page).await?;
    let scores = scores_of_items(app, scope, &items, SCORES);
    let (scores, costs) = tokio::join!(scores, costs(app, scope, &items));
    let costs = costs?;
    let results = items.into_iter().zip(scores?);
    let results = results.map(|(item, scores)| ItemResult {
        cost: costs.get(&item.trace_id).copied().flatten(),
        item,
        scores,
    });
    Ok((results.collect(), next, turn))
}

async fn costs(
    app: &App,
    scope: &ProjectScope,
    items: &[ExperimentItem],
) -> Result<HashMap<TraceId, Option<Usd>>, Fault> {
    let mut ids: Vec<&TraceId> = items.iter().map(|item| &item.trace_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let all = Filter::default();
    let found = traces::some(app.clickhouse(), scope.project_id(), &ids, &all).await?;
    let cost = |judged: traces::Judged| (judged.summary.trace_id, judged.summary.cost);
    Ok(found.into_iter().map(cost).collect())
}

impl Results {
    /// What some items come to.
    pub fn of(results: &[ItemResult]) -> Self {
        let mut scores: BTreeMap<String, (f64, u32)> = BTreeMap::new();
        for score in results.iter().flat_map(|result| &result.scores) {
            let number = match score.value {
                ScoreValue::Numeric(number) => number,
                ScoreValue::Boolean(yes) => f64::from(u8::from(yes)),
                _ => continue,
            };
            let (sum, count) = scores.entry(score.name.clone()).or_default();
            *sum += number;
            *count += 1;
        }
        let means = scores.into_iter();
        let latencies: Vec<f64> = results.iter().filter_map(latency_ms).collect();
        #[expect(clippy::cast_precision_loss, reason = "items of one page")]
        let mean = latencies.iter().sum::<f64>() / latencies.len() as f64;
        Results {
            items: results.len() as u64,
            scores: means
                .map(|(name, (sum, count))| (name, sum / f64::from(count)))
                .collect(),
            cost: results
                .iter()
                .filter_map(|result| result.cost)
                .reduce(|a, b| a + b),
            latency_ms: Some(mean).filter(|mean| mean.is_finite()),
        }
    }
}

/// Time from start to end of an item, milliseconds; `None` while it goes on, and for a link alone.
pub fn latency_ms(result: &ItemResult) -> Option<f64> {
    let end = result.item.end?;
    (end > result.item.start).then(|| (end - result.item.start).as_millis_f64())
}
