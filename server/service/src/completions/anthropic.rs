//! Anthropic's messages.

use std::collections::BTreeMap;

use domain::message::{Media, Message, Modality, Part, Reference, Role};
use serde_json::{Map, Value as Json, json};

use super::ask::Ask;
use super::assembly::Delta;
use super::openai::{Ids, as_text};

/// Models that are offered without being named.
pub(super) const MODELS: &[&str] = &[
    "claude-opus-4-1",
    "claude-sonnet-4-5",
    "claude-sonnet-4-0",
    "claude-haiku-4-5",
    "claude-3-5-haiku-latest",
];
/// The interface needs a bound of the answer.
const MAX_TOKENS: u32 = 4_096;
/// The tool that stands for an answer that follows a schema.
const ANSWER: &str = "answer";

/// The body of a request.
pub(super) fn body(ask: &Ask) -> Json {
    let mut body = Map::from_iter([("max_tokens".to_owned(), json!(MAX_TOKENS))]);
    body.extend(ask.parameters.clone());
    body.insert("model".to_owned(), json!(ask.model));
    body.insert("stream".to_owned(), json!(true));
    let system = domain::message::system_text(&ask.messages);
    if !system.is_empty() {
        body.insert("system".to_owned(), json!(system));
    }
    body.insert("messages".to_owned(), Json::Array(messages(&ask.messages)));
    let tools = ask.tools.iter().map(|tool| {
        let schema = tool.parameters.clone();
        let schema = schema.unwrap_or_else(|| json!({"type": "object"}));
        let mut written = Map::from_iter([
            ("name".to_owned(), json!(tool.name)),
            ("input_schema".to_owned(), schema),
        ]);
        written.extend(
            tool.description
                .as_ref()
                .map(|it| ("description".to_owned(), json!(it))),
        );
        Json::Object(written)
    });
    let mut tools: Vec<Json> = tools.collect();
    if let Some(schema) = &ask.schema {
        tools.push(json!({
            "name": ANSWER,
            "description": "Gives the answer in the shape that is asked for.",
            "input_schema": schema,
        }));
        body.insert(
            "tool_choice".to_owned(),
            json!({"type": "tool", "name": ANSWER}),
        );
    }
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Json::Array(tools));
    }
    Json::Object(body)
}

/// Two in a row of the same role are one, and results of tools are said by the user.
fn messages(messages: &[Message]) -> Vec<Json> {
    let mut ids = Ids::default();
    let mut written: Vec<(&str, Vec<Json>)> = Vec::new();
    for message in messages {
        let role = match message.role {
            Role::System => continue,
            Role::Assistant => "assistant",
            Role::User | Role::Tool => "user",
        };
        let blocks = message.parts.iter();
        let blocks: Vec<Json> = blocks
            .filter_map(|part| block(part, message.role, &mut ids))
            .collect();
        match written.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            _ => written.push((role, blocks)),
        }
    }
    let written = written.into_iter().filter(|(_, blocks)| !blocks.is_empty());
    written
        .map(|(role, blocks)| json!({"role": role, "content": blocks}))
        .collect()
}

fn block(part: &Part, role: Role, ids: &mut Ids) -> Option<Json> {
    Some(match part {
        Part::Text { content } if role == Role::Tool => {
            json!({"type": "tool_result", "tool_use_id": ids.of_result(None), "content": content})
        }
        Part::Text { content } if content.is_empty() => return None,
        Part::Text { content } => json!({"type": "text", "text": content}),
        // Thoughts are taken back only with their signature, which is not kept apart.
        Part::Reasoning { .. } => return None,
        Part::ToolCall {
            id,
            name,
            arguments,
        } => json!({
            "type": "tool_use",
            "id": ids.of_call(id.as_deref()),
            "name": name,
            "input": if arguments.is_object() { arguments.clone() } else { json!({}) },
        }),
        Part::ToolResult { id, result, .. } => json!({
            "type": "tool_result",
            "tool_use_id": ids.of_result(id.as_deref()),
            "content": as_text(result),
        }),
        Part::Media(media) => attached(media),
        Part::Other { value } => value.clone(),
    })
}

