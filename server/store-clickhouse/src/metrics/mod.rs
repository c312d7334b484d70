//! Numbers over many traces, observations or scores.
//!
//! **Invariant:** SQL is put together out of the closed lists of [`expressions`] and the stored files
//! beside it; whatever a reader gave travels as a typed parameter.

/// A query as SQL.
mod build;
/// What dimensions and measures are in SQL.
mod expressions;

use clickhouse::Row as StoredRow;
use domain::metrics::{
    Aggregation, Bar, Dimension, DimensionKind, Group, Query, Row, Value, filled,
};
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;

/// Most rows that are worked with where a query does not say.
const MAX_ROWS: u32 = 100_000;

/// The sources of each view, for the test that explains every stored read.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("metrics/observations.sql", build::OBSERVATIONS_SQL),
    ("metrics/scores.sql", build::SCORES_SQL),
    ("metrics/given.sql", build::GIVEN_SQL),
    ("metrics/judged.sql", build::JUDGED_SQL),
];

#[derive(StoredRow, Deserialize)]
struct MetricsRow {
    groups: Vec<String>,
    time_s: i64,
    numbers: Vec<Option<f64>>,
    bars: Vec<Vec<(f64, f64, f64)>>,
}

/// What a query comes to, in its order, with gaps in time filled where it asks for that.
///
/// # Errors
/// When ClickHouse is away or takes too long, or there are more than 100,000 rows.
pub async fn rows(
    clickhouse: &ClickHouse,
    project: ProjectId,
    query: &Query,
) -> Result<Vec<Row>, StoreError> {
    let limit = query.asked().limit.unwrap_or(MAX_ROWS + 1);
    let built = build::build(query);
    let read = clickhouse
        .read(&built.sql)
        .param("project_id", project.to_string())
        .param("limit", limit.min(MAX_ROWS + 1));
    let rows = built.bind(query, read).rows::<MetricsRow>().await?;
    if rows.len() > MAX_ROWS as usize {
        let message = format!("more than {MAX_ROWS} rows");
        return Err(StoreError::TooLarge(message));
    }
    let rows = rows.into_iter().map(|row| row.into_row(query));
    Ok(filled(query, rows.collect()))
}

impl MetricsRow {
    fn into_row(self, query: &Query) -> Row {
        let asked = query.asked();
        let mut groups = self.groups;
        let of_metadata = groups.split_off(asked.dimensions.len().min(groups.len()));
        let groups = asked.dimensions.iter().zip(groups);
        let (mut numbers, mut bars) = (self.numbers.into_iter(), self.bars.into_iter());
        let value = |aggregation| match aggregation {
            Aggregation::Histogram => {
                let bars = bars.next().unwrap_or_default().into_iter();
                let bar = |(lower, upper, height)| Bar {
                    lower,
                    upper,
                    height,
                };
                Value::Bars(bars.map(bar).collect())
            }
            _ => Value::Number(numbers.next().flatten()),
        };
        let time = Timestamp::from_unix_millis(self.time_s.saturating_mul(1_000));
        let metrics = asked.metrics.iter().map(|metric| metric.aggregation);
        let of_dimensions = groups.map(|(it, text)| group(*it, text));
        let of_metadata = of_metadata.into_iter().map(named);
        Row {
            groups: of_dimensions.chain(of_metadata).collect(),
            time: time.filter(|_| asked.cut.is_some()),
            values: metrics.map(value).collect(),
        }
    }
}

fn named(text: String) -> Group {
    Group::Text(Some(text).filter(|text| !text.is_empty()))
}

fn group(dimension: Dimension, text: String) -> Group {
    match dimension.kind() {
        DimensionKind::Text => named(text),
        DimensionKind::Texts if dimension.is_one_by_one() => named(text),
        // Made by toJSONString.
        DimensionKind::Texts => Group::Texts(serde_json::from_str(&text).unwrap_or_default()),
        DimensionKind::Flag => Group::Flag(text == "1"),
    }
}
