//! Spans as a block of columns: what a span gives to each.

use std::rc::Rc;

use domain::cost::Terms;
use domain::span::{Content, Provenance};
use domain::trace::PREVIEW_CHARS;
use domain::{ProjectId, Span, Timestamp};
use serde_json::{Value as Json, json};

use crate::block::out::Out;
use crate::block::{self, BadBlock, Head, Table};
use crate::spans::columns::COLUMNS;
use crate::spans::sharing::{Shared, find_shared};
use crate::value::{self, Resources};

/// What a span takes up as a rule, so that most blocks are written without moving them about.
const USUAL_SPAN_BYTES: usize = 4096;

/// Versions differ in these bits by content only.
const CONTENT_BITS: u32 = 48;
/// Of these, the ones that count how often its cost was computed anew.
const REPRICED_BITS: u32 = 16;

/// The version of a row that is the same but for its computed cost. It goes before the row that it
/// replaces, also when that one is sent again, and after whatever goes before that one.
pub(crate) fn versions_after(version: u128) -> u128 {
    version.saturating_add(1)
}

/// Encodes spans of one project.
///
/// # Errors
/// [`BadBlock::TooManyRows`], which no request is large enough for.
pub fn encode(project_id: ProjectId, spans: &[Span]) -> Result<Vec<u8>, BadBlock> {
    let mut resources = Resources::default();
    let resources: Vec<_> = spans
        .iter()
        .map(|span| resources.json(&span.resource))
        .collect();
    let (mut provenances, mut prices) = (Repeated::default(), Repeated::default());
    let rows: Vec<Row<'_>> = spans
        .iter()
        .zip(&resources)
        .map(|(span, resource)| Row {
            span,
            resource,
            provenance: provenances.text(&span.provenance[..], provenance),
            price: prices.text(terms(span), price),
            shared: find_shared(span),
        })
        .collect();
    let starts = spans.iter().map(|span| span.start);
    let head = Head {
        table: Table::Spans,
        project_id,
        rows: rows.len(),
        newest: starts.max().unwrap_or(Timestamp::EPOCH),
    };
    block::seal(
        &head,
        &block::write_columns(COLUMNS, &rows, USUAL_SPAN_BYTES),
    )
}

/// A span with what was worked out for its block.
pub(crate) struct Row<'a> {
    pub(crate) span: &'a Span,
    /// Its resource, as JSON.
    pub(crate) resource: &'a str,
    /// Which key gave which field, as JSON; empty when none gave any.
    pub(crate) provenance: Rc<str>,
    /// The terms of the cost, as JSON; empty when it was not computed.
    pub(crate) price: Rc<str>,
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
            .map(|(value, shared)| shared.map_or_else(|| value::letter(value), Shared::letter))
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

    /// The context as JSON; empty when nothing is known.
    pub(crate) fn context(&self) -> String {
        if self.span.context == domain::context::Context::default() {
            return String::new();
        }
        serde_json::to_string(&self.span.context).unwrap_or_default()
    }

    /// Which of two versions of a span counts, whatever the order in which they come: the one that
    /// ends later, then the one with more in it, then one of both, always the same. Of states that were
    /// put together from changes the one of more changes.
    pub(crate) fn version(&self, content_hash: u64) -> u128 {
        /// Above every end: instants take 63 bits.
        const PUT_TOGETHER: u64 = 1 << 63;
        let end = self.span.end.map_or(0, |end| end.unix_nanos());
        let end = match self.span.changes {
            Some(changes) => PUT_TOGETHER | u64::from(changes),
            None => u64::try_from(end).unwrap_or(0),
        };
        let things = self.span.attributes.len() + self.span.events.len();
        let richness = u16::try_from(things).unwrap_or(u16::MAX);
        u128::from(end) << 64
            | u128::from(richness) << CONTENT_BITS
            | u128::from(content_hash >> (64 - CONTENT_BITS + REPRICED_BITS)) << REPRICED_BITS
    }
}

/// Texts of things that come again and again within a block: each is made once.
struct Repeated<'a, T: ?Sized> {
    known: Vec<(&'a T, Rc<str>)>,
}

impl<T: ?Sized> Default for Repeated<'_, T> {
    fn default() -> Self {
        Repeated { known: Vec::new() }
    }
}

impl<'a, T: PartialEq + ?Sized> Repeated<'a, T> {
    /// Where there are more different things, looking for them costs more than it saves.
    const MOST: usize = 16;

    fn text(&mut self, thing: &'a T, write: impl Fn(&T) -> String) -> Rc<str> {
        if let Some((_, text)) = self.known.iter().find(|(known, _)| *known == thing) {
            return Rc::clone(text);
        }
        let text: Rc<str> = write(thing).into();
        if self.known.len() < Self::MOST {
            self.known.push((thing, Rc::clone(&text)));
        }
        text
    }
}

fn provenance(evidence: &[Provenance]) -> String {
    let pairs: Vec<_> = evidence
        .iter()
        .map(|from| (&from.field, &from.key))
        .collect();
    if pairs.is_empty() {
        return String::new();
    }
    serde_json::to_string(&pairs).unwrap_or_default()
}

/// The terms of its cost, if it was computed.
fn terms(span: &Span) -> &Option<Terms> {
    span.cost.as_ref().map_or(&None, |cost| &cost.terms)
}

fn price(terms: &Option<Terms>) -> String {
    let terms = terms.as_ref();
    terms.map_or_else(String::new, |terms| {
        serde_json::to_string(terms).unwrap_or_default()
    })
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

fn head(text: &str) -> &str {
    match text.char_indices().nth(PREVIEW_CHARS) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
