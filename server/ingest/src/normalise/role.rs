//! Whether a span records a call of its own.

use domain::attr::gen_ai;
use domain::span::CallRole;

use super::lookup::{Lookup, keys};

/// Span of a request in vLLM and engines that follow it.
const ENGINE_SPAN: &str = "llm_request";
/// Beginning of what SGLang calls its modules.
const SGLANG: &str = "sglang::";
/// Operation that asks again for an answer that was given before.
const FETCH: &str = "fetch_response";

/// Engines tell of a call that a client also records; some operations repeat an earlier call's usage.
pub(super) fn role(name: &str, lookup: &Lookup<'_>) -> CallRole {
    let text = |key| lookup.text(key).map(|(_, text)| text);
    let engine_latency = keys![
        gen_ai::LATENCY_TIME_IN_QUEUE,
        gen_ai::LATENCY_TIME_IN_MODEL_PREFILL,
        gen_ai::LATENCY_TIME_TO_FIRST_TOKEN,
    ];
    let is_vllm = name == ENGINE_SPAN && lookup.first(engine_latency).is_some();
    let is_sglang = text(keys!["module"]).is_some_and(|module| module.starts_with(SGLANG));
    if is_vllm || is_sglang {
        CallRole::Engine
    } else if text(keys![gen_ai::OPERATION_NAME]) == Some(FETCH) {
        CallRole::Repeat
    } else {
        CallRole::Own
    }
}
