//! The words of a conversation, quickly: every generation is read as it arrives.
//!
//! The two shapes that most write, a list of messages with text parts or with a text as content, are
//! read without building anything but their words. Whatever holds more is read by
//! [`domain::message`], which knows every shape.

use std::borrow::Cow;

use domain::Span;
use domain::message::{self, Part, Side, ToolDefinition};
use domain::semantic::Detail;
use domain::semantic::tools::{self, Call};
use domain::span::{Content, SpanKind};
use serde::Deserialize;

/// What the checks want of a conversation.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Words {
    /// System instructions.
    pub(super) system: String,
    /// Visible words of the assistant.
    pub(super) answer: String,
    /// The tools that the model may call, where they stand among the messages.
    pub(super) offered: Vec<ToolDefinition>,
    /// Each call of a tool.
    pub(super) called: Vec<Call>,
    /// How often a person spoke.
    pub(super) round: Option<u32>,
    /// A result that answers no call.
    pub(super) unknown_result: Option<Detail>,
}

/// Longer contents are judged by nothing that has to read them as messages.
const MAX_BYTES: usize = 256 * 1024;

/// What was said at both ends of a generation; nothing of any other span, and of what is too long.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) input: Option<Words>,
    pub(super) output: Option<Words>,
}

impl Heard {
    /// Reads both ends.
    pub(super) fn of(span: &Span) -> Self {
        if span.kind != SpanKind::Generation {
            return Heard::default();
        }
        let short = |content: &'_ Content, side| {
            (content.text.len() <= MAX_BYTES).then(|| words(&content.text, side))
        };
        Heard {
            input: span
                .input
                .as_ref()
                .and_then(|input| short(input, Side::Input)),
            output: span
                .output
                .as_ref()
                .and_then(|output| short(output, Side::Output)),
        }
    }
}

/// The words of a generation's input or output.
fn words(text: &str, side: Side) -> Words {
    quick(text).unwrap_or_else(|| {
        let read = message::read_generation(text, side);
        let call = |part: &Part| match part {
            Part::ToolCall {
                name, arguments, ..
            } => Some(Call {
                name: name.clone(),
                arguments: arguments.clone(),
            }),
            _ => None,
        };
        let called = match side {
            // Calls of the past are those of other answers.
            Side::Input => Vec::new(),
            Side::Output => {
                let calls = message::tool_calls(&read.messages);
                calls.into_iter().filter_map(call).collect()
            }
        };
        Words {
            system: message::system_text(&read.messages),
            answer: message::output_text(&read.messages),
            called,
            round: tools::round(&read.messages),
            unknown_result: match side {
                Side::Input => tools::unknown_result(&read.messages),
                Side::Output => None,
            },
            offered: read.tool_definitions,
        }
    })
}

/// A message of one of the two shapes; anything more makes it another shape.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow, default)]
    content: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    parts: Vec<PlainPart<'a>>,
    #[serde(borrow, default, rename = "finish_reason")]
    _finish_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainPart<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    content: Cow<'a, str>,
}

fn quick(text: &str) -> Option<Words> {
    if !text.starts_with("[{\"") {
        return None;
    }
    let messages: Vec<Plain<'_>> = serde_json::from_str(text).ok()?;
    let mut words = Words::default();
    for message in &messages {
        if message.parts.iter().any(|part| part.kind != "text") {
            return None;
        }
        if message.role == "user" && message.content.is_none() && message.parts.is_empty() {
            continue;
        }
        let place = match &*message.role {
            "system" => &mut words.system,
            "assistant" => &mut words.answer,
            "user" => {
                words.round = words.round.map_or(Some(1), |times| times.checked_add(1));
                continue;
            }
            _ => return None,
        };
        let parts = message.parts.iter().map(|part| &part.content);
        for said in message.content.iter().chain(parts) {
            if !place.is_empty() {
                place.push('\n');
            }
            place.push_str(said);
        }
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_words_are_those_of_the_whole_reader() {
        let texts = [
            r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]"#,
            r#"[{"role":"assistant","parts":[{"type":"text","content":"a\n\"b\""}],"finish_reason":"stop"}]"#,
            r#"[{"role":"system","parts":[{"type":"text","content":"中文"}]},{"role":"assistant","content":null}]"#,
        ];
        for text in texts {
            let messages = message::read_generation(text, Side::Output).messages;
            let whole = Words {
                system: message::system_text(&messages),
                answer: message::output_text(&messages),
                round: tools::round(&messages),
                ..Words::default()
            };
            assert_eq!(quick(text), Some(whole), "{text}");
        }
    }

    #[test]
    fn what_holds_more_is_left_to_the_whole_reader() {
        for text in [
            r#"[{"role":"assistant","content":"","tool_calls":[]}]"#,
            r#"[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"}]}]"#,
            r#"[{"role":"tool","content":"3"}]"#,
            "plain words",
        ] {
            assert_eq!(quick(text), None, "{text}");
        }
        assert_eq!(words("plain words", Side::Output).answer, "plain words");
    }
}
