//! OpenInference (Arize Phoenix).

use domain::attr::openinference as attr;
use domain::span::SpanKind;

use super::{Content, Dialect, Side, indexed, kind_by_name};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::OPENINFERENCE | family::LLM,
    kind,
    fields: &[
        (Field::PromptName, keys![attr::PROMPT_ID]),
        (
            Field::PromptVersion,
            keys![attr::LLM_PROMPT_TEMPLATE_VERSION],
        ),
        (Field::User, keys![attr::LLM_USER]),
        (Field::Provider, keys![attr::LLM_PROVIDER, attr::LLM_SYSTEM]),
        (
            Field::RequestModel,
            keys![
                attr::LLM_MODEL_NAME,
                attr::EMBEDDING_MODEL_NAME,
                attr::RERANKER_MODEL_NAME
            ],
        ),
        (
            Field::Parameters,
            keys![
                attr::LLM_INVOCATION_PARAMETERS,
                attr::EMBEDDING_INVOCATION_PARAMETERS
            ],
        ),
        (Field::FinishReasons, keys![attr::LLM_FINISH_REASON]),
        (Field::InputTokens, keys![attr::LLM_TOKEN_COUNT_PROMPT]),
        (Field::OutputTokens, keys![attr::LLM_TOKEN_COUNT_COMPLETION]),
        (Field::TotalTokens, keys![attr::LLM_TOKEN_COUNT_TOTAL]),
        (
            Field::CacheRead,
            keys![
                attr::LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ,
                attr::LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_INPUT,
            ],
        ),
        (
            Field::CacheWrite,
            keys![attr::LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE],
        ),
        (
            Field::Reasoning,
            keys![attr::LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING],
        ),
        (
            Field::InputAudio,
            keys![attr::LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO],
        ),
        (
            Field::OutputAudio,
            keys![attr::LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO],
        ),
        (
            Field::ToolName,
            keys![attr::TOOL_NAME, attr::TOOL_CALL_FUNCTION_NAME],
        ),
        (Field::ToolCallId, keys![attr::TOOL_ID, attr::TOOL_CALL_ID]),
        (Field::CostTotal, keys![attr::LLM_COST_TOTAL]),
        (
            Field::Input,
            keys![attr::INPUT_VALUE, attr::TOOL_PARAMETERS],
        ),
        (Field::Output, keys![attr::OUTPUT_VALUE, attr::TOOL_RESULT]),
    ],
    composed,
};

fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    const KINDS: &[(&str, SpanKind)] = &[
        ("LLM", SpanKind::Generation),
        ("EMBEDDING", SpanKind::Embedding),
        ("RETRIEVER", SpanKind::Retriever),
        ("RERANKER", SpanKind::Reranker),
        ("TOOL", SpanKind::Tool),
        ("AGENT", SpanKind::Agent),
        ("CHAIN", SpanKind::Chain),
        ("GUARDRAIL", SpanKind::Guardrail),
        ("EVALUATOR", SpanKind::Evaluator),
        ("PROMPT", SpanKind::Span),
        ("DECISION", SpanKind::Generation),
    ];
    kind_by_name(
        lookup,
        const { Key::new(attr::OPENINFERENCE_SPAN_KIND) },
        KINDS,
    )
}

fn composed(content: &Content<'_, '_>, side: Side) -> Option<(String, &'static str)> {
    let prefix = match side {
        Side::Input => attr::LLM_INPUT_MESSAGES,
        Side::Output => attr::LLM_OUTPUT_MESSAGES,
    };
    Some((
        indexed::messages(content.lookup.attributes, prefix)?,
        prefix,
    ))
}
