//! Rows as they are written.

use std::collections::BTreeMap;

use domain::cost::long_name;
use domain::metrics::{
    Aggregation, Dimension, Group, MeasureKind, Metric, Query, Row, Value as Number,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::asked::Asked;
use crate::langfuse::time::Millis;

/// What comes back.
#[derive(Serialize)]
pub(super) struct Answer {
    data: Vec<Map<String, Value>>,
}

impl Answer {
    /// Rows under the names that were asked for.
    pub(super) fn new(asked: &Asked, rows: &[Row]) -> Self {
        Answer {
            data: rows.iter().map(|row| fields(asked, row)).collect(),
        }
    }
}

fn fields(asked: &Asked, row: &Row) -> Map<String, Value> {
    let query = asked.query.asked();
    let mut fields = Map::new();
    let dimensions = asked.dimensions.iter().zip(&query.dimensions);
    for ((name, dimension), value) in dimensions.zip(&row.groups) {
        fields.insert(name.clone(), group(*dimension, value));
    }
    if let Some(time) = row.time {
        fields.insert("time_dimension".to_owned(), json!(Millis(time)));
    }
    let metrics = asked.metrics.iter().zip(&query.metrics);
    for ((name, metric), value) in metrics.zip(&row.values) {
        fields.insert(name.clone(), number(*metric, value));
    }
    fields
}

fn group(dimension: Dimension, value: &Group) -> Value {
    match value {
        Group::Text(Some(text)) => match dimension {
            Dimension::BroadKind => json!(text.to_uppercase()),
            Dimension::CostKind | Dimension::UsageKind => json!(long_name(text)),
            _ => json!(text),
        },
        Group::Text(None) | Group::Gap => Value::Null,
        Group::Texts(texts) => json!(texts),
        Group::Flag(flag) => json!(flag),
    }
}

fn number(metric: Metric, value: &Number) -> Value {
    match value {
        Number::Number(None) => Value::Null,
        Number::Number(Some(number)) if is_whole(metric) => whole(*number),
        Number::Number(Some(number)) => json!(number),
        Number::Bars(bars) => {
            let bars = bars.iter();
            bars.map(|bar| json!([bar.lower, bar.upper, bar.height]))
                .collect()
        }
    }
}

fn is_whole(
    Metric {
        measure,
        aggregation,
    }: Metric,
) -> bool {
    match aggregation {
        Aggregation::Count | Aggregation::Uniq => true,
        Aggregation::Sum | Aggregation::Max | Aggregation::Min => {
            measure.kind() == MeasureKind::Whole
        }
        _ => false,
    }
}

/// Without a point where that loses nothing.
fn whole(number: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be whole, not negative and exact as a float"
    )]
    match number {
        number if number >= 0.0 && number < 2f64.powi(53) && number.fract() == 0.0 => {
            json!(number as u64)
        }
        number => json!(number),
    }
}

/// The metrics of rows by their dimension and time, for answers of a fixed shape.
pub(super) fn sums(query: &Query, row: &Row) -> BTreeMap<&'static str, Value> {
    let metrics = query.asked().metrics.iter().zip(&row.values);
    let nothing = |value: Value| match value {
        Value::Null => json!(0),
        value => value,
    };
    metrics
        .map(|(metric, value)| (metric.measure.as_str(), nothing(number(*metric, value))))
        .collect()
}
