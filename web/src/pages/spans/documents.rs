//! What a search found or a reranker ordered.

use domain::document::Document;

use super::pairs::{Pair, of_json};
use crate::content::{self, HEAD_BYTES};
use crate::format;

/// A document.
pub(crate) struct DocumentRow {
    /// Its id; empty where none was given.
    pub(crate) id: String,
    /// How well it fits; empty where nobody said.
    pub(crate) score: String,
    /// How far it is; empty where nobody said.
    pub(crate) distance: String,
    /// The head of its text.
    pub(crate) text: String,
    pub(crate) pairs: Vec<Pair>,
}

impl From<Document> for DocumentRow {
    fn from(document: Document) -> Self {
        let number =
            |number: Option<f64>| number.map_or(String::new(), |number| format::trimmed(number, 4));
        let text = document.content.unwrap_or_default();
        DocumentRow {
            id: document.id.unwrap_or_default(),
            score: number(document.score),
            distance: number(document.distance),
            text: content::head(&text, HEAD_BYTES).to_owned(),
            pairs: of_json(&document.metadata),
        }
    }
}
