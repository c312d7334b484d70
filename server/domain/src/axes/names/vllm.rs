//! vLLM, both engines; under Ray the same with `ray_` before.

use super::{Name, counter, gauge, histogram};

pub(super) const NAMES: &[Name] = &[
    gauge("vllm_num_requests_running", "token.running_requests"),
    gauge("vllm_num_requests_waiting", "token.waiting_requests"),
    gauge("vllm_num_requests_swapped", "token.swapped_requests"),
    // 0 to 1, in spite of their names.
    gauge("vllm_kv_cache_usage_perc", "token.kv_cache_usage"),
    gauge("vllm_gpu_cache_usage_perc", "token.kv_cache_usage").after(1),
    gauge(
        "vllm_gpu_prefix_cache_hit_rate",
        "token.prefix_cache_hit_rate",
    ),
    counter("vllm_prefix_cache_hits", "token.prefix_cache_hits"),
    counter("vllm_prefix_cache_queries", "token.prefix_cache_queries"),
    counter("vllm_gpu_prefix_cache_hits", "token.prefix_cache_hits").after(1),
    counter(
        "vllm_gpu_prefix_cache_queries",
        "token.prefix_cache_queries",
    )
    .after(1),
    counter("vllm_prompt_tokens_cached", "token.cached_tokens_per_s"),
    histogram("vllm_time_to_first_token_seconds", "token.ttft_ms").times(1e3),
    histogram(
        "vllm_request_time_per_output_token_seconds",
        "token.tpot_ms",
    )
    .times(1e3),
    histogram("vllm_inter_token_latency_seconds", "token.tpot_ms")
        .times(1e3)
        .after(1),
    histogram("vllm_time_per_output_token_seconds", "token.tpot_ms")
        .times(1e3)
        .after(2),
    histogram("vllm_request_queue_time_seconds", "token.queue_ms").times(1e3),
    histogram("vllm_time_in_queue_requests", "token.queue_ms")
        .times(1e3)
        .after(1),
    histogram("vllm_request_prefill_time_seconds", "token.prefill_ms").times(1e3),
    histogram("vllm_request_decode_time_seconds", "token.decode_ms").times(1e3),
    histogram("vllm_e2e_request_latency_seconds", "token.e2e_ms").times(1e3),
    histogram("vllm_iteration_tokens", "token.tokens_per_iteration"),
    counter("vllm_prompt_tokens", "token.input_tokens_per_s"),
    counter("vllm_generation_tokens", "token.decode_tokens_per_s"),
    gauge(
        "vllm_avg_prompt_throughput_toks_per_s",
        "token.input_tokens_per_s",
    )
    .after(1),
    gauge(
        "vllm_avg_generation_throughput_toks_per_s",
        "token.decode_tokens_per_s",
    )
    .after(1),
    counter(
        "vllm_spec_decode_num_accepted_tokens",
        "token.speculative_accepted_tokens",
    ),
    counter(
        "vllm_spec_decode_num_draft_tokens",
        "token.speculative_draft_tokens",
    ),
    gauge(
        "vllm_spec_decode_draft_acceptance_rate",
        "token.speculative_acceptance_rate",
    ),
    counter("vllm_num_preemptions", "token.preemptions_per_s"),
    counter("vllm_request_success", "token.requests_ok_per_s"),
];
