//! Costs and tokens of the scope's project over time and by what they are for, against the stretch before.

use std::collections::HashMap;

use domain::comparison::Test;
use domain::cost::{CostBy, CostFilter};
use domain::metrics::{
    Aggregation, Condition, Cut, Dimension, Draft, Field, Granularity, Group, Measure, Metric,
    Query, Row, Value, View,
};
use domain::{Fault, Timestamp};

use crate::app::App;
use crate::metrics;
use crate::scope::ProjectScope;

/// Rows of a report.
const MOST: u32 = 100;
/// Rows whose costs are told over time.
pub const OVER_TIME: usize = 5;

/// What calls came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// US dollars; `None` when no call has a cost.
    pub cost: Option<f64>,
    /// Input tokens; `None` when no call told any.
    pub input_tokens: Option<f64>,
    /// Output tokens, likewise.
    pub output_tokens: Option<f64>,
    /// Calls that told tokens.
    pub calls: f64,
    /// Calls that told tokens and have no cost.
    pub unpriced_calls: f64,
}

impl Spent {
    /// US dollars per thousand tokens; `None` where a call without a price would make it too small.
    pub fn per_thousand(&self) -> Option<f64> {
        let tokens = self.input_tokens.unwrap_or(0.0) + self.output_tokens.unwrap_or(0.0);
        let is_whole = self.unpriced_calls == 0.0 && tokens > 0.0;
        self.cost
            .filter(|_| is_whole)
            .map(|cost| cost / tokens * 1e3)
    }
}

/// A part of the costs.
#[derive(Clone, Debug, PartialEq)]
pub struct CostRow {
    /// Values of the dimensions; empty where calls have none.
    pub key: Vec<String>,
    /// What it came to.
    pub spent: Spent,
    /// US dollars in the stretch before, as long as this one; `None` when nothing had a cost.
    pub before: Option<f64>,
    /// US dollars over time, for the first [`OVER_TIME`]; empty for the others.
    pub over_time: Vec<f64>,
}

/// Costs of a stretch of time.
#[derive(Clone, Debug, PartialEq)]
pub struct CostReport {
    /// All of them.
    pub total: Spent,
    /// All of the stretch before.
    pub before: Spent,
    /// The parts, the most expensive first.
    pub rows: Vec<CostRow>,
    /// Whether there are more parts.
    pub goes_on: bool,
    /// Beginnings of the pieces of time.
    pub pieces: Vec<Timestamp>,
    /// US dollars in each piece.
    pub costs: Vec<f64>,
    /// Tokens in each piece.
    pub tokens: Vec<f64>,
}

/// Costs of from ≤ t < to, by what they are for, of the part that the filters leave.
///
/// # Errors
/// `invalid` for an empty range; `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn report(
    app: &App,
    scope: &ProjectScope,
    (by, filters): (CostBy, &[CostFilter]),
    (from, to): (Timestamp, Timestamp),
) -> Result<CostReport, Fault> {
    let granularity = Granularity::fit(from, to);
    let earlier = (from.minus(to - from), from);
    let left = conditions(filters);
    let parts = Draft {
        limit: Some(MOST + 1),
        ..question(by.dimensions(), (from, to), left.clone())
    };
    let whole = question(&[], (from, to), left.clone());
    let over_time = Draft {
        cut: Some(Cut::By(granularity)),
        ..question(&[], (from, to), left.clone())
    };
    let whole_before = question(&[], earlier, left.clone());
    let (parts, whole, before, pieces) = tokio::try_join!(
        ask(app, scope, parts),
        ask(app, scope, whole),
        ask(app, scope, whole_before),
        ask(app, scope, over_time),
    )?;
    let goes_on = parts.len() > MOST as usize;
    let mut rows: Vec<CostRow> = parts
        .iter()
        .take(MOST as usize)
        // Spans that only repeat a call are none.
        .filter(|row| spent(row) != Spent::default())
        .map(|row| CostRow {
            key: key(row),
            spent: spent(row),
            before: None,
            over_time: Vec::new(),
        })
        .collect();
    let starts: Vec<Timestamp> = pieces.iter().filter_map(|row| row.time).collect();
    let asked = Asked {
        by,
        left: &left,
        range: (from, to),
        granularity,
    };
    compare(app, scope, asked, (&starts, &mut rows)).await?;
    let number = |row: &Row, at| number(row, at).unwrap_or(0.0);
    Ok(CostReport {
        total: whole.first().map(spent).unwrap_or_default(),
        before: before.first().map(spent).unwrap_or_default(),
        goes_on,
        costs: pieces.iter().map(|row| number(row, 0)).collect(),
        tokens: pieces
            .iter()
            .map(|row| number(row, 1) + number(row, 2))
            .collect(),
        pieces: starts,
        rows,
    })
}

