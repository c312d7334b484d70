use serde_json::Value as Json;

use crate::message::json::{self, Map};
use crate::message::{Message, Modality, Part, Role};

/// Content within a prompt or an event (told by `kind`), and parts that formats 2 and 3 add to the
/// conventions' (told by `type`).
pub(super) fn part(map: &Map) -> Option<Part> {
    let text = |keys: &[&str]| json::text(map, keys);
    let kind = text(&["kind", "type"])?;
    let mime = text(&["media_type"]);
    match kind {
        "text" => return text(&["content", "text"]).map(Part::text),
        "thinking" => return text(&["content", "text"]).map(Part::reasoning),
        "binary" => {
            let data = text(&["data", "content", "binary_content"])?;
            return Some(Part::inline(Modality::Document, mime, data));
        }
        _ => {}
    }
    let modality = Modality::from_word(kind.strip_suffix("-url")?)?;
    Some(Part::at(modality, mime, text(&["url"])?))
}

/// `{kind: request|response, parts}`: a request holds the parts of several roles.
pub(super) fn messages(map: &Map) -> Option<Vec<Message>> {
    let parts = json::list(map, &["parts"])?;
    let kind = json::text(map, &["kind"])?;
    if !matches!(kind, "request" | "response") {
        return None;
    }
    let mut messages: Vec<Message> = Vec::new();
    let mut add = |role, part| match messages.last_mut() {
        Some(last) if last.role == role => last.parts.push(part),
        _ => messages.push(Message::new(role, vec![part])),
    };
    if let Some(instructions) = json::text(map, &["instructions"]) {
        add(Role::System, Part::text(instructions));
    }
    for item in parts {
        let (role, parts) = item.as_object().map_or_else(
            || (Role::User, super::content(item)),
            |part| said(part, item, kind),
        );
        for part in parts {
            add(role, part);
        }
    }
    if let Some(last) = messages.last_mut() {
        last.finish_reason = json::owned(map, &["finish_reason"]);
    }
    Some(messages)
}

/// Who says a part, and what: the content of a prompt may be several parts.
fn said(map: &Map, item: &Json, kind: &str) -> (Role, Vec<Part>) {
    let content = || map.get("content").map(super::content).unwrap_or_default();
    let owned = |key| json::owned(map, &[key]);
    let speaker = if kind == "response" {
        Role::Assistant
    } else {
        Role::User
    };
    let result = || Part::ToolResult {
        id: owned("tool_call_id"),
        name: owned("tool_name"),
        result: map.get("content").map_or(Json::Null, super::result),
    };
    match json::text(map, &["part_kind"]).unwrap_or_default() {
        "system-prompt" | "instruction" => (Role::System, content()),
        "user-prompt" => (Role::User, content()),
        "tool-return" | "builtin-tool-return" => (Role::Tool, vec![result()]),
        // Without a tool it is the answer as a whole that is to be tried again.
        "retry-prompt" if map.get("tool_name").is_some_and(Json::is_string) => {
            (Role::Tool, vec![result()])
        }
        "retry-prompt" => (Role::User, content()),
        "text" => (speaker, content()),
        "thinking" => {
            let thought = json::text(map, &["content"]).map(Part::reasoning);
            (speaker, thought.into_iter().collect())
        }
        "tool-call" | "builtin-tool-call" => {
            let call = Part::ToolCall {
                id: owned("tool_call_id"),
                name: owned("tool_name").unwrap_or_default(),
                arguments: map.get("args").map_or(Json::Null, json::unwrapped),
            };
            (speaker, vec![call])
        }
        _ => (speaker, vec![super::part_in_content(item)]),
    }
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, texts};
    use crate::message::{Part, Role};
    use serde_json::json;

    #[test]
    fn own_messages_are_split_by_who_says_their_parts() {
        let messages = input(&json!([
            {"kind": "request", "parts": [
                {"part_kind": "system-prompt", "content": "用工具回答。"},
                {"part_kind": "user-prompt", "content": ["杭州天气？", {"kind": "image-url", "url": "https://example.com/a.png"}]},
            ]},
            {"kind": "response", "finish_reason": "tool_call", "parts": [
                {"part_kind": "thinking", "content": "hm"},
                {"part_kind": "tool-call", "tool_name": "get_weather", "args": "{\"city\": \"杭州\"}", "tool_call_id": "c1"},
            ]},
            {"kind": "request", "parts": [
                {"part_kind": "tool-return", "tool_name": "get_weather", "content": {"sky": "小雨"}, "tool_call_id": "c1"},
                {"part_kind": "retry-prompt", "content": "Answer in JSON.", "tool_name": null},
            ]},
        ]));
        let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
        assert_eq!(
            roles,
            [
                Role::System,
                Role::User,
                Role::Assistant,
                Role::Tool,
                Role::User
            ]
        );
        assert_eq!(texts(&messages)[..2], ["用工具回答。", "杭州天气？"]);
        assert!(matches!(messages[1].parts[1], Part::Media(_)));
        assert_eq!(
            messages[2].parts[1],
            call("c1", "get_weather", json!({"city": "杭州"}))
        );
        assert_eq!(texts(&messages)[4], "Answer in JSON.");
    }

    #[test]
    fn what_the_formats_add_to_the_conventions_is_read() {
        let messages = input(&json!([
            {"role": "user", "parts": [{"type": "image-url", "url": "https://example.com/a.png"},
                {"type": "binary", "media_type": "image/png", "content": "AAAA"}]},
            {"role": "assistant", "parts": [{"type": "thinking", "content": "hm"}, {"type": "text", "content": "A cat."}]},
            {"event.name": "gen_ai.user.message", "role": "user", "content": [{"kind": "text", "content": "And?"},
                {"kind": "binary", "media_type": "audio/wav", "binary_content": "UklG"}]},
        ]));
        assert!(
            messages[0]
                .parts
                .iter()
                .all(|part| matches!(part, Part::Media(_)))
        );
        assert_eq!(
            messages[1].parts,
            [Part::reasoning("hm"), Part::text("A cat.")]
        );
        assert_eq!(texts(&messages)[2], "And?");
        assert!(matches!(messages[2].parts[1], Part::Media(_)));
    }

    #[test]
    fn the_conventions_parts_as_pydantic_ai_writes_them_are_re_roled() {
        let messages = input(&json!([
            {"role": "user", "parts": [{"type": "text", "content": "杭州天气？"}]},
            {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "get_weather", "arguments": "{\"city\": \"杭州\"}"}], "finish_reason": "tool_call"},
            {"role": "user", "parts": [{"type": "tool_call_response", "id": "c1", "name": "get_weather", "result": {"temp_c": 17}}]},
        ]));
        assert_eq!(messages[2].role, Role::Tool);
        assert_eq!(messages[1].finish_reason.as_deref(), Some("tool_call"));
    }
}
