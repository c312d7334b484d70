//! What people and programs remark on traces, observations, sessions and prompts.

use crate::annotation::without_nul;
use crate::fault::Fault;
use crate::ids::{CommentId, PersonId};
use crate::span::named_enum;
use crate::time::Timestamp;

/// Longest comment, in characters.
pub const MAX_CHARS: usize = 5_000;

named_enum!(
    /// What kind of thing is remarked on.
    CommentedKind, default Trace {
        /// A trace.
        Trace = "TRACE",
        /// An observation.
        Observation = "OBSERVATION",
        /// A session.
        Session = "SESSION",
        /// A version of a prompt.
        Prompt = "PROMPT",
    }
);

/// What somebody writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentDraft {
    /// What kind of thing it is on.
    pub kind: CommentedKind,
    /// The id of the thing.
    pub object_id: String,
    /// The words, 1 to [`MAX_CHARS`] characters.
    pub content: String,
    /// Who wrote them; `None` for a program.
    pub author: Option<PersonId>,
}

/// A comment of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its id.
    pub id: CommentId,
    /// What was written.
    pub draft: CommentDraft,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

impl CommentDraft {
    /// Checks what was written.
    ///
    /// # Errors
    /// `invalid` on the field that is wrong, by its name in Langfuse's API.
    pub fn check(&self) -> Result<(), Fault> {
        if !(1..=MAX_CHARS).contains(&self.content.chars().count()) {
            return Err(Fault::invalid("must have 1 to 5000 characters").on_field("content"));
        }
        without_nul("content", &self.content)?;
        without_nul("objectId", &self.object_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_says_something_that_can_be_stored() {
        let field = |content: &str| {
            let draft = CommentDraft {
                kind: CommentedKind::Trace,
                object_id: "t".to_owned(),
                content: content.to_owned(),
                author: None,
            };
            draft.check().err().and_then(|fault| fault.field)
        };
        assert_eq!(field(&"é".repeat(MAX_CHARS)), None);
        for wrong in ["", "a\0", &"x".repeat(MAX_CHARS + 1)] {
            assert_eq!(field(wrong).as_deref(), Some("content"));
        }
    }
}
