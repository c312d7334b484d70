//! The shapes, one family a file. A family tells up to three things: a part by its own marks, a
//! message that is more than role and content, a body around messages.

/// Anthropic content blocks.
mod anthropic;
/// AutoGen's messages.
mod autogen;
/// Bedrock Converse, and Strands that speaks it.
mod bedrock;
/// Our own form.
mod canonical;
/// What most share: a role with content, a body with messages.
mod chat;
/// Cohere and Ollama.
mod cohere_ollama;
/// Gemini contents.
mod gemini;
/// OpenInference's and OpenLLMetry's numbered keys, put together.
mod indexed;
/// LangChain and LangGraph, and what Langfuse makes of them.
mod langchain;
/// LlamaIndex blocks and printed messages.
mod llamaindex;
/// OpenAI chat completions: content parts, calls, choices.
mod openai;
/// OpenTelemetry's parts and events.
mod otel;
/// pydantic-ai's own messages.
mod pydantic_ai;
/// OpenAI Responses: items.
mod responses;
/// Vercel AI SDK.
mod vercel;

use serde_json::Value as Json;

use super::json::{self, Map};
use super::read::Reading;
use super::{Conversation, Message, Part, Role, ToolDefinition};

type ReadPart = fn(&Map) -> Option<Part>;
type ReadMessages = fn(&Map) -> Option<Vec<Message>>;
type ReadBody = fn(&Map, Reading) -> Option<Conversation>;

/// Parts that their marks tell from any other JSON.
const PARTS: &[ReadPart] = &[
    canonical::part,
    otel::part,
    openai::part,
    responses::part,
    anthropic::part,
    gemini::part,
    bedrock::part,
    vercel::part,
    langchain::part,
    llamaindex::part,
    indexed::part,
    pydantic_ai::part,
];

/// Parts that are such only where parts are expected.
const PARTS_IN_CONTENT: &[ReadPart] = &[gemini::text, llamaindex::block];

/// Whatever is more than role and content comes before it.
const MESSAGES: &[ReadMessages] = &[
    otel::event,
    pydantic_ai::messages,
    langchain::messages,
    autogen::messages,
    openai::choice,
    chat::messages,
];

/// The more particular before the more general.
const BODIES: &[ReadBody] = &[
    openai::body,
    responses::body,
    gemini::body,
    bedrock::body,
    langchain::body,
    autogen::body,
    cohere_ollama::body,
    vercel::body,
    chat::body,
    langchain::wrapped,
];

/// A part that its marks tell.
pub(super) fn part(map: &Map) -> Option<Part> {
    PARTS.iter().find_map(|read| read(map))
}

/// Any JSON where a part is expected; what is not understood is kept.
pub(super) fn part_in_content(json: &Json) -> Part {
    match json {
        Json::String(text) => Part::text(text),
        _ => known_part(json).unwrap_or_else(|| Part::Other {
            value: json.clone(),
        }),
    }
}

/// The parts of any content: text, a list of parts, one part, or nothing.
pub(super) fn content(json: &Json) -> Vec<Part> {
    match json {
        Json::Null => Vec::new(),
        Json::String(text) if text.is_empty() => Vec::new(),
        Json::String(text) => parts_in_text(text).unwrap_or_else(|| vec![Part::text(text)]),
        Json::Array(items) => items.iter().map(part_in_content).collect(),
        Json::Object(map) => match json::list(map, &["parts"]) {
            Some(parts) => parts.iter().map(part_in_content).collect(),
            None => vec![part_in_content(json)],
        },
        Json::Bool(_) | Json::Number(_) => vec![Part::Other {
            value: json.clone(),
        }],
    }
}

/// System instructions: parts, or a message that holds them.
pub(super) fn instructions(json: &Json) -> Vec<Part> {
    let messages = match json {
        Json::Object(map) => messages(map),
        Json::Array(items) => items
            .iter()
            .map(messages_of)
            .collect::<Option<Vec<_>>>()
            .map(|all| all.concat()),
        _ => None,
    };
    match messages {
        Some(messages) => messages
            .into_iter()
            .flat_map(|message| message.parts)
            .collect(),
        None => content(json),
    }
}

