//! Text Generation Inference.

use super::{Name, counter, gauge, histogram};

pub(super) const NAMES: &[Name] = &[
    gauge("tgi_batch_current_size", "token.running_requests"),
    gauge("tgi_queue_size", "token.waiting_requests"),
    histogram("tgi_request_mean_time_per_token_duration", "token.tpot_ms").times(1e3),
    histogram("tgi_request_queue_duration", "token.queue_ms").times(1e3),
    // Of a batch.
    histogram("tgi_batch_forward_duration", "token.prefill_ms")
        .times(1e3)
        .when("method", "prefill")
        .roughly(),
    histogram("tgi_batch_forward_duration", "token.decode_ms")
        .times(1e3)
        .when("method", "decode")
        .roughly(),
    histogram("tgi_request_duration", "token.e2e_ms").times(1e3),
    histogram("tgi_request_input_length", "token.input_tokens"),
    histogram("tgi_request_generated_tokens", "token.output_tokens"),
    counter("tgi_request_success", "token.requests_ok_per_s"),
];
