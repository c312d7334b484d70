use super::chat;
use super::openai::call_in_list;
use crate::message::json::{self, Map};
use crate::message::read::Reading;
use crate::message::tools::definitions;
use crate::message::{Conversation, Message, Part, Role};

/// Both wrap one answer in `message`; both have an older form of plain text.
pub(super) fn body(map: &Map, reading: Reading) -> Option<Conversation> {
    cohere_request(map, reading)
        .or_else(|| cohere_answer(map))
        .or_else(|| ollama_answer(map))
        .or_else(|| chat::answer(map, reading.side).filter(|_| !map.contains_key("role")))
}

/// `{message, chat_history?, preamble?}` of Cohere's first version.
fn cohere_request(map: &Map, reading: Reading) -> Option<Conversation> {
    let text = json::text(map, &["message"])?;
    let history = json::list(map, &["chat_history"]);
    if history.is_none() && !(map.contains_key("preamble") && map.contains_key("model")) {
        return None;
    }
    let mut found = history
        .and_then(|history| reading.list(history))
        .unwrap_or_default();
    found.messages.push(chat::said(Role::User, text));
    if let Some(preamble) = json::first(map, &["preamble"]) {
        chat::instruct(&mut found, preamble);
    }
    if let Some(tools) = map.get("tools") {
        found.tool_definitions.extend(definitions(tools));
    }
    found.rest = super::rest(map, &["message", "chat_history", "preamble", "tools"]);
    Some(found)
}

/// `{text, generation_id, tool_calls?, finish_reason}` of Cohere's first version.
fn cohere_answer(map: &Map) -> Option<Conversation> {
    let text = json::text(map, &["text"]).filter(|_| map.contains_key("generation_id"))?;
    let mut parts = Vec::new();
    if !text.is_empty() {
        parts.push(Part::text(text));
    }
    let calls = json::list(map, &["tool_calls"]).unwrap_or_default();
    parts.extend(calls.iter().map(call_in_list));
    answered(map, parts, &["text", "tool_calls", "finish_reason"])
}

/// `{response, thinking?, done}` of Ollama's generation.
fn ollama_answer(map: &Map) -> Option<Conversation> {
    let text = json::text(map, &["response"]).filter(|_| map.contains_key("done"))?;
    let thoughts = json::text(map, &["thinking"]).filter(|thoughts| !thoughts.is_empty());
    let mut parts: Vec<Part> = thoughts.map(Part::reasoning).into_iter().collect();
    parts.push(Part::text(text));
    answered(map, parts, &["response", "thinking", "done_reason"])
}

fn answered(map: &Map, parts: Vec<Part>, read: &[&str]) -> Option<Conversation> {
    let mut message = Message::new(Role::Assistant, parts);
    message.finish_reason = json::owned(map, &["finish_reason", "done_reason"]);
    Some(Conversation {
        messages: vec![message],
        rest: super::rest(map, read),
        ..Conversation::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{input, output, texts};
    use crate::message::{Part, Role, finish_reasons};
    use serde_json::json;

    #[test]
    fn answers_in_a_message_are_read_with_thoughts_and_calls() {
        let messages = output(
            &json!({"model": "qwen3", "created_at": "2026-11-01T00:00:00Z", "done": true, "done_reason": "stop",
            "message": {"role": "assistant", "content": "", "thinking": "hm",
            "tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": "Oslo"}}}]}}),
        );
        assert_eq!(messages[0].parts[0], Part::reasoning("hm"));
        assert!(
            matches!(&messages[0].parts[1], Part::ToolCall { arguments, .. } if arguments["city"] == "Oslo")
        );
        assert_eq!(finish_reasons(&messages), ["stop"]);
        let messages = output(
            &json!({"id": "x", "finish_reason": "COMPLETE", "message": {"role": "assistant",
            "tool_plan": "I will look.", "content": [{"type": "text", "text": "hi"}]}}),
        );
        assert_eq!(
            messages[0].parts,
            [Part::reasoning("I will look."), Part::text("hi")]
        );
        assert_eq!(finish_reasons(&messages), ["COMPLETE"]);
    }

    #[test]
    fn the_older_forms_of_plain_text_are_read() {
        let messages = input(
            &json!({"model": "command-r", "preamble": "Be short.", "message": "And now?",
            "chat_history": [{"role": "USER", "message": "hi"}, {"role": "CHATBOT", "message": "hello"}]}),
        );
        assert_eq!(texts(&messages), ["Be short.", "hi", "hello", "And now?"]);
        assert_eq!(messages[2].role, Role::Assistant);
        assert_eq!(
            texts(&output(
                &json!({"text": "now", "generation_id": "g", "finish_reason": "COMPLETE"})
            )),
            ["now"]
        );
        assert_eq!(
            texts(&output(
                &json!({"model": "llama3", "response": "hi", "done": true})
            )),
            ["hi"]
        );
        assert_eq!(
            texts(&input(
                &json!({"model": "llama3", "prompt": "hi", "system": "s", "stream": false})
            )),
            ["s", "hi"]
        );
    }
}