/// The message, or messages, that an object is.
pub(super) fn messages(map: &Map) -> Option<Vec<Message>> {
    MESSAGES.iter().find_map(|read| read(map))
}

/// The same for an entry of a list, which may be a printed message.
pub(super) fn messages_of(json: &Json) -> Option<Vec<Message>> {
    match json {
        Json::Object(map) => messages(map),
        Json::String(text) => llamaindex::printed(text).map(|message| vec![message]),
        _ => None,
    }
}

/// An entry of a list of messages that lost its role: SDKs cut off what is over their limit of
/// attributes.
pub(super) fn message_without_role(json: &Json, speaker: Role) -> Option<Message> {
    const KEYS: &[&str] = &[
        "content",
        "contents",
        "tool_calls",
        "tool_call_id",
        "finish_reason",
    ];
    let map = json.as_object().filter(|map| !map.is_empty())?;
    if !map.keys().all(|key| KEYS.contains(&key.as_str())) {
        return None;
    }
    let role = match (
        map.contains_key("tool_call_id"),
        map.contains_key("tool_calls"),
    ) {
        (true, _) => "tool",
        (false, true) => "assistant",
        (false, false) if speaker == Role::Assistant => "assistant",
        (false, false) => "user",
    };
    let mut map = map.clone();
    map.insert("role".to_owned(), role.into());
    chat::messages(&map)?.pop()
}

/// A tool's definition that stands among messages.
pub(super) fn tool_among_messages(json: &Json) -> Option<ToolDefinition> {
    langchain::tool_as_message(json.as_object()?)
}

/// The conversation in a body around messages.
pub(super) fn body(map: &Map, reading: Reading) -> Option<Conversation> {
    BODIES.iter().find_map(|read| read(map, reading))
}

fn known_part(json: &Json) -> Option<Part> {
    let map = json.as_object()?;
    part(map).or_else(|| PARTS_IN_CONTENT.iter().find_map(|read| read(map)))
}

/// OpenLLMetry writes a list of parts as text.
fn parts_in_text(text: &str) -> Option<Vec<Part>> {
    if !text.trim_start().starts_with(['[', '"']) {
        return None;
    }
    let decoded = json::decoded(text)?;
    let items = decoded.as_array().filter(|items| !items.is_empty())?;
    items
        .iter()
        .map(|item| item.as_object().and_then(part))
        .collect()
}

/// What a tool gave back: JSON where it is, the words alone where it is parts of text.
fn result(json: &Json) -> Json {
    let words = json
        .as_array()
        .filter(|items| !items.is_empty())
        .and_then(|items| {
            let words: Option<Vec<String>> = items.iter().map(word).collect();
            Some(words?.join("\n"))
        });
    json::unwrapped(&words.map_or_else(|| json.clone(), Json::String))
}

fn word(json: &Json) -> Option<String> {
    match known_part(json)? {
        Part::Text { content } => Some(content),
        _ => None,
    }
}

/// What `keys` leave of a body.
fn rest(map: &Map, keys: &[&str]) -> Map {
    map.iter()
        .filter(|(key, _)| !keys.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use crate::message::{Message, Part, Side, read, text_of};

    pub(super) fn input(json: &Json) -> Vec<Message> {
        read(&json.to_string(), Side::Input).unwrap().messages
    }

    pub(super) fn output(json: &Json) -> Vec<Message> {
        read(&json.to_string(), Side::Output).unwrap().messages
    }

    pub(super) fn texts(messages: &[Message]) -> Vec<String> {
        messages.iter().map(text_of).collect()
    }

    pub(super) fn call(id: &str, name: &str, arguments: Json) -> Part {
        Part::ToolCall {
            id: Some(id.to_owned()),
            name: name.to_owned(),
            arguments,
        }
    }
}
