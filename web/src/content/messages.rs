//! Conversations as pages show them: the normal form of [`domain::message`], cut to a budget. What a
//! message holds that is not understood is shown as JSON.

use domain::message::{self, Conversation, Media, Modality, Reference};

use super::attachments::Attachment;
use super::head;
use super::json::{self, Token};
use crate::i18n::text;

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    /// Who speaks.
    pub(crate) role: &'static str,
    /// A name beside the role.
    pub(crate) name: Option<String>,
    /// What is said, in order.
    pub(crate) parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// Words.
    Text(String),
    /// Thoughts before the answer.
    Reasoning(String),
    /// A wish to run a tool.
    Call {
        /// Name of the tool.
        name: String,
        /// Ties the result to it; empty where it has none.
        id: String,
        /// Its arguments, indented where they are JSON.
        arguments: Vec<Token>,
    },
    /// What a tool gave back.
    Result {
        /// Name of the tool, or the id of the call; empty where neither was sent.
        of: String,
        /// What it gave, indented where it is JSON.
        result: Vec<Token>,
    },
    /// A picture, sound, film or document, which is never loaded by itself.
    Media {
        /// What kind of thing it is.
        modality: &'static str,
        /// Its media type, and how large it is where it stands in the message.
        about: String,
        /// Where it is; empty where it stands in the message.
        place: String,
    },
    /// An attachment that a reference stands for.
    Attachment(Attachment),
    /// Anything else.
    Other(Vec<Token>),
}

/// More messages than this are cut.
const MAX_MESSAGES: usize = 400;

/// The messages, with whether they were cut at `budget` bytes. `None` when nothing was said.
pub(crate) fn from_conversation(
    conversation: Conversation,
    budget: usize,
) -> Option<(Vec<Message>, bool)> {
    let all = conversation.messages;
    if all.is_empty() {
        return None;
    }
    let kept = if budget == usize::MAX {
        all.len()
    } else {
        all.len().min(MAX_MESSAGES)
    };
    let mut room = Room {
        left: budget,
        cut: kept < all.len() || conversation.omitted > 0,
    };
    let mut messages = Vec::with_capacity(kept);
    for message in all.into_iter().take(kept) {
        if room.left == 0 {
            room.cut = true;
            break;
        }
        let parts = message.parts.into_iter();
        messages.push(Message {
            role: message.role.as_str(),
            name: message.name,
            parts: parts.map(|said| part(said, &mut room)).collect(),
        });
    }
    Some((messages, room.cut))
}

fn part(said: message::Part, room: &mut Room) -> Part {
    match said {
        message::Part::Text { content } => words(&content, room),
        message::Part::Reasoning { content } => Part::Reasoning(room.text(&content)),
        message::Part::ToolCall {
            id,
            name,
            arguments,
        } => Part::Call {
            name,
            id: id.unwrap_or_default(),
            arguments: room.value(&arguments),
        },
        message::Part::ToolResult { id, name, result } => Part::Result {
            of: name.or(id).unwrap_or_default(),
            result: room.value(&result),
        },
        message::Part::Media(media) => shown_media(media),
        message::Part::Other { value } => Part::Other(room.value(&value)),
    }
}

/// A text that is JSON itself reads better indented.
fn words(text: &str, room: &mut Room) -> Part {
    if json::pretty(text, 1).is_some() {
        Part::Other(room.tokens(text))
    } else {
        Part::Text(room.text(text))
    }
}

fn shown_media(media: Media) -> Part {
    let modality = match media.modality {
        Modality::Image => text!("image"),
        Modality::Video => text!("video"),
        Modality::Audio => text!("audio"),
        Modality::Document => text!("document"),
    };
    let mut about = media.mime_type.unwrap_or_default();
    let place = match media.reference {
        Reference::Inline(data) => {
            // Four characters of base64 are three bytes.
            let size = crate::format::bytes(data.len() / 4 * 3);
            about = [about.as_str(), &size].join(" ").trim().to_owned();
            String::new()
        }
        Reference::Uri(place) | Reference::FileId(place) => place,
    };
    Part::Media {
        modality,
        about,
        place: head(&place, MAX_PLACE_BYTES).to_owned(),
    }
}

