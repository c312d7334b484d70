//! What a prompt says.

use std::collections::BTreeSet;

use super::Kind;
use super::reference::{Reference, references};
use super::variable::variables;
use crate::fault::Fault;

/// Most messages of a chat.
const MAX_MESSAGES: usize = 10_000;

/// What a prompt says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// One text.
    Text(String),
    /// Messages in order.
    Chat(Vec<Message>),
}

/// One message of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// What somebody says.
    Said {
        /// Who, in any word.
        role: String,
        /// What.
        content: String,
    },
    /// A place for messages that are known when the prompt is used.
    Placeholder {
        /// Its name.
        name: String,
    },
}

impl Content {
    /// Text or chat.
    pub fn kind(&self) -> Kind {
        match self {
            Content::Text(_) => Kind::Text,
            Content::Chat(_) => Kind::Chat,
        }
    }

    /// The texts in which variables and references stand.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (text, messages) = match self {
            Content::Text(text) => (Some(text.as_str()), [].as_slice()),
            Content::Chat(messages) => (None, messages.as_slice()),
        };
        let said = messages.iter().filter_map(|message| match message {
            Message::Said { content, .. } => Some(content.as_str()),
            Message::Placeholder { .. } => None,
        });
        text.into_iter().chain(said)
    }

    /// Other prompts that are meant, each once.
    pub fn references(&self) -> BTreeSet<Reference> {
        self.texts().flat_map(references).collect()
    }

    /// Bytes of its texts.
    pub fn bytes(&self) -> usize {
        match self {
            Content::Text(text) => text.len(),
            Content::Chat(messages) => messages.iter().map(Message::bytes).sum(),
        }
    }

    /// Whether it can be kept and used.
    ///
    /// # Errors
    /// `invalid` on a field below `prompt`: a NUL character, which the store cannot keep; too many
    /// messages; a placeholder without a name or with that of a variable.
    pub fn check(&self) -> Result<(), Fault> {
        let messages = match self {
            Content::Text(text) => return without_nul("prompt", text),
            Content::Chat(messages) => messages,
        };
        if messages.len() > MAX_MESSAGES {
            let message = format!("a prompt has at most {MAX_MESSAGES} messages");
            return Err(Fault::invalid(message).on_field("prompt"));
        }
        let variables: BTreeSet<&str> = self.texts().flat_map(variables).collect();
        for (at, message) in messages.iter().enumerate() {
            match message {
                Message::Said { role, content } => {
                    without_nul(&format!("prompt.{at}.role"), role)?;
                    without_nul(&format!("prompt.{at}.content"), content)?;
                }
                Message::Placeholder { name } => {
                    let field = format!("prompt.{at}.name");
                    without_nul(&field, name)?;
                    if name.is_empty() {
                        return Err(Fault::invalid("a placeholder has a name").on_field(field));
                    }
                    if variables.contains(name.as_str()) {
                        let message = format!("{name} is a placeholder and a variable");
                        return Err(Fault::invalid(message).on_field(field));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Message {
    fn bytes(&self) -> usize {
        match self {
            Message::Said { role, content } => role.len() + content.len() + 48,
            Message::Placeholder { name } => name.len() + 48,
        }
    }
}

fn without_nul(field: &str, text: &str) -> Result<(), Fault> {
    if text.contains('\0') {
        let message = "a text must not hold NUL characters";
        return Err(Fault::invalid(message).on_field(field));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(content: &str) -> Message {
        Message::Said {
            role: "user".into(),
            content: content.into(),
        }
    }

    fn placeholder(name: &str) -> Message {
        Message::Placeholder { name: name.into() }
    }

    #[test]
    fn a_placeholder_is_no_variable() {
        let field = |content: Content| content.check().map_err(|fault| fault.field.unwrap());
        let good = Content::Chat(vec![said("{{topic}}"), placeholder("history")]);
        assert_eq!(field(good), Ok(()));
        let clash = Content::Chat(vec![placeholder("history"), said("{{ history }}")]);
        assert_eq!(field(clash), Err("prompt.0.name".into()));
        let nameless = Content::Chat(vec![placeholder("")]);
        assert_eq!(field(nameless), Err("prompt.0.name".into()));
        let nul = Content::Chat(vec![said("a"), said("b\0")]);
        assert_eq!(field(nul), Err("prompt.1.content".into()));
    }
}
