//! The server of llama.cpp and its forks.

use super::{Name, counter, gauge};

pub(super) const NAMES: &[Name] = &[
    gauge("llamacpp_requests_processing", "token.running_requests"),
    gauge("llamacpp_requests_deferred", "token.waiting_requests"),
    gauge("llamacpp_kv_cache_usage_ratio", "token.kv_cache_usage"),
    counter("llamacpp_prompt_tokens", "token.input_tokens_per_s"),
    counter("llamacpp_tokens_predicted", "token.decode_tokens_per_s"),
    counter("llamacpp_tokens_predicted_seconds", "token.decode_total_ms").times(1e3),
    // Declared a counter; it is a mean.
    gauge("llamacpp_n_busy_slots_per_decode", "token.batch_size").roughly(),
];
