use serde_json::Value as Json;

use super::openai::call_in_list;
use crate::message::json::{self, Map};
use crate::message::read::Reading;
use crate::message::{Conversation, Message, Part, Role};

/// Messages between agents: a type, a source, and content.
pub(super) fn messages(map: &Map) -> Option<Vec<Message>> {
    let content = map.get("content")?;
    let role = match json::kind(map) {
        "SystemMessage" => Role::System,
        "UserMessage" => Role::User,
        "ToolCallExecutionEvent" | "FunctionExecutionResultMessage" => Role::Tool,
        "AssistantMessage" | "ToolCallRequestEvent" => Role::Assistant,
        "TextMessage"
        | "ToolCallSummaryMessage"
        | "HandoffMessage"
        | "StopMessage"
        | "MultiModalMessage"
        | "ThoughtEvent" => spoken_by(json::text(map, &["source"])?),
        _ => return None,
    };
    let parts = match (role, json::kind(map), content) {
        (Role::Tool, _, Json::Array(items)) => items.iter().map(result).collect(),
        (Role::Assistant, _, Json::Array(items)) => items.iter().map(call_in_list).collect(),
        (_, "ThoughtEvent", Json::String(text)) => vec![Part::reasoning(text)],
        _ => super::content(content),
    };
    let mut message = Message::new(role, parts);
    message.name = json::owned(map, &["source"]).filter(|name| name != "user");
    Some(vec![message])
}

/// A response of an agent: what it said in the end, after what it did for it.
pub(super) fn body(map: &Map, _: Reading) -> Option<Conversation> {
    let response = json::object(map, &["response"])?;
    let answer = json::object(response, &["chat_message"])?;
    let inner = json::list(response, &["inner_messages"]).unwrap_or_default();
    let mut messages = Vec::new();
    for map in inner.iter().filter_map(Json::as_object).chain([answer]) {
        messages.extend(super::messages(map)?);
    }
    Some(Conversation {
        messages,
        rest: super::rest(map, &["response"]),
        ..Conversation::default()
    })
}

fn spoken_by(source: &str) -> Role {
    if source == "user" {
        Role::User
    } else {
        Role::Assistant
    }
}

fn result(item: &Json) -> Part {
    let Some(map) = item.as_object().filter(|map| map.contains_key("content")) else {
        return super::part_in_content(item);
    };
    Part::ToolResult {
        id: json::owned(map, &["call_id"]),
        name: json::owned(map, &["name"]),
        result: map.get("content").map_or(Json::Null, super::result),
    }
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, output, texts};
    use crate::message::{Part, Role};
    use serde_json::json;

    #[test]
    fn messages_of_a_team_are_read() {
        let messages = input(&json!({"messages": [
            {"id": "1", "source": "user", "models_usage": null, "content": "杭州天气？", "type": "TextMessage"},
            {"id": "2", "source": "weather_agent", "content": [{"id": "c1", "arguments": "{\"city\": \"杭州\"}", "name": "get_weather"}], "type": "ToolCallRequestEvent"},
            {"id": "3", "source": "weather_agent", "content": [{"content": "小雨", "name": "get_weather", "call_id": "c1", "is_error": false}], "type": "ToolCallExecutionEvent"},
            {"id": "4", "source": "advisor", "content": "带伞。", "type": "TextMessage"},
        ], "output_task_messages": true}));
        let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
        assert_eq!(
            roles,
            [Role::User, Role::Assistant, Role::Tool, Role::Assistant]
        );
        assert_eq!(
            messages[1].parts,
            [call("c1", "get_weather", json!({"city": "杭州"}))]
        );
        assert!(
            matches!(&messages[2].parts[0], Part::ToolResult { result, .. } if result == "小雨")
        );
        assert_eq!(messages[3].name.as_deref(), Some("advisor"));
        assert_eq!(texts(&messages)[3], "带伞。");
    }

    #[test]
    fn a_response_is_read_with_what_led_to_it() {
        let messages = output(&json!({"name": "weather_agent", "response": {
            "chat_message": {"id": "4", "source": "weather_agent", "content": "小雨", "type": "ToolCallSummaryMessage"},
            "inner_messages": [{"id": "2", "source": "weather_agent", "content": [{"id": "c1", "arguments": "{}", "name": "get_weather"}], "type": "ToolCallRequestEvent"}],
        }}));
        assert_eq!(messages[0].parts, [call("c1", "get_weather", json!({}))]);
        assert_eq!(texts(&messages)[1], "小雨");
    }
}
