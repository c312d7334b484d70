//! NVIDIA NIM for LLMs, 1.x: the names of vLLM without any prefix.

use super::{Name, counter, gauge, histogram};

pub(super) const NAMES: &[Name] = &[
    gauge("num_requests_running", "token.running_requests"),
    gauge("num_requests_waiting", "token.waiting_requests"),
    gauge("gpu_cache_usage_perc", "token.kv_cache_usage"),
    histogram("time_to_first_token_seconds", "token.ttft_ms").times(1e3),
    histogram("time_per_output_token_seconds", "token.tpot_ms").times(1e3),
    histogram("e2e_request_latency_seconds", "token.e2e_ms").times(1e3),
    counter("prompt_tokens", "token.input_tokens_per_s"),
    counter("generation_tokens", "token.decode_tokens_per_s"),
    counter("request_success", "token.requests_ok_per_s"),
];
