//! OpenTelemetry GenAI: the current conventions, and the older ones that most still send.

use domain::attr::gen_ai as attr;
use domain::message::events;
use domain::span::SpanKind;

use super::{Content, Dialect, Side, kind_by_name};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::GEN_AI | super::ALWAYS,
    kind,
    fields: FIELDS,
    composed,
};

const FIELDS: &[(Field, &[Key])] = &[
    (Field::Session, keys![attr::CONVERSATION_ID]),
    (Field::User, keys![attr::USER, attr::REQUEST_USER]),
    (Field::Environment, keys![attr::ENVIRONMENT]),
    (Field::PromptName, keys![attr::PROMPT_NAME]),
    (Field::PromptVersion, keys![attr::PROMPT_VERSION]),
    (
        Field::Provider,
        keys![attr::PROVIDER_NAME, attr::SYSTEM, attr::REQUEST_PROVIDER],
    ),
    (Field::RequestModel, keys![attr::REQUEST_MODEL]),
    (Field::ResponseModel, keys![attr::RESPONSE_MODEL]),
    (
        Field::FinishReasons,
        keys![
            attr::RESPONSE_FINISH_REASONS,
            attr::RESPONSE_FINISH_REASON,
            attr::RESPONSE_STOP_REASON,
            attr::FINISH_REASON,
        ],
    ),
    (
        Field::InputTokens,
        keys![attr::USAGE_INPUT_TOKENS, attr::USAGE_PROMPT_TOKENS],
    ),
    (
        Field::OutputTokens,
        keys![attr::USAGE_OUTPUT_TOKENS, attr::USAGE_COMPLETION_TOKENS],
    ),
    (Field::TotalTokens, keys![attr::USAGE_TOTAL_TOKENS]),
    (
        Field::CacheRead,
        keys![
            attr::USAGE_CACHE_READ_INPUT_TOKENS,
            attr::USAGE_CACHE_READ_INPUT_TOKENS_FLAT,
            attr::USAGE_CACHED_INPUT_TOKENS,
            attr::USAGE_CACHED_TOKENS,
            attr::USAGE_DETAILS_CACHE_READ_TOKENS,
            attr::USAGE_DETAILS_CACHED_TOKENS,
            attr::USAGE_PROMPT_TOKEN_DETAILS_CACHED_TOKENS,
        ],
    ),
    (
        Field::CacheWrite,
        keys![
            attr::USAGE_CACHE_WRITE_INPUT_TOKENS,
            attr::USAGE_CACHE_CREATION_INPUT_TOKENS,
            attr::USAGE_CACHE_CREATION_INPUT_TOKENS_FLAT,
            attr::USAGE_CACHE_WRITE_INPUT_TOKENS_FLAT,
            attr::USAGE_DETAILS_CACHE_WRITE_TOKENS,
        ],
    ),
    (
        Field::Reasoning,
        keys![
            attr::USAGE_REASONING_OUTPUT_TOKENS,
            attr::USAGE_REASONING_TOKENS,
            attr::USAGE_DETAILS_REASONING_TOKENS,
        ],
    ),
    (
        Field::InputAudio,
        keys![
            attr::USAGE_AUDIO_INPUT_TOKENS,
            attr::USAGE_DETAILS_INPUT_AUDIO_TOKENS
        ],
    ),
    (
        Field::OutputAudio,
        keys![
            attr::USAGE_AUDIO_OUTPUT_TOKENS,
            attr::USAGE_DETAILS_OUTPUT_AUDIO_TOKENS
        ],
    ),
    (Field::InputImage, keys![attr::USAGE_IMAGE_INPUT_TOKENS]),
    (Field::OutputImage, keys![attr::USAGE_IMAGE_OUTPUT_TOKENS]),
    (Field::ResponseId, keys![attr::RESPONSE_ID]),
    (Field::ToolName, keys![attr::TOOL_NAME]),
    (Field::ToolCallId, keys![attr::TOOL_CALL_ID]),
    (
        Field::ToolDefinitions,
        keys![
            attr::TOOL_DEFINITIONS,
            attr::AGENT_TOOLS,
            attr::REQUEST_FUNCTIONS
        ],
    ),
    (
        Field::CostTotal,
        keys![attr::USAGE_COST, attr::USAGE_TOTAL_COST],
    ),
    (
        Field::TtftSeconds,
        keys![
            attr::RESPONSE_TIME_TO_FIRST_CHUNK,
            attr::CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
            attr::SERVER_TIME_TO_FIRST_TOKEN,
            attr::STREAMING_TIME_TO_FIRST_TOKEN,
            attr::LATENCY_TIME_TO_FIRST_TOKEN,
        ],
    ),
    (
        Field::TpotSeconds,
        keys![attr::SERVER_TIME_PER_OUTPUT_TOKEN],
    ),
    (Field::QueueSeconds, keys![attr::LATENCY_TIME_IN_QUEUE]),
    (
        Field::PrefillSeconds,
        keys![attr::LATENCY_TIME_IN_MODEL_PREFILL],
    ),
    (
        Field::DecodeSeconds,
        keys![attr::LATENCY_TIME_IN_MODEL_DECODE],
    ),
    (
        Field::Input,
        keys![
            attr::INPUT_MESSAGES,
            attr::TOOL_CALL_ARGUMENTS,
            attr::TOOL_INPUT,
            attr::TASK_INPUT,
            attr::WORKFLOW_INPUT,
            attr::PROMPT,
        ],
    ),
    (
        Field::Output,
        keys![
            attr::OUTPUT_MESSAGES,
            attr::TOOL_CALL_RESULT,
            attr::TOOL_OUTPUT,
            attr::TASK_OUTPUT,
            attr::WORKFLOW_OUTPUT,
            attr::COMPLETION,
        ],
    ),
];

fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    const OPERATIONS: &[(&str, SpanKind)] = &[
        ("chat", SpanKind::Generation),
        ("text_completion", SpanKind::Generation),
        ("generate_content", SpanKind::Generation),
        ("completion", SpanKind::Generation),
        ("generate", SpanKind::Generation),
        ("response", SpanKind::Generation),
        ("llm_request", SpanKind::Generation),
        ("llm_call", SpanKind::Generation),
        ("text_completions", SpanKind::Generation),
        ("image", SpanKind::Generation),
        ("image_generation", SpanKind::Generation),
        ("speech_to_text", SpanKind::Generation),
        ("text_to_speech", SpanKind::Generation),
        ("embeddings", SpanKind::Embedding),
        ("embedding", SpanKind::Embedding),
        ("retrieval", SpanKind::Retriever),
        ("vector_db_retrieve", SpanKind::Retriever),
        ("search_memory", SpanKind::Retriever),
        ("rerank", SpanKind::Reranker),
        ("execute_tool", SpanKind::Tool),
        ("tool_call", SpanKind::Tool),
        ("invoke_agent", SpanKind::Agent),
        ("create_agent", SpanKind::Agent),
        ("agent_call", SpanKind::Agent),
        ("invoke_workflow", SpanKind::Chain),
        ("plan", SpanKind::Chain),
        ("execute_task", SpanKind::Chain),
        ("agent_step", SpanKind::Chain),
        ("fetch_response", SpanKind::Span),
        ("create_memory_store", SpanKind::Span),
        ("delete_memory_store", SpanKind::Span),
        ("create_memory", SpanKind::Span),
        ("update_memory", SpanKind::Span),
        ("upsert_memory", SpanKind::Span),
        ("delete_memory", SpanKind::Span),
        ("evaluate", SpanKind::Evaluator),
        ("guardrail", SpanKind::Guardrail),
        ("apply_guardrail", SpanKind::Guardrail),
    ];
    kind_by_name(lookup, const { Key::new(attr::OPERATION_NAME) }, OPERATIONS)
        .or_else(|| {
            let (key, _) = lookup.first(keys![attr::TOOL_NAME, attr::TOOL_CALL_ID])?;
            Some((SpanKind::Tool, key.name))
        })
        .or_else(|| {
            let (key, _) = lookup.first(keys![attr::EVALUATION_NAME])?;
            Some((SpanKind::Evaluator, key.name))
        })
}

fn composed(content: &Content<'_, '_>, side: Side) -> Option<(String, &'static str)> {
    match side {
        Side::Input => system_and_messages(content.lookup),
        Side::Output => None,
    }
    .or_else(|| events::compose(content.events, side))
}

fn system_and_messages(lookup: &Lookup<'_>) -> Option<(String, &'static str)> {
    let (_, system) = lookup.text(keys![attr::SYSTEM_INSTRUCTIONS])?;
    let (_, messages) = lookup.text(keys![attr::INPUT_MESSAGES])?;
    let whole = events::with_system(system, messages)?;
    Some((whole, attr::INPUT_MESSAGES))
}