/// What a report is about.
struct Asked<'a> {
    by: CostBy,
    /// What the filters leave.
    left: &'a [Condition],
    range: (Timestamp, Timestamp),
    granularity: Granularity,
}

/// Filters of one dimension are one condition: any of what stays, none of what is left out.
fn conditions(filters: &[CostFilter]) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for by in CostBy::ALL {
        for leaves_out in [false, true] {
            let those = filters
                .iter()
                .filter(|filter| filter.by == *by && filter.leaves_out == leaves_out);
            for (at, dimension) in by.dimensions().iter().enumerate() {
                let values: Vec<String> = those
                    .clone()
                    .filter_map(|filter| filter.key.get(at).cloned())
                    .collect();
                if values.is_empty() {
                    continue;
                }
                conditions.push(Condition {
                    field: Field::Dimension(*dimension),
                    test: match leaves_out {
                        false => Test::AnyOf(values),
                        true => Test::NoneOf(values),
                    },
                });
            }
        }
    }
    conditions
}

/// Adds to parts what they came to before, and to the first of them what they come to over time.
async fn compare(
    app: &App,
    scope: &ProjectScope,
    asked: Asked<'_>,
    (starts, rows): (&[Timestamp], &mut [CostRow]),
) -> Result<(), Fault> {
    if rows.is_empty() {
        return Ok(());
    }
    let Asked {
        by,
        left,
        range: (from, to),
        granularity,
    } = asked;
    let those = |rows: &[CostRow]| -> Vec<Condition> {
        let places = by.dimensions().iter().enumerate();
        let condition = |(at, dimension): (usize, &Dimension)| Condition {
            field: Field::Dimension(*dimension),
            test: Test::AnyOf(rows.iter().map(|row| row.key[at].clone()).collect()),
        };
        places.map(condition).chain(left.iter().cloned()).collect()
    };
    let earlier = (from.minus(to - from), from);
    let before = question(by.dimensions(), earlier, those(rows));
    let first = rows.len().min(OVER_TIME);
    let over_time = Draft {
        cut: Some(Cut::By(granularity)),
        ..question(by.dimensions(), (from, to), those(&rows[..first]))
    };
    let (before, over_time) =
        tokio::try_join!(ask(app, scope, before), ask(app, scope, over_time))?;
    let before: HashMap<Vec<String>, Option<f64>> = before
        .iter()
        .map(|row| (key(row), number(row, 0)))
        .collect();
    let places: HashMap<Timestamp, usize> = starts
        .iter()
        .enumerate()
        .map(|(at, start)| (*start, at))
        .collect();
    for (at, row) in rows.iter_mut().enumerate() {
        row.before = before.get(&row.key).copied().flatten();
        if at < first {
            row.over_time = vec![0.0; starts.len()];
        }
    }
    for piece in &over_time {
        let (key, cost) = (key(piece), number(piece, 0).unwrap_or(0.0));
        let place = piece.time.and_then(|time| places.get(&time));
        let row = rows[..first].iter_mut().find(|row| row.key == key);
        if let (Some(place), Some(row)) = (place, row) {
            row.over_time[*place] += cost;
        }
    }
    Ok(())
}

