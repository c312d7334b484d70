use serde_json::Value as Json;

use super::chat;
use crate::message::json::{self, Map};
use crate::message::read::Reading;
use crate::message::tools::definitions;
use crate::message::{Conversation, Message, Modality, Part, Role, ToolDefinition};

/// Calls, and content blocks of version 1.
pub(super) fn part(map: &Map) -> Option<Part> {
    match json::kind(map) {
        "tool_call" => Some(Part::ToolCall {
            id: json::owned(map, &["id"]),
            name: json::owned(map, &["name"])?,
            arguments: json::unwrapped(map.get("args")?),
        }),
        kind @ ("image" | "audio" | "video" | "file") => {
            let modality = Modality::from_word(kind).unwrap_or(Modality::Document);
            let text = |keys: &[&str]| json::text(map, keys);
            let mime = text(&["mime_type"]);
            (text(&["base64"]).map(|data| Part::inline(modality, mime, data)))
                .or_else(|| text(&["url"]).map(|url| Part::at(modality, mime, url)))
                .or_else(|| text(&["file_id"]).map(|id| Part::file(modality, mime, id)))
        }
        _ => None,
    }
}

/// A message as constructor (`{lc, id, kwargs}`), as its fields, or as `{type, data}`.
pub(super) fn messages(map: &Map) -> Option<Vec<Message>> {
    if let Some((class, fields)) = constructor(map) {
        let word = class.strip_suffix("Chunk").unwrap_or(class);
        return message(word.strip_suffix("Message")?, fields);
    }
    let word = json::kind(map);
    if let Some(fields) = json::object(map, &["data"]).filter(|_| map.len() == 2) {
        return message(word, fields);
    }
    if map.contains_key("role") {
        return None;
    }
    let word = word.strip_suffix("MessageChunk").unwrap_or(word);
    message(word, map)
}

/// The name of the class with what it was made of.
fn constructor(map: &Map) -> Option<(&str, &Map)> {
    let class = json::list(map, &["id"])?.last()?.as_str()?;
    Some((class, json::object(map, &["kwargs"])?))
}

/// A message of the type `word`, read as a role with content.
fn message(word: &str, fields: &Map) -> Option<Vec<Message>> {
    let role = match word.to_ascii_lowercase().as_str() {
        "human" => "user",
        "ai" => "assistant",
        "system" => "system",
        "tool" | "function" => "tool",
        // A chat message tells its role itself.
        "chat" => json::text(fields, &["role"])?,
        _ => return None,
    };
    fields.get("content")?;
    let mut fields = fields.clone();
    // Its id is that of the message, not of a call.
    fields.remove("id");
    let extra = fields.remove("additional_kwargs");
    let about = fields.remove("response_metadata");
    let missing = |key: &str| {
        fields
            .get(key)
            .is_none_or(|value| value.as_array().is_some_and(Vec::is_empty))
    };
    if let Some(extra) = extra.as_ref().and_then(Json::as_object) {
        let more: Vec<_> = ["tool_calls", "function_call", "reasoning_content"]
            .into_iter()
            .filter(|key| missing(key) && extra.contains_key(*key))
            .collect();
        for key in more {
            fields.insert(key.to_owned(), extra.get(key).cloned().unwrap_or_default());
        }
    }
    if let Some(about) = about.as_ref().and_then(Json::as_object)
        && let Some(reason) = json::first(about, &["finish_reason", "stop_reason", "done_reason"])
    {
        fields.insert("finish_reason".to_owned(), reason.clone());
    }
    fields.insert("role".to_owned(), role.into());
    chat::messages(&fields)
}

/// What a model gave (`generations`), what a prompt made, and updates of a graph.
pub(super) fn body(map: &Map, reading: Reading) -> Option<Conversation> {
    if let Some(generations) = json::list(map, &["generations"]) {
        let mut messages = Vec::new();
        for generation in generations {
            let single = std::slice::from_ref(generation);
            for generation in generation.as_array().map_or(single, Vec::as_slice) {
                messages.extend(generated(generation.as_object()?)?);
            }
        }
        return (!messages.is_empty()).then(|| Conversation {
            messages,
            rest: super::rest(map, &["generations"]),
            ..Conversation::default()
        });
    }
    let (class, fields) = constructor(map)?;
    if class.ends_with("Message") {
        return None;
    }
    reading.conversation(fields.get("messages")?)
}

fn generated(generation: &Map) -> Option<Vec<Message>> {
    let message = json::object(generation, &["message"]).and_then(super::messages);
    let info = json::object(generation, &["generation_info", "generationInfo"]);
    let reason = info.and_then(|info| json::owned(info, &["finish_reason", "stop_reason"]));
    let mut messages = match message {
        Some(messages) => messages,
        None => vec![chat::said(
            Role::Assistant,
            json::text(generation, &["text"])?,
        )],
    };
    if let Some(last) = messages.last_mut()
        && last.finish_reason.is_none()
    {
        last.finish_reason = reason;
    }
    Some(messages)
}

/// A conversation within what a callback, a decorator or a graph wraps around it.
pub(super) fn wrapped(map: &Map, reading: Reading) -> Option<Conversation> {
    const KEYS: &[&str] = &[
        "inputs", "outputs", "input", "output", "update", "kwargs", "request", "response",
    ];
    if map.contains_key("role") || map.contains_key("content") {
        return None;
    }
    let (key, mut found) = KEYS
        .iter()
        .find_map(|key| Some((*key, reading.conversation(map.get(*key)?)?)))?;
    let mut rest = super::rest(map, &[key]);
    rest.extend(std::mem::take(&mut found.rest));
    found.rest = rest;
    Some(found)
}

