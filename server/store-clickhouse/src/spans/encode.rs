//! One span as the bytes of its columns.

use std::sync::Arc;

use domain::Span;
use domain::span::Content;
use domain::trace::PREVIEW_CHARS;
use serde_json::{Value as Json, json};

use crate::spans::out::Out;
use crate::spans::sharing::Shared;
use crate::spans::value;

/// A span with what was worked out for its block.
pub(crate) struct Row<'a> {
    pub(crate) span: &'a Span,
    /// Its resource, as JSON.
    pub(crate) resource: &'a str,
    /// For each of its attributes whether its text stands elsewhere already.
    pub(crate) shared: Vec<Option<Shared>>,
}

impl Row<'_> {
    pub(crate) fn start_hour(&self) -> u32 {
        u32::try_from(self.span.start.unix_seconds() / 3600).unwrap_or(u32::MAX)
    }

    pub(crate) fn oddities(&self) -> u8 {
        let odd = self.span.oddities;
        u8::from(odd.end_before_start)
            | u8::from(odd.start_unknown) << 1
            | u8::from(odd.cut) << 2
            | u8::from(odd.invalid_utf8) << 3
    }

    /// Head of a content, for roots only: lists show no other.
    pub(crate) fn preview<'c>(&self, content: Option<&'c Content>) -> &'c str {
        match content {
            Some(content) if self.span.parent_span_id.is_none() => head(&content.text),
            _ => "",
        }
    }

    pub(crate) fn write_attributes(&self, out: &mut Out) {
        for ((key, value), shared) in self.span.attributes.iter().zip(&self.shared) {
            out.name(key);
            match shared {
                Some(shared) => out.text(&shared.text()),
                None => out.text(&value::to_text(value).1),
            }
        }
        out.end_list(self.span.attributes.len());
    }

    /// A letter an attribute; nothing when all of them are text.
    pub(crate) fn attribute_types(&self) -> Vec<u8> {
        let values = self.span.attributes.iter().map(|(_, value)| value);
        let letters: Vec<u8> = values
            .zip(&self.shared)
            .map(|(value, shared)| shared.map_or_else(|| letter_of(value), Shared::letter))
            .collect();
        if letters.iter().all(|&letter| letter == b's') {
            Vec::new()
        } else {
            letters
        }
    }

    pub(crate) fn events(&self) -> String {
        let events = self.span.events.iter().map(|event| {
            json!([
                event.name,
                event.time.unix_nanos(),
                value::attributes_to_json(&event.attributes)
            ])
        });
        list(events)
    }

    pub(crate) fn links(&self) -> String {
        let links = self.span.links.iter().map(|link| {
            let attributes = value::attributes_to_json(&link.attributes);
            json!([link.trace_id.as_str(), link.span_id.as_str(), attributes])
        });
        list(links)
    }

    pub(crate) fn provenance(&self) -> String {
        list(
            self.span
                .provenance
                .iter()
                .map(|evidence| json!([evidence.field, evidence.key])),
        )
    }

    /// The terms of the cost as JSON; empty when it was not computed.
    pub(crate) fn price(&self) -> String {
        let terms = self.span.cost.as_ref().and_then(|cost| cost.terms.as_ref());
        terms.map_or_else(String::new, |terms| {
            serde_json::to_string(terms).unwrap_or_default()
        })
    }

    /// The context as JSON; empty when nothing is known.
    pub(crate) fn context(&self) -> String {
        if self.span.context == domain::context::Context::default() {
            return String::new();
        }
        serde_json::to_string(&self.span.context).unwrap_or_default()
    }

    /// Of two versions of a span the one with more in it counts, when both end at the same time.
    pub(crate) fn richness(&self) -> u16 {
        let things = self.span.attributes.len() + self.span.events.len();
        u16::try_from(things).unwrap_or(u16::MAX)
    }
}

/// A list as JSON; empty text when there is nothing in it.
fn list(items: impl Iterator<Item = Json>) -> String {
    let items: Vec<Json> = items.collect();
    if items.is_empty() {
        String::new()
    } else {
        Json::Array(items).to_string()
    }
}

fn letter_of(value: &domain::Value) -> u8 {
    match value {
        domain::Value::Str(_) => b's',
        domain::Value::Int(_) => b'i',
        domain::Value::Double(_) => b'd',
        domain::Value::Bool(_) => b'b',
        domain::Value::Bytes(_) => b'x',
        domain::Value::Array(_) | domain::Value::Map(_) => b'j',
        domain::Value::Null => b'n',
    }
}

fn head(text: &str) -> &str {
    match text.char_indices().nth(PREVIEW_CHARS) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// The resource of spans as JSON, made once for the spans that share it.
#[derive(Default)]
pub(crate) struct Resources {
    last: Option<(*const domain::Attributes, Arc<str>)>,
}

impl Resources {
    pub(crate) fn json(&mut self, span: &Span) -> Arc<str> {
        let at = Arc::as_ptr(&span.resource);
        match &self.last {
            Some((last, json)) if *last == at => Arc::clone(json),
            _ => {
                let json: Arc<str> = match span.resource.is_empty() {
                    true => Arc::from(""),
                    false => value::attributes_to_json(&span.resource).to_string().into(),
                };
                self.last = Some((at, Arc::clone(&json)));
                json
            }
        }
    }
}
