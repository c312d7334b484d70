//! `SGLang`.

use super::{Name, counter, gauge, histogram};

pub(super) const NAMES: &[Name] = &[
    gauge("sglang_num_running_reqs", "token.running_requests"),
    gauge("sglang_num_queue_reqs", "token.waiting_requests"),
    gauge("sglang_token_usage", "token.kv_cache_usage"),
    // Of the last prefill batch: it falls to 0 while decoding.
    gauge("sglang_cache_hit_rate", "token.prefix_cache_hit_rate")
        .after(1)
        .roughly(),
    counter("sglang_cached_tokens", "token.cached_tokens_per_s"),
    histogram("sglang_time_to_first_token_seconds", "token.ttft_ms").times(1e3),
    histogram(
        "sglang_request_time_per_output_token_seconds",
        "token.tpot_ms",
    )
    .times(1e3),
    histogram("sglang_inter_token_latency_seconds", "token.tpot_ms")
        .times(1e3)
        .after(1),
    histogram("sglang_time_per_output_token_seconds", "token.tpot_ms")
        .times(1e3)
        .after(2),
    histogram("sglang_queue_time_seconds", "token.queue_ms").times(1e3),
    gauge("sglang_avg_request_queue_latency", "token.queue_ms")
        .times(1e3)
        .after(1)
        .roughly(),
    histogram("sglang_per_stage_req_latency_seconds", "token.prefill_ms")
        .times(1e3)
        .when("stage", "prefill*"),
    histogram("sglang_per_stage_req_latency_seconds", "token.decode_ms")
        .times(1e3)
        .when("stage", "decode*"),
    histogram("sglang_e2e_request_latency_seconds", "token.e2e_ms").times(1e3),
    counter("sglang_prompt_tokens", "token.input_tokens_per_s"),
    counter("sglang_generation_tokens", "token.decode_tokens_per_s"),
    // Keeps its last value when nothing runs.
    gauge("sglang_gen_throughput", "token.decode_tokens_per_s")
        .after(1)
        .roughly(),
    gauge(
        "sglang_spec_accept_rate",
        "token.speculative_acceptance_rate",
    ),
    counter("sglang_num_retracted_requests", "token.preemptions_per_s"),
    counter("sglang_evicted_tokens", "token.kv_evicted_tokens"),
    counter("sglang_num_requests", "token.requests_ok_per_s"),
];
