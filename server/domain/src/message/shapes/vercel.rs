use serde_json::Value as Json;

use super::chat;
use crate::message::json::{self, Map};
use crate::message::read::Reading;
use crate::message::{Conversation, Modality, Part, Role};

/// Parts of prompts and answers, and calls as `ai.response.toolCalls` has them.
pub(super) fn part(map: &Map) -> Option<Part> {
    let text = |keys: &[&str]| json::text(map, keys);
    match json::kind(map) {
        "reasoning" => text(&["text"]).map(Part::reasoning),
        "tool-call" | "" | "function" => Some(Part::ToolCall {
            id: Some(text(&["toolCallId"])?.to_owned()),
            name: text(&["toolName"])?.to_owned(),
            arguments: json::first(map, &["input", "args"]).map_or(Json::Null, json::unwrapped),
        })
        .filter(|_| !is_result(map)),
        "tool-result" => Some(Part::ToolResult {
            id: json::owned(map, &["toolCallId"]),
            name: json::owned(map, &["toolName"]),
            result: json::first(map, &["output", "result"]).map_or(Json::Null, output),
        }),
        "image" => media(map, Modality::Image, json::first(map, &["image"])?),
        "file" => media(map, Modality::Document, json::first(map, &["data", "url"])?),
        _ => None,
    }
}

fn is_result(map: &Map) -> bool {
    map.contains_key("output") || map.contains_key("result")
}

/// Version 5 says of what type an output is.
fn output(json: &Json) -> Json {
    let typed = json
        .as_object()
        .filter(|map| map.len() == 2 && map.contains_key("type"))
        .and_then(|map| map.get("value"));
    super::result(typed.unwrap_or(json))
}

fn media(map: &Map, modality: Modality, source: &Json) -> Option<Part> {
    let mime = json::text(map, &["mediaType", "mimeType", "mime_type"]);
    let source = source.as_str()?;
    let is_address = ["http://", "https://", "data:", "@@@"]
        .iter()
        .any(|start| source.starts_with(start));
    Some(if is_address {
        Part::at(modality, mime, source)
    } else {
        Part::inline(modality, mime, source)
    })
}

/// `{system?, prompt}`: a prompt is text or messages.
pub(super) fn body(map: &Map, reading: Reading) -> Option<Conversation> {
    let prompt = map.get("prompt").filter(|_| is_prompt(map))?;
    let mut found = match prompt {
        Json::String(text) => Conversation {
            messages: vec![chat::said(Role::User, text)],
            ..Conversation::default()
        },
        _ => reading.conversation(prompt)?,
    };
    if let Some(system) = json::first(map, &["system"]) {
        chat::instruct(&mut found, system);
    }
    found.rest = super::rest(map, &["prompt", "system"]);
    Some(found)
}

/// A prompt with parameters is a request; with other arguments it is those of any function.
fn is_prompt(map: &Map) -> bool {
    const BESIDE: &[&str] = &[
        "prompt",
        "system",
        "model",
        "messages",
        "tools",
        "temperature",
        "max_tokens",
        "stream",
        "options",
        "stop",
        "n",
        "top_p",
        "format",
    ];
    map.keys().all(|key| BESIDE.contains(&key.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, output, texts};
    use crate::message::{Part, Reference, output_text, system_text};
    use serde_json::json;

    #[test]
    fn a_prompt_is_read_with_or_without_its_system() {
        let messages =
            input(&json!({"system": "你是出行助手。", "prompt": "杭州今天需要带伞吗？"}));
        assert_eq!(texts(&messages), ["你是出行助手。", "杭州今天需要带伞吗？"]);
        assert_eq!(system_text(&messages), "你是出行助手。");
        let messages = input(
            &json!({"messages": [{"role": "user", "content": "Three ideas"}], "system": "s"}),
        );
        assert_eq!(texts(&messages), ["s", "Three ideas"]);
    }

    #[test]
    fn messages_with_calls_and_typed_results_are_read() {
        let messages = input(&json!([
            {"role": "user", "content": [{"type": "text", "text": "带伞吗？"},
                {"type": "image", "image": "https://example.com/a.png"},
                {"type": "file", "data": "JVBERi0", "mediaType": "application/pdf"}]},
            {"role": "assistant", "content": [{"type": "reasoning", "text": "hm"},
                {"type": "tool-call", "toolCallId": "c1", "toolName": "getWeather", "input": {"city": "杭州"}}]},
            {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "toolName": "getWeather",
                "output": {"type": "json", "value": {"city": "杭州", "temp_c": 17}}}]},
        ]));
        assert_eq!(
            messages[1].parts,
            [
                Part::reasoning("hm"),
                call("c1", "getWeather", json!({"city": "杭州"}))
            ]
        );
        assert_eq!(
            messages[2].parts,
            [Part::ToolResult {
                id: Some("c1".to_owned()),
                name: Some("getWeather".to_owned()),
                result: json!({"city": "杭州", "temp_c": 17}),
            }]
        );
        let Part::Media(file) = &messages[0].parts[2] else {
            panic!("no media")
        };
        assert_eq!(file.reference, Reference::Inline("JVBERi0".to_owned()));
    }

    #[test]
    fn calls_alone_and_composed_answers_are_messages_of_the_assistant() {
        let calls = json!([{"toolCallId": "c1", "toolName": "getWeather", "input": "{\"city\": \"杭州\"}"}]);
        let expected = call("c1", "getWeather", json!({"city": "杭州"}));
        assert_eq!(output(&calls)[0].parts[0], expected);
        let messages = output(
            &json!([{"role": "assistant", "content": "Let me see.", "reasoning": "hm", "tool_calls": calls}]),
        );
        assert_eq!(output_text(&messages), "Let me see.");
        assert_eq!(messages[0].parts[2], expected);
    }

    #[test]
    fn arguments_that_hold_a_prompt_are_no_conversation() {
        let other = json!({"prompt": "p", "prompt_args": {"query_str": "q"}}).to_string();
        assert_eq!(
            crate::message::read(&other, crate::message::Side::Input),
            None
        );
    }
}
