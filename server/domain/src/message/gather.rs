use serde_json::Value as Json;

use super::json;
use super::shapes;
use super::{Conversation, Message, Part, Role};

/// A list while it is read.
#[derive(Default)]
pub(super) struct Gathered {
    /// What was found so far.
    pub(super) found: Conversation,
    messages: usize,
    parts: usize,
    strange: usize,
    /// The last message is made of single parts and may take more of them.
    open: bool,
}

impl Gathered {
    /// Reads one entry; `speaker` says what nobody else does.
    pub(super) fn take(&mut self, item: &Json, speaker: Role) {
        let decoded = item.as_str().and_then(json::decoded);
        let item = decoded.as_ref().unwrap_or(item);
        if let Some(tool) = shapes::tool_among_messages(item) {
            self.found.tool_definitions.push(tool);
            return;
        }
        if let Some(messages) = shapes::messages_of(item) {
            self.messages += 1;
            self.say(messages);
            return;
        }
        match item.as_object().and_then(shapes::part) {
            Some(part) => {
                self.parts += 1;
                let role = speaker_of(&part, speaker);
                self.add(role, part);
            }
            None => match shapes::message_without_role(item, speaker) {
                Some(message) => self.say(vec![message]),
                None => {
                    self.strange += 1;
                    self.add(speaker, shapes::part_in_content(item));
                }
            },
        }
    }

    /// Thoughts and calls that stand before an answer as entries of their own belong to it.
    fn say(&mut self, messages: Vec<Message>) {
        let mut messages = messages.into_iter();
        if self.open
            && let Some(first) = messages.next()
        {
            match self.found.messages.last_mut() {
                Some(last) if last.role == Role::Assistant && first.role == Role::Assistant => {
                    last.parts.extend(first.parts);
                    last.name = first.name;
                    last.finish_reason = first.finish_reason;
                }
                _ => self.found.messages.push(first),
            }
        }
        self.found.messages.extend(messages);
        self.open = false;
    }

    fn add(&mut self, role: Role, part: Part) {
        match self.found.messages.last_mut() {
            Some(last) if last.role == role && (self.open || role == Role::Assistant) => {
                last.parts.push(part);
            }
            _ => self.found.messages.push(Message::new(role, vec![part])),
        }
        self.open = true;
    }

    /// One message makes a conversation of whatever stands beside it. Parts alone do where they are
    /// not outnumbered by what is none; entries without a role neither make nor break it.
    pub(super) fn is_conversation(&self) -> bool {
        self.messages > 0 || (self.parts > 0 && self.parts >= self.strange)
    }
}

/// Who says a part that stands alone.
pub(super) fn speaker_of(part: &Part, otherwise: Role) -> Role {
    match part {
        Part::ToolCall { .. } | Part::Reasoning { .. } => Role::Assistant,
        Part::ToolResult { .. } => Role::Tool,
        Part::Text { .. } | Part::Media(_) | Part::Other { .. } => otherwise,
    }
}
