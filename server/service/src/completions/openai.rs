//! `OpenAI`'s chat completions, and what imitates them.

use std::collections::BTreeMap;

use domain::message::{Media, Message, Modality, Part, Reference, Role};
use serde_json::{Map, Value as Json, json};

use super::ask::Ask;
use super::assembly::Delta;

/// Models that are offered without being named.
pub(super) const MODELS: &[&str] = &[
    "gpt-5",
    "gpt-5-mini",
    "gpt-5-nano",
    "gpt-4.1",
    "gpt-4.1-mini",
    "gpt-4o",
    "gpt-4o-mini",
    "o4-mini",
];
/// The same of Google AI Studio, which imitates this interface.
pub(super) const MODELS_OF_AI_STUDIO: &[&str] = &[
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "gemini-2.5-flash-lite",
];

/// The body of a request. Servers of `OpenAI`'s own have another name for the bound of the answer.
pub(super) fn body(ask: &Ask, is_original: bool) -> Json {
    let mut body = Map::new();
    for (name, value) in &ask.parameters {
        let name = match name.as_str() {
            "max_tokens" if is_original => "max_completion_tokens",
            other => other,
        };
        body.insert(name.to_owned(), value.clone());
    }
    body.insert("model".to_owned(), json!(ask.model));
    body.insert("messages".to_owned(), Json::Array(messages(&ask.messages)));
    body.insert("stream".to_owned(), json!(true));
    body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    if !ask.tools.is_empty() {
        let tools = ask.tools.iter().map(|tool| {
            let mut function = Map::from_iter([("name".to_owned(), json!(tool.name))]);
            function.extend(
                tool.description
                    .as_ref()
                    .map(|it| ("description".to_owned(), json!(it))),
            );
            function.extend(
                tool.parameters
                    .as_ref()
                    .map(|it| ("parameters".to_owned(), it.clone())),
            );
            json!({"type": "function", "function": function})
        });
        body.insert("tools".to_owned(), tools.collect());
    }
    if let Some(schema) = &ask.schema {
        let format = json!({
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": schema, "strict": is_strict(schema)},
        });
        body.insert("response_format".to_owned(), format);
    }
    Json::Object(body)
}

/// Whether a schema is one that must be followed to the letter: objects say that nothing else is in them.
fn is_strict(schema: &Json) -> bool {
    schema.get("additionalProperties") == Some(&Json::Bool(false))
}

/// Ids of calls that were recorded without one.
#[derive(Default)]
pub(super) struct Ids {
    called: usize,
    answered: usize,
}

impl Ids {
    pub(super) fn of_call(&mut self, id: Option<&str>) -> String {
        given(id, &mut self.called)
    }

    pub(super) fn of_result(&mut self, id: Option<&str>) -> String {
        given(id, &mut self.answered)
    }
}

fn given(id: Option<&str>, number: &mut usize) -> String {
    *number += 1;
    match id {
        Some(id) if !id.is_empty() => id.to_owned(),
        _ => format!("call_{number}"),
    }
}

