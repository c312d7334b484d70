//! What the search field says.

use domain::search::{FIELDS, MAX_CHARS, MAX_DEPTH, MAX_TERMS, Problem, SearchError};

use crate::i18n::{Lang, text};

/// Fields that can be searched by; those that end in a dot take a name.
pub(super) fn fields() -> Vec<&'static str> {
    FIELDS.iter().map(|(name, _)| *name).collect()
}

/// What is wrong with a search, and where.
pub(super) fn error(lang: Lang, error: &SearchError) -> String {
    let place = (error.at + 1).to_string();
    lang.fill(
        "{}, at character {}",
        &[&problem(lang, &error.problem), &place],
    )
}

fn problem(lang: Lang, problem: &Problem) -> String {
    let plain = |text| lang.t(text).to_owned();
    match problem {
        Problem::OpenQuote => plain(text!("A quote is opened and not closed")),
        Problem::OpenParenthesis => plain(text!("A parenthesis is opened and not closed")),
        Problem::StrayParenthesis => plain(text!("A parenthesis closes nothing")),
        Problem::Empty => plain(text!("There is nothing in between")),
        Problem::Alone(operator) => lang.fill(
            "{} needs something on each side that it joins; put it in quotes to look for the word",
            &[operator],
        ),
        Problem::Comparison { field, sign } => {
            lang.fill("{} cannot be compared by {}", &[field, sign])
        }
        Problem::NotANumber(field) => {
            lang.fill("{} takes a number, such as 1.5s, 200ms or 1000", &[field])
        }
        Problem::NotYesOrNo(field) => lang.fill("{} takes yes or no", &[field]),
        Problem::TooLong => lang.fill(
            "A search has at most {} characters",
            &[&MAX_CHARS.to_string()],
        ),
        Problem::TooMany => lang.fill("A search has at most {} terms", &[&MAX_TERMS.to_string()]),
        Problem::TooDeep => lang.fill("Parentheses go at most {} deep", &[&MAX_DEPTH.to_string()]),
        Problem::Nul => plain(text!("A NUL character cannot be looked for")),
    }
}
