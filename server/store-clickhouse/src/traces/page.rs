//! Slices of the traces by number, in several orders.

use clickhouse::Row;
use domain::filter::Filter;
use domain::page::Slice;
use domain::trace::{Order, OrderColumn};
use domain::{ProjectId, Timestamp, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{LATENCY, compile, with_conditions, with_params};
use crate::spans::row::trace_id;
use crate::traces::extent::hour;
use crate::traces::find::REACH_HOURS;

pub(crate) const SQL: &str = concat!(
    "WITH ",
    include_str!("wholes.sql"),
    include_str!("page.sql")
);

#[derive(Row, Deserialize)]
struct PageRow {
    trace_id: String,
    total: u64,
}

/// Ids of the traces of a slice, in order, and how many traces match in all. A condition is on the trace
/// as a whole: its name, its user.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn page(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (filter, order): (&Filter, Order),
    slice: Slice,
) -> Result<(Vec<TraceId>, u64), StoreError> {
    let rows = rows(clickhouse, project, (filter, order), slice).await?;
    let mut total = rows.first().map_or(0, |row| row.total);
    if rows.is_empty() && slice.skip() > 0 {
        // Beyond the end no row tells how many there are.
        let first = self::rows(clickhouse, project, (filter, order), Slice::FIRST).await?;
        total = first.first().map_or(0, |row| row.total);
    }
    let ids: Result<Vec<TraceId>, StoreError> =
        rows.iter().map(|row| trace_id(&row.trace_id)).collect();
    Ok((ids?, total))
}

async fn rows(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (filter, order): (&Filter, Order),
    slice: Slice,
) -> Result<Vec<PageRow>, StoreError> {
    let compiled = compile(filter);
    let mut conditions = compiled.on_span();
    if filter.min_latency_ms.is_some() {
        conditions = format!("{conditions} AND {LATENCY}");
    }
    let from = filter.from.unwrap_or(Timestamp::EPOCH);
    let to = filter.to.unwrap_or(Timestamp::MAX);
    let sql = with_conditions(SQL, &conditions);
    let sql = sql.replace("/* order */ start_time DESC", &order_by(order));
    let query = clickhouse
        .read(&sql)
        .param("project_id", project.to_string())
        .param("whole_from_hour", hour(from))
        .param("whole_to_hour", hour(to).saturating_add(REACH_HOURS))
        .param("began_from_ns", from.unix_nanos())
        .param("began_to_ns", to.unix_nanos())
        .param("min_latency_ms", filter.min_latency_ms.unwrap_or(0.0))
        .param("offset", slice.skip())
        .param("limit", slice.rows());
    with_params(query, &compiled).rows::<PageRow>().await
}

fn order_by(order: Order) -> String {
    let column = match order.column {
        OrderColumn::Start => "start_time",
        OrderColumn::Id => "trace_id",
        OrderColumn::Name => "name",
        OrderColumn::User => "user_id",
        OrderColumn::Session => "session_id",
        OrderColumn::Release => "release",
        OrderColumn::Version => "version_label",
        OrderColumn::Public => "is_public",
    };
    let direction = if order.is_ascending { "ASC" } else { "DESC" };
    match order.column {
        OrderColumn::Start => format!("{column} {direction}"),
        _ => format!("{column} {direction}, start_time DESC"),
    }
}
