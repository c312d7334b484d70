use super::chat;
use crate::message::json::{self, Map};
use crate::message::python;
use crate::message::{Message, Modality, Part, Role};

/// Blocks, told by `block_type`.
pub(super) fn part(map: &Map) -> Option<Part> {
    let text = |keys: &[&str]| json::text(map, keys);
    match text(&["block_type"])? {
        "text" => text(&["text"]).map(Part::text),
        "thinking" => text(&["content"]).map(Part::reasoning),
        "tool_call" => Some(Part::ToolCall {
            id: json::owned(map, &["tool_call_id"]),
            name: json::owned(map, &["tool_name"])?,
            arguments: json::unwrapped(map.get("tool_kwargs")?),
        }),
        "image" => media(map, Modality::Image, &["image", "data"]),
        "audio" => media(map, Modality::Audio, &["audio", "data"]),
        "video" => media(map, Modality::Video, &["video", "data"]),
        "document" => media(map, Modality::Document, &["data"]),
        _ => None,
    }
}

/// Blocks of text that were written without their type, beside empty fields.
pub(super) fn block(map: &Map) -> Option<Part> {
    let only_text = map
        .iter()
        .all(|(key, value)| key == "text" || value.is_null());
    json::text(map, &["text"])
        .filter(|_| only_text)
        .map(Part::text)
}

fn media(map: &Map, modality: Modality, data: &[&str]) -> Option<Part> {
    let mime = json::text(
        map,
        &["image_mimetype", "document_mimetype", "mimetype", "format"],
    );
    let mime = mime.filter(|mime| mime.contains('/'));
    if let Some(data) = json::text(map, data) {
        return Some(Part::inline(modality, mime, data));
    }
    json::text(map, &["url", "path"]).map(|url| Part::at(modality, mime, url))
}

/// A message as Python prints it: `ChatMessage(role=<MessageRole.USER: 'user'>, …, blocks=[TextBlock(block_type='text', text='…')])`.
pub(super) fn printed(text: &str) -> Option<Message> {
    let rest = text.strip_prefix("ChatMessage(role=<MessageRole.")?;
    let (word, rest) = rest.split_once(':')?;
    let role = Role::from_word(word)?;
    let mut words = Vec::new();
    let mut rest = rest;
    while let Some((_, block)) = rest.split_once("TextBlock(block_type='text', text=") {
        let (said, after) = python::string(block)?;
        words.push(Part::text(said));
        rest = after;
    }
    if words.is_empty() {
        return Some(chat::said(role, text));
    }
    Some(Message::new(role, words))
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{input, output, texts};
    use crate::message::{Part, Role};
    use serde_json::json;

    #[test]
    fn an_answer_of_blocks_is_read() {
        let messages = output(
            &json!({"message": {"role": "assistant", "additional_kwargs": {}, "blocks": [{"text": "可以支付。"}]},
            "raw": {"id": "x"}, "logprobs": null, "additional_kwargs": {"prompt_tokens": 5}}),
        );
        assert_eq!(texts(&messages), ["可以支付。"]);
    }

    #[test]
    fn blocks_with_their_type_are_read() {
        let messages = input(
            &json!([{"role": "user", "additional_kwargs": {}, "blocks": [
                {"block_type": "text", "text": "What is this?"},
                {"block_type": "image", "image": "AAAA", "image_mimetype": "image/png", "url": null},
            ]}]),
        );
        assert_eq!(texts(&messages), ["What is this?"]);
        assert!(matches!(messages[0].parts[1], Part::Media(_)));
    }

    #[test]
    fn a_printed_message_tells_its_role_and_words() {
        let messages = input(&json!({"messages": [
            "ChatMessage(role=<MessageRole.SYSTEM: 'system'>, additional_kwargs={}, blocks=[TextBlock(block_type='text', text=\"Don't guess.\")])",
            "ChatMessage(role=<MessageRole.USER: 'user'>, additional_kwargs={}, blocks=[TextBlock(block_type='text', text='A list.\\n\\n能用吗？')])",
        ]}));
        assert_eq!(texts(&messages), ["Don't guess.", "A list.\n\n能用吗？"]);
        assert_eq!(messages[0].role, Role::System);
    }
}
