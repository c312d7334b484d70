//! Spans: the panel beside the tree, content for download.

/// What was said.
pub(crate) mod blocks;
/// What people remark.
pub(crate) mod comments;
/// In the words of other tools.
pub(crate) mod copied;
/// A span against another.
pub(crate) mod diff;
/// What a search found.
mod documents;
/// Input or output as a file.
mod download;
/// Instants within a span, pointers to others.
mod moments;
/// Names and values in the order in which a reader looks for them.
mod pairs;
/// The chosen span beside the tree.
pub(crate) mod panel;
/// What judges a span.
pub(crate) mod scores;

pub(crate) use comments::{create_comment, delete_comment};
pub(crate) use download::download_content;
pub(crate) use scores::{ScoreRow, in_a_line, row as score_row};
