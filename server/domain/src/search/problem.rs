use std::fmt;

use super::read::{MAX_CHARS, MAX_DEPTH, MAX_TERMS};

/// Why a text is no search, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchError {
    /// Characters before the place, from 0 to the length of the text.
    pub at: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A quote opens a phrase that does not end.
    OpenQuote,
    /// A parenthesis that is not closed.
    OpenParenthesis,
    /// A parenthesis that closes nothing.
    StrayParenthesis,
    /// Nothing between parentheses, or between quotes.
    Empty,
    /// An operator without what it is about.
    Alone(&'static str),
    /// A field is not compared so.
    Comparison {
        /// Its name.
        field: String,
        /// How it was compared.
        sign: &'static str,
    },
    /// A field takes numbers, with their units.
    NotANumber(String),
    /// A field takes yes or no.
    NotYesOrNo(String),
    /// More than [`MAX_CHARS`] characters.
    TooLong,
    /// More than [`MAX_TERMS`] terms.
    TooMany,
    /// More than [`MAX_DEPTH`] parentheses within each other.
    TooDeep,
    /// A NUL character.
    Nul,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::OpenQuote => f.write_str("a quote is opened and not closed"),
            Problem::OpenParenthesis => f.write_str("a parenthesis is opened and not closed"),
            Problem::StrayParenthesis => f.write_str("a parenthesis closes nothing"),
            Problem::Empty => f.write_str("there is nothing in between"),
            Problem::Alone(operator) => write!(
                f,
                "{operator} needs something to stand for; put it in quotes to look for the word"
            ),
            Problem::Comparison { field, sign } => {
                write!(f, "{field} cannot be compared by {sign}")
            }
            Problem::NotANumber(field) => {
                write!(f, "{field} takes a number, such as 1.5s, 200ms or 1000")
            }
            Problem::NotYesOrNo(field) => write!(f, "{field} takes yes or no"),
            Problem::TooLong => write!(f, "a search has at most {MAX_CHARS} characters"),
            Problem::TooMany => write!(f, "a search has at most {MAX_TERMS} terms"),
            Problem::TooDeep => write!(f, "parentheses go at most {MAX_DEPTH} deep"),
            Problem::Nul => f.write_str("a NUL character cannot be looked for"),
        }
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at character {}", self.problem, self.at + 1)
    }
}

impl std::error::Error for SearchError {}
