//! Documents that a search found or a reranker ordered, whatever dialect wrote them down.
//!
//! Read from a span when it is shown, as messages are. A dialect gives them as JSON under one key, as
//! numbered keys, as events, or as the output of the span.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::attr::{gen_ai, langwatch, openinference, openllmetry, vercel_ai};
use crate::span::{Span, SpanEvent, SpanKind};
use crate::value::{Attributes, Value, get};

/// Documents of one span; more are left out.
pub const MOST: usize = 1_000;

/// A document. A distance is no score: of a distance less is better, so that each keeps its name.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Document {
    /// Its id; `None` where none was given.
    pub id: Option<String>,
    /// How well it fits; more is better.
    pub score: Option<f64>,
    /// Its text; `None` where only its id was sent.
    pub content: Option<String>,
    /// How far it is from what was looked for; less is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Whatever else is said of it: name, address, page.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Json>,
}

/// Keys that hold a list of documents as JSON, best first.
const LISTS: [&str; 2] = [gen_ai::RETRIEVAL_DOCUMENTS, langwatch::RAG_CONTEXTS];
/// Beginnings of numbered keys, best first: what came out before what went in.
const NUMBERED: [&str; 5] = [
    openinference::RETRIEVAL_DOCUMENTS,
    openinference::RERANKER_OUTPUT_DOCUMENTS,
    openinference::OUTPUT_DOCUMENTS,
    openinference::RERANKER_INPUT_DOCUMENTS,
    openinference::INPUT_DOCUMENTS,
];
/// Events that are a document each.
const EVENTS: [&str; 2] = [openllmetry::DB_QUERY_RESULT, openllmetry::DB_SEARCH_RESULT];

/// The documents of a span, in the order in which they were found; none for spans without.
pub fn documents(span: &Span) -> Vec<Document> {
    let from_lists = || LISTS.iter().find_map(|key| listed(&span.attributes, key));
    let from_numbers = || {
        let numbered = |prefix: &&str| numbered(&span.attributes, prefix);
        NUMBERED.iter().find_map(numbered)
    };
    from_lists()
        .or_else(from_numbers)
        .or_else(|| ranked(&span.attributes))
        .or_else(|| of_events(&span.events))
        .or_else(|| of_output(span))
        .unwrap_or_default()
}

/// As JSON under one key.
fn listed(attributes: &Attributes, key: &str) -> Option<Vec<Document>> {
    let json = json_of(get(attributes, key)?);
    let found = json.as_array()?.iter().take(MOST).map(Document::from_json);
    Some(found.collect()).filter(|found: &Vec<Document>| !found.is_empty())
}

/// As `prefix.N.document.field`.
fn numbered(attributes: &Attributes, prefix: &str) -> Option<Vec<Document>> {
    let mut by_number: BTreeMap<usize, Map<String, Json>> = BTreeMap::new();
    for (key, value) in attributes {
        let rest = key
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_prefix('.'));
        let Some((number, field)) = rest.and_then(|rest| rest.split_once('.')) else {
            continue;
        };
        let field = field.strip_prefix("document.").unwrap_or(field);
        match number.parse() {
            Ok(number) if number < MOST => {
                let fields = by_number.entry(number).or_default();
                fields.insert(field.to_owned(), value.to_json());
            }
            _ => {}
        }
    }
    let found: Vec<Document> = by_number.into_values().map(Document::from_fields).collect();
    (!found.is_empty()).then_some(found)
}

/// What Vercel's reranking took, in the order and with the scores that it gave.
fn ranked(attributes: &Attributes) -> Option<Vec<Document>> {
    let mut given = listed(attributes, vercel_ai::DOCUMENTS)?;
    let ranking = get(attributes, vercel_ai::RANKING).map(json_of);
    let Some(Json::Array(ranking)) = ranking else {
        return Some(given);
    };
    let places = ranking.iter().take(MOST).filter_map(|place| {
        let place = unquoted(place);
        let at = first(&place, &["originalIndex", "index"])?.as_u64()?;
        let score = first(&place, &["score", "relevanceScore"]).and_then(Json::as_f64);
        Some((usize::try_from(at).ok()?, score))
    });
    let ordered: Vec<Document> = places
        .filter_map(|(at, score)| {
            let mut document = std::mem::take(given.get_mut(at)?);
            document.score = score.or(document.score);
            Some(document)
        })
        .collect();
    Some(if ordered.is_empty() { given } else { ordered })
}