/// Cost, input, output, calls, calls without a price.
const METRICS: [(Measure, Aggregation); 5] = [
    (Measure::TotalCost, Aggregation::Sum),
    (Measure::InputTokens, Aggregation::Sum),
    (Measure::OutputTokens, Aggregation::Sum),
    (Measure::TotalTokens, Aggregation::Count),
    (Measure::UnpricedCalls, Aggregation::Count),
];

fn question(
    dimensions: &[Dimension],
    (from, to): (Timestamp, Timestamp),
    mut conditions: Vec<Condition>,
) -> Draft {
    // Nothing but calls has a cost or tokens.
    let calls = ["generation", "embedding", "reranker"];
    conditions.push(Condition {
        field: Field::Dimension(Dimension::Kind),
        test: Test::AnyOf(calls.map(str::to_owned).into()),
    });
    Draft {
        view: View::Observations,
        dimensions: dimensions.to_vec(),
        by_metadata: Vec::new(),
        metrics: METRICS
            .into_iter()
            .map(|(measure, aggregation)| Metric {
                measure,
                aggregation,
            })
            .collect(),
        conditions,
        cut: None,
        from,
        to,
        order: Vec::new(),
        limit: None,
        bins: 10,
    }
}

async fn ask(app: &App, scope: &ProjectScope, draft: Draft) -> Result<Vec<Row>, Fault> {
    let query: Query = draft
        .check()
        .map_err(|error| Fault::invalid(error.to_string()))?;
    metrics::kept_rows(app, scope, &query).await
}

fn key(row: &Row) -> Vec<String> {
    let text = |group: &Group| match group {
        Group::Text(text) => text.clone().unwrap_or_default(),
        Group::Texts(texts) => texts.join(", "),
        Group::Flag(flag) => flag.to_string(),
        Group::Gap => String::new(),
    };
    row.groups.iter().map(text).collect()
}

fn number(row: &Row, at: usize) -> Option<f64> {
    match row.values.get(at) {
        Some(Value::Number(number)) => *number,
        Some(Value::Bars(_)) | None => None,
    }
}

fn spent(row: &Row) -> Spent {
    Spent {
        cost: number(row, 0),
        input_tokens: number(row, 1),
        output_tokens: number(row, 2),
        calls: number(row, 3).unwrap_or(0.0),
        unpriced_calls: number(row, 4).unwrap_or(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_per_thousand_tokens_is_told_only_where_all_have_one() {
        let all = Spent {
            cost: Some(0.5),
            input_tokens: Some(9_000.0),
            output_tokens: Some(1_000.0),
            calls: 3.0,
            unpriced_calls: 0.0,
        };
        assert_eq!(all.per_thousand(), Some(0.05));
        let some = Spent {
            unpriced_calls: 1.0,
            ..all
        };
        assert_eq!(some.per_thousand(), None);
        assert_eq!(Spent::default().per_thousand(), None);
    }

    #[test]
    fn filters_of_one_way_are_one_condition_and_others_are_asked_for_as_well() {
        let read = |text, out| CostFilter::read(text, out).unwrap();
        let filters = [
            read("model:a", false),
            read("tenant:x", true),
            read("model:b", false),
            read("prompt_version:support:7", false),
        ];
        let told: Vec<Test> = conditions(&filters).into_iter().map(|it| it.test).collect();
        let any = |values: &[&str]| Test::AnyOf(values.iter().map(ToString::to_string).collect());
        assert_eq!(
            told,
            [
                any(&["a", "b"]),
                Test::NoneOf(vec!["x".to_owned()]),
                any(&["support"]),
                any(&["7"]),
            ]
        );
    }

    #[test]
    fn every_way_to_tell_costs_apart_can_be_asked_for() {
        let range = (
            Timestamp::EPOCH,
            Timestamp::EPOCH.plus(domain::Nanos::from_seconds(3600)),
        );
        for by in CostBy::ALL {
            assert!(
                question(by.dimensions(), range, Vec::new()).check().is_ok(),
                "{by}"
            );
        }
    }
}