fn attached(media: &Media) -> Json {
    let (kind, mime) = match media.modality {
        Modality::Document => ("document", "application/pdf"),
        _ => ("image", "image/png"),
    };
    let source = match &media.reference {
        Reference::Inline(data) => {
            let mime = media.mime_type.as_deref().unwrap_or(mime);
            json!({"type": "base64", "media_type": mime, "data": data})
        }
        Reference::Uri(url) => json!({"type": "url", "url": url}),
        Reference::FileId(id) => json!({"type": "file", "file_id": id}),
    };
    json!({"type": kind, "source": source})
}

/// Reads the data of an event, or a whole answer. Where an answer follows a schema, what the tool is
/// called with is the answer.
pub(super) fn read(data: &str, follows_schema: bool) -> Vec<Delta> {
    let Ok(json) = serde_json::from_str::<Json>(data) else {
        return Vec::new();
    };
    let text = |json: &Json, field: &str| {
        let text = json.get(field).and_then(Json::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let at = json.get("index").and_then(Json::as_u64).unwrap_or(0);
    let mut deltas = Vec::new();
    match json.get("type").and_then(Json::as_str) {
        Some("error") => {
            let error = json.get("error").unwrap_or(&json);
            deltas.push(Delta::Failed(super::target::words_of(error)));
        }
        Some("message_start") => deltas.extend(json.get("message").map(head).into_iter().flatten()),
        Some("content_block_start") => {
            let block = json.get("content_block").unwrap_or(&Json::Null);
            deltas.extend(begun(at, block, follows_schema));
        }
        Some("content_block_delta") => {
            let delta = json.get("delta").unwrap_or(&Json::Null);
            deltas.extend(text(delta, "text").map(Delta::Text));
            deltas.extend(text(delta, "thinking").map(Delta::Reasoning));
            deltas.extend(
                text(delta, "partial_json").map(|arguments| match follows_schema {
                    true => Delta::Text(arguments),
                    false => Delta::Call {
                        at,
                        id: None,
                        name: None,
                        arguments,
                    },
                }),
            );
        }
        Some("message_delta") => {
            let delta = json.get("delta").unwrap_or(&Json::Null);
            deltas.extend(text(delta, "stop_reason").map(Delta::Finish));
            deltas.extend(json.get("usage").map(tokens).map(Delta::Tokens));
        }
        Some("message_stop") => deltas.push(Delta::End),
        Some("message") => {
            deltas.extend(head(&json));
            let blocks = json.get("content").and_then(Json::as_array);
            for (at, block) in blocks.into_iter().flatten().enumerate() {
                deltas.extend(begun(at as u64, block, follows_schema));
            }
            deltas.extend(text(&json, "stop_reason").map(Delta::Finish));
        }
        _ => {}
    }
    deltas
}

fn head(message: &Json) -> Vec<Delta> {
    let text = |field: &str| message.get(field).and_then(Json::as_str).map(str::to_owned);
    let named = [text("model").map(Delta::Model), text("id").map(Delta::Id)];
    let usage = message.get("usage").map(tokens).map(Delta::Tokens);
    named.into_iter().flatten().chain(usage).collect()
}

/// A block as it begins; in a whole answer it is all of it.
fn begun(at: u64, block: &Json, follows_schema: bool) -> Option<Delta> {
    let text = |field: &str| block.get(field).and_then(Json::as_str).unwrap_or_default();
    match text("type") {
        "text" => Some(Delta::Text(text("text").to_owned())),
        "thinking" => Some(Delta::Reasoning(text("thinking").to_owned())),
        "tool_use" => {
            let input = block.get("input").and_then(Json::as_object);
            let input = input.filter(|input| !input.is_empty());
            let arguments = input.map_or_else(String::new, |input| json!(input).to_string());
            Some(match follows_schema {
                true => Delta::Text(arguments),
                false => Delta::Call {
                    at,
                    id: Some(text("id").to_owned()),
                    name: Some(text("name").to_owned()),
                    arguments,
                },
            })
        }
        _ => None,
    }
}

/// Kinds of input are told apart already.
fn tokens(usage: &Json) -> BTreeMap<String, u64> {
    let kinds = [
        ("input", "input_tokens"),
        ("cache_read", "cache_read_input_tokens"),
        ("cache_write", "cache_creation_input_tokens"),
        ("output", "output_tokens"),
    ];
    let told = kinds.into_iter().filter_map(|(kind, field)| {
        let count = usage.get(field).and_then(Json::as_u64)?;
        let is_said = count > 0 || !kind.starts_with("cache");
        is_said.then(|| (kind.to_owned(), count))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use domain::LlmConnectionId;
    use domain::message::{Side, read as read_messages};

    use super::super::assembly::Assembled;
    use super::*;

    fn ask(schema: Option<Json>) -> Ask {
        let said = json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Find it."},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{\"q\":1}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "a cat"},
            {"role": "user", "content": "And?"},
        ]);
        Ask {
            connection: LlmConnectionId(uuid::Uuid::nil()),
            model: "m".to_owned(),
            messages: read_messages(&said.to_string(), Side::Input)
                .unwrap()
                .messages,
            tools: Vec::new(),
            schema,
            parameters: Map::new(),
        }
    }

    #[test]
    fn a_conversation_takes_turns() {
        let body = body(&ask(None));
        assert_eq!(
            (&body["system"], &body["max_tokens"]),
            (&json!("Be brief."), &json!(4096))
        );
        let expected = json!([
            {"role": "user", "content": [{"type": "text", "text": "Find it."}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "c1", "name": "find", "input": {"q": 1}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "a cat"},
                {"type": "text", "text": "And?"}]},
        ]);
        assert_eq!(body["messages"], expected);
        let schema = json!({"type": "object"});
        let body = super::body(&ask(Some(schema.clone())));
        assert_eq!(body["tool_choice"]["name"], body["tools"][0]["name"]);
        assert_eq!(body["tools"][0]["input_schema"], schema);
    }

    #[test]
    fn events_and_a_whole_answer_come_to_the_same() {
        let usage = json!({"input_tokens": 9, "cache_read_input_tokens": 3, "output_tokens": 4});
        let whole = json!({"type": "message", "id": "x", "model": "m-1", "usage": usage, "stop_reason": "tool_use",
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hello"},
                {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}]});
        let events = [
            json!({"type": "message_start", "message": {"id": "x", "model": "m-1",
                "usage": {"input_tokens": 9, "cache_read_input_tokens": 3, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Hello"}}),
            json!({"type": "content_block_start", "index": 2,
                "content_block": {"type": "tool_use", "id": "c", "name": "f", "input": {}}}),
            json!({"type": "content_block_delta", "index": 2,
                "delta": {"type": "input_json_delta", "partial_json": "{\"a\":1}"}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 4}}),
            json!({"type": "message_stop"}),
        ];
        let together = |texts: Vec<String>| {
            let mut answer = Assembled::default();
            for delta in texts.iter().flat_map(|text| read(text, false)) {
                answer.take(&delta);
            }
            answer.places.clear();
            answer
        };
        let streamed = together(events.iter().map(Json::to_string).collect());
        assert_eq!(streamed, together(vec![whole.to_string()]));
        assert_eq!(streamed.usage().unwrap().input_tokens, Some(12));
        let failed =
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
        assert_eq!(
            read(&failed.to_string(), false),
            [Delta::Failed("busy".to_owned())]
        );
    }

    #[test]
    fn an_answer_that_follows_a_schema_is_what_the_tool_is_called_with() {
        let event = json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": "{\"a\":"}});
        assert_eq!(
            read(&event.to_string(), true),
            [Delta::Text("{\"a\":".to_owned())]
        );
    }
}