/// Addresses are shown up to here.
const MAX_PLACE_BYTES: usize = 2_000;

struct Room {
    left: usize,
    cut: bool,
}

impl Room {
    fn text(&mut self, text: &str) -> String {
        let kept = head(text, self.left);
        self.cut |= kept.len() < text.len();
        self.left -= kept.len();
        kept.to_owned()
    }

    /// A text as it is; anything else as JSON.
    fn value(&mut self, value: &serde_json::Value) -> Vec<Token> {
        match value.as_str() {
            Some(text) => self.tokens(text),
            None => self.tokens(&value.to_string()),
        }
    }

    fn tokens(&mut self, source: &str) -> Vec<Token> {
        let budget = self.left;
        match json::compact(source, budget) {
            Some((tokens, cut)) => {
                self.cut |= cut;
                self.left = self.left.saturating_sub(source.len());
                tokens
            }
            None => vec![Token {
                class: "",
                text: self.text(source),
            }],
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::message::{Side, read};

    use super::*;

    fn shown(text: &str) -> Vec<Message> {
        let conversation = read(text, Side::Input).unwrap();
        from_conversation(conversation, usize::MAX).unwrap().0
    }

    fn plain(tokens: &[Token]) -> String {
        tokens.iter().map(|token| token.text.as_str()).collect()
    }

    #[test]
    fn roles_parts_calls_and_results_are_told_apart() {
        let messages = shown(
            r#"[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"https://x.invalid/a.png"}}]},
                {"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"c1","function":{"name":"quote","arguments":"{\"id\":107505301260286111}"}}]},
                {"role":"tool","tool_call_id":"c1","content":"{\"price\": 7}"}]"#,
        );
        assert_eq!(messages[0].parts[0], Part::Text("hi".to_owned()));
        let Part::Media {
            modality, place, ..
        } = &messages[0].parts[1]
        else {
            panic!("no picture")
        };
        assert_eq!(
            (*modality, place.as_str()),
            ("image", "https://x.invalid/a.png")
        );
        assert_eq!(messages[1].parts[0], Part::Reasoning("hm".to_owned()));
        let Part::Call {
            name, arguments, ..
        } = &messages[1].parts[1]
        else {
            panic!("no call")
        };
        assert_eq!(name, "quote");
        assert_eq!(plain(arguments), "{\"id\": 107505301260286111}");
        let Part::Result { of, result } = &messages[2].parts[0] else {
            panic!("no result")
        };
        assert_eq!(
            (of.as_str(), plain(result).as_str()),
            ("c1", "{\"price\": 7}")
        );
    }

    #[test]
    fn a_response_to_a_tool_call_is_a_result_in_every_convention() {
        for text in [
            r#"[{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"done"}]}]"#,
            r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"done"}]}]"#,
        ] {
            let messages = shown(text);
            assert_eq!(messages[0].role, "tool", "{text}");
            let Part::Result { result, .. } = &messages[0].parts[0] else {
                panic!("no result: {text}")
            };
            assert_eq!(plain(result), "done");
        }
    }

    #[test]
    fn bytes_within_a_message_are_counted_and_not_shown() {
        let data = "A".repeat(4_000);
        let text = format!(
            r#"[{{"role":"user","content":[{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{data}"}}}}]}}]"#
        );
        let Part::Media { about, place, .. } = &shown(&text)[0].parts[0] else {
            panic!("no picture")
        };
        assert!(about.starts_with("image/png 3"), "{about}");
        assert_eq!(place, "");
    }

    #[test]
    fn a_long_conversation_is_cut_and_says_so() {
        let long = format!(
            r#"[{{"role":"user","content":"{}"}},{{"role":"assistant","content":"x"}}]"#,
            "a".repeat(500)
        );
        let conversation = read(&long, Side::Input).unwrap();
        let (messages, cut) = from_conversation(conversation, 100).unwrap();
        assert!(cut && messages.len() == 1);
    }
}
