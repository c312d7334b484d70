//! What a filter means.

use std::collections::BTreeMap;

use domain::filter::{Column, Condition, Filter, Operator};
use domain::page::Limit;
use domain::span::{Content, Level, Status};
use domain::{ProjectId, Value};
use store_clickhouse::{ClickHouse, spans, traces};

use super::{fresh_store, insert, project, span};

fn filter(column: Column, operator: Operator, value: &str) -> Filter {
    let condition = Condition {
        column,
        operator,
        values: vec![value.to_owned()],
    };
    Filter {
        conditions: vec![condition],
        ..Filter::default()
    }
}

/// Ids of the traces that match, sorted; the chart must count as many.
async fn matching(store: &ClickHouse, project: ProjectId, filter: &Filter) -> Vec<String> {
    let limit = Limit::default();
    let page = traces::list(store, project, filter, (limit, None))
        .await
        .unwrap();
    let density = traces::density(store, project, filter, 10).await.unwrap();
    assert_eq!(
        density.traces,
        page.data.len() as u64,
        "chart and list agree on {filter:?}"
    );
    let mut ids: Vec<String> = page
        .data
        .iter()
        .map(|row| row.trace_id.to_string())
        .collect();
    ids.sort();
    ids
}

const NASTY: &[&str] = &[
    "100%",
    "100x",
    "a_b",
    "axb",
    "c:\\temp",
    "it's",
    "\"q\"",
    "{x}",
    "x; DROP",
    "'a' OR 1=1",
    "tab\there",
    "ÄÖ",
];

