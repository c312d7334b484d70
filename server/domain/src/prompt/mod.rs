//! Prompts: texts for models under a name, in numbered versions, found by number or by label.
//!
//! **Invariants:** a version never changes but for its labels and the tags of its name; a label stands
//! on at most one version of a name, and gives others beside it only while it is under test; the version made last has the label `latest`.

/// References put in their place.
mod compose;
/// What a prompt says.
mod content;
/// What two versions differ in.
mod diff;
/// Names of versions that move.
mod label;
/// What prompts are called.
mod name;
/// What is told of a change.
pub mod notice;
/// Prompts within prompts.
mod reference;
/// Labels under test.
pub mod split;
/// Tags of a name.
mod tags;
/// Prompts as tokens.
mod tokens;
/// What is filled in when a prompt is used.
mod variable;

#[cfg(test)]
mod tests;

pub use compose::{Composed, Found, Graph, MAX_DEPTH, Node, Uncomposable, compose};
pub use content::{Content, Message};
pub use diff::{
    Beside, Change, Edit, Line, Op, Prefix, Row, Stretch, Version, beside, changes, prefix, rows,
    words,
};
pub use label::{Label, Labels};
pub use name::PromptName;
pub use reference::{Reference, references};
pub use split::{Split, Variant};
pub use tags::Tags;
pub use tokens::Tokenizer;
pub use variable::{fill, variables};

use serde_json::Value;

use crate::ids::{ProjectId, PromptId};
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// Whether a prompt is one text or a list of messages; the same for all versions of a name.
    Kind, default Text {
        /// One text.
        Text = "text",
        /// A list of messages.
        Chat = "chat",
    }
);

/// Which version of a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selector {
    /// The one of that number, from 1.
    Version(u32),
    /// The one that the label stands on.
    Label(Label),
}

/// One version of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// Id of the version.
    pub id: PromptId,
    /// The project.
    pub project_id: ProjectId,
    /// Its name.
    pub name: PromptName,
    /// Its number, from 1.
    pub version: u32,
    /// What it says.
    pub content: Content,
    /// What goes along with it: model, temperature, whatever its users agree on.
    pub config: Value,
    /// The labels that stand on it, `latest` at the end.
    pub labels: Vec<Label>,
    /// Tags of the name.
    pub tags: Tags,
    /// Why it was made.
    pub commit_message: Option<String>,
    /// Who made it: a person's id, or `API`.
    pub created_by: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its labels changed last.
    pub updated_at: Timestamp,
}

/// What a new version is made of; numbers, ids and times come when it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Its name.
    pub name: PromptName,
    /// What it says.
    pub content: Content,
    /// What goes along with it.
    pub config: Value,
    /// The labels that move to it, besides `latest`.
    pub labels: Labels,
    /// Tags of the name from now on; `None` leaves them.
    pub tags: Option<Tags>,
    /// Why it is made; at most 500 characters.
    pub commit_message: Option<String>,
}

/// A name in the list of prompts: all versions of it that match, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The name.
    pub name: PromptName,
    /// Text or chat.
    pub kind: Kind,
    /// Numbers of its versions, ascending.
    pub versions: Vec<u32>,
    /// Labels that stand on them.
    pub labels: Vec<Label>,
    /// Tags of the name.
    pub tags: Tags,
    /// When one of them changed last.
    pub updated_at: Timestamp,
    /// What goes along with the highest of them.
    pub config: Value,
}

impl Prompt {
    /// Bytes that it takes in memory, roughly.
    pub fn weight(&self) -> usize {
        let config = self.config.to_string().len();
        let tags: usize = self.tags.iter().map(String::len).sum();
        self.content.bytes() + config + tags + self.name.as_str().len() + 512
    }
}
