use serde_json::Value as Json;

use super::chat;
use crate::message::json::{self, Map};
use crate::message::read::Reading;
use crate::message::{Conversation, Modality, Part, Side};

/// Content blocks of Converse go by one key; their text is Gemini's.
pub(super) fn part(map: &Map) -> Option<Part> {
    if map.contains_key("type") || map.contains_key("role") {
        return None;
    }
    if let Some(call) = json::object(map, &["toolUse"]) {
        return Some(Part::ToolCall {
            id: json::owned(call, &["toolUseId"]),
            name: json::owned(call, &["name"])?,
            arguments: call.get("input").map_or(Json::Null, json::unwrapped),
        });
    }
    if let Some(result) = json::object(map, &["toolResult"]) {
        return Some(Part::ToolResult {
            id: Some(json::owned(result, &["toolUseId"])?),
            name: None,
            result: self::result(result.get("content")?),
        });
    }
    if let Some(thoughts) = json::object(map, &["reasoningContent"]) {
        let thoughts = json::object(thoughts, &["reasoningText"])?;
        return json::text(thoughts, &["text"]).map(Part::reasoning);
    }
    let media = |key, modality| media(json::object(map, &[key])?, modality);
    media("image", Modality::Image)
        .or_else(|| media("document", Modality::Document))
        .or_else(|| media("video", Modality::Video))
        .or_else(|| media("audio", Modality::Audio))
}

/// `[{"json": …}]`, or parts of text.
fn result(content: &Json) -> Json {
    let only = content.as_array().filter(|items| items.len() == 1);
    match only.and_then(|items| items.first()?.get("json")) {
        Some(json) => json::unwrapped(json),
        None => super::result(content),
    }
}

fn media(map: &Map, modality: Modality) -> Option<Part> {
    let format = json::text(map, &["format"])?;
    let source = json::object(map, &["source"])?;
    let family = match modality {
        Modality::Image => "image",
        Modality::Video => "video",
        Modality::Audio => "audio",
        Modality::Document => "application",
    };
    let mime = format!("{family}/{format}");
    if let Some(data) = json::text(source, &["bytes"]) {
        return Some(Part::inline(modality, Some(&mime), data));
    }
    let location = json::object(source, &["s3Location"])?;
    let uri = json::text(location, &["uri"])?;
    Some(Part::at(modality, Some(&mime), uri))
}

/// An answer: `{"output": {"message": …}, "stopReason": …}`. A request has messages like any other.
pub(super) fn body(map: &Map, _: Reading) -> Option<Conversation> {
    let inner = json::object(map, &["output"])?;
    let mut found = chat::answer(inner, Side::Output)?;
    if let Some(last) = found.messages.last_mut() {
        last.finish_reason = json::owned(map, &["stopReason", "stop_reason"]);
    }
    found.rest = super::rest(map, &["output"]);
    Some(found)
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, output, texts};
    use crate::message::{Part, Role, Side, output_text, read, system_text};
    use serde_json::json;

    #[test]
    fn a_converse_request_and_its_answer_are_read() {
        let request = json!({
            "modelId": "us.anthropic.claude-sonnet-4-v1:0",
            "system": [{"text": "Be short."}],
            "messages": [
                {"role": "user", "content": [{"text": "Weather?"}, {"image": {"format": "png", "source": {"bytes": "AAAA"}}}]},
                {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "get_weather", "input": {"city": "Oslo"}}}]},
                {"role": "user", "content": [{"toolResult": {"toolUseId": "t1", "content": [{"json": {"temp_c": -3}}], "status": "success"}}]},
            ],
            "toolConfig": {"tools": [{"toolSpec": {"name": "get_weather", "inputSchema": {"json": {"type": "object"}}}}]},
        });
        let found = read(&request.to_string(), Side::Input).unwrap();
        assert_eq!(system_text(&found.messages), "Be short.");
        assert_eq!(
            found.messages[2].parts,
            [call("t1", "get_weather", json!({"city": "Oslo"}))]
        );
        assert!(matches!(found.messages[1].parts[1], Part::Media(_)));
        assert_eq!(found.messages[3].role, Role::Tool);
        assert_eq!(
            found.tool_definitions[0].parameters,
            Some(json!({"type": "object"}))
        );

        let messages = output(
            &json!({"output": {"message": {"role": "assistant", "content": [
            {"reasoningContent": {"reasoningText": {"text": "Cold.", "signature": "x"}}}, {"text": "-3 °C"},
        ]}}, "stopReason": "end_turn", "usage": {"inputTokens": 1}}),
        );
        assert_eq!(
            messages[0].parts,
            [Part::reasoning("Cold."), Part::text("-3 °C")]
        );
        assert_eq!(messages[0].finish_reason.as_deref(), Some("end_turn"));
    }

    #[test]
    fn events_of_strands_are_read_as_ingestion_composes_them() {
        let messages = input(&json!([
            {"role": "system", "content": [{"text": "你是助手。"}]},
            {"role": "user", "content": [{"text": "天气？"}]},
            {"role": "tool", "content": [{"toolResult": {"status": "success", "content": [{"text": "{\"temp_c\": 17}"}], "toolUseId": "t1"}}]},
        ]));
        assert_eq!(texts(&messages)[..2], ["你是助手。", "天气？"]);
        assert_eq!(
            messages[2].parts,
            [Part::ToolResult {
                id: Some("t1".to_owned()),
                name: None,
                result: json!({"temp_c": 17})
            }]
        );
        let messages = output(
            &json!([{"role": "assistant", "finish_reason": "end_turn", "message": [{"text": "晴"}]}]),
        );
        assert_eq!(output_text(&messages), "晴");
        let messages = output(
            &json!([{"role": "assistant", "message": [{"toolUse": {"toolUseId": "t1", "name": "w", "input": {}}}],
            "tool.result": [{"toolResult": {"status": "success", "content": [{"text": "ok"}], "toolUseId": "t1"}}]}]),
        );
        assert_eq!(messages[0].parts, [call("t1", "w", json!({}))]);
        assert_eq!(messages[1].role, Role::Tool);
    }
}
