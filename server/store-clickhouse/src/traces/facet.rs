//! Values of a column among the traces that match.

use clickhouse::Row;
use domain::facet::{Facet, FacetValue};
use domain::filter::{Column, Filter};
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{compile, with_conditions, with_params};
use crate::traces::extent::hour;
use crate::traces::find::REACH_HOURS;

pub(crate) const SQL: &str = include_str!("facet.sql");

#[derive(Row, Deserialize)]
struct ValueRow {
    value: String,
    traces: u64,
}

/// The most common values of a column among the traces that match and begin from `from` to `to`, at
/// most `most` of them.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn facet(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (filter, column): (&Filter, &Column),
    most: u32,
) -> Result<Facet, StoreError> {
    let (from, to) = (
        filter.from.unwrap_or(Timestamp::EPOCH),
        filter.to.unwrap_or(Timestamp::MAX),
    );
    let mut compiled = compile(filter);
    let values = compiled.values_of(column);
    let mut conditions = compiled.on_trace();
    if filter.min_latency_ms.is_some() {
        conditions.push_str(" AND latency_ms >= {min_latency_ms:Float64}");
    }
    let usual = "/* values */ groupUniqArray(100)(toString(environment))";
    let sql = with_conditions(SQL, &conditions).replace(usual, &values);
    let query = clickhouse
        .read(&sql)
        .param("project_id", project.to_string())
        // A trace that began before the range may have spans in it.
        .param("from_hour", hour(from).saturating_sub(REACH_HOURS))
        .param("to_hour", hour(to).saturating_add(REACH_HOURS))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("min_latency_ms", filter.min_latency_ms.unwrap_or(0.0))
        // One more than is shown tells whether there are others.
        .param("limit", most.saturating_add(1));
    let mut rows = with_params(query, &compiled).rows::<ValueRow>().await?;
    let has_more = rows.len() > most as usize;
    rows.truncate(most as usize);
    let value = |row: ValueRow| FacetValue {
        value: row.value,
        traces: row.traces,
    };
    Ok(Facet {
        values: rows.into_iter().map(value).collect(),
        has_more,
    })
}
