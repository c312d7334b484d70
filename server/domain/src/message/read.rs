use serde_json::Value as Json;

use super::gather::{Gathered, speaker_of};
use super::json::{self, Map};
use super::shapes;
use super::{Conversation, Message, Part, Role};

/// Which end of a span a text stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What went in.
    Input,
    /// What came out.
    Output,
}

/// The conversation in a span's input or output; `None` when it is none, as the arguments of a tool
/// or plain text.
pub fn read(text: &str, side: Side) -> Option<Conversation> {
    let json = json::decoded(text)?;
    let mut found = Reading::new(side).conversation(&json)?;
    found.messages = with_results_apart(found.messages);
    Some(found)
}

/// The conversation of a generation. Its input and output were said to and by a model, so that what
/// is no conversation is one message: of the user, or of the assistant. JSON such as a structured
/// answer stays the text that it was. Nothing said gives no message.
pub fn read_generation(text: &str, side: Side) -> Conversation {
    read(text, side).unwrap_or_else(|| Conversation {
        messages: words(text)
            .into_iter()
            .map(|said| Message::new(side.speaker(), vec![Part::text(said)]))
            .collect(),
        ..Conversation::default()
    })
}

/// The system instructions in an attribute of their own: a list of parts, messages, or plain text.
pub fn read_instructions(text: &str) -> Vec<Part> {
    match json::decoded(text) {
        Some(json) => shapes::instructions(&json),
        None => words(text).into_iter().map(Part::text).collect(),
    }
}

/// What plain text says. Text may be quoted as JSON, and a completion be a list of its choices.
fn words(text: &str) -> Vec<String> {
    let said = match serde_json::from_str(text) {
        Ok(Json::Null) => Vec::new(),
        Ok(Json::String(said)) => vec![said],
        Ok(Json::Array(items)) if !items.is_empty() && items.iter().all(Json::is_string) => items
            .into_iter()
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect(),
        _ => vec![text.to_owned()],
    };
    said.into_iter()
        .filter(|said| !said.trim().is_empty())
        .collect()
}

impl Side {
    /// Who speaks where nothing says it.
    pub(super) fn speaker(self) -> Role {
        match self {
            Side::Input => Role::User,
            Side::Output => Role::Assistant,
        }
    }
}

/// More messages than this are counted, not read.
const MAX_MESSAGES: usize = 10_000;
/// Wrappings around wrappings.
const MAX_DEPTH: u8 = 8;

/// One walk into a text: which side it is of, and how much deeper it may go.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    /// The end of the span.
    pub(super) side: Side,
    depth: u8,
}

impl Reading {
    fn new(side: Side) -> Self {
        Reading { side, depth: 0 }
    }

    fn deeper(self) -> Option<Self> {
        let depth = self.depth + 1;
        (depth <= MAX_DEPTH).then_some(Reading { depth, ..self })
    }

    /// The same walk where the model speaks, whatever side it is.
    pub(super) fn as_output(self) -> Self {
        Reading {
            side: Side::Output,
            ..self
        }
    }

    /// The conversation in any JSON.
    pub(super) fn conversation(self, json: &Json) -> Option<Conversation> {
        match json {
            Json::Array(items) => self.deeper()?.list(items),
            Json::Object(map) => self.deeper()?.object(map),
            Json::String(text) => self.deeper()?.conversation(&json::decoded(text)?),
            _ => None,
        }
    }

    fn object(self, map: &Map) -> Option<Conversation> {
        if let Some(found) = shapes::body(map, self) {
            return Some(found);
        }
        if let Some(messages) = shapes::messages(map) {
            return Some(Conversation {
                messages,
                ..Conversation::default()
            });
        }
        let part = shapes::part(map)?;
        let role = speaker_of(&part, self.side.speaker());
        matches!(role, Role::Assistant | Role::Tool).then(|| Conversation {
            messages: vec![Message::new(role, vec![part])],
            ..Conversation::default()
        })
    }

    /// The messages of a list. Parts may stand among them as entries of their own.
    pub(super) fn list(self, items: &[Json]) -> Option<Conversation> {
        if !items.is_empty() && items.iter().all(Json::is_array) {
            return self.concatenated(items);
        }
        let mut gathered = Gathered::default();
        for item in items.iter().take(MAX_MESSAGES) {
            gathered.take(item, self.side.speaker());
        }
        if !gathered.is_conversation() {
            return self.concatenated(items);
        }
        let mut found = gathered.found;
        found.omitted = items.len().saturating_sub(MAX_MESSAGES);
        Some(found)
    }

