//! Rows and what they stand for.

use domain::prompt::{Content, Kind, Label, Message, Prompt, PromptName, Tags};
use domain::{Fault, ProjectId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::StoreError;

/// A version with what its name knows.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) name: String,
    pub(super) version: i32,
    pub(super) content: String,
    pub(super) config: String,
    pub(super) labels: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) commit_message: Option<String>,
    pub(super) created_by: String,
    pub(super) created_at: OffsetDateTime,
    pub(super) updated_at: OffsetDateTime,
}

/// Content as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Text(String),
    Chat(Vec<StoredMessage>),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredMessage {
    Said { role: String, content: String },
    Placeholder { placeholder: String },
}

impl Row {
    /// The version.
    ///
    /// # Errors
    /// When it was not written here.
    pub(super) fn into_prompt(self, project: ProjectId) -> Result<Prompt, StoreError> {
        Ok(Prompt {
            id: self.id.into(),
            project_id: project,
            name: name(&self.name)?,
            version: number(self.version),
            content: content(&self.content)?,
            config: config(&self.config),
            labels: labels(&self.labels)?,
            tags: Tags::from_stored(self.tags),
            commit_message: self.commit_message,
            created_by: self.created_by,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}

/// Content as it is stored.
pub(super) fn stored(content: &Content) -> String {
    let stored = match content {
        Content::Text(text) => Stored::Text(text.clone()),
        Content::Chat(messages) => Stored::Chat(messages.iter().map(stored_message).collect()),
    };
    // Texts and lists of texts can always be written.
    serde_json::to_string(&stored).unwrap_or_default()
}

fn stored_message(message: &Message) -> StoredMessage {
    match message.clone() {
        Message::Said { role, content } => StoredMessage::Said { role, content },
        Message::Placeholder { name } => StoredMessage::Placeholder { placeholder: name },
    }
}

fn content(json: &str) -> Result<Content, StoreError> {
    let stored = serde_json::from_str(json);
    let stored = stored.map_err(|error| StoreError::Row(error.into()))?;
    Ok(match stored {
        Stored::Text(text) => Content::Text(text),
        Stored::Chat(messages) => Content::Chat(messages.into_iter().map(message).collect()),
    })
}

fn message(stored: StoredMessage) -> Message {
    match stored {
        StoredMessage::Said { role, content } => Message::Said { role, content },
        StoredMessage::Placeholder { placeholder } => Message::Placeholder { name: placeholder },
    }
}

/// What goes along with a version.
pub(super) fn config(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

pub(super) fn name(text: &str) -> Result<PromptName, StoreError> {
    PromptName::parse(text).map_err(row)
}

pub(super) fn label(text: &str) -> Result<Label, StoreError> {
    Label::parse(text).map_err(row)
}

pub(super) fn labels(texts: &[String]) -> Result<Vec<Label>, StoreError> {
    let labels = texts.iter().map(|text| Label::parse(text));
    labels.collect::<Result<_, _>>().map_err(row)
}

/// The kind of a name; the table's constraint keeps others out.
pub(super) fn kind(text: &str) -> Kind {
    Kind::from_name(text).unwrap_or_default()
}

/// A number of the table, which holds none below 1.
pub(super) fn number(version: i32) -> u32 {
    version.unsigned_abs()
}

/// A number as the table holds it; no version has one beyond its end.
pub(super) fn column(version: u32) -> i32 {
    i32::try_from(version).unwrap_or(i32::MAX)
}

fn row(fault: Fault) -> StoreError {
    StoreError::Row(fault.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_comes_back_as_it_went() {
        let said = |role: &str, content: &str| Message::Said {
            role: role.into(),
            content: content.into(),
        };
        let placeholder = Message::Placeholder {
            name: "history".into(),
        };
        for original in [
            Content::Text(String::new()),
            Content::Text("\"quoted\"\n😀 {{x}}".into()),
            Content::Chat(Vec::new()),
            Content::Chat(vec![said("system", "a"), placeholder, said("", "")]),
        ] {
            assert_eq!(content(&stored(&original)).unwrap(), original);
        }
    }
}
