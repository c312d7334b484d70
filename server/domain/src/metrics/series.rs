//! What comes back, and the gaps in it.

use std::collections::BTreeSet;

use super::query::{Metric, Query};
use crate::time::Timestamp;

/// A value of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// A text; `None` where rows have none.
    Text(Option<String>),
    /// Several texts.
    Texts(Vec<String>),
    /// Yes or no.
    Flag(bool),
    /// None: the row fills a gap.
    Gap,
}

/// A bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Its lower end.
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
    /// How many values lie in it, as far as that is known.
    pub height: f64,
}

/// A metric of a group.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number; `None` where no row has a value.
    Number(Option<f64>),
    /// A histogram.
    Bars(Vec<Bar>),
}

/// A group of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Values of the dimensions, in the order of the query.
    pub groups: Vec<Group>,
    /// Beginning of its piece of time, where time is cut.
    pub time: Option<Timestamp>,
    /// Values of the metrics, in the order of the query.
    pub values: Vec<Value>,
}

/// The rows with one more for each piece of time that has none, where a query asks for that: counts and
/// sums of nothing are 0, other numbers unknown. At most as many rows as the query allows.
pub fn filled(query: &Query, rows: Vec<Row>) -> Vec<Row> {
    let asked = query.asked();
    let Some(cut) = asked.cut.as_ref().filter(|_| query.is_filled()) else {
        return rows;
    };
    let known: BTreeSet<Timestamp> = rows.iter().filter_map(|row| row.time).collect();
    let pieces = cut.pieces(asked.from, asked.to);
    let gaps = pieces
        .into_iter()
        .filter(|piece| !known.contains(piece))
        .map(|piece| Row {
            groups: vec![Group::Gap; query.groups()],
            time: Some(piece),
            values: asked.metrics.iter().map(nothing).collect(),
        });
    let mut all: Vec<Row> = rows.into_iter().chain(gaps).collect();
    // Stable: rows of one piece stay in their order.
    all.sort_by_key(|row| row.time);
    let most = asked.limit.and_then(|limit| usize::try_from(limit).ok());
    all.truncate(most.unwrap_or(usize::MAX));
    all
}

fn nothing(metric: &Metric) -> Value {
    use super::measure::Aggregation;
    match metric.aggregation {
        Aggregation::Histogram => Value::Bars(Vec::new()),
        aggregation => Value::Number(aggregation.is_zero_of_nothing().then_some(0.0)),
    }
}
