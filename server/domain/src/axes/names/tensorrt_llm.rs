//! TensorRT-LLM's own server, `trtllm-serve`.

use super::{Name, counter, gauge, histogram};

pub(super) const NAMES: &[Name] = &[
    gauge("trtllm_num_requests_running", "token.running_requests"),
    gauge("trtllm_num_requests_waiting", "token.waiting_requests"),
    gauge("trtllm_kv_cache_utilization", "token.kv_cache_usage"),
    gauge("trtllm_kv_cache_used_blocks", "token.kv_cache_used_blocks"),
    gauge("trtllm_kv_cache_max_blocks", "token.kv_cache_max_blocks"),
    gauge("trtllm_kv_cache_hit_rate", "token.kv_cache_hit_rate"),
    counter(
        "trtllm_kv_cache_reused_blocks",
        "token.kv_cache_reused_blocks",
    ),
    counter(
        "trtllm_kv_cache_missed_blocks",
        "token.kv_cache_missed_blocks",
    ),
    histogram("trtllm_time_to_first_token_seconds", "token.ttft_ms").times(1e3),
    histogram("trtllm_time_per_output_token_seconds", "token.tpot_ms").times(1e3),
    histogram("trtllm_request_queue_time_seconds", "token.queue_ms").times(1e3),
    histogram("trtllm_request_prefill_time_seconds", "token.prefill_ms").times(1e3),
    histogram("trtllm_request_decode_time_seconds", "token.decode_ms").times(1e3),
    histogram("trtllm_e2e_request_latency_seconds", "token.e2e_ms").times(1e3),
    counter("trtllm_prompt_tokens", "token.input_tokens_per_s"),
    counter("trtllm_generation_tokens", "token.decode_tokens_per_s"),
    gauge("trtllm_scheduled_batch_size", "token.batch_size"),
    gauge("trtllm_num_scheduled_requests", "token.batch_size").after(1),
    counter(
        "trtllm_spec_decode_num_accepted_tokens",
        "token.speculative_accepted_tokens",
    ),
    counter(
        "trtllm_spec_decode_num_draft_tokens",
        "token.speculative_draft_tokens",
    ),
    gauge("trtllm_num_paused_requests", "token.paused_requests"),
    counter("trtllm_request_success", "token.requests_ok_per_s"),
    // Before 1.2 without a prefix; what NIM calls the same stands with NIM.
    histogram("request_queue_time_seconds", "token.queue_ms")
        .times(1e3)
        .when("engine_type", "*"),
];
