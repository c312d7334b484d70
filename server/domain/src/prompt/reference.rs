//! Prompts within prompts: `@@@langfusePrompt:name=greeting|label=production@@@`.

use super::Selector;
use super::label::Label;
use super::name::PromptName;

const OPEN: &str = "@@@langfusePrompt:";
const CLOSE: &str = "@@@";

/// A version of another prompt, meant where it is named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The prompt's name.
    pub name: PromptName,
    /// Which version of it.
    pub selector: Selector,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// What stands for itself.
    Text(&'t str),
    /// What stands for another prompt.
    Reference(Reference),
}

/// The references in a text, in its order; what only looks like one stays text.
pub fn references(text: &str) -> impl Iterator<Item = Reference> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Reference(reference) => Some(reference),
        Piece::Text(_) => None,
    })
}

/// The pieces of a text; its texts and references, one behind the other, are the whole of it.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    let mut next = None;
    std::iter::from_fn(move || {
        if let Some(reference) = next.take() {
            return Some(Piece::Reference(reference));
        }
        if rest.is_empty() {
            return None;
        }
        let Some((start, length, reference)) = first(rest) else {
            return Some(Piece::Text(std::mem::take(&mut rest)));
        };
        let before = &rest[..start];
        rest = &rest[start + length..];
        if before.is_empty() {
            return Some(Piece::Reference(reference));
        }
        next = Some(reference);
        Some(Piece::Text(before))
    })
}

/// The first reference of a text: where it begins, its length in bytes, and what it means.
fn first(text: &str) -> Option<(usize, usize, Reference)> {
    let mut from = 0;
    while let Some(at) = text[from..].find(OPEN) {
        let start = from + at;
        let inner_start = start + OPEN.len();
        let length = text[inner_start..].find(CLOSE)?;
        let inner = &text[inner_start..inner_start + length];
        if let Some(reference) = Reference::parse(inner) {
            return Some((start, OPEN.len() + length + CLOSE.len(), reference));
        }
        from = inner_start;
    }
    None
}

impl Reference {
    /// From what stands between the marks.
    fn parse(inner: &str) -> Option<Self> {
        let (name, selector) = inner.split_once('|')?;
        let name = PromptName::parse(name.strip_prefix("name=")?).ok()?;
        let selector = match selector.split_once('=')? {
            ("version", number) if number.bytes().all(|b| b.is_ascii_digit()) => {
                Selector::Version(number.parse().ok().filter(|number| *number > 0)?)
            }
            ("label", label) => Selector::Label(Label::parse(label).ok()?),
            _ => return None,
        };
        Some(Reference { name, selector })
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.selector {
            Selector::Version(version) => write!(f, "{} version {version}", self.name),
            Selector::Label(label) => write!(f, "{} label {label}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        references(text)
            .map(|reference| reference.to_string())
            .collect()
    }

    #[test]
    fn references_are_found_among_text() {
        let text = "a @@@langfusePrompt:name=x/y z|version=3@@@ b\n\
            @@@langfusePrompt:name=a=b|label=production@@@@@@langfusePrompt:name=q|label=3@@@";
        assert_eq!(
            found(text),
            ["x/y z version 3", "a=b label production", "q label 3"]
        );
    }

    #[test]
    fn what_is_malformed_stays_text() {
        for text in [
            "@@@langfusePrompt:name=x@@@",
            "@@@langfusePrompt:name=x|version=0@@@",
            "@@@langfusePrompt:name=x|version=+1@@@",
            "@@@langfusePrompt:name=x|version=1.5@@@",
            "@@@langfusePrompt:name=x|version=99999999999@@@",
            "@@@langfusePrompt:name=x|version=1|label=a@@@",
            "@@@langfusePrompt:version=1|name=x@@@",
            "@@@langfusePrompt:name=x|label=Not so@@@",
            "@@@langfusePrompt:name=|version=1@@@",
            "@@@langfusePrompt:name=x|version=1@@",
            "@@@langfusePrompt:name=x\n|version=1@@@",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        // One that is never closed does not hide the next.
        let text = "@@@langfusePrompt: @@@langfusePrompt:name=x|version=1@@@";
        assert_eq!(found(text), ["x version 1"]);
    }
}