/// Langfuse's callback puts the tools of a call among its messages.
pub(super) fn tool_as_message(map: &Map) -> Option<ToolDefinition> {
    let content = json::object(map, &["content"])?;
    let is_tool = json::text(map, &["role"]) == Some("tool")
        && !map.contains_key("tool_call_id")
        && json::kind(content) == "function"
        && json::object(content, &["function"])?.contains_key("parameters");
    is_tool.then(|| definitions(map.get("content")?).into_iter().next())?
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, output, texts};
    use crate::message::{Part, Role, Side, finish_reasons, output_text, read};
    use serde_json::json;

    fn constructed(class: &str, kwargs: &serde_json::Value) -> serde_json::Value {
        json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": kwargs})
    }

    #[test]
    fn constructed_messages_are_read_from_their_batches() {
        let messages = input(&json!({"messages": [[
            constructed("SystemMessage", &json!({"content": "根据资料回答", "type": "system"})),
            constructed("HumanMessage", &json!({"content": "能用吗？", "type": "human"})),
        ]]}));
        assert_eq!(texts(&messages), ["根据资料回答", "能用吗？"]);
        assert_eq!(
            (messages[0].role, messages[1].role),
            (Role::System, Role::User)
        );
    }

    #[test]
    fn what_a_model_generated_is_its_message() {
        let messages = output(
            &json!({"generations": [[{"text": "可以。", "generation_info": {"finish_reason": "stop", "logprobs": null},
            "type": "ChatGeneration", "message": constructed("AIMessage", &json!({"content": "可以。", "additional_kwargs": {"refusal": null},
            "response_metadata": {"finish_reason": "stop"}, "type": "ai", "id": "run-1"}))}]], "llm_output": {"model_name": "gpt-4o"}}),
        );
        assert_eq!(output_text(&messages), "可以。");
        assert_eq!(finish_reasons(&messages), ["stop"]);
        let plain = output(&json!({"generations": [[{"text": "yes", "type": "Generation"}]]}));
        assert_eq!(output_text(&plain), "yes");
    }

    #[test]
    fn messages_of_a_graph_are_read_by_their_type() {
        let messages = input(&json!({"messages": [
            {"content": "Weather?", "additional_kwargs": {}, "response_metadata": {}, "type": "human", "name": null, "id": "1"},
            {"content": "", "additional_kwargs": {"refusal": null}, "type": "ai", "name": "weather_agent", "id": "2",
             "response_metadata": {"finish_reason": "tool_calls"}, "invalid_tool_calls": [],
             "tool_calls": [{"name": "get_weather", "args": {"city": "Oslo"}, "id": "c1", "type": "tool_call"}]},
            {"content": "{\"temp_c\": -3}", "type": "tool", "name": "get_weather", "id": null, "tool_call_id": "c1", "artifact": null, "status": "success"},
        ]}));
        assert_eq!(
            messages[1].parts,
            [call("c1", "get_weather", json!({"city": "Oslo"}))]
        );
        assert_eq!(messages[1].finish_reason.as_deref(), Some("tool_calls"));
        assert_eq!(
            messages[2].parts,
            [Part::ToolResult {
                id: Some("c1".to_owned()),
                name: Some("get_weather".to_owned()),
                result: json!({"temp_c": -3}),
            }]
        );
    }

    #[test]
    fn wrappings_of_callbacks_graphs_and_prompts_are_seen_through() {
        let message = constructed("HumanMessage", &json!({"content": "hi", "type": "human"}));
        for whole in [
            json!({"inputs": {"messages": [message]}, "tags": [], "metadata": {}, "kwargs": {"name": "x"}}),
            json!({"outputs": {"lc": 1, "type": "constructor", "id": ["ChatPromptValue"], "kwargs": {"messages": [message]}}, "kwargs": {"tags": []}}),
            json!([{"graph": null, "update": {"messages": [message]}, "resume": null, "goto": []}]),
            json!({"type": "human", "data": {"content": "hi"}}),
        ] {
            assert_eq!(texts(&input(&whole)), ["hi"], "{whole}");
        }
    }

    #[test]
    fn tools_that_stand_among_messages_are_definitions() {
        let text = json!([
            {"role": "user", "content": "hi"},
            {"role": "tool", "content": {"type": "function", "function": {"name": "get_weather", "description": "天气", "parameters": {"type": "object"}}}},
        ]).to_string();
        let found = read(&text, Side::Input).unwrap();
        assert_eq!(found.messages.len(), 1);
        assert_eq!(found.tool_definitions[0].name, "get_weather");
    }

    #[test]
    fn documents_and_arguments_are_no_conversation() {
        for other in [
            json!([{"id": "1", "metadata": {"id": "d"}, "page_content": "x", "type": "Document"}]),
            json!({"context": "c", "question": "q"}),
            json!({"role": "导游", "q": "杭州"}),
            json!({"args": ["hi", 3], "kwargs": {}}),
            json!([{"id": "1", "content": "x", "score": 0.5}]),
        ] {
            assert_eq!(read(&other.to_string(), Side::Input), None, "{other}");
            assert_eq!(read(&other.to_string(), Side::Output), None, "{other}");
        }
    }
}
