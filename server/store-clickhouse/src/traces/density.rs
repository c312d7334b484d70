//! Traces over time.

use clickhouse::Row;
use domain::filter::Filter;
use domain::trace::{Density, DensityBucket};
use domain::{Nanos, ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{compile, with_conditions, with_params};
use crate::traces::extent::hour;
use crate::traces::find::REACH_HOURS;
use crate::traces::hours::{Hours, hours_with_spans};

pub(crate) const SQL: &str = include_str!("density.sql");

/// Most columns of a chart.
const MOST_COLUMNS: u32 = 1000;

#[derive(Row, Deserialize)]
struct BucketRow {
    bucket: i64,
    is_total: u64,
    traces: u64,
    errors: u64,
    p95_ms: Option<f64>,
}

/// The chart over the range of a filter; where the filter leaves an end open, over the range in which
/// the project has spans.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn density(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    columns: u32,
) -> Result<Density, StoreError> {
    let columns = columns.clamp(1, MOST_COLUMNS);
    let Some((from, to)) = range(clickhouse, project, filter).await? else {
        return Ok(empty(columns));
    };
    let step = Nanos((to - from).0.div_ceil(u64::from(columns)).max(1));
    let compiled = compile(filter);
    let mut conditions = compiled.on_trace();
    if filter.min_latency_ms.is_some() {
        conditions.push_str(" AND latency_ms >= {min_latency_ms:Float64}");
    }
    let query = clickhouse
        .read(&with_conditions(SQL, &conditions))
        .param("project_id", project.to_string())
        // A trace that began before the range may have spans in it.
        .param("from_hour", hour(from).saturating_sub(REACH_HOURS))
        .param("to_hour", hour(to).saturating_add(REACH_HOURS))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("step_ns", step.0)
        .param("min_latency_ms", filter.min_latency_ms.unwrap_or(0.0));
    let rows = with_params(query, &compiled).rows::<BucketRow>().await?;
    Ok(chart(from, step, columns, rows))
}

async fn range(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
) -> Result<Option<(Timestamp, Timestamp)>, StoreError> {
    let (from, to) = match (filter.from, filter.to) {
        (Some(from), Some(to)) => (from, to),
        (from, to) => {
            let within = Hours {
                oldest: hour(from.unwrap_or(Timestamp::EPOCH)),
                newest: hour(to.unwrap_or(Timestamp::MAX)),
            };
            let Some(hours) = hours_with_spans(clickhouse, project, within).await? else {
                return Ok(None);
            };
            (from.unwrap_or(hours.begin()), to.unwrap_or(hours.end()))
        }
    };
    Ok((from < to).then_some((from, to)))
}

fn chart(from: Timestamp, step: Nanos, columns: u32, rows: Vec<BucketRow>) -> Density {
    let mut buckets: Vec<DensityBucket> = (0..columns)
        .map(|at| DensityBucket {
            start: from.plus(Nanos(step.0.saturating_mul(u64::from(at)))),
            traces: 0,
            errors: 0,
            p95_ms: None,
        })
        .collect();
    let mut density = Density {
        step,
        buckets: Vec::new(),
        traces: 0,
        errors: 0,
        p95_ms: None,
    };
    for row in rows {
        if row.is_total != 0 {
            density.traces = row.traces;
            density.errors = row.errors;
            density.p95_ms = row.p95_ms;
            continue;
        }
        let at = usize::try_from(row.bucket).ok();
        if let Some(bucket) = at.and_then(|at| buckets.get_mut(at)) {
            bucket.traces = row.traces;
            bucket.errors = row.errors;
            bucket.p95_ms = row.p95_ms;
        }
    }
    density.buckets = buckets;
    density
}

fn empty(columns: u32) -> Density {
    chart(Timestamp::EPOCH, Nanos(1), columns, Vec::new())
}
