//! What prompts are called.

use std::fmt;
use std::sync::Arc;

use crate::fault::Fault;

/// Most characters; an index of the store takes no more.
const MAX_CHARS: usize = 500;
/// Words that are addresses of pages.
const RESERVED: [&str; 3] = ["new", "metrics", "prompt-detail"];

/// The name of a prompt. A `/` within it makes folders; nothing else has a meaning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PromptName(Arc<str>);

impl PromptName {
    /// From text.
    ///
    /// # Errors
    /// `invalid` on the field `name` for an empty or too long one, a reserved word, a control
    /// character, a `|`, what looks like an HTML tag, and a `/` at an end or beside another.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = |why: &str| Err(Fault::invalid(format!("name {why}")).on_field("name"));
        if text.trim().is_empty() {
            return wrong("must not be empty");
        }
        if text.chars().count() > MAX_CHARS {
            return wrong("must have at most 500 characters");
        }
        if text.chars().any(char::is_control) {
            return wrong("must not hold control characters");
        }
        if text.contains('|') {
            return wrong("must not hold '|'");
        }
        let after_open = text.split_once('<').map(|(_, after)| after);
        if after_open.is_some_and(|after| after.contains('>')) {
            return wrong("must not hold HTML tags");
        }
        if text.starts_with('/') || text.ends_with('/') || text.contains("//") {
            return wrong("must not begin or end with '/', nor hold '//'");
        }
        if RESERVED.contains(&text) {
            return wrong("is a reserved word");
        }
        Ok(PromptName(text.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PromptName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_paths_of_anything_but_what_would_mislead() {
        for good in [
            "a",
            "team/greet v1/hello",
            "a%2Fb",
            "問候",
            "1 < 2",
            "new/one",
            "a=b:c",
        ] {
            assert_eq!(PromptName::parse(good).unwrap().as_str(), good);
        }
        let long = "x".repeat(501);
        for wrong in [
            "",
            " ",
            "/a",
            "a/",
            "a//b",
            "a|b",
            "<b>x</b>",
            "a<>",
            "new",
            "metrics",
            "prompt-detail",
            "a\0b",
            "a\nb",
            &long,
        ] {
            let fault = PromptName::parse(wrong).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("name"), "{wrong}");
        }
    }
}
