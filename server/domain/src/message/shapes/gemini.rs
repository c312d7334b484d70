use serde_json::{Value as Json, json};

use super::chat;
use crate::message::json::{self, Map};
use crate::message::read::Reading;
use crate::message::tools::definitions;
use crate::message::{Conversation, Message, Modality, Part, Role};

/// Parts that go by one key, in either case.
pub(super) fn part(map: &Map) -> Option<Part> {
    if let Some(call) = json::object(map, &["functionCall", "function_call"]) {
        return Some(Part::ToolCall {
            id: json::owned(call, &["id"]),
            name: json::owned(call, &["name"])?,
            arguments: json::first(call, &["args"]).map_or_else(|| json!({}), json::unwrapped),
        })
        .filter(|_| !call.contains_key("arguments") && !map.contains_key("role"));
    }
    if let Some(response) = json::object(map, &["functionResponse", "function_response"]) {
        return Some(Part::ToolResult {
            id: json::owned(response, &["id"]),
            name: Some(json::owned(response, &["name"])?),
            result: response.get("response").map_or(Json::Null, json::unwrapped),
        });
    }
    if let Some(blob) = json::object(map, &["inlineData", "inline_data"]) {
        let mime = json::text(blob, &["mimeType", "mime_type"]);
        let data = json::text(blob, &["data"])?;
        return Some(Part::inline(Modality::Document, mime, data));
    }
    let file = json::object(map, &["fileData", "file_data"])?;
    let mime = json::text(file, &["mimeType", "mime_type"]);
    let uri = json::text(file, &["fileUri", "file_uri"])?;
    Some(Part::at(Modality::Document, mime, uri))
}

/// Text, which has no mark but its key, here and with Bedrock.
pub(super) fn text(map: &Map) -> Option<Part> {
    if map.contains_key("type") || map.contains_key("role") {
        return None;
    }
    let text = json::text(map, &["text"])?;
    let is_thought = map.get("thought").and_then(Json::as_bool) == Some(true);
    Some(if is_thought {
        Part::reasoning(text)
    } else {
        Part::text(text)
    })
}

/// A request (`contents`), an answer (`candidates`), or ADK's event around one content.
pub(super) fn body(map: &Map, _: Reading) -> Option<Conversation> {
    if let Some(contents) = map.get("contents") {
        return request(map, contents);
    }
    if let Some(candidates) = json::list(map, &["candidates"]).filter(|list| !list.is_empty()) {
        let messages: Option<Vec<_>> = candidates
            .iter()
            .map(|candidate| answer(candidate.as_object()?))
            .collect();
        return Some(Conversation {
            messages: messages?,
            rest: super::rest(map, &["candidates"]),
            ..Conversation::default()
        });
    }
    // A message of a chat that wraps a content has its own role.
    let is_event = !map.contains_key("role")
        && json::list(json::object(map, &["content"])?, &["parts"]).is_some();
    let messages = vec![answer(map).filter(|_| is_event)?];
    Some(Conversation {
        messages,
        rest: super::rest(map, &["content"]),
        ..Conversation::default()
    })
}

fn request(map: &Map, contents: &Json) -> Option<Conversation> {
    let contents = match contents {
        Json::Array(items) => items.as_slice(),
        single => std::slice::from_ref(single),
    };
    let messages: Option<Vec<_>> = contents
        .iter()
        .map(|json| content(json, Role::User))
        .collect();
    let messages = messages.filter(|messages| !messages.is_empty())?;
    let mut found = Conversation {
        messages,
        ..Conversation::default()
    };
    const SYSTEM: &[&str] = &["systemInstruction", "system_instruction"];
    let config = json::object(map, &["config"]);
    for map in [Some(map), config].into_iter().flatten() {
        if let Some(system) = json::first(map, SYSTEM) {
            chat::instruct(&mut found, system);
        }
        if let Some(tools) = map.get("tools") {
            found.tool_definitions.extend(definitions(tools));
        }
    }
    found.rest = super::rest(map, &[&["contents", "tools"], SYSTEM].concat());
    Some(found)
}

fn answer(candidate: &Map) -> Option<Message> {
    let mut message = content(candidate.get("content")?, Role::Assistant)?;
    message.finish_reason = json::owned(candidate, &["finishReason", "finish_reason"]);
    Some(message)
}

/// `{role, parts}`, or text alone.
fn content(json: &Json, speaker: Role) -> Option<Message> {
    match json {
        Json::String(text) => Some(chat::said(speaker, text)),
        Json::Object(map) => {
            let parts = map.get("parts").or_else(|| map.get("text").map(|_| json))?;
            let (role, name) = json::text(map, &["role"]).map_or((speaker, None), Role::and_name);
            let mut message = Message::new(role, super::content(parts));
            message.name = name;
            Some(message)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{output, texts};
    use crate::message::{Part, Role, Side, read};
    use serde_json::json;

    #[test]
    fn a_request_is_read_in_either_case() {
        for (system, call, response) in [
            ("systemInstruction", "functionCall", "functionResponse"),
            ("system_instruction", "function_call", "function_response"),
        ] {
            let request = json!({
                "model": "gemini-2.5-flash",
                system: {"parts": [{"text": "用工具回答。"}]},
                "tools": [{"functionDeclarations": [{"name": "get_weather", "description": "天气"}]}],
                "contents": [
                    {"role": "user", "parts": [{"text": "杭州天气？"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]},
                    {"role": "model", "parts": [{call: {"name": "get_weather", "args": {"city": "杭州"}}}]},
                    {"role": "user", "parts": [{response: {"name": "get_weather", "response": {"sky": "小雨"}}}]},
                ],
            });
            let found = read(&request.to_string(), Side::Input).unwrap();
            let roles: Vec<Role> = found.messages.iter().map(|message| message.role).collect();
            assert_eq!(
                roles,
                [Role::System, Role::User, Role::Assistant, Role::Tool]
            );
            assert_eq!(texts(&found.messages)[..2], ["用工具回答。", "杭州天气？"]);
            assert!(matches!(found.messages[1].parts[1], Part::Media(_)));
            assert!(
                matches!(&found.messages[2].parts[0], Part::ToolCall { arguments, .. } if arguments["city"] == "杭州")
            );
            assert_eq!(found.tool_definitions[0].name, "get_weather");
        }
    }

    #[test]
    fn an_answer_is_read_with_thoughts_and_reason() {
        let messages = output(
            &json!({"candidates": [{"content": {"role": "model", "parts": [
            {"text": "Think.", "thought": true}, {"text": "晴"},
        ]}, "finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 5}}),
        );
        assert_eq!(
            messages[0].parts,
            [Part::reasoning("Think."), Part::text("晴")]
        );
        assert_eq!(messages[0].role, Role::Assistant);
        assert_eq!(messages[0].finish_reason.as_deref(), Some("STOP"));
    }

    #[test]
    fn an_answer_within_an_event_of_adk_is_read() {
        let messages = output(
            &json!({"content": {"parts": [{"text": "晴"}], "role": "model"}, "finish_reason": "STOP", "partial": false}),
        );
        assert_eq!(texts(&messages), ["晴"]);
    }
}
