//! What exporters of a fleet tell of a reading, and what clients tell of a call, by the names that the world has for it.

use fleet::scenario::instance_name;
use fleet::{Call, Reading};
use tests::builders::SpanBuilder;

/// Model that every instance serves.
pub(crate) const MODEL: &str = "qwen3-32b";

/// The value of a series at a reading.
pub(crate) type Read = fn(&Reading) -> f64;

/// Gauges of vLLM.
pub(crate) const ENGINE: [(&str, Read); 3] = [
    ("vllm:num_requests_running", |r| r.running),
    ("vllm:num_requests_waiting", |r| r.waiting),
    ("vllm:kv_cache_usage_perc", |r| r.kv_usage),
];

/// Counters of vLLM, without `_total`, and what they grow by with each reading: shares come as two of them.
pub(crate) const COUNTED: [(&str, Read); 2] = [
    ("vllm:prefix_cache_queries", |_| 1_000.0),
    ("vllm:prefix_cache_hits", |r| 1_000.0 * r.prefix_hit_rate),
];

/// Gauges of the DCGM exporter.
pub(crate) const GPU: [(&str, Read); 8] = [
    ("DCGM_FI_PROF_SM_ACTIVE", |r| r.sm_active),
    ("DCGM_FI_PROF_DRAM_ACTIVE", |r| r.dram_active),
    ("DCGM_FI_DEV_POWER_USAGE", |r| r.power_w),
    ("DCGM_FI_DEV_GPU_TEMP", |r| r.temperature_c),
    ("DCGM_FI_PROF_NVLINK_RX_BYTES", |r| r.nvlink_bytes),
    ("DCGM_FI_PROF_PCIE_RX_BYTES", |r| r.pcie_bytes),
    ("DCGM_FI_DEV_FB_USED", |r| 80_000.0 * r.memory_used_ratio),
    ("DCGM_FI_DEV_FB_FREE", |r| {
        80_000.0 * (1.0 - r.memory_used_ratio)
    }),
];

/// The pod of an instance.
pub(crate) fn pod(index: usize) -> String {
    format!("vllm-{index}")
}

/// A call as its client tells of it; `millis` gives milliseconds since 1970 for seconds of the simulation.
pub(crate) fn span(call: &Call, millis: impl Fn(f64) -> u64) -> SpanBuilder {
    let nanos = |seconds: f64| format!("{}000000", millis(seconds));
    let instance = instance_name(call.instance);
    let (host, port) = instance.split_once(':').unwrap();
    SpanBuilder::root("chat")
        .field("kind", 3)
        .field("startTimeUnixNano", nanos(call.at))
        .field("endTimeUnixNano", nanos(call.ended))
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", MODEL)
        .attribute("server.address", host)
        .attribute("server.port", port.parse::<u16>().unwrap())
        .attribute("gen_ai.usage.input_tokens", call.input_tokens as u64)
        .attribute("gen_ai.usage.output_tokens", call.output_tokens as u64)
        .attribute(
            "gen_ai.usage.cache_read.input_tokens",
            call.cached_tokens as u64,
        )
        .attribute(
            "gen_ai.server.time_to_first_token",
            call.first_token - call.at,
        )
        .attribute("gen_ai.latency.time_in_queue", call.began - call.at)
        .attribute(
            "gen_ai.latency.time_in_model_prefill",
            call.first_token - call.began,
        )
        .attribute("langfuse.observation.prompt.name", call.prompt)
        .attribute("langfuse.observation.prompt.version", call.version)
        .attribute("langfuse.release", call.release)
        .attribute("llm.app.tenant_id", call.tenant)
        .attribute("llm.app.route", format!("/v1/{}", call.prompt))
        .attribute("llm.quality.format_valid", call.format_valid)
        .attribute("llm.quality.refused", call.refused)
        .attribute("llm.quality.repeated_ngram_ratio", call.repeated)
}
