use serde_json::Value as Json;

use crate::message::json::{self, Map};
use crate::message::{Modality, Part};

/// Content blocks. Redacted thoughts cannot be read and are kept as they are.
pub(super) fn part(map: &Map) -> Option<Part> {
    let text = |key| json::text(map, &[key]);
    match json::kind(map) {
        "tool_use" | "server_tool_use" | "mcp_tool_use" => Some(Part::ToolCall {
            id: json::owned(map, &["id"]),
            name: json::owned(map, &["name"])?,
            arguments: json::unwrapped(map.get("input")?),
        }),
        "thinking" => text("thinking").map(Part::reasoning),
        "image" => source(map, Modality::Image),
        "document" => source(map, Modality::Document),
        kind if kind.ends_with("tool_result") => Some(Part::ToolResult {
            id: Some(json::owned(map, &["tool_use_id", "tool_call_id"])?),
            name: json::owned(map, &["name"]),
            result: json::first(map, &["content"]).map_or(Json::Null, super::result),
        }),
        _ => None,
    }
}

fn source(map: &Map, modality: Modality) -> Option<Part> {
    let source = json::object(map, &["source"])?;
    let text = |key| json::text(source, &[key]);
    let mime = text("media_type");
    match json::kind(source) {
        "base64" => text("data").map(|data| Part::inline(modality, mime, data)),
        "url" => text("url").map(|url| Part::at(modality, mime, url)),
        "file" => text("file_id").map(|id| Part::file(modality, mime, id)),
        "text" => text("data").map(Part::text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, output, texts};
    use crate::message::{Part, Role, Side, output_text, read, system_text};
    use serde_json::json;

    #[test]
    fn a_request_gives_system_blocks_tools_and_results_apart() {
        let request = json!({
            "model": "claude-sonnet-4-5", "max_tokens": 1024,
            "system": [{"type": "text", "text": "You are a packing assistant.", "cache_control": {"type": "ephemeral"}}],
            "tools": [{"name": "get_weather", "description": "天气", "input_schema": {"type": "object"}}],
            "messages": [
                {"role": "user", "content": "我明天去奥斯陆"},
                {"role": "assistant", "content": [
                    {"text": "I will check.", "type": "text"},
                    {"id": "toolu_1", "input": {"city": "Oslo"}, "name": "get_weather", "type": "tool_use"},
                ]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "{'temp_c': -3}"}]},
            ],
            "thinking": {"type": "enabled", "budget_tokens": 1024},
        });
        let found = read(&request.to_string(), Side::Input).unwrap();
        let roles: Vec<Role> = found.messages.iter().map(|message| message.role).collect();
        assert_eq!(
            roles,
            [Role::System, Role::User, Role::Assistant, Role::Tool]
        );
        assert_eq!(system_text(&found.messages), "You are a packing assistant.");
        assert_eq!(
            found.messages[2].parts[1],
            call("toolu_1", "get_weather", json!({"city": "Oslo"}))
        );
        assert!(
            matches!(&found.messages[3].parts[0], Part::ToolResult { result, .. } if result == "{'temp_c': -3}")
        );
        assert_eq!(
            found.tool_definitions[0].parameters,
            Some(json!({"type": "object"}))
        );
        assert_eq!(found.rest["max_tokens"], 1024);
    }

    #[test]
    fn an_answer_with_thoughts_is_read() {
        let messages = output(&json!({"id": "msg_1", "content": [
            {"signature": "Nj", "thinking": "Snow: warm clothes.", "type": "thinking"},
            {"type": "redacted_thinking", "data": "EmwK"},
            {"citations": null, "text": "带厚外套。", "type": "text"},
        ], "model": "claude-sonnet-4-5", "role": "assistant", "stop_reason": "end_turn", "type": "message"}));
        assert_eq!(texts(&messages), ["带厚外套。"]);
        assert_eq!(messages[0].parts[0], Part::reasoning("Snow: warm clothes."));
        assert!(matches!(&messages[0].parts[1], Part::Other { value } if value["data"] == "EmwK"));
        assert_eq!(messages[0].finish_reason.as_deref(), Some("end_turn"));
    }

    #[test]
    fn blocks_alone_are_an_answer_and_their_media_is_media() {
        let messages = output(&json!([
            {"type": "text", "text": "Here."},
            {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "/9j/"}},
            {"type": "document", "source": {"type": "url", "url": "https://example.com/a.pdf"}},
            {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "web_search_result", "url": "u"}]},
        ]));
        assert_eq!(output_text(&messages), "Here.");
        assert!(matches!(messages[0].parts[1], Part::Media(_)));
        assert!(matches!(messages[0].parts[2], Part::Media(_)));
        assert_eq!(messages[1].role, Role::Tool);
    }
}
