//! GPUs of the project's own: a price, and what they yielded.

use domain::Usd;
use domain::cost::{GpuReport, ProjectGpuPrice};
use domain::pattern::NamePattern;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::Serialize;
use service::gpu_prices::Report;

/// A price, ready to be written.
#[derive(Serialize)]
pub(crate) struct GpuPriceRow<'a> {
    id: String,
    model: &'a str,
    provider: Option<&'a str>,
    instance: Option<&'a str>,
    usd_per_gpu_hour: String,
    gpus: u32,
    created_at: String,
}

impl<'a> From<&'a ProjectGpuPrice> for GpuPriceRow<'a> {
    fn from(price: &'a ProjectGpuPrice) -> Self {
        let draft = &price.draft;
        GpuPriceRow {
            id: price.id.to_string(),
            model: draft.model.as_str(),
            provider: draft.provider.as_ref().map(NamePattern::as_str),
            instance: draft.instance.as_ref().map(NamePattern::as_str),
            usd_per_gpu_hour: Usd(draft.price.usd_per_gpu_hour).to_string(),
            gpus: draft.price.gpus,
            created_at: price.created_at.to_string(),
        }
    }
}

/// A report, ready to be written.
#[derive(Serialize)]
pub(crate) struct GpuCosts<'a> {
    from: String,
    to: String,
    sets: Vec<GpuSet<'a>>,
}

#[derive(Serialize)]
struct GpuSet<'a> {
    price: GpuPriceRow<'a>,
    models: &'a [String],
    calls: u64,
    open_calls: u64,
    uncounted_calls: u64,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    busy_ms: f64,
    idle_ms: f64,
    idle_share: Option<f64>,
    concurrency: Option<f64>,
    input_tokens_per_s: Option<f64>,
    output_tokens_per_s: Option<f64>,
    gpu_hours: String,
    cost: GpuCost,
    usd_per_million_tokens: Option<String>,
    usd_per_million_tokens_with_idle: Option<String>,
}

#[derive(Serialize)]
struct GpuCost {
    total: String,
    busy: String,
    idle: String,
    currency: &'static str,
}

impl<'a> From<&'a Report> for GpuCosts<'a> {
    fn from(report: &'a Report) -> Self {
        GpuCosts {
            from: report.from.to_string(),
            to: report.to.to_string(),
            sets: report.sets.iter().map(GpuSet::from).collect(),
        }
    }
}

impl<'a> From<&'a GpuReport> for GpuSet<'a> {
    fn from(set: &'a GpuReport) -> Self {
        let cost = set.cost();
        let text = |usd: Usd| usd.rounded().to_string();
        let number = |number: Option<Decimal>| number.and_then(|number| number.to_f64());
        GpuSet {
            price: GpuPriceRow::from(&set.price),
            models: &set.models,
            calls: set.calls,
            open_calls: set.open_calls,
            uncounted_calls: set.uncounted_calls,
            input_tokens: set.input_tokens,
            output_tokens: set.output_tokens,
            busy_ms: set.time.busy.as_millis_f64(),
            idle_ms: set.idle_time().as_millis_f64(),
            idle_share: number(set.idle_share()),
            concurrency: number(set.concurrency()),
            input_tokens_per_s: number(set.per_second(set.input_tokens)),
            output_tokens_per_s: number(set.per_second(set.output_tokens)),
            gpu_hours: set.gpu_hours().round_dp(6).normalize().to_string(),
            cost: GpuCost {
                total: text(cost.busy + cost.idle),
                busy: text(cost.busy),
                idle: text(cost.idle),
                currency: "USD",
            },
            usd_per_million_tokens: set.usd_per_million_tokens().map(text),
            usd_per_million_tokens_with_idle: set.usd_per_million_tokens_with_idle().map(text),
        }
    }
}
