//! Values of the axes: which there are, where each comes from, and how those of several GPUs become one.

use std::fmt;

use super::recipe::{self, Recipe};

/// How values of several GPUs, or of several parts of an engine, become one of the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Their mean: shares.
    Mean,
    /// Their sum: watts, bytes, requests.
    Sum,
    /// The greatest: temperatures, codes of errors.
    Most,
    /// The least: free memory.
    Least,
}

impl Fold {
    /// Of some values; `None` of none.
    pub fn of(self, values: impl Iterator<Item = f64>) -> Option<f64> {
        let mut count = 0.0;
        let folded = values.inspect(|_| count += 1.0).reduce(match self {
            Fold::Mean | Fold::Sum => |one: f64, other: f64| one + other,
            Fold::Most => f64::max,
            Fold::Least => f64::min,
        })?;
        Some(if self == Fold::Mean {
            folded / count
        } else {
            folded
        })
    }
}

/// Values of the axis `gpu`, with how those of several GPUs become one of their instance. Worst of temperature and
/// errors, sum of watts and bytes, mean of shares: the same at all times, so that windows can be compared.
pub const GPU: &[(&str, Fold)] = &[
    ("gpu.sm_active", Fold::Mean),
    ("gpu.tensor_active", Fold::Mean),
    ("gpu.dram_active", Fold::Mean),
    ("gpu.memory_used_ratio", Fold::Mean),
    ("gpu.power_w", Fold::Sum),
    ("gpu.temperature_c", Fold::Most),
    ("gpu.pcie_rx_bytes", Fold::Sum),
    ("gpu.pcie_tx_bytes", Fold::Sum),
    ("gpu.nvlink_rx_bytes", Fold::Sum),
    ("gpu.nvlink_tx_bytes", Fold::Sum),
    ("gpu.ecc_dbe_total", Fold::Sum),
    ("gpu.xid", Fold::Most),
    ("gpu.free_memory_gb", Fold::Least),
    ("gpu.largest_free_block_gb", Fold::Least),
    ("gpu.memory_fragmentation_ratio", Fold::Most),
];

/// Where a value of the axis `token` comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The request's own span, or that of its engine.
    Request,
    /// The serving instance.
    Instance,
    /// The request's own, else that of the instance.
    RequestElseInstance,
}

/// Values of the axis `token`.
pub const TOKEN: &[(&str, Origin)] = &[
    ("token.ttft_ms", Origin::Request),
    ("token.tpot_ms", Origin::Request),
    ("token.queue_ms", Origin::Request),
    ("token.prefill_ms", Origin::Request),
    ("token.decode_tokens_per_s", Origin::Request),
    ("token.e2e_ms", Origin::Request),
    ("token.input_tokens", Origin::Request),
    ("token.output_tokens", Origin::Request),
    ("token.cached_tokens", Origin::Request),
    ("token.kv_cache_hit_rate", Origin::RequestElseInstance),
    ("token.kv_cache_usage", Origin::Instance),
    ("token.kv_evicted_blocks", Origin::Request),
    ("token.kv_evicted_tokens", Origin::RequestElseInstance),
    ("token.prefix_cache_hit_rate", Origin::Instance),
    ("token.batch_size", Origin::RequestElseInstance),
    ("token.running_requests", Origin::Instance),
    ("token.waiting_requests", Origin::Instance),
    (
        "token.speculative_acceptance_rate",
        Origin::RequestElseInstance,
    ),
];

/// Values of the axis `quality` that every project has, with whether they say yes or no.
pub const QUALITY: &[(&str, bool)] = &[
    ("quality.format_valid", true),
    ("quality.length_in_range", true),
    ("quality.refused", true),
    ("quality.stop_reason_valid", true),
    ("quality.repeated_ngram_ratio", false),
    ("quality.unknown_token_run", false),
    ("quality.truncated_json", true),
];

/// Most bytes of the name of a value.
const MAX_NAME_BYTES: usize = 200;

/// Something that has a value for a request, an instance or a GPU.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AxisValue {
    /// One of [`GPU`].
    Gpu(&'static str),
    /// One of [`TOKEN`].
    Token(&'static str),
    /// A judgement by its name: `quality.format_valid`.
    Quality(String),
    /// A numeric or boolean score by its name: `score.relevance`.
    Score(String),
    /// Cost in US dollars: `cost`.
    Cost,
    /// Requests themselves: `requests`.
    Requests,
    /// Whether a request failed: `errors`.
    Errors,
}

impl AxisValue {
    /// From its name; `None` for one that there is not.
    pub fn parse(name: &str) -> Option<Self> {
        if name.len() > MAX_NAME_BYTES || name.contains('\0') {
            return None;
        }
        if let Some((known, _)) = GPU.iter().find(|(known, _)| *known == name) {
            return Some(AxisValue::Gpu(known));
        }
        if let Some((known, _)) = TOKEN.iter().find(|(known, _)| *known == name) {
            return Some(AxisValue::Token(known));
        }
        let named = |prefix: &str| name.strip_prefix(prefix).filter(|rest| !rest.is_empty());
        match name {
            // As rules of alerts name them, too.
            "cost" | "request.cost_usd" => Some(AxisValue::Cost),
            "requests" | "request.count" => Some(AxisValue::Requests),
            "errors" | "request.errors" => Some(AxisValue::Errors),
            _ => named("quality.score.")
                .or_else(|| named("score."))
                .map(|score| AxisValue::Score(score.to_owned()))
                .or_else(|| named("quality.").map(|name| AxisValue::Quality(name.to_owned()))),
        }
    }

    /// Whether it says yes or no. Of scores and of judgements of the project's own it shows in the values alone.
    pub fn is_flag(&self) -> bool {
        match self {
            AxisValue::Errors => true,
            AxisValue::Quality(name) => QUALITY
                .iter()
                .any(|(known, is_flag)| *is_flag && known.strip_prefix("quality.") == Some(name)),
            _ => false,
        }
    }

    /// Whether instances or GPUs have it without any request.
    pub fn is_of_fleet(&self) -> bool {
        match self {
            AxisValue::Gpu(_) => true,
            AxisValue::Token(name) => TOKEN
                .iter()
                .any(|(known, origin)| known == name && *origin == Origin::Instance),
            _ => false,
        }
    }

    /// What an instance's value is made of, the best first; nothing for what only requests have.
    pub fn recipes(&self) -> &'static [Recipe] {
        match self {
            AxisValue::Gpu(name) | AxisValue::Token(name) => recipe::of(name),
            _ => &[],
        }
    }
}

impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AxisValue::Gpu(name) | AxisValue::Token(name) => f.write_str(name),
            AxisValue::Quality(name) => write!(f, "quality.{name}"),
            AxisValue::Score(name) => write!(f, "score.{name}"),
            AxisValue::Cost => f.write_str("cost"),
            AxisValue::Requests => f.write_str("requests"),
            AxisValue::Errors => f.write_str("errors"),
        }
    }
}
