//! Rules for Prometheus: those that can be said in its language over what exporters tell. The rest stand there as
//! comments, with the reason.

use std::fmt::Write as _;

use super::kind::{Condition, Direction};
use super::measure::{Aggregate, AlertSeries};
use super::rule::Rule;
use crate::filter::Filter;

/// What Prometheus has for a series.
enum Told {
    /// A gauge, times a factor.
    Gauge(&'static str, f64),
    /// A histogram, times a factor.
    Histogram(&'static str, f64),
}

/// Series as the exporters in widest use name them: vLLM for serving, DCGM for devices.
const TOLD: &[(&str, Told)] = &[
    (
        "token.ttft_ms",
        Told::Histogram("vllm:time_to_first_token_seconds", 1e3),
    ),
    (
        "token.tpot_ms",
        Told::Histogram("vllm:request_time_per_output_token_seconds", 1e3),
    ),
    (
        "token.e2e_ms",
        Told::Histogram("vllm:e2e_request_latency_seconds", 1e3),
    ),
    (
        "token.queue_ms",
        Told::Histogram("vllm:request_queue_time_seconds", 1e3),
    ),
    (
        "token.prefill_ms",
        Told::Histogram("vllm:request_prefill_time_seconds", 1e3),
    ),
    (
        "token.running_requests",
        Told::Gauge("vllm:num_requests_running", 1.0),
    ),
    (
        "token.waiting_requests",
        Told::Gauge("vllm:num_requests_waiting", 1.0),
    ),
    (
        "token.kv_cache_usage",
        Told::Gauge("vllm:kv_cache_usage_perc", 1.0),
    ),
    ("gpu.sm_active", Told::Gauge("DCGM_FI_PROF_SM_ACTIVE", 1.0)),
    (
        "gpu.tensor_active",
        Told::Gauge("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", 1.0),
    ),
    (
        "gpu.dram_active",
        Told::Gauge("DCGM_FI_PROF_DRAM_ACTIVE", 1.0),
    ),
    ("gpu.power_w", Told::Gauge("DCGM_FI_DEV_POWER_USAGE", 1.0)),
    (
        "gpu.temperature_c",
        Told::Gauge("DCGM_FI_DEV_GPU_TEMP", 1.0),
    ),
];

/// A file of alerting rules, YAML.
pub fn file<'r>(rules: impl Iterator<Item = &'r Rule>) -> String {
    let (mut told, mut untold) = (String::new(), String::new());
    for rule in rules.filter(|rule| rule.draft.enabled) {
        let draft = &rule.draft;
        match expression(rule) {
            Ok(expression) => {
                let name = text(&draft.name);
                let _ = write!(
                    told,
                    "      - alert: {name}\n        expr: {}\n        for: {}s\n        keep_firing_for: {}s\n        \
                     labels:\n          severity: {}\n        annotations:\n          summary: {}\n",
                    text(&expression),
                    draft.for_s,
                    draft.kind.keep_s,
                    text(draft.severity.as_str()),
                    text(&plain(draft.series.as_ref()))
                );
            }
            Err(why) => {
                let _ = writeln!(untold, "# {}: {why}", text(&draft.name));
            }
        }
    }
    let rules = if told.is_empty() { " []\n" } else { "\n" };
    format!("{untold}groups:\n  - name: triaxis\n    rules:{rules}{told}")
}

fn plain(series: Option<&AlertSeries>) -> String {
    series.map(ToString::to_string).unwrap_or_default()
}

/// A text in JSON, which YAML takes, too. What templates would read as theirs is taken apart.
fn text(text: &str) -> String {
    let text = text.replace("{{", "{ {");
    serde_json::to_string(&text).unwrap_or_default()
}

fn expression(rule: &Rule) -> Result<String, &'static str> {
    let draft = &rule.draft;
    let series = draft.series.as_ref().ok_or("it is about other rules")?;
    if draft.filter.filter != Filter::default() {
        return Err("its filter is about requests, which Prometheus does not have");
    }
    let window = draft.kind.window_s;
    match &draft.kind.condition {
        Condition::Threshold { direction, value } => {
            let sign = match direction {
                Direction::Up => '>',
                Direction::Down => '<',
            };
            let of = of(series, window, &draft.kind.group_by)?;
            Ok(format!("{of} {sign} {value}"))
        }
        Condition::NoData => Ok(format!("absent_over_time({}[{window}s])", name(series)?)),
        Condition::Adaptive { .. } | Condition::P99Shift { .. } => {
            Err("what is usual at an hour of the day cannot be said in PromQL")
        }
        Condition::CostSpike { .. } => Err("Prometheus does not have the cost of requests"),
        Condition::SloBurn { .. } => Err("Prometheus does not have requests one by one"),
        Condition::Composite { .. } => Err("it is about other rules"),
    }
}

fn told(series: &AlertSeries) -> Option<&'static Told> {
    let known = TOLD.iter().find(|(name, _)| *name == series.name());
    known.map(|(_, told)| told)
}

fn name(series: &AlertSeries) -> Result<String, &'static str> {
    match told(series) {
        Some(Told::Gauge(name, _)) => Ok((*name).to_owned()),
        Some(Told::Histogram(name, _)) => Ok(format!("{name}_count")),
        None => {
            let name = series.name();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
            let is_name =
                name.chars().all(is_plain) && !name.starts_with(|c: char| c.is_ascii_digit());
            match is_name {
                true => Ok(name.to_owned()),
                false => Err("no exporter in wide use tells of this series"),
            }
        }
    }
}

fn of(series: &AlertSeries, window: u64, group_by: &[String]) -> Result<String, &'static str> {
    let by = |more: &str| {
        let mut labels: Vec<&str> = group_by.iter().map(String::as_str).collect();
        if !more.is_empty() {
            labels.push(more);
        }
        match labels.is_empty() {
            true => String::new(),
            false => format!(" by ({})", labels.join(", ")),
        }
    };
    let times = |expression: String, factor: f64| match factor {
        1.0 => expression,
        factor => format!("{factor} * {expression}"),
    };
    if let Some(Told::Histogram(name, factor)) = told(series) {
        let quantile = match series.aggregate {
            Aggregate::P50 => 0.5,
            Aggregate::P90 => 0.9,
            Aggregate::P95 => 0.95,
            Aggregate::P99 => 0.99,
            Aggregate::Avg => {
                let rate = |part| format!("sum{}(rate({name}_{part}[{window}s]))", by(""));
                return Ok(times(
                    format!("{} / {}", rate("sum"), rate("count")),
                    *factor,
                ));
            }
            _ => return Err("of a histogram Prometheus has quantiles and the mean only"),
        };
        let buckets = format!("sum{}(rate({name}_bucket[{window}s]))", by("le"));
        return Ok(times(
            format!("histogram_quantile({quantile}, {buckets})"),
            *factor,
        ));
    }
    let factor = match told(series) {
        Some(Told::Gauge(_, factor)) => *factor,
        _ => 1.0,
    };
    let over = |function: &str| {
        let name = name(series)?;
        let outer = match function {
            "min_over_time" => "min",
            "max_over_time" => "max",
            _ => "avg",
        };
        Ok(format!("{outer}{}({function}({name}[{window}s]))", by("")))
    };
    let expression = match series.aggregate {
        Aggregate::Avg | Aggregate::Rate => over("avg_over_time"),
        Aggregate::Min => over("min_over_time"),
        Aggregate::Max => over("max_over_time"),
        _ => Err("of a gauge Prometheus is asked for mean, least and greatest only"),
    };
    Ok(times(expression?, factor))
}
