//! Requests as their engines know them.

use std::collections::HashMap;

use super::{LogRecord, engine};
use crate::ids::SpanId;

/// Shortest beginning of an id that is still the id.
const LEAST_BYTES: usize = 8;

/// Spans by the ids under which providers and engines know their requests.
#[derive(Debug, Default)]
pub struct Requests(HashMap<String, SpanId>);

impl Requests {
    /// Of several spans of one id the first given counts.
    pub fn new(pairs: impl IntoIterator<Item = (String, SpanId)>) -> Self {
        let mut known = HashMap::new();
        for (id, span) in pairs {
            known.entry(id).or_insert(span);
        }
        Requests(known)
    }

    /// The ids, in no order.
    pub fn ids(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// The span of the request that a record tells of. Engines add parts of their own to an id that they were given:
    /// `chatcmpl-1` is logged as `chatcmpl-1-a8a65d16`.
    pub fn span_of(&self, record: &LogRecord) -> Option<&SpanId> {
        if self.0.is_empty() {
            return None;
        }
        let told = engine::request_id(record)?;
        let mut id = told.as_str();
        loop {
            if let Some(span) = self.0.get(id) {
                return Some(span);
            }
            id = id.rsplit_once('-')?.0;
            if id.len() < LEAST_BYTES {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_known_with_what_the_engine_added_to_it() {
        let span = |text: &str| SpanId::from_text(text).unwrap();
        let pairs = [("chatcmpl-1", "first"), ("chatcmpl-1", "second")];
        let pairs = pairs.map(|(id, name)| (id.to_owned(), span(name)));
        let requests = Requests::new(pairs);
        let found = |id: &str| {
            let record = LogRecord {
                body: format!("INFO [async_llm.py:1] Added request {id}.")
                    .as_str()
                    .into(),
                ..LogRecord::default()
            };
            requests.span_of(&record).cloned()
        };
        for id in ["chatcmpl-1", "chatcmpl-1-a8a65d16", "chatcmpl-1-a8-0"] {
            assert_eq!(found(id), Some(span("first")), "{id}");
        }
        for id in ["chatcmpl-12", "chatcmpl", "other"] {
            assert_eq!(found(id), None, "{id}");
        }
    }
}
