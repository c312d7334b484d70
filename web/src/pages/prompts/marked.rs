//! Texts with what is marked in them: variables, other prompts, white space, what changed.

use domain::ProjectId;
use domain::prompt::{Edit, Reference, Selector, Stretch, references, variables};

use crate::urls;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// What is shown.
    pub(crate) text: String,
    /// `var` of a variable, `ref` of another prompt; else nothing.
    pub(crate) class: &'static str,
    /// Where another prompt is; empty for everything else.
    pub(crate) url: String,
}

/// Pieces with what became of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    /// `del`, `ins`, or nothing of what stays.
    pub(crate) edit: &'static str,
    pub(crate) pieces: Vec<Piece>,
}

const OPEN_REFERENCE: &str = "@@@langfusePrompt:";
const CLOSE_REFERENCE: &str = "@@@";
/// Bytes of a variable with its braces; longer ones are not marked.
const LONGEST_NAME: usize = 256;

/// A text in pieces.
pub(crate) fn pieces(project: ProjectId, text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest[from..].find(OPEN_REFERENCE) {
        let begin = from + at;
        let inner = begin + OPEN_REFERENCE.len();
        let Some(length) = rest[inner..].find(CLOSE_REFERENCE) else {
            break;
        };
        let end = inner + length + CLOSE_REFERENCE.len();
        match references(&rest[begin..end]).next() {
            None => from = inner,
            Some(reference) => {
                with_variables(&rest[..begin], &mut found);
                found.push(Piece {
                    text: rest[begin..end].to_owned(),
                    class: "ref",
                    url: url_of(project, &reference),
                });
                (rest, from) = (&rest[end..], 0);
            }
        }
    }
    with_variables(rest, &mut found);
    found
}

fn with_variables(text: &str, found: &mut Vec<Piece>) {
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest[from..].find("{{") {
        let begin = from + at;
        // Where the name would end: the braces of a longer one are text.
        let near = rest.floor_char_boundary(begin + LONGEST_NAME);
        let Some(length) = rest[begin..near].find("}}") else {
            from = begin + 2;
            continue;
        };
        let end = begin + length + 2;
        // Of three braces the last two open.
        let opens = rest[begin..end].rfind("{{").map_or(begin, |at| begin + at);
        if variables(&rest[opens..end]).is_empty() {
            from = end;
            continue;
        }
        found.extend((opens > 0).then(|| plain(&rest[..opens])));
        found.push(Piece {
            text: rest[opens..end].to_owned(),
            class: "var",
            url: String::new(),
        });
        (rest, from) = (&rest[end..], 0);
    }
    found.extend((!rest.is_empty()).then(|| plain(rest)));
}

fn plain(text: &str) -> Piece {
    Piece {
        text: text.to_owned(),
        class: "",
        url: String::new(),
    }
}

/// Where a reference leads.
pub(super) fn url_of(project: ProjectId, reference: &Reference) -> String {
    let (id, name) = (project, &reference.name);
    match &reference.selector {
        Selector::Version(version) => {
            urls::prompt_with(id, name, &[("version", &version.to_string())])
        }
        Selector::Label(label) => urls::prompt_with(id, name, &[("label", label.as_str())]),
    }
}

/// A line of a diff.
pub(crate) fn line(project: ProjectId, stretches: &[Stretch], shows_space: bool) -> Vec<Marked> {
    let mut line: Vec<Marked> = stretches
        .iter()
        .map(|stretch| Marked {
            edit: match stretch.edit {
                Edit::Equal => "",
                Edit::Delete => "del",
                Edit::Insert => "ins",
            },
            pieces: match shows_space {
                true => vec![plain(&shown_space(&stretch.text))],
                false => pieces(project, &stretch.text),
            },
        })
        .collect();
    if shows_space {
        let edit = line.last().map_or("", |last| last.edit);
        line.push(Marked {
            edit,
            pieces: vec![plain("¶")],
        });
    }
    line
}

/// White space as signs: a space is a dot, a tab an arrow, and what only looks like them is told by its code.
fn shown_space(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            ' ' => shown.push('·'),
            '\t' => shown.push_str("→\t"),
            '\r' => shown.push('␍'),
            char if char.is_whitespace() || is_unseen(char) => {
                shown.push_str(&format!("⟨{:X}⟩", u32::from(char)));
            }
            char => shown.push(char),
        }
    }
    shown
}

/// Characters without width, and those that turn the direction of writing.
fn is_unseen(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_and_other_prompts_are_found_and_nothing_is_lost() {
        let project = ProjectId(uuid::Uuid::nil());
        let text = "Hi {{ name }}, {{a b}} @@@langfusePrompt:name=x/y|label=3@@@ {{{z}}} @@@langfusePrompt:no@@@ é";
        let found = pieces(project, text);
        let whole: String = found.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(whole, text);
        let marked: Vec<(&str, &str)> = found
            .iter()
            .filter(|piece| !piece.class.is_empty())
            .map(|piece| (piece.class, piece.text.as_str()))
            .collect();
        assert_eq!(marked[0], ("var", "{{ name }}"));
        assert_eq!(marked[1].0, "ref");
        assert_eq!(marked[2..], [("var", "{{z}}")]);
        let url = &found.iter().find(|piece| piece.class == "ref").unwrap().url;
        assert!(url.ends_with("/prompts/x/y?label=3"), "{url}");
    }

    #[test]
    fn white_space_is_shown_as_what_it_is() {
        assert_eq!(shown_space("a b\t\u{a0}\u{200b}\r"), "a·b→\t⟨A0⟩⟨200B⟩␍");
    }
}
