//! Dynamo, which passes the series of its engines through and adds its own.

use super::{Name, gauge, histogram};

pub(super) const NAMES: &[Name] = &[
    // 0 to 1, in spite of its name.
    gauge(
        "dynamo_component_gpu_cache_usage_percent",
        "token.kv_cache_usage",
    )
    .after(1),
    histogram(
        "dynamo_frontend_time_to_first_token_seconds",
        "token.ttft_ms",
    )
    .times(1e3)
    .after(3),
    histogram(
        "dynamo_frontend_inter_token_latency_seconds",
        "token.tpot_ms",
    )
    .times(1e3)
    .after(3),
];
