//! Triton Inference Server, with its backend for TensorRT-LLM, which puts many measures into one family.

use super::{Name, counter, gauge, histogram};

pub(super) const NAMES: &[Name] = &[
    gauge("nv_trt_llm_request_metrics", "token.running_requests").when("request_type", "scheduled"),
    gauge("nv_trt_llm_request_metrics", "token.waiting_requests").when("request_type", "waiting"),
    gauge("nv_trt_llm_request_metrics", "token.paused_requests").when("request_type", "paused"),
    gauge("nv_trt_llm_request_statistics", "token.running_requests")
        .when("request_type", "scheduled"),
    gauge("nv_trt_llm_request_statistics", "token.waiting_requests")
        .when("request_type", "waiting"),
    gauge(
        "nv_inference_pending_request_count",
        "token.waiting_requests",
    )
    .after(1),
    gauge("nv_trt_llm_kv_cache_block_metrics", "token.kv_cache_usage")
        .when("kv_cache_block_type", "fraction"),
    gauge(
        "nv_trt_llm_kv_cache_block_statistics",
        "token.kv_cache_usage",
    )
    .when("kv_cache_block_type", "fraction"),
    gauge(
        "nv_trt_llm_kv_cache_block_metrics",
        "token.kv_cache_used_blocks",
    )
    .when("kv_cache_block_type", "used"),
    gauge(
        "nv_trt_llm_kv_cache_block_metrics",
        "token.kv_cache_max_blocks",
    )
    .when("kv_cache_block_type", "max"),
    histogram("nv_inference_first_response_histogram_ms", "token.ttft_ms"),
    // In microseconds, of all requests.
    counter("nv_inference_queue_duration_us", "token.queue_total_ms").times(1e-3),
    counter("nv_inference_request_duration_us", "token.e2e_total_ms").times(1e-3),
    counter("nv_inference_request_success", "token.requests_ok_per_s"),
    gauge("nv_gpu_utilization", "gpu.sm_active")
        .after(2)
        .roughly(),
    gauge("nv_gpu_memory_used_bytes", "gpu.memory_used_bytes"),
    gauge("nv_gpu_memory_total_bytes", "gpu.memory_total_bytes"),
    gauge("nv_gpu_power_usage", "gpu.power_w"),
    counter("nv_energy_consumption", "gpu.energy_j"),
];
