//! The conversation of a span in the normal form of messages, read from its input and output.

use domain::Span;
use domain::message::{
    self, Conversation, Message, Side, ToolDefinition, read, read_generation, system_parts,
};
use domain::span::{Content, SpanKind};
use serde::Serialize;

/// Messages in and out.
#[derive(Serialize)]
pub(crate) struct Dialogue {
    input: Vec<Message>,
    output: Vec<Message>,
}

impl Dialogue {
    /// What a span's input and output say; `None` when neither is a conversation.
    pub(crate) fn of(span: &Span) -> Option<Self> {
        let input = conversation(span, Side::Input);
        let output = conversation(span, Side::Output);
        if input.is_none() && output.is_none() {
            return None;
        }
        let messages = |side: Option<Conversation>| side.unwrap_or_default().messages;
        Some(Dialogue {
            input: messages(input),
            output: messages(output),
        })
    }
}

/// The words of the system instructions; `None` without any.
pub(crate) fn system_instructions(span: &Span) -> Option<String> {
    let messages = conversation(span, Side::Input)?.messages;
    let has_any = !system_parts(&messages).is_empty();
    has_any.then(|| message::system_text(&messages))
}

/// The tools that the model was offered.
pub(crate) fn tool_definitions(span: &Span) -> Vec<ToolDefinition> {
    let given = span.evidence("tool_definitions").next();
    if let Some((_, value)) = given {
        return message::tool_definitions(&value.to_text());
    }
    conversation(span, Side::Input)
        .map(|conversation| conversation.tool_definitions)
        .unwrap_or_default()
}

/// What a model was told or said is a conversation even when it is plain text; what an agent or a
/// chain got is one only if it looks like one.
fn conversation(span: &Span, side: Side) -> Option<Conversation> {
    let content: &Option<Content> = match side {
        Side::Input => &span.input,
        Side::Output => &span.output,
    };
    let text = &content.as_ref()?.text;
    match span.kind {
        SpanKind::Generation => Some(read_generation(text, side)),
        SpanKind::Agent | SpanKind::Chain | SpanKind::Span => read(text, side),
        _ => None,
    }
}