/// JSON that is a text is that text, anything else is written out.
pub(super) fn as_text(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn messages(messages: &[Message]) -> Vec<Json> {
    let mut ids = Ids::default();
    let mut written = Vec::new();
    for message in messages {
        match message.role {
            Role::Tool => written.extend(results(message, &mut ids)),
            Role::Assistant => written.push(answer(message, &mut ids)),
            Role::System | Role::User => {
                let role = message.role.as_str();
                let mut said = json!({"role": role, "content": content(&message.parts)});
                if let (Some(name), Some(fields)) = (&message.name, said.as_object_mut()) {
                    fields.insert("name".to_owned(), json!(name));
                }
                written.push(said);
            }
        }
    }
    written
}

/// Words alone are a text; with anything else they are parts.
fn content(parts: &[Part]) -> Json {
    if let [Part::Text { content }] = parts {
        return json!(content);
    }
    let parts = parts.iter().filter_map(|part| match part {
        Part::Text { content } => Some(json!({"type": "text", "text": content})),
        Part::Media(media) => Some(picture(media)),
        Part::Other { value } => Some(value.clone()),
        Part::ToolCall { .. } | Part::ToolResult { .. } | Part::Reasoning { .. } => None,
    });
    parts.collect()
}

fn picture(media: &Media) -> Json {
    let mime = media.mime_type.as_deref();
    match (&media.reference, media.modality) {
        (Reference::FileId(id), _) => json!({"type": "file", "file": {"file_id": id}}),
        (Reference::Inline(data), Modality::Audio) => {
            let format = mime
                .and_then(|mime| mime.rsplit('/').next())
                .unwrap_or("wav");
            json!({"type": "input_audio", "input_audio": {"data": data, "format": format}})
        }
        (Reference::Inline(data), Modality::Document | Modality::Video) => {
            let mime = mime.unwrap_or("application/pdf");
            let url = format!("data:{mime};base64,{data}");
            json!({"type": "file", "file": {"filename": "file", "file_data": url}})
        }
        (Reference::Inline(data), Modality::Image) => {
            let url = format!("data:{};base64,{data}", mime.unwrap_or("image/png"));
            json!({"type": "image_url", "image_url": {"url": url}})
        }
        (Reference::Uri(url), _) => json!({"type": "image_url", "image_url": {"url": url}}),
    }
}

fn answer(message: &Message, ids: &mut Ids) -> Json {
    let calls = message.parts.iter().filter_map(|part| match part {
        Part::ToolCall {
            id,
            name,
            arguments,
        } => Some(json!({
            "id": ids.of_call(id.as_deref()),
            "type": "function",
            "function": {"name": name, "arguments": as_text(arguments)},
        })),
        _ => None,
    });
    let calls: Vec<Json> = calls.collect();
    let words = domain::message::text_of(message);
    let mut said = Map::from_iter([("role".to_owned(), json!("assistant"))]);
    let content = match words.is_empty() && !calls.is_empty() {
        true => Json::Null,
        false => json!(words),
    };
    said.insert("content".to_owned(), content);
    if !calls.is_empty() {
        said.insert("tool_calls".to_owned(), Json::Array(calls));
    }
    Json::Object(said)
}

/// Each result is a message of its own; a message without one is a result in words.
fn results(message: &Message, ids: &mut Ids) -> Vec<Json> {
    let results = message.parts.iter().filter_map(|part| match part {
        Part::ToolResult { id, result, .. } => Some((id.as_deref(), as_text(result))),
        Part::Text { content } => Some((None, content.clone())),
        _ => None,
    });
    let written = results.map(|(id, content)| {
        json!({"role": "tool", "tool_call_id": ids.of_result(id), "content": content})
    });
    written.collect()
}

/// Reads the data of an event, or a whole answer, which says `message` where events say `delta`.
pub(super) fn read(data: &str) -> Vec<Delta> {
    if data.trim() == "[DONE]" {
        return vec![Delta::End];
    }
    let Ok(json) = serde_json::from_str::<Json>(data) else {
        return Vec::new();
    };
    if let Some(error) = json.get("error").filter(|error| !error.is_null()) {
        return vec![Delta::Failed(super::target::words_of(error))];
    }
    let mut deltas = Vec::new();
    let text = |json: &Json, field: &str| {
        let text = json.get(field).and_then(Json::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    deltas.extend(text(&json, "model").map(Delta::Model));
    deltas.extend(text(&json, "id").map(Delta::Id));
    let choice = json.get("choices").and_then(|choices| choices.get(0));
    let said = choice.and_then(|choice| choice.get("delta").or_else(|| choice.get("message")));
    if let Some(said) = said {
        let reasoning = text(said, "reasoning_content").or_else(|| text(said, "reasoning"));
        deltas.extend(reasoning.map(Delta::Reasoning));
        deltas.extend(
            text(said, "content")
                .or_else(|| text(said, "refusal"))
                .map(Delta::Text),
        );
        let calls = said.get("tool_calls").and_then(Json::as_array);
        for (place, call) in calls.into_iter().flatten().enumerate() {
            let function = call.get("function").unwrap_or(&Json::Null);
            let at = call.get("index").and_then(Json::as_u64);
            deltas.push(Delta::Call {
                at: at.unwrap_or(place as u64),
                id: text(call, "id"),
                name: text(function, "name"),
                arguments: match function.get("arguments") {
                    Some(Json::String(text)) => text.clone(),
                    Some(json @ Json::Object(_)) => json.to_string(),
                    _ => String::new(),
                },
            });
        }
    }
    deltas.extend(
        choice
            .and_then(|choice| text(choice, "finish_reason"))
            .map(Delta::Finish),
    );
    deltas.extend(json.get("usage").and_then(tokens).map(Delta::Tokens));
    deltas
}

/// Cached tokens are among those of the prompt, thoughts among those of the answer.
fn tokens(usage: &Json) -> Option<BTreeMap<String, u64>> {
    let count = |path: &[&str]| {
        let found = path.iter().try_fold(usage, |json, field| json.get(field));
        found.and_then(Json::as_u64)
    };
    let (prompt, answer) = (count(&["prompt_tokens"])?, count(&["completion_tokens"])?);
    let cached = count(&["prompt_tokens_details", "cached_tokens"])
        .unwrap_or(0)
        .min(prompt);
    let thought = count(&["completion_tokens_details", "reasoning_tokens"]);
    let thought = thought.unwrap_or(0).min(answer);
    let mut tokens = BTreeMap::from([
        ("input".to_owned(), prompt - cached),
        ("output".to_owned(), answer - thought),
    ]);
    let special = [("cache_read", cached), ("reasoning", thought)];
    let special = special.into_iter().filter(|(_, count)| *count > 0);
    tokens.extend(special.map(|(kind, count)| (kind.to_owned(), count)));
    Some(tokens)
}

#[cfg(test)]
mod tests {
    use domain::LlmConnectionId;
    use domain::message::{Side, ToolDefinition, read as read_messages};

    use super::super::assembly::Assembled;
    use super::*;

    #[test]
    fn a_conversation_with_tools_is_written_as_it_is_spoken() {
        let said = json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{\"q\":1}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "a cat"},
        ]);
        let conversation = read_messages(&said.to_string(), Side::Input).unwrap();
        let ask = Ask {
            connection: LlmConnectionId(uuid::Uuid::nil()),
            model: "m".to_owned(),
            messages: conversation.messages,
            tools: vec![ToolDefinition {
                name: "find".to_owned(),
                description: None,
                parameters: Some(json!({"type": "object"})),
            }],
            schema: Some(json!({"type": "object", "additionalProperties": false})),
            parameters: Map::from_iter([("max_tokens".to_owned(), json!(5))]),
        };
        let body = body(&ask, false);
        assert_eq!(body["messages"], said);
        assert_eq!(body["tools"][0]["function"]["name"], "find");
        assert_eq!(body["response_format"]["json_schema"]["strict"], true);
        assert_eq!(body["max_tokens"], 5);
        assert_eq!(super::body(&ask, true)["max_completion_tokens"], 5);
    }

    #[test]
    fn events_and_a_whole_answer_come_to_the_same() {
        let usage = json!({"prompt_tokens": 10, "completion_tokens": 6,
            "prompt_tokens_details": {"cached_tokens": 4},
            "completion_tokens_details": {"reasoning_tokens": 2}});
        let whole = json!({"id": "x", "model": "m-1", "usage": usage, "choices": [{"finish_reason": "stop",
            "message": {"content": "Hello", "reasoning_content": "hm", "tool_calls": [
                {"id": "c", "function": {"name": "f", "arguments": "{}"}}]}}]});
        let events = [
            json!({"id": "x", "model": "m-1", "choices": [{"delta": {"reasoning_content": "hm"}}]}),
            json!({"choices": [{"delta": {"content": "Hel"}}]}),
            json!({"choices": [{"delta": {"content": "lo"}}]}),
            json!({"choices": [{"delta": {"tool_calls": [
                {"index": 0, "id": "c", "function": {"name": "f", "arguments": "{"}}]}}]}),
            json!({"choices": [{"delta": {"tool_calls": [
                {"index": 0, "function": {"arguments": "}"}}]}, "finish_reason": "stop"}]}),
            json!({"choices": [], "usage": usage}),
        ];
        let together = |texts: Vec<String>| {
            let mut answer = Assembled::default();
            for delta in texts.iter().flat_map(|text| read(text)) {
                answer.take(&delta);
            }
            answer
        };
        let streamed = together(events.iter().map(Json::to_string).collect());
        assert_eq!(streamed, together(vec![whole.to_string()]));
        assert_eq!(streamed.text, "Hello");
        let kinds = ["input", "cache_read", "output", "reasoning"];
        assert_eq!(kinds.map(|kind| streamed.tokens[kind]), [6, 4, 4, 2]);
        assert_eq!(read("[DONE]"), [Delta::End]);
        assert_eq!(read("not json"), []);
    }
}
