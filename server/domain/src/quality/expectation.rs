//! What was asked of an answer: by its request, its prompt's settings or a rule of the project.

use std::sync::Arc;

use crate::quality::stop_reason::FinishReason;
use crate::quality::{LengthRange, Schema, stop_reason};

/// The form that an answer should have.
#[derive(Clone, Debug)]
pub enum Format {
    /// Any text: there is nothing to be wrong about.
    Text,
    /// Any JSON value.
    Json,
    /// A JSON value that a schema accepts.
    JsonSchema(Arc<Schema>),
}

impl Format {
    /// Whether it is some kind of JSON.
    pub fn is_json(&self) -> bool {
        !matches!(self, Format::Text)
    }
}

/// Everything that is known to have been asked for; `None` where nothing is.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// Form of the answer.
    pub format: Option<Format>,
    /// Length in characters (Unicode scalar values).
    pub characters: Option<LengthRange>,
    /// Length in output tokens.
    pub tokens: Option<LengthRange>,
    /// Reasons to stop that are as they should be; [`stop_reason::USUAL`] unless told otherwise.
    pub finish_reasons: Vec<FinishReason>,
}

impl Default for Expectation {
    fn default() -> Self {
        Expectation {
            format: None,
            characters: None,
            tokens: None,
            finish_reasons: stop_reason::USUAL.to_vec(),
        }
    }
}
