//! Chat messages in one normal form, read from every shape that instrumentation writes into a
//! span's input or output.
//!
//! **Invariants:** reading never fails on an understood wrapping: a part that is not understood
//! becomes [`Part::Other`](crate::message::Part::Other) with its JSON kept. A system instruction is a message of role system, in
//! its place or in front. A tool's result stands in a message of role tool, whatever role it came
//! in. Reading what a message serialises to gives the same message.
//!
//! What accompanies an understood part (signatures, citations, cache marks) stays in the span's
//! input or output, which is kept as sent.
//!
//! To add a shape: a file in `shapes`, and its lines in the tables of `shapes/mod.rs`.

/// Questions about messages: what was said, which tools were called.
mod ask;
/// Input and output that came as events.
pub mod events;
/// The messages of a list, with parts that stand among them.
mod gather;
/// Looking into JSON.
mod json;
/// What was said at the ends of a span.
mod of_span;
/// What is said.
mod part;
/// Objects as Python prints them.
mod python;
/// From the text of an input or output to a conversation.
mod read;
/// Who speaks.
mod role;
/// The shapes, one family a file.
mod shapes;
/// Tools that a model may call.
mod tools;

pub use ask::{
    finish_reasons, last_user_text, output_text, system_parts, system_text, text_of, tool_calls,
};
pub use of_span::{said, tools_beside};
pub use part::{Media, Modality, Part, Reference};
pub use read::{Side, read, read_generation, read_instructions};
pub use role::Role;
pub use tools::{ToolDefinition, tool_definitions};

#[cfg(test)]
mod properties;

use serde::Serialize;
use serde_json::{Map, Value as Json};

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// A name beside the role; a role that is none of ours stands here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is said, in order.
    pub parts: Vec<Part>,
    /// Why the model stopped, as sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
}

impl Message {
    /// A message without name and finish reason.
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Message {
            role,
            name: None,
            parts,
            finish_reason: None,
        }
    }
}

/// What an input or an output holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Conversation {
    /// The messages in order, system instructions among them.
    pub messages: Vec<Message>,
    /// Tools that the model may call, where they were sent along.
    pub tool_definitions: Vec<ToolDefinition>,
    /// Whatever stood beside the messages: model, parameters, usage.
    pub rest: Map<String, Json>,
    /// How many entries of a too long list were not read.
    pub omitted: usize,
}
