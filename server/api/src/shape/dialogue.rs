//! The conversation of a span in the normal form of messages, read from its input and output.

use std::borrow::Cow;

use domain::Span;
use domain::message::{self, Message, Side, ToolDefinition, system_parts};
use serde::Serialize;

/// What was said around a call, read once for all the fields that show it.
pub(crate) struct Dialogue {
    /// `None` when neither side is a conversation.
    pub(crate) messages: Option<Messages>,
    /// The words of the system instructions; `None` without any.
    pub(crate) system_instructions: Option<String>,
    /// The tools that the model was offered.
    pub(crate) tool_definitions: Vec<ToolDefinition>,
}

/// Messages in and out.
#[derive(Serialize)]
pub(crate) struct Messages {
    input: Vec<Message>,
    output: Vec<Message>,
}

impl Dialogue {
    /// Reads a span's input and output.
    pub(crate) fn of(span: &Span) -> Self {
        let input = message::said(span, Side::Input);
        let output = message::said(span, Side::Output);
        let has_any = input.is_some() || output.is_some();
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        let beside = message::tools_beside(span);
        let has_system = !system_parts(&input.messages).is_empty();
        Dialogue {
            system_instructions: has_system.then(|| message::system_text(&input.messages)),
            tool_definitions: match beside.is_empty() {
                true => input.tool_definitions,
                false => definitions(&beside),
            },
            messages: has_any.then_some(Messages {
                input: input.messages,
                output: output.messages,
            }),
        }
    }
}

fn definitions(texts: &[Cow<'_, str>]) -> Vec<ToolDefinition> {
    let each = texts.iter();
    each.flat_map(|text| message::tool_definitions(text))
        .collect()
}
