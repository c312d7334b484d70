use serde_json::{Value as Json, json};

use super::chat;
use crate::message::json::{self, Map};
use crate::message::read::Reading;
use crate::message::{Conversation, Message, Modality, Part};

/// Parts of a message's content, and calls of tools.
pub(super) fn part(map: &Map) -> Option<Part> {
    let text = |key| json::text(map, &[key]);
    match json::kind(map) {
        "text" | "input_text" | "output_text" | "summary_text" | "reasoning_text" => {
            text("text").map(Part::text)
        }
        "refusal" => text("refusal").map(Part::text),
        "image_url" | "input_image" => image(map),
        "input_audio" => {
            let audio = json::object(map, &["input_audio"])?;
            let mime = json::text(audio, &["format"]).map(|format| format!("audio/{format}"));
            let data = json::text(audio, &["data"])?;
            Some(Part::inline(Modality::Audio, mime.as_deref(), data))
        }
        "file" => file(json::object(map, &["file"])?),
        "input_file" => file(map),
        "custom" => {
            let custom = json::object(map, &["custom"])?;
            Some(call(map, custom, json::first(custom, &["input"])?))
        }
        "function" | "" => {
            // The form before there were several calls, where nothing else was said.
            let old = json::object(map, &["function_call"]).filter(|_| map.len() == 1);
            let function = old.or_else(|| json::object(map, &["function"]))?;
            json::text(function, &["name"])?;
            Some(call(map, function, json::first(function, &["arguments"])?))
        }
        _ => None,
    }
}

fn call(outer: &Map, inner: &Map, arguments: &Json) -> Part {
    Part::ToolCall {
        id: json::owned(outer, &["id", "call_id"]),
        name: json::owned(inner, &["name"]).unwrap_or_default(),
        arguments: json::unwrapped(arguments),
    }
}

/// A call within a list of calls, where it needs no marks. Without arguments it has none.
pub(super) fn call_in_list(json: &Json) -> Part {
    let read = || {
        let map = json.as_object()?;
        if let Some(part @ Part::ToolCall { .. }) = super::part(map) {
            return Some(part);
        }
        let inner = json::object(map, &["function"]).unwrap_or(map);
        let arguments = json::first(inner, &["arguments", "args", "input", "parameters"]);
        Some(Part::ToolCall {
            id: json::owned(map, &["id", "call_id", "tool_call_id"]),
            name: json::owned(inner, &["name", "tool_name"])?,
            arguments: arguments.map_or(Json::Null, json::unwrapped),
        })
    };
    read().unwrap_or_else(|| Part::Other {
        value: json.clone(),
    })
}

fn image(map: &Map) -> Option<Part> {
    let url = match map.get("image_url") {
        Some(Json::Object(image)) => json::text(image, &["url"]),
        Some(Json::String(url)) => Some(url.as_str()),
        _ => None,
    };
    match url {
        Some(url) => Some(Part::at(Modality::Image, None, url)),
        None => json::text(map, &["file_id"]).map(|id| Part::file(Modality::Image, None, id)),
    }
}

fn file(map: &Map) -> Option<Part> {
    let text = |key| json::text(map, &[key]);
    (text("file_id").map(|id| Part::file(Modality::Document, None, id)))
        .or_else(|| text("file_data").map(|data| Part::at(Modality::Document, None, data)))
        .or_else(|| text("file_url").map(|url| Part::at(Modality::Document, None, url)))
}

/// One choice of an answer: a message, a piece of a stream, or plain text.
pub(super) fn choice(map: &Map) -> Option<Vec<Message>> {
    let reason = || json::owned(map, &["finish_reason", "finishReason"]);
    if let Some(inner) = json::object(map, &["message", "delta"]) {
        if map.contains_key("role") || !is_choice(map) {
            return None;
        }
        let mut inner = inner.clone();
        inner.entry("role").or_insert_with(|| json!("assistant"));
        let mut messages = super::messages(&inner)?;
        if let (Some(last), Some(reason)) = (messages.last_mut(), reason()) {
            last.finish_reason = Some(reason);
        }
        return Some(messages);
    }
    let is_answer = map.contains_key("finish_reason") && !map.contains_key("role");
    let text = json::text(map, &["text", "content"]).filter(|_| is_answer)?;
    let mut message = chat::said(crate::message::Role::Assistant, text);
    message.finish_reason = reason();
    Some(vec![message])
}

fn is_choice(map: &Map) -> bool {
    ["finish_reason", "finishReason", "index", "logprobs"]
        .iter()
        .any(|key| map.contains_key(*key))
}

