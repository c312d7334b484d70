//! What an experiment made of its items, with what that cost and how it was judged.

use std::collections::{BTreeMap, HashMap, HashSet};

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
    let missing = || Fault::not_found("there is no such run over this dataset");
    let found = first(app, scope, id).await?;
    let dataset = dataset.to_string();
    found
        .filter(|experiment| experiment.dataset_id.as_ref() == Some(&dataset))
        .ok_or_else(missing)
}

/// One experiment, over a dataset or not.
///
/// # Errors
/// `not_found`; `unavailable` or `timeout` without a store.
pub async fn find_by_id(app: &App, scope: &ProjectScope, id: &str) -> Result<Experiment, Fault> {
    let found = first(app, scope, id).await?;
    found.ok_or_else(|| Fault::not_found("there is no such experiment in this project"))
}

async fn first(app: &App, scope: &ProjectScope, id: &str) -> Result<Option<Experiment>, Fault> {
    let page = list(app, scope, &Wanted::one(id), (Limit::new(1)?, None)).await?;
    Ok(page.data.into_iter().next())
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
    /// What some items come to. What several of them share, a trace or a score of it, counts once.
    pub fn of(results: &[ItemResult]) -> Self {
        let mut scores: BTreeMap<String, (f64, u32)> = BTreeMap::new();
        let mut seen = HashSet::new();
        for score in results.iter().flat_map(|result| &result.scores) {
            if !seen.insert(&score.id) {
                continue;
            }
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
        let spans: HashMap<_, _> = results
            .iter()
            .map(|result| ((&result.item.trace_id, &result.item.id), result))
            .collect();
        let latencies: Vec<f64> = spans.into_values().filter_map(latency_ms).collect();
        let costs: HashMap<_, _> = results
            .iter()
            .filter_map(|result| Some((&result.item.trace_id, result.cost?)))
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "items of one page")]
        let mean = latencies.iter().sum::<f64>() / latencies.len() as f64;
        Results {
            items: results.len() as u64,
            scores: means
                .map(|(name, (sum, count))| (name, sum / f64::from(count)))
                .collect(),
            cost: costs.into_values().reduce(|a, b| a + b),
            latency_ms: Some(mean).filter(|mean| mean.is_finite()),
        }
    }
}

/// Time from start to end of an item, milliseconds; `None` while it goes on, and for a link alone.
pub fn latency_ms(result: &ItemResult) -> Option<f64> {
    let end = result.item.end?;
    (end > result.item.start).then(|| (end - result.item.start).as_millis_f64())
}

#[cfg(test)]
mod tests {
    use domain::experiment::Identity;
    use domain::score::{ScoreSource, Target};
    use domain::span::Level;

    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_unix_millis(millis).unwrap()
    }

    fn result(trace: &str, cost: &str, score: f64) -> ItemResult {
        let trace_id = TraceId::from_text(trace).unwrap();
        let target = Target::Trace {
            trace_id: trace_id.clone(),
            observation_id: None,
        };
        let score = Score {
            id: trace.to_owned(),
            target,
            name: "quality".to_owned(),
            value: ScoreValue::Numeric(score),
            source: ScoreSource::Api,
            time: at(5),
            environment: String::new(),
            comment: None,
            metadata: String::new(),
            config_id: None,
            queue_id: None,
            author_id: None,
            execution_trace_id: None,
        };
        let millis = if trace == "shared" { 1_000 } else { 500 };
        ItemResult {
            item: ExperimentItem {
                id: format!("root of {trace}"),
                trace_id,
                start: at(1_000),
                end: Some(at(1_000 + millis)),
                level: Level::Default,
                environment: String::new(),
                of: Identity {
                    id: String::new(),
                    name: String::new(),
                    description: None,
                    dataset_id: None,
                    metadata: None,
                },
                item_id: String::new(),
                item_version: None,
                input: None,
                output: None,
                expected_output: None,
                metadata: BTreeMap::new(),
                item_metadata: None,
            },
            scores: vec![score],
            cost: cost.parse().ok(),
        }
    }

    #[test]
    fn a_trace_that_items_share_counts_once() {
        let shared = result("shared", "1.0", 1.0);
        let own = result("own", "0.5", 0.0);
        let results = [shared.clone(), shared.clone(), shared, own];
        let all = Results::of(&results);
        assert_eq!(all.items, 4);
        assert_eq!(all.cost, "1.5".parse().ok());
        assert_eq!(all.scores["quality"], 0.5);
        assert_eq!(all.latency_ms, Some(750.0));
        assert_eq!(Results::of(&[]), Results::default());
    }
}
