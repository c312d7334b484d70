//! Shapes of answers.

/// The conversation of a span.
mod dialogue;
/// A span.
mod span;
/// Texts that may be JSON.
mod text;
/// A trace: its row in the list, and whole.
mod trace;

pub(crate) use span::SpanShape;
pub(crate) use trace::{TraceRow, write_trace};
