//! Rows of the traces list.

use clickhouse::Row;
use domain::trace::TraceSummary;
use domain::{ProjectId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{Compiled, with_conditions, with_params};
use crate::spans::row::{some, timestamp, trace_id};
use crate::traces::extent::Extent;
use crate::traces::metered::{self, MeteredRow};

pub(crate) const SQL: &str = include_str!("summarise.sql");

#[derive(Row, Deserialize)]
struct SummaryRow {
    trace_id: String,
    start_ns: i64,
    end_ns: Option<i64>,
    roots: u64,
    given_name: String,
    span_name: String,
    user: String,
    session: String,
    environment_shown: String,
    release_shown: String,
    version_shown: String,
    tenant_shown: String,
    all_tags: Vec<String>,
    models: Vec<String>,
    first_prompt: String,
    first_prompt_version: String,
    input_head: String,
    output_head: String,
    is_public: bool,
    spans: u64,
    errors: u64,
    first_error: String,
    metered: Vec<MeteredRow>,
    first_ttft_ms: Option<f64>,
    meets: u8,
}

/// A trace summed up, and whether it meets the conditions.
pub struct Judged {
    /// Its row.
    pub summary: TraceSummary,
    /// Whether it meets the conditions.
    pub meets: bool,
}

/// Whether tokens and cost are summed up, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// They are.
    Counted,
    /// They are not: whoever has the spans as well counts them there.
    LeftOpen,
}

/// Sums up traces that lie within an extent, in no order.
pub(crate) async fn summarise(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (trace_ids, extent): (&[&TraceId], Extent),
    (compiled, calls): (&Compiled, Calls),
) -> Result<Vec<Judged>, StoreError> {
    let query = clickhouse
        .read(&with_conditions(SQL, &compiled.on_trace()))
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_ids", trace_ids)
        .param("with_calls", calls == Calls::Counted);
    let rows = with_params(query, compiled).rows::<SummaryRow>().await?;
    rows.into_iter().map(SummaryRow::into_judged).collect()
}

impl SummaryRow {
    fn into_judged(self) -> Result<Judged, StoreError> {
        let meets = self.meets != 0;
        let totals = metered::totals_of(&self.metered)?;
        let summary = TraceSummary {
            trace_id: trace_id(&self.trace_id)?,
            name: some(self.given_name).unwrap_or(self.span_name),
            start: timestamp(self.start_ns),
            end: self.end_ns.map(timestamp),
            has_root: self.roots > 0,
            user_id: some(self.user),
            session_id: some(self.session),
            environment: self.environment_shown,
            release: some(self.release_shown),
            version: some(self.version_shown),
            tenant: some(self.tenant_shown),
            tags: self.all_tags,
            models: self.models,
            prompt: some(self.first_prompt).map(|name| (name, self.first_prompt_version)),
            input_preview: some(self.input_head),
            output_preview: some(self.output_head),
            is_public: self.is_public,
            span_count: self.spans,
            error_count: self.errors,
            first_error: some(self.first_error),
            input_tokens: totals.input_tokens,
            output_tokens: totals.output_tokens,
            cost: totals.cost,
            unpriced_calls: totals.unpriced_calls,
            ttft_ms: self.first_ttft_ms,
        };
        Ok(Judged { summary, meets })
    }
}
