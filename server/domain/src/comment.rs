//! What people and programs remark on traces, observations, sessions and prompts.

use crate::annotation::without_nul;
use crate::fault::Fault;
use crate::ids::{CommentId, PersonId};
use crate::span::named_enum;
use crate::tenancy::Person;
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

/// A comment with who wrote it, as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The comment.
    pub comment: Comment,
    /// Name of the author; `None` where a program wrote it.
    pub author_name: Option<String>,
    /// E-mail address of the author.
    pub author_email: Option<String>,
}

/// A comment that names somebody, as they see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The comment.
    pub remark: Remark,
    /// Whether they have followed it.
    pub is_read: bool,
}

/// A stretch of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The words.
    pub text: String,
    /// Whether they mention somebody.
    pub is_mention: bool,
}

/// How somebody is mentioned, after an `@`: what stands before the `@` of their e-mail address.
pub fn handle(email: &str) -> &str {
    email.split('@').next().unwrap_or(email)
}

/// The pieces of a comment in order. `@` and one of the handles mentions somebody, where the `@` does not stand in
/// the middle of a word and the handle does not go on; capitals do not matter.
pub fn pieces(content: &str, handles: &[&str]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    while let Some(found) = content[at..].find('@').map(|found| at + found) {
        let is_inside = content[..found].ends_with(goes_on);
        let word = &content[found + 1..];
        let end = word.find(|char| !goes_on(char)).unwrap_or(word.len());
        let word = word[..end].trim_end_matches(['.', '-']);
        let is_one = |handle: &&str| handle.to_lowercase() == word.to_lowercase();
        at = found + 1;
        if !is_inside && handles.iter().any(is_one) {
            at += word.len();
            add_piece(&mut pieces, &content[plain..found], false);
            add_piece(&mut pieces, &content[found..at], true);
            plain = at;
        }
    }
    add_piece(&mut pieces, &content[plain..], false);
    pieces
}

/// Whom a comment names, in the order of `people`. All who have the same handle are named by it.
pub fn mentioned(content: &str, people: &[Person]) -> Vec<PersonId> {
    let handles: Vec<&str> = people.iter().map(|person| handle(&person.email)).collect();
    let named: Vec<String> = pieces(content, &handles)
        .into_iter()
        .filter(|piece| piece.is_mention)
        .map(|piece| piece.text.trim_start_matches('@').to_lowercase())
        .collect();
    let is_named = |person: &&Person| named.contains(&handle(&person.email).to_lowercase());
    people.iter().filter(is_named).map(|it| it.id).collect()
}

fn add_piece(pieces: &mut Vec<Piece>, text: &str, is_mention: bool) {
    if !text.is_empty() {
        pieces.push(Piece {
            text: text.to_owned(),
            is_mention,
        });
    }
}

/// Whether a character may stand in a handle.
fn goes_on(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '.' | '-' | '_' | '+')
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

    fn mentioned(content: &str) -> Vec<String> {
        let found = pieces(content, &["maya", "li.wei"]);
        let whole: String = found.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(whole, content, "nothing is lost");
        let mentions = found.into_iter().filter(|piece| piece.is_mention);
        mentions.map(|piece| piece.text).collect()
    }

    #[test]
    fn members_are_mentioned_by_an_at_and_their_handle() {
        assert_eq!(
            mentioned("@maya, see what @Li.Wei. wrote"),
            ["@maya", "@Li.Wei"]
        );
        assert_eq!(mentioned("(@maya) 请@maya看"), ["@maya"]);
        for none in [
            "",
            "@",
            "@@",
            "mayas",
            "@mayas",
            "x@maya",
            "a@maya.example",
            "@somebody",
        ] {
            assert!(mentioned(none).is_empty(), "{none}");
        }
        assert_eq!(handle("maya@harbor.example"), "maya");
    }

    #[test]
    fn all_who_have_a_handle_are_named_by_it() {
        let person = |number, email: &str| Person {
            id: PersonId(uuid::Uuid::from_u128(number)),
            email: email.to_owned(),
            name: String::new(),
        };
        let people = [
            person(1, "maya@a.example"),
            person(2, "tom@a.example"),
            person(3, "maya@b.example"),
        ];
        let named = |content| super::mentioned(content, &people);
        assert_eq!(named("@Maya and @maya"), [people[0].id, people[2].id]);
        assert_eq!(named("tom@a.example"), []);
    }
}
