//! Vercel AI SDK with its own keys (its newer exporter writes GenAI keys).

use domain::attr::vercel_ai as attr;
use domain::span::SpanKind;
use serde_json::json;

use super::{Content, Dialect, Side};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};
use crate::normalise::read;

pub(super) static DIALECT: Dialect = Dialect {
    families: family::AI,
    kind,
    fields: &[
        (
            Field::Session,
            keys![
                attr::TELEMETRY_METADATA_SESSION_ID,
                attr::SETTINGS_CONTEXT_SESSION_ID
            ],
        ),
        (
            Field::User,
            keys![
                attr::TELEMETRY_METADATA_USER_ID,
                attr::SETTINGS_CONTEXT_USER_ID
            ],
        ),
        (
            Field::Tags,
            keys![attr::TELEMETRY_METADATA_TAGS, attr::SETTINGS_CONTEXT_TAGS],
        ),
        (Field::Route, keys![attr::TELEMETRY_FUNCTION_ID]),
        (Field::Provider, keys![attr::MODEL_PROVIDER]),
        (Field::RequestModel, keys![attr::MODEL_ID]),
        (Field::ResponseModel, keys![attr::RESPONSE_MODEL]),
        (Field::FinishReasons, keys![attr::RESPONSE_FINISH_REASON]),
        (
            Field::InputTokens,
            keys![
                attr::USAGE_INPUT_TOKENS,
                attr::USAGE_PROMPT_TOKENS,
                attr::USAGE_TOKENS
            ],
        ),
        (
            Field::OutputTokens,
            keys![attr::USAGE_OUTPUT_TOKENS, attr::USAGE_COMPLETION_TOKENS],
        ),
        (Field::TotalTokens, keys![attr::USAGE_TOTAL_TOKENS]),
        (
            Field::CacheRead,
            keys![
                attr::USAGE_CACHED_INPUT_TOKENS,
                attr::USAGE_INPUT_TOKEN_DETAILS_CACHE_READ_TOKENS,
            ],
        ),
        (
            Field::CacheWrite,
            keys![attr::USAGE_INPUT_TOKEN_DETAILS_CACHE_WRITE_TOKENS],
        ),
        (
            Field::Reasoning,
            keys![
                attr::USAGE_REASONING_TOKENS,
                attr::USAGE_OUTPUT_TOKEN_DETAILS_REASONING_TOKENS,
            ],
        ),
        (Field::ResponseId, keys![attr::RESPONSE_ID]),
        (Field::ToolName, keys![attr::TOOL_CALL_NAME]),
        (Field::ToolCallId, keys![attr::TOOL_CALL_ID]),
        (Field::ToolDefinitions, keys![attr::PROMPT_TOOLS]),
        (
            Field::TtftMillis,
            keys![
                attr::RESPONSE_MS_TO_FIRST_CHUNK,
                attr::STREAM_MS_TO_FIRST_CHUNK
            ],
        ),
        (
            Field::Input,
            keys![
                attr::PROMPT_MESSAGES,
                attr::PROMPT,
                attr::TOOL_CALL_ARGS,
                attr::VALUE,
                attr::VALUES,
                attr::DOCUMENTS,
                attr::REQUEST_TEXT,
            ],
        ),
        (
            Field::Output,
            keys![
                attr::RESPONSE_TEXT,
                attr::RESPONSE_TOOL_CALLS,
                attr::RESPONSE_REASONING,
                attr::RESPONSE_OBJECT,
                attr::TOOL_CALL_RESULT,
                attr::EMBEDDING,
                attr::EMBEDDINGS,
                attr::RANKING,
                attr::RESULT_TEXT,
                attr::RESULT_OBJECT,
                attr::RESULT_TOOL_CALLS,
            ],
        ),
    ],
    composed,
};

/// The operation is a path such as `ai.streamText.doStream`.
fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    let (key, operation) = lookup.text(keys![attr::OPERATION_ID, attr::OPERATION_NAME])?;
    let operation = operation.split_whitespace().next()?;
    let last = operation.strip_prefix(PREFIX)?.rsplit('.').next()?;
    let kind = match last {
        "doGenerate" | "doStream" => SpanKind::Generation,
        "doEmbed" => SpanKind::Embedding,
        "doRerank" => SpanKind::Reranker,
        "toolCall" => SpanKind::Tool,
        "stream" => SpanKind::Agent,
        _ => SpanKind::Chain,
    };
    Some((kind, key.name))
}

/// What the operations begin with.
const PREFIX: &str = "ai.";

/// An answer may be text, reasoning and calls of tools at once: then it is one message.
fn composed(content: &Content<'_, '_>, side: Side) -> Option<(String, &'static str)> {
    if side == Side::Input {
        return None;
    }
    let get = |key| content.lookup.first(&[key]).map(|(_, value)| value);
    let text = get(const { Key::new(attr::RESPONSE_TEXT) });
    let reasoning = get(const { Key::new(attr::RESPONSE_REASONING) });
    let calls = get(const { Key::new(attr::RESPONSE_TOOL_CALLS) });
    if [text, reasoning, calls].into_iter().flatten().count() < 2 {
        return None;
    }
    let mut message = serde_json::Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert(
        "content".to_owned(),
        text.map_or(json!(""), |text| text.to_json()),
    );
    if let Some(reasoning) = reasoning {
        message.insert("reasoning".to_owned(), reasoning.to_json());
    }
    if let Some(calls) = calls {
        let calls = serde_json::from_str(&read::text(calls)).unwrap_or_else(|_| calls.to_json());
        message.insert("tool_calls".to_owned(), calls);
    }
    Some((json!([message]).to_string(), attr::RESPONSE_TEXT))
}