/// A completion. Where some choices tell why they stopped, one that does not has failed.
pub(super) fn body(map: &Map, _: Reading) -> Option<Conversation> {
    let choices = json::list(map, &["choices"]).filter(|choices| !choices.is_empty())?;
    let choices: Option<Vec<_>> = choices
        .iter()
        .map(|choice| {
            let choice = choice.as_object()?;
            super::messages(choice).or_else(|| {
                let inner = json::object(choice, &["message"])?;
                super::messages(inner)
            })
        })
        .collect();
    let mut messages = choices?.concat();
    if messages
        .iter()
        .any(|message| message.finish_reason.is_some())
    {
        for message in &mut messages {
            message
                .finish_reason
                .get_or_insert_with(|| "error".to_owned());
        }
    }
    Some(Conversation {
        messages,
        rest: super::rest(map, &["choices"]),
        ..Conversation::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, output, texts};
    use crate::message::{Part, Reference, Role, Side, output_text, read};
    use serde_json::json;

    #[test]
    fn a_request_gives_messages_tools_and_parameters() {
        let request = json!({
            "model": "gpt-4o", "temperature": 0.2,
            "tools": [{"type": "function", "function": {"name": "lookup_order", "description": "Order", "parameters": {"type": "object"}}}],
            "messages": [
                {"role": "developer", "content": "Answer shortly."},
                {"role": "user", "content": "Where is order 48213?"},
                {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"arguments": "{\"order_id\": \"48213\"}", "name": "lookup_order"}, "type": "function"}]},
                {"role": "tool", "tool_call_id": "c1", "content": "{\"status\": \"sent\"}"},
            ],
        });
        let found = read(&request.to_string(), Side::Input).unwrap();
        let roles: Vec<Role> = found.messages.iter().map(|message| message.role).collect();
        assert_eq!(
            roles,
            [Role::System, Role::User, Role::Assistant, Role::Tool]
        );
        assert_eq!(
            found.messages[2].parts,
            [call("c1", "lookup_order", json!({"order_id": "48213"}))]
        );
        assert_eq!(found.tool_definitions[0].name, "lookup_order");
        assert_eq!(found.rest["temperature"], 0.2);
    }

    #[test]
    fn a_completion_gives_the_messages_of_its_choices() {
        let messages = output(&json!({"id": "x", "object": "chat.completion", "choices": [
            {"finish_reason": "stop", "index": 0, "logprobs": null,
             "message": {"content": "已签收。", "refusal": null, "role": "assistant", "annotations": []}},
            {"index": 1, "message": {"content": "Yes.", "role": "assistant"}},
        ]}));
        assert_eq!(output_text(&messages), "已签收。\nYes.");
        let reasons: Vec<_> = messages
            .iter()
            .map(|message| message.finish_reason.as_deref())
            .collect();
        assert_eq!(reasons, [Some("stop"), Some("error")]);
    }

    #[test]
    fn pictures_and_files_are_media_wherever_their_bytes_are() {
        let messages = input(&json!([{"role": "user", "content": [
            {"type": "text", "text": "Describe the picture."},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBOR"}},
            {"type": "image_url", "image_url": {"url": "@@@langfuseMedia:type=image/png|id=a3|source=base64_data_uri@@@"}},
            {"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}},
            {"type": "file", "file": {"file_id": "file-1"}},
        ]}]));
        let references: Vec<&Reference> = messages[0]
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Media(media) => Some(&media.reference),
                _ => None,
            })
            .collect();
        assert_eq!(references.len(), 4);
        assert_eq!(*references[0], Reference::Inline("iVBOR".to_owned()));
        assert_eq!(*references[3], Reference::FileId("file-1".to_owned()));
    }

    #[test]
    fn a_single_answer_with_thoughts_a_refusal_and_an_old_call_is_read() {
        let messages = output(
            &json!({"role": "assistant", "content": null, "reasoning_content": "hm",
            "refusal": "No.", "function_call": {"name": "f", "arguments": "{}"}, "tool_calls": null}),
        );
        assert_eq!(texts(&messages), ["No."]);
        assert!(matches!(&messages[0].parts[0], Part::Reasoning { content } if content == "hm"));
        assert!(
            messages[0]
                .parts
                .iter()
                .any(|part| matches!(part, Part::ToolCall { name, .. } if name == "f"))
        );
    }

    #[test]
    fn plain_completions_are_answers() {
        let messages =
            output(&json!({"choices": [{"text": "once", "index": 0, "finish_reason": "length"}]}));
        assert_eq!(output_text(&messages), "once");
    }

    #[test]
    fn a_call_alone_is_an_answer() {
        let messages =
            output(&json!([{"function_call": {"name": "lookup_order", "arguments": "{}"}}]));
        assert_eq!(messages[0].role, Role::Assistant);
        assert!(
            matches!(&messages[0].parts[0], Part::ToolCall { name, .. } if name == "lookup_order")
        );
    }
}
