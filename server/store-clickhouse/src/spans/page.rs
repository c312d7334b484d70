//! Slices of the spans by number, newest first.

use domain::filter::Filter;
use domain::page::Slice;
use domain::{ProjectId, Span, Timestamp};

use crate::client::{ClickHouse, Read};
use crate::error::StoreError;
use crate::filter::{Compiled, LATENCY, compile, with_conditions, with_params};
use crate::spans::list::{CandidateRow, read};
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("page.sql");
pub(crate) const TOTAL_SQL: &str = include_str!("total.sql");

/// The spans of a slice, whole and in order, and how many match in all.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn page(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    slice: Slice,
) -> Result<(Vec<Span>, u64), StoreError> {
    let compiled = compile(filter);
    let query = |sql| query(clickhouse, project, (filter, &compiled), sql);
    let places = query(SQL)
        .param("offset", slice.skip())
        .param("limit", slice.rows());
    let (rows, total) = tokio::join!(
        places.rows::<CandidateRow>(),
        query(TOTAL_SQL).rows::<u64>(),
    );
    let places: Result<Vec<_>, StoreError> =
        rows?.into_iter().map(CandidateRow::into_place).collect();
    let spans = read(clickhouse, project, (filter, &compiled), places?).await?;
    Ok((spans, total?.first().copied().unwrap_or(0)))
}

fn query(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (filter, compiled): (&Filter, &Compiled),
    sql: &str,
) -> Read {
    let mut conditions = compiled.on_span();
    if filter.min_latency_ms.is_some() {
        conditions = format!("{conditions} AND {LATENCY}");
    }
    let from = filter.from.unwrap_or(Timestamp::EPOCH);
    let to = filter.to.unwrap_or(Timestamp::MAX);
    let query = clickhouse
        .read(&with_conditions(sql, &conditions))
        .param("project_id", project.to_string())
        .param("from_hour", hour(from))
        .param("to_hour", hour(to))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("min_latency_ms", filter.min_latency_ms.unwrap_or(0.0));
    with_params(query, compiled)
}
