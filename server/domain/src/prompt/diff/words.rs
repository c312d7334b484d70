//! Two texts word by word.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Most words of each text that are compared one by one; longer ones are compared by lines.
const MOST: usize = 5_000;

/// What becomes of a stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// It stays.
    Equal,
    /// It goes.
    Delete,
    /// It comes.
    Insert,
}

impl Edit {
    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Edit::Equal => "equal",
            Edit::Delete => "delete",
            Edit::Insert => "insert",
        }
    }
}

/// A stretch of text, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// What becomes of it.
    pub edit: Edit,
    /// The text.
    pub text: String,
}

/// How one text becomes another: what stays and goes makes the old one, what stays and comes the new one. Texts of very
/// many words are compared by lines, and those of very many lines as wholes.
pub fn words(old: &str, new: &str) -> Vec<Stretch> {
    let cuts: [fn(&str) -> Vec<&str>; 3] = [by_words, by_lines, as_a_whole];
    for cut in cuts {
        let (before, after) = (cut(old), cut(new));
        if before.len() <= MOST && after.len() <= MOST {
            return edits(&before, &after);
        }
    }
    Vec::new()
}

fn as_a_whole(text: &str) -> Vec<&str> {
    vec![text]
}

fn by_lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Runs of letters and digits, runs of white space, and every other character by itself; so is each of a script that
/// has no spaces between words.
pub(super) fn by_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut begin = 0;
    let mut last = Class::Single;
    for (at, char) in text.char_indices() {
        let class = Class::of(char);
        if at > 0 && (class != last || class == Class::Single) {
            words.push(&text[begin..at]);
            begin = at;
        }
        last = class;
    }
    words.extend((begin < text.len()).then(|| &text[begin..]));
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Single,
}

impl Class {
    fn of(char: char) -> Self {
        // Kana, ideographs, and what comes after them but Hangul, which has spaces.
        let is_unspaced = ('\u{3040}'..'\u{ac00}').contains(&char)
            || ('\u{f900}'..'\u{fb00}').contains(&char)
            || char >= '\u{20000}';
        if char.is_whitespace() {
            Class::Space
        } else if (char.is_alphanumeric() || char == '_') && !is_unspaced {
            Class::Word
        } else {
            Class::Single
        }
    }
}

fn edits(old: &[&str], new: &[&str]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    let mut add = |edit, words: &[&str]| match found.last_mut() {
        _ if words.is_empty() => {}
        Some(last) if last.edit == edit => last.text.extend(words.iter().copied()),
        _ => found.push(Stretch {
            edit,
            text: words.concat(),
        }),
    };
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (before, after) = (&old[op.old_range()], &new[op.new_range()]);
        match op {
            DiffOp::Equal { .. } => add(Edit::Equal, after),
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                add(Edit::Delete, before);
                add(Edit::Insert, after);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(old: &str, new: &str) -> Vec<(&'static str, String)> {
        let found = words(old, new);
        let side = |not: Edit| -> String {
            let kept = found.iter().filter(|stretch| stretch.edit != not);
            kept.map(|stretch| stretch.text.as_str()).collect()
        };
        assert_eq!(
            (side(Edit::Insert), side(Edit::Delete)),
            (old.into(), new.into())
        );
        let each = found.into_iter();
        each.map(|stretch| (stretch.edit.as_str(), stretch.text))
            .collect()
    }

    #[test]
    fn words_are_told_apart_and_neighbours_stand_together() {
        let found = said(
            "Answer in short, plain words.",
            "Answer in plain words, always.",
        );
        assert_eq!(found[0], ("equal", "Answer in ".to_owned()));
        let found = said("回答要简短", "回答要详细");
        assert_eq!(
            found,
            [
                ("equal", "回答要".to_owned()),
                ("delete", "简短".to_owned()),
                ("insert", "详细".to_owned())
            ]
        );
        assert_eq!(said("", "new"), [("insert", "new".to_owned())]);
        assert!(said("", "").is_empty());
    }

    #[test]
    fn long_texts_are_compared_by_lines_and_longer_ones_as_wholes() {
        let line = "one two three four five six seven eight\n";
        let long = line.repeat(1_000);
        let found = said(&long, &format!("{long}more\n"));
        assert_eq!(found.last().unwrap(), &("insert", "more\n".to_owned()));
        let longer = "a\n".repeat(6_000);
        let found = said(&longer, "b");
        assert_eq!(found.len(), 2);
    }
}
