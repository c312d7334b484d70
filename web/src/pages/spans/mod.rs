//! Spans: the panel beside the tree, content for download.

/// What a search found.
mod documents;
/// Input or output as a file.
mod download;
/// Names and values in the order in which a reader looks for them.
mod pairs;
/// The chosen span beside the tree.
pub(crate) mod panel;
/// What judges a span.
pub(crate) mod scores;

pub(crate) use download::download_content;
pub(crate) use scores::{ScoreRow, in_a_line, row as score_row};
