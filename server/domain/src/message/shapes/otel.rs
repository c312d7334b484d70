use serde_json::Value as Json;

use super::{chat, responses};
use crate::message::json::{self, Map};
use crate::message::{Message, Modality, Part};

/// Parts of the current conventions.
pub(super) fn part(map: &Map) -> Option<Part> {
    let id = || json::owned(map, &["id"]);
    match json::kind(map) {
        "text" => {
            let content = map.get("content")?.as_str()?;
            Some(responses::printed(content).unwrap_or_else(|| Part::text(content)))
        }
        "reasoning" => Some(Part::reasoning(map.get("content")?.as_str()?)),
        "tool_call" => Some(Part::ToolCall {
            id: id(),
            name: json::owned(map, &["name"])?,
            arguments: json::unwrapped(map.get("arguments").unwrap_or(&Json::Null)),
        })
        .filter(|_| !map.contains_key("args")),
        "server_tool_call" => Some(Part::ToolCall {
            id: id(),
            name: json::owned(map, &["name"])?,
            arguments: json::unwrapped(map.get("server_tool_call").unwrap_or(&Json::Null)),
        }),
        // Older emitters say `result`.
        "tool_call_response" => Some(Part::ToolResult {
            id: id(),
            name: json::owned(map, &["name"]),
            result: json::first(map, &["response", "result"]).map_or(Json::Null, super::result),
        }),
        "server_tool_call_response" => Some(Part::ToolResult {
            id: id(),
            name: json::owned(map, &["name"]),
            result: json::unwrapped(map.get("server_tool_call_response")?),
        }),
        kind @ ("blob" | "uri" | "file") => media(kind, map),
        _ => None,
    }
}

fn media(kind: &str, map: &Map) -> Option<Part> {
    let modality = json::text(map, &["modality"])
        .and_then(Modality::from_word)
        .unwrap_or(Modality::Document);
    let mime = json::text(map, &["mime_type"]);
    match kind {
        "blob" => Some(Part::inline(modality, mime, map.get("content")?.as_str()?)),
        "uri" => Some(Part::at(modality, mime, map.get("uri")?.as_str()?)),
        _ => Some(Part::file(modality, mime, map.get("file_id")?.as_str()?)),
    }
}

/// A message in an event of its own, which names the role (up to 1.36; pydantic-ai's list of them).
pub(super) fn event(map: &Map) -> Option<Vec<Message>> {
    let name = json::text(map, &["event.name", "event_name"])?;
    let word = name.strip_prefix("gen_ai.")?;
    let word = match word {
        "choice" => "assistant",
        word => word.strip_suffix(".message")?,
    };
    let mut message = map.clone();
    if let Some(body) = map.get("body").map(json::unwrapped)
        && let Some(body) = body.as_object()
    {
        message.extend(body.clone());
    }
    message
        .entry("role")
        .or_insert_with(|| Json::String(word.to_owned()));
    chat::messages(&message)
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, output, texts};
    use crate::message::{Part, Role};
    use serde_json::json;

    #[test]
    fn current_parts_are_read_with_arguments_as_object_or_as_text() {
        for arguments in [json!({"city": "杭州"}), json!(r#"{"city": "杭州"}"#)] {
            let messages = input(&json!([
                {"role": "system", "parts": [{"content": "你是出行助手。", "type": "text"}]},
                {"role": "user", "parts": [{"content": "天气？", "type": "text"}], "name": null},
                {"role": "assistant", "parts": [{"arguments": arguments, "name": "get_weather", "id": "c1", "type": "tool_call"}]},
                {"role": "tool", "parts": [{"response": r#"{"temp_c": 17}"#, "id": "c1", "type": "tool_call_response"}]},
            ]));
            assert_eq!(texts(&messages), ["你是出行助手。", "天气？", "", ""]);
            assert_eq!(
                messages[2].parts,
                [call("c1", "get_weather", json!({"city": "杭州"}))]
            );
            assert_eq!(
                messages[3].parts,
                [Part::ToolResult {
                    id: Some("c1".to_owned()),
                    name: None,
                    result: json!({"temp_c": 17})
                }]
            );
        }
    }

    #[test]
    fn a_result_in_a_message_of_the_user_becomes_one_of_the_tool() {
        let messages = input(&json!([{"role": "user", "parts": [
            {"type": "tool_call_response", "id": "c1", "name": "get_weather", "result": "unknown city"},
            {"type": "text", "content": "Try again."},
        ]}]));
        assert_eq!(messages[0].role, Role::Tool);
        assert_eq!(
            (messages[1].role, texts(&messages)[1].as_str()),
            (Role::User, "Try again.")
        );
    }

    #[test]
    fn an_agents_answer_with_call_and_result_keeps_their_order() {
        let messages = output(
            &json!([{"role": "assistant", "finish_reason": "stop", "parts": [
                {"type": "tool_call", "id": "c1", "name": "getWeather", "arguments": {"city": "杭州"}},
                {"type": "tool_call_response", "id": "c1", "response": {"sky": "小雨"}},
                {"type": "text", "content": "带伞。"},
            ]}]),
        );
        let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::Assistant, Role::Tool, Role::Assistant]);
        assert_eq!(messages[2].finish_reason.as_deref(), Some("stop"));
        assert_eq!(messages[0].finish_reason, None);
    }

    #[test]
    fn events_of_the_older_conventions_are_read_as_ingestion_composes_them() {
        let messages = output(&json!([
            {"role": "assistant", "index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant",
             "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{\"order_id\": \"48213\"}"}}]}},
        ]));
        assert_eq!(
            messages[0].parts,
            [call("c1", "find", json!({"order_id": "48213"}))]
        );
        assert_eq!(messages[0].finish_reason.as_deref(), Some("tool_calls"));
        let messages =
            input(&json!([{"role": "tool", "id": "c1", "content": "{\"status\": \"sent\"}"}]));
        assert_eq!(
            messages[0].parts,
            [Part::ToolResult {
                id: Some("c1".to_owned()),
                name: None,
                result: json!({"status": "sent"})
            }]
        );
    }

    #[test]
    fn events_that_name_themselves_need_no_role() {
        let messages = input(&json!([
            {"event.name": "gen_ai.system.message", "content": "Be kind.", "gen_ai.message.index": 0},
            {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "Yes."}},
        ]));
        assert_eq!(texts(&messages), ["Be kind.", "Yes."]);
        assert_eq!(messages[1].role, Role::Assistant);
    }

    #[test]
    fn media_and_generic_parts_are_kept() {
        let messages = input(&json!([{"role": "user", "parts": [
            {"type": "blob", "mime_type": "image/png", "modality": "image", "content": "AAAA"},
            {"type": "uri", "modality": "video", "uri": "https://example.com/a.mp4"},
            {"type": "file", "modality": "document", "file_id": "f1"},
            {"type": "compaction", "id": "k", "content": "summary"},
        ]}]));
        let kinds: Vec<bool> = messages[0]
            .parts
            .iter()
            .map(|part| matches!(part, Part::Media(_)))
            .collect();
        assert_eq!(kinds, [true, true, true, false]);
        assert!(
            matches!(&messages[0].parts[3], Part::Other { value } if value["content"] == "summary")
        );
    }
}
