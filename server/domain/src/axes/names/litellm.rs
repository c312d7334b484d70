//! The proxy of `LiteLLM`. Its requests are the engines' requests again, so that they stand behind them.

use super::{Name, counter, histogram};

pub(super) const NAMES: &[Name] = &[
    histogram(
        "litellm_llm_api_time_to_first_token_metric",
        "token.ttft_ms",
    )
    .times(1e3)
    .after(9),
    histogram(
        "litellm_deployment_latency_per_output_token",
        "token.tpot_ms",
    )
    .times(1e3)
    .after(9),
    histogram("litellm_llm_api_latency_metric", "token.e2e_ms")
        .times(1e3)
        .after(9),
    counter("litellm_input_tokens_metric", "token.input_tokens_per_s").after(9),
    counter("litellm_input_tokens", "token.input_tokens_per_s").after(9),
    counter("litellm_output_tokens_metric", "token.decode_tokens_per_s").after(9),
    counter("litellm_output_tokens", "token.decode_tokens_per_s").after(9),
];