/// An event each, its attributes named after it (`db.query.result.id`).
fn of_events(events: &[SpanEvent]) -> Option<Vec<Document>> {
    let found: Vec<Document> = events
        .iter()
        .filter_map(|event| {
            let name = EVENTS.iter().find(|name| **name == event.name)?;
            let fields = event.attributes.iter().map(|(key, value)| {
                let field = key
                    .strip_prefix(name)
                    .and_then(|rest| rest.strip_prefix('.'));
                (field.unwrap_or(key).to_owned(), value.to_json())
            });
            Some(Document::from_fields(fields.collect()))
        })
        .take(MOST)
        .collect();
    (!found.is_empty()).then_some(found)
}

/// What a search or a reranking gave out, where that is a list of documents or holds one.
fn of_output(span: &Span) -> Option<Vec<Document>> {
    if !matches!(span.kind, SpanKind::Retriever | SpanKind::Reranker) {
        return None;
    }
    let json: Json = serde_json::from_str(&span.output.as_ref()?.text).ok()?;
    let list = json
        .as_array()
        .or_else(|| json.get("documents")?.as_array())?;
    let texts = |item: &Json| first(item, &TEXTS).is_some();
    let are_documents = !list.is_empty() && list.iter().all(texts);
    are_documents.then(|| list.iter().take(MOST).map(Document::from_json).collect())
}

const IDS: [&str; 4] = ["id", "document_id", "chunk_id", "doc_id"];
const SCORES: [&str; 3] = ["score", "relevance_score", "relevanceScore"];
const TEXTS: [&str; 6] = [
    "content",
    "page_content",
    "pageContent",
    "text",
    "document",
    "snippet",
];

impl Document {
    /// An object with the fields of a document, or just its text.
    fn from_json(json: &Json) -> Self {
        match unquoted(json) {
            Json::Object(fields) => Document::from_fields(fields),
            Json::Null => Document::default(),
            text => Document {
                content: Some(words(&text)),
                ..Document::default()
            },
        }
    }

    fn from_fields(mut fields: Map<String, Json>) -> Self {
        let mut take = |names: &[&str]| {
            let name = names
                .iter()
                .find(|name| fields.get(**name).is_some_and(is_told))?;
            fields.remove(*name)
        };
        let (id, score, content) = (take(&IDS), take(&SCORES), take(&TEXTS));
        let distance = take(&["distance"]);
        let told = take(&["metadata", "meta"]);
        let mut metadata = match told.as_ref().map(unquoted) {
            Some(Json::Object(told)) => told,
            Some(told) => Map::from_iter([("metadata".to_owned(), told)]),
            None => Map::new(),
        };
        metadata.extend(fields.into_iter().filter(|(_, value)| is_told(value)));
        Document {
            id: id.map(|id| words(&id)),
            score: score.as_ref().and_then(number),
            content: content.map(|content| words(&content)),
            distance: distance.as_ref().and_then(number),
            metadata,
        }
    }
}

/// Lists may come as JSON text.
fn json_of(value: &Value) -> Json {
    unquoted(&value.to_json())
}

/// JSON that stands in a text as what it is; any other text stays a text.
fn unquoted(json: &Json) -> Json {
    let inner = json.as_str().filter(|text| text.starts_with(['{', '[']));
    let inner = inner.and_then(|text| serde_json::from_str(text).ok());
    inner.unwrap_or_else(|| json.clone())
}

fn first<'j>(json: &'j Json, names: &[&str]) -> Option<&'j Json> {
    let mut found = names.iter().filter_map(|name| json.get(name));
    found.find(|value| is_told(value))
}

fn is_told(value: &Json) -> bool {
    !value.is_null()
}

fn words(json: &Json) -> String {
    json.as_str()
        .map_or_else(|| json.to_string(), str::to_owned)
}

fn number(json: &Json) -> Option<f64> {
    let number = json.as_f64().or_else(|| json.as_str()?.parse().ok());
    number.filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests;