    /// Conversations one after the other: batches, choices, updates of a graph.
    fn concatenated(self, items: &[Json]) -> Option<Conversation> {
        let mut whole: Option<Conversation> = None;
        for item in items.iter().take(MAX_MESSAGES) {
            let mut found = self.conversation(item)?;
            match &mut whole {
                None => whole = Some(found),
                Some(whole) => {
                    let room = MAX_MESSAGES.saturating_sub(whole.messages.len());
                    whole.omitted += found.omitted + found.messages.len().saturating_sub(room);
                    found.messages.truncate(room);
                    whole.messages.append(&mut found.messages);
                    whole.tool_definitions.append(&mut found.tool_definitions);
                    whole.rest.extend(found.rest);
                }
            }
        }
        let mut whole = whole?;
        whole.omitted += items.len().saturating_sub(MAX_MESSAGES);
        Some(whole)
    }
}

/// Many dialects put results of tools into a message of the user, or of the model when it ran them
/// itself. They become messages of the tool, in the same order.
fn with_results_apart(messages: Vec<Message>) -> Vec<Message> {
    let mut apart = Vec::with_capacity(messages.len());
    for message in messages {
        let is_result = |part: &Part| matches!(part, Part::ToolResult { .. });
        if message.role == Role::Tool || !message.parts.iter().any(is_result) {
            apart.push(message);
            continue;
        }
        let first = apart.len();
        for part in message.parts {
            let role = if is_result(&part) {
                Role::Tool
            } else {
                message.role
            };
            match apart.get_mut(first..).and_then(<[Message]>::last_mut) {
                Some(last) if last.role == role => last.parts.push(part),
                _ => apart.push(Message::new(role, vec![part])),
            }
        }
        let pieces = apart.get_mut(first..).unwrap_or_default();
        let own = pieces.iter().rposition(|piece| piece.role == message.role);
        if let Some(last) = pieces.get_mut(own.unwrap_or_default()) {
            last.finish_reason = message.finish_reason;
        }
        for piece in pieces.iter_mut().filter(|piece| piece.role == message.role) {
            piece.name.clone_from(&message.name);
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{output_text, text_of};
    use serde_json::json;

    #[test]
    fn plain_text_of_a_generation_is_what_was_asked_or_answered() {
        let asked = read_generation("Capital of France?", Side::Input).messages;
        assert_eq!(
            asked,
            [Message::new(
                Role::User,
                vec![Part::text("Capital of France?")]
            )]
        );
        for answer in ["Paris", "\"Paris\"", "[\"Paris\"]"] {
            let answered = read_generation(answer, Side::Output).messages;
            assert_eq!(output_text(&answered), "Paris", "{answer}");
        }
    }

    #[test]
    fn a_structured_answer_stays_the_text_that_it_was() {
        let answer = r#"{"sentiment": "negative", "topics": ["delivery"]}"#;
        assert_eq!(read(answer, Side::Output), None);
        assert_eq!(
            output_text(&read_generation(answer, Side::Output).messages),
            answer
        );
        let cut = r#"[{"role":"assistant","content":"cut o"#;
        assert_eq!(
            output_text(&read_generation(cut, Side::Output).messages),
            cut
        );
    }

    #[test]
    fn nothing_said_gives_no_message() {
        for text in ["", " ", "null", "\"\""] {
            assert_eq!(
                read_generation(text, Side::Output),
                Conversation::default(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn json_in_text_is_read_through_its_quotes() {
        let mut text = json!([{"role": "user", "content": "hi"}]).to_string();
        for _ in 0..2 {
            assert_eq!(
                text_of(&read(&text, Side::Input).unwrap().messages[0]),
                "hi"
            );
            text = json!(text).to_string();
        }
    }

    #[test]
    fn instructions_are_parts_messages_or_text() {
        for text in [
            r#"[{"type": "text", "content": "Be kind."}]"#,
            r#"[{"role": "system", "content": "Be kind."}]"#,
            r#"{"role": "system", "parts": [{"type": "text", "content": "Be kind."}]}"#,
            r#"[{"text": "Be kind."}]"#,
            "Be kind.",
            "\"Be kind.\"",
        ] {
            assert_eq!(read_instructions(text), [Part::text("Be kind.")], "{text}");
        }
    }

    #[test]
    fn too_many_messages_are_counted() {
        let many: Vec<Json> = (0..MAX_MESSAGES + 5)
            .map(|_| json!({"role": "user", "content": "x"}))
            .collect();
        let found = read(&Json::Array(many).to_string(), Side::Input).unwrap();
        assert_eq!((found.messages.len(), found.omitted), (MAX_MESSAGES, 5));
    }

    #[test]
    fn deep_wrappings_end() {
        let deep = format!("{}{}", "{\"input\":[".repeat(50), "]}".repeat(50));
        assert_eq!(read(&deep, Side::Input), None);
        assert_eq!(read(&"[".repeat(100_000), Side::Input), None);
    }
}
