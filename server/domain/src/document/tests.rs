use serde_json::json;

use super::*;
use crate::ids::{SpanId, TraceId};
use crate::span::{Content, EventSource};
use crate::time::Timestamp;

fn span(attributes: &[(&str, Value)]) -> Span {
    let trace = TraceId::from_text("t").unwrap();
    let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH);
    let attributes = attributes.iter();
    span.attributes = attributes
        .map(|(key, value)| ((*key).into(), value.clone()))
        .collect();
    span
}

fn text(text: &str) -> Value {
    Value::Str(text.into())
}

fn shown(span: &Span) -> Json {
    json!(documents(span))
}

#[test]
fn a_list_under_one_key_is_read() {
    let list = r#"[{"id":"d1","score":0.9,"content":"a"},{"id":"d2","score":0.5}]"#;
    let expected = json!([
        {"id": "d1", "score": 0.9, "content": "a"},
        {"id": "d2", "score": 0.5, "content": null},
    ]);
    let found = shown(&span(&[("gen_ai.retrieval.documents", text(list))]));
    assert_eq!(found, expected);
    let contexts = r#"[{"document_id":"d","chunk_id":"c","content":"x"}]"#;
    assert_eq!(
        shown(&span(&[("langwatch.rag_contexts", text(contexts))])),
        json!([{"id": "d", "score": null, "content": "x", "metadata": {"chunk_id": "c"}}])
    );
}

#[test]
fn numbered_keys_are_put_together_in_the_order_of_their_numbers() {
    let found = shown(&span(&[
        ("retrieval.documents.10.document.content", text("last")),
        ("retrieval.documents.2.document.content", text("first")),
        ("retrieval.documents.2.document.score", Value::Double(0.25)),
        (
            "retrieval.documents.2.document.metadata",
            text(r#"{"page": 7}"#),
        ),
        ("retrieval.documents.x.document.content", text("no number")),
        ("reranker.input_documents.0.document.id", text("before")),
    ]));
    assert_eq!(
        found,
        json!([
            {"id": null, "score": 0.25, "content": "first", "metadata": {"page": 7}},
            {"id": null, "score": null, "content": "last"},
        ])
    );
}

#[test]
fn events_of_a_vector_database_keep_distance_and_score_apart() {
    let mut searched = span(&[]);
    let attributes = [
        ("db.query.result.id", text("d1")),
        ("db.query.result.distance", Value::Double(0.1)),
        ("db.query.result.document", text("words")),
    ];
    searched.events.push(SpanEvent {
        name: "db.query.result".to_owned(),
        time: Timestamp::EPOCH,
        attributes: attributes
            .into_iter()
            .map(|(key, value)| (key.into(), value))
            .collect(),
        source: EventSource::Span,
    });
    assert_eq!(
        shown(&searched),
        json!([{"id": "d1", "score": null, "content": "words", "distance": 0.1}])
    );
}

#[test]
fn a_ranking_orders_what_was_ranked() {
    let found = shown(&span(&[
        ("ai.documents", text(r#"["\"a\"", "b", "{\"id\":\"c\"}"]"#)),
        (
            "ai.ranking",
            text(r#"["{\"originalIndex\":2,\"score\":0.8}", {"index":1,"score":0.3}]"#),
        ),
    ]));
    assert_eq!(
        found,
        json!([
            {"id": "c", "score": 0.8, "content": null},
            {"id": null, "score": 0.3, "content": "b"},
        ])
    );
}

#[test]
fn the_output_of_a_search_is_read_only_where_it_is_documents() {
    let searched = |kind, output: &str| {
        let mut span = span(&[]);
        span.kind = kind;
        span.output = Some(Content {
            text: output.into(),
            attribute: None,
        });
        documents(&span).len()
    };
    let list = r#"{"documents":[{"page_content":"a","metadata":{}},{"page_content":"b"}]}"#;
    assert_eq!(searched(SpanKind::Retriever, list), 2);
    assert_eq!(searched(SpanKind::Chain, list), 0);
    assert_eq!(searched(SpanKind::Retriever, r#"[{"a":1}]"#), 0);
    assert_eq!(searched(SpanKind::Retriever, "words"), 0);
}

#[test]
fn very_many_documents_are_bounded() {
    let list = json!(vec![json!({"id": 1}); MOST + 5]).to_string();
    let found = documents(&span(&[("gen_ai.retrieval.documents", text(&list))]));
    assert_eq!(found.len(), MOST);
    assert_eq!(found[0].id.as_deref(), Some("1"));
}