#[tokio::test(flavor = "multi_thread")]
async fn every_sign_in_a_search_means_itself() {
    let store = fresh_store().await;
    let project = project(1);
    let mut sent = Vec::new();
    for (number, name) in NASTY.iter().enumerate() {
        let mut span = span(&format!("t{number:02}"), "s", 0);
        span.name = (*name).to_owned();
        span.user_id = Some((*name).to_owned());
        sent.push(span);
    }
    insert(&store, project, &sent).await;
    for (number, name) in NASTY.iter().enumerate() {
        let only = vec![format!("t{number:02}")];
        let text = Filter {
            text: Some((*name).to_owned()),
            ..Filter::default()
        };
        assert_eq!(matching(&store, project, &text).await, only, "text {name}");
        for operator in [
            Operator::AnyOf,
            Operator::Contains,
            Operator::StartsWith,
            Operator::EndsWith,
        ] {
            let by_user = filter(Column::UserId, operator, name);
            assert_eq!(
                matching(&store, project, &by_user).await,
                only,
                "{operator:?} {name}"
            );
        }
    }
    let any_case = Filter {
        text: Some("äö".to_owned()),
        ..Filter::default()
    };
    assert_eq!(matching(&store, project, &any_case).await, vec!["t11"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn denials_keep_what_has_nothing() {
    let store = fresh_store().await;
    let project = project(1);
    let mut a = span("a", "s", 0);
    a.tags = vec!["a".to_owned()];
    a.user_id = Some("u1".to_owned());
    a.metadata = BTreeMap::from([("k".to_owned(), "\"v\"".to_owned())]);
    a.level = Level::Error;
    let mut b = span("b", "s", 0);
    b.tags = vec!["b".to_owned()];
    b.metadata = BTreeMap::from([("k".to_owned(), "\"other\"".to_owned())]);
    let none = span("none", "s", 0);
    // One of two spans has what is denied: then the trace has it.
    let (mut both, other) = (span("both", "s", 0), span("both", "o", 0));
    both.tags = vec!["a".to_owned(), "b".to_owned()];
    insert(&store, project, &[a, b, none, both, other]).await;
    let cases = [
        (
            filter(Column::Tag, Operator::NoneOf, "a"),
            vec!["b", "none"],
        ),
        (filter(Column::Tag, Operator::AnyOf, "a"), vec!["a", "both"]),
        (
            filter(Column::UserId, Operator::NoneOf, "u1"),
            vec!["b", "both", "none"],
        ),
        (
            filter(
                Column::Metadata("k".to_owned()),
                Operator::DoesNotContain,
                "v",
            ),
            vec!["b", "both", "none"],
        ),
        (
            filter(Column::Metadata("k".to_owned()), Operator::AnyOf, "v"),
            vec!["a"],
        ),
        (
            filter(Column::Level, Operator::NoneOf, "ERROR"),
            vec!["b", "both", "none"],
        ),
        (
            Filter {
                has_error: Some(false),
                ..Filter::default()
            },
            vec!["b", "both", "none"],
        ),
        (
            Filter {
                has_error: Some(true),
                ..Filter::default()
            },
            vec!["a"],
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(
            matching(&store, project, &filter).await,
            expected,
            "{filter:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replaced_versions_of_a_span_do_not_count() {
    let store = fresh_store().await;
    let project = project(1);
    let mut first = span("t", "s", 0);
    first.user_id = Some("before".to_owned());
    first.status = Status::Error;
    let mut second = first.clone();
    second.user_id = Some("after".to_owned());
    second.status = Status::Ok;
    second.end = second.end.map(|end| end.plus(domain::Nanos(1)));
    insert(&store, project, &[second]).await;
    insert(&store, project, &[first]).await;
    let cases = [
        (filter(Column::UserId, Operator::AnyOf, "before"), 0),
        (filter(Column::UserId, Operator::AnyOf, "after"), 1),
        (filter(Column::UserId, Operator::NoneOf, "before"), 1),
        (filter(Column::UserId, Operator::NoneOf, "after"), 0),
        (
            Filter {
                has_error: Some(true),
                ..Filter::default()
            },
            0,
        ),
        (
            Filter {
                has_error: Some(false),
                ..Filter::default()
            },
            1,
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(
            matching(&store, project, &filter).await.len(),
            expected,
            "{filter:?}"
        );
        let page = spans::list(&store, project, &filter, (Limit::default(), None))
            .await
            .unwrap();
        assert_eq!(page.data.len(), expected, "spans: {filter:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn attributes_are_found_also_where_they_are_stored_as_input() {
    let store = fresh_store().await;
    let project = project(1);
    let said = "a text of \"two\" lines, long enough\nto be stored ONCE only: 中文";
    let plain = "a plain text that is long enough to be stored ONCE only";
    let messages = serde_json::json!([said, plain]).to_string();
    let mut sent = span("t", "s", 0);
    sent.attributes = vec![
        ("input.value".into(), Value::from(messages.as_str())),
        ("copy".into(), Value::from(messages.as_str())),
        ("said".into(), Value::from(said)),
        ("plain".into(), Value::from(plain)),
        ("count".into(), Value::Int(7)),
    ];
    sent.input = Some(Content {
        text: messages.as_str().into(),
        attribute: Some("input.value".into()),
    });
    insert(&store, project, std::slice::from_ref(&sent)).await;
    insert(&store, project, &[span("u", "s", 0)]).await;
    let attribute = |key: &str| Column::Attribute(key.to_owned());
    for key in ["input.value", "copy", "said", "plain"] {
        let contains = filter(attribute(key), Operator::Contains, "once");
        let found = matching(&store, project, &contains).await;
        assert_eq!(found, vec!["t"], "{key}");
    }
    for (key, text) in [("said", said), ("plain", plain)] {
        let equals = filter(attribute(key), Operator::AnyOf, text);
        assert_eq!(matching(&store, project, &equals).await, vec!["t"], "{key}");
    }
    let by_number = filter(attribute("count"), Operator::AnyOf, "7");
    assert_eq!(matching(&store, project, &by_number).await, vec!["t"]);
    let without = filter(attribute("count"), Operator::NoneOf, "7");
    assert_eq!(matching(&store, project, &without).await, vec!["u"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn times_and_latency_bind_to_the_trace() {
    let store = fresh_store().await;
    let project = project(1);
    let slow = [span("slow", "a", 0), span("slow", "b", 4)];
    insert(&store, project, &slow).await;
    insert(&store, project, &[span("quick", "a", 2)]).await;
    let slower = Filter {
        min_latency_ms: Some(4000.0),
        ..Filter::default()
    };
    assert_eq!(matching(&store, project, &slower).await, vec!["slow"]);
    let from = Filter {
        from: Some(slow[0].start.plus(domain::Nanos(1))),
        ..Filter::default()
    };
    assert_eq!(matching(&store, project, &from).await, vec!["quick"]);
    let to = Filter {
        to: Some(span("x", "x", 2).start),
        ..Filter::default()
    };
    assert_eq!(matching(&store, project, &to).await, vec!["slow"]);
}
