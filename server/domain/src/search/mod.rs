//! What people type into a search field: words, "phrases", `field:value`, `field>value`, put together
//! by AND, OR, NOT and parentheses.
//!
//! Words side by side must all be there. NOT binds more tightly than AND, AND more tightly than OR.
//! Only capitals make an operator. A word before a colon that is no field is text like any other, so
//! that `c:\temp` and `http://host` need no quotes.

/// What can stand before an operator.
mod fields;
/// What is wrong with a text, and where.
mod problem;
/// From text to a search.
mod read;
#[cfg(test)]
mod tests;
/// What stands behind an operator.
mod values;

use serde::{Deserialize, Serialize};

use crate::filter::{Condition, Measured, Verdicts};

pub use fields::{FIELDS, FieldKind};
pub use problem::{Problem, SearchError};
pub use read::{MAX_CHARS, MAX_DEPTH, MAX_TERMS, Parsed, parse};

/// What traces or spans must be. Each term holds for a trace when it holds for one of its spans, and
/// for numbers when it holds for the trace as a whole; of a denied one none of the spans may have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// Every one holds.
    All(Vec<Search>),
    /// One of them holds.
    Any(Vec<Search>),
    /// It does not hold.
    Not(Box<Search>),
    /// One thing that holds or not.
    Term(Term),
}

/// One thing that holds or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// A text in name, input, output or error, whatever the case of letters.
    Text(String),
    /// A comparison of texts.
    Condition(Condition),
    /// A comparison of a number: a latency, tokens, a cost.
    Measured(Measured),
    /// What scores say.
    Verdicts(Verdicts),
    /// Whether something failed.
    Failed(bool),
}

impl Search {
    /// A text, taken as it is.
    pub fn text(text: impl Into<String>) -> Self {
        Search::Term(Term::Text(text.into()))
    }

    /// The text, where the search is nothing else.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Search::Term(Term::Text(text)) => Some(text),
            _ => None,
        }
    }
}
