//! The conversation of a span in the normal form of messages, read from its input and output.

use domain::Span;
use domain::message::{
    self, Conversation, Message, Side, ToolDefinition, read, read_generation, system_parts,
};
use domain::span::{Content, SpanKind};
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
        let input = conversation(span, Side::Input);
        let output = conversation(span, Side::Output);
        let has_any = input.is_some() || output.is_some();
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        let given = span.evidence("tool_definitions").next();
        let has_system = !system_parts(&input.messages).is_empty();
        Dialogue {
            system_instructions: has_system.then(|| message::system_text(&input.messages)),
            tool_definitions: match given {
                Some((_, value)) => message::tool_definitions(&value.to_text()),
                None => input.tool_definitions,
            },
            messages: has_any.then_some(Messages {
                input: input.messages,
                output: output.messages,
            }),
        }
    }
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
