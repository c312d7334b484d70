//! Runs over a dataset, one beside the other.

use std::collections::{BTreeMap, HashMap};

use domain::experiment::Experiment;
use domain::page::Limit;
use domain::run_comparison::{Aggregate, Outcome, Verdict, Yardstick, aggregates};
use domain::score::ScoreValue;
use domain::span::Level;
use domain::{DatasetId, Fault};

use super::{ItemResult, Wanted, find, item_results};
use crate::app::App;
use crate::scope::ProjectScope;

/// Fewest and most runs that are compared.
pub const RUNS: std::ops::RangeInclusive<usize> = 2..=4;
/// Most results of a run that are looked at, the newest.
pub const MAX_RESULTS: usize = 2_000;
/// Results that are read at once.
const AT_ONCE: u32 = 500;

/// Runs, one beside the other.
#[derive(Debug)]
pub struct Comparison {
    /// The runs, the baseline first.
    pub runs: Vec<Experiment>,
    /// Whether some run has more results than were looked at.
    pub is_partial: bool,
    /// Each score over all items.
    pub aggregates: Vec<Aggregate>,
    /// Items, regressions first.
    pub items: Vec<Compared>,
}

/// An item with what the runs made of it.
#[derive(Debug)]
pub struct Compared {
    /// Its id.
    pub item_id: String,
    /// How the others did against the baseline.
    pub verdict: Verdict,
    /// What each run made of it, in their order.
    pub cells: Vec<Option<Cell>>,
}

/// What a run made of an item.
#[derive(Debug)]
pub struct Cell {
    /// The newest result.
    pub result: ItemResult,
    /// How many results there are.
    pub times: usize,
    /// What they come to.
    pub outcome: Outcome,
}

/// Compares runs over a dataset; the first is the baseline.
///
/// # Errors
/// `invalid` for fewer than two or more than four; `not_found`; `unavailable` or `timeout` without a store.
pub async fn compare(
    app: &App,
    scope: &ProjectScope,
    (dataset, ids): (DatasetId, &[String]),
    yardstick: &Yardstick,
) -> Result<Comparison, Fault> {
    if !RUNS.contains(&ids.len()) {
        return Err(Fault::invalid("two to four runs are compared").on_field("run"));
    }
    let mut runs = Vec::with_capacity(ids.len());
    let mut is_partial = false;
    let mut items: BTreeMap<String, Vec<Option<Cell>>> = BTreeMap::new();
    for (at, id) in ids.iter().enumerate() {
        runs.push(find(app, scope, (dataset, id)).await?);
        let (results, is_more) = results(app, scope, id).await?;
        is_partial |= is_more;
        for (item_id, cell) in cells(results) {
            let row = items.entry(item_id).or_default();
            row.resize_with(ids.len(), || None);
            if let Some(place) = row.get_mut(at) {
                *place = Some(cell);
            }
        }
    }
    let mut items: Vec<Compared> = items
        .into_iter()
        .map(|(item_id, cells)| Compared {
            item_id,
            verdict: yardstick.verdict(&outcomes(&cells)),
            cells,
        })
        .collect();
    items.sort_by(|a, b| yardstick.order(&outcomes(&a.cells), &outcomes(&b.cells)));
    let all: Vec<Vec<Option<&Outcome>>> = items.iter().map(|item| outcomes(&item.cells)).collect();
    Ok(Comparison {
        aggregates: aggregates(&all, runs.len()),
        runs,
        is_partial,
        items,
    })
}

fn outcomes(cells: &[Option<Cell>]) -> Vec<Option<&Outcome>> {
    let cells = cells.iter();
    cells
        .map(|cell| cell.as_ref().map(|cell| &cell.outcome))
        .collect()
}

/// The newest results of a run, and whether there are more.
async fn results(
    app: &App,
    scope: &ProjectScope,
    id: &str,
) -> Result<(Vec<ItemResult>, bool), Fault> {
    let wanted = Wanted::one(id);
    let mut found = Vec::new();
    let mut after = None;
    while found.len() < MAX_RESULTS {
        let page = (Limit::new(AT_ONCE)?, after.as_ref());
        let (results, next, _turn) = item_results(app, scope, &wanted, page).await?;
        found.extend(results);
        match next {
            Some(next) => after = Some(next),
            None => return Ok((found, false)),
        }
    }
    Ok((found, true))
}

/// Results by their item; those of one item are one, of which the first is the newest.
fn cells(results: Vec<ItemResult>) -> HashMap<String, Cell> {
    let mut sums: HashMap<String, BTreeMap<String, (f64, f64)>> = HashMap::new();
    let mut cells: HashMap<String, Cell> = HashMap::new();
    for result in results {
        let id = result.item.item_id.clone();
        let sums = sums.entry(id.clone()).or_default();
        for score in &result.scores {
            let value = match &score.value {
                ScoreValue::Numeric(value) => *value,
                ScoreValue::Boolean(yes) => f64::from(u8::from(*yes)),
                ScoreValue::Categorical { .. }
                | ScoreValue::Text(_)
                | ScoreValue::Correction(_) => {
                    continue;
                }
            };
            let sum = sums.entry(score.name.clone()).or_default();
            *sum = (sum.0 + value, sum.1 + 1.0);
        }
        let failed = result.item.level == Level::Error;
        let cell = cells.entry(id).or_insert_with(|| Cell {
            result,
            times: 0,
            outcome: Outcome::default(),
        });
        cell.times += 1;
        cell.outcome.failed |= failed;
        let means = sums.iter().map(|(name, (sum, n))| (name.clone(), sum / n));
        cell.outcome.scores = means.collect();
    }
    cells
}
