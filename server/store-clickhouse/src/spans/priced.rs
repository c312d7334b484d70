//! Calls whose cost may be computed anew: it was computed before, or there is none.

use std::collections::BTreeMap;

use clickhouse::Row;
use domain::filter::Filter;
use domain::span::{Cost, SpanKind, Usage};
use domain::{ProjectId, Span, Timestamp};
use serde::{Deserialize, Serialize};

use crate::client::{ClickHouse, Read};
use crate::error::StoreError;
use crate::filter::{compile, with_conditions, with_params};
use crate::spans::row::{cost, some, span_id, timestamp, trace_id};
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("priced.sql");
pub(crate) const BY_HOUR_SQL: &str = include_str!("priced_by_hour.sql");

/// Where a walk through all calls of a project goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Whole hours since 1970.
    pub hour: u32,
    /// The last call of that hour that was looked at.
    pub trace_id: String,
    /// Its span.
    pub span_id: String,
}

/// A call, as far as its price depends on it.
#[derive(Clone, Debug)]
pub struct Call {
    /// Nothing but what prices go by, and its cost.
    pub span: Span,
    /// Which of its versions it is.
    pub(crate) version: u128,
}

#[derive(Row, Deserialize)]
struct HourRow {
    start_hour: u32,
    calls: u64,
}

#[derive(Row, Deserialize)]
struct CallRow {
    trace_id: String,
    span_id: String,
    kind: String,
    start_ns: i64,
    provider: String,
    request_model: String,
    response_model: String,
    parameters: Vec<(String, String)>,
    metadata: Vec<(String, String)>,
    usage_details: Vec<(String, u64)>,
    cost_source: String,
    cost: Option<i128>,
    cost_details: Vec<(String, i128)>,
    price: String,
    version: u128,
}

/// Hours from `first` on that have such calls, and how many.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn count_by_hour(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    first: u32,
) -> Result<Vec<(u32, u64)>, StoreError> {
    let first = first.max(filter.from.map_or(0, hour));
    let query = within(clickhouse, project, BY_HOUR_SQL, filter)
        .param("from_hour", first)
        .param("to_hour", filter.to.map_or(u32::MAX, hour));
    let rows = query.rows::<HourRow>().await?;
    let hours = rows.into_iter().map(|row| (row.start_hour, row.calls));
    Ok(hours.collect())
}

/// Such calls of one hour after a place in it, each once, in the order of their ids.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn priced(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    (after, limit): (&Place, u32),
) -> Result<Vec<Call>, StoreError> {
    let query = within(clickhouse, project, SQL, filter)
        .param("hour", after.hour)
        .param("after_trace", &after.trace_id)
        .param("after_span", &after.span_id)
        .param("limit", limit);
    let rows = query.rows::<CallRow>().await?;
    rows.into_iter().map(CallRow::into_call).collect()
}

fn within(clickhouse: &ClickHouse, project: ProjectId, sql: &str, filter: &Filter) -> Read {
    let compiled = compile(filter);
    let nanos = |time: Option<Timestamp>, otherwise| time.map_or(otherwise, Timestamp::unix_nanos);
    let query = clickhouse
        .read(&with_conditions(sql, &compiled.on_span()))
        .param("project_id", project.to_string())
        .param("from_ns", nanos(filter.from, 0))
        .param("to_ns", nanos(filter.to, i64::MAX));
    with_params(query, &compiled)
}

impl CallRow {
    fn into_call(self) -> Result<Call, StoreError> {
        let start = timestamp(self.start_ns);
        let mut span = Span::bare(trace_id(&self.trace_id)?, span_id(&self.span_id)?, start);
        span.kind = SpanKind::from_name(&self.kind).unwrap_or_default();
        span.provider = some(self.provider);
        span.request_model = some(self.request_model);
        span.response_model = some(self.response_model);
        span.parameters = self.parameters.into_iter().collect();
        span.metadata = self.metadata.into_iter().collect();
        span.usage = Some(Usage {
            details: self.usage_details.into_iter().collect::<BTreeMap<_, _>>(),
            ..Usage::default()
        });
        span.cost = cost(self.cost, self.cost_details, &self.cost_source, &self.price);
        Ok(Call {
            span,
            version: self.version,
        })
    }
}

impl Call {
    /// Where it stands.
    pub fn place(&self) -> Place {
        Place {
            hour: hour(self.span.start),
            trace_id: self.span.trace_id.to_string(),
            span_id: self.span.span_id.to_string(),
        }
    }

    /// Its cost, if it was computed.
    pub fn cost(&self) -> Option<&Cost> {
        self.span.cost.as_ref()
    }
}
