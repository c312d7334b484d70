//! Shapes of answers.

/// The conversation of a span.
mod dialogue;
/// A price.
mod price;
/// How far a repricing is.
mod reprice;
/// A span.
mod span;
/// Texts that may be JSON.
mod text;
/// A trace: its row in the list, and whole.
mod trace;

pub(crate) use price::{PriceRow, UnpricedRow};
pub(crate) use reprice::RepriceShape;
pub(crate) use span::SpanShape;
pub(crate) use trace::{TraceRow, TraceText};
