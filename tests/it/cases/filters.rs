//! What conditions find, by the filters of Langfuse's API and, where they are the same, by those of `/api/v1`.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use crate::langfuse::{all, becomes, escaped, event, found, ingest};

/// Ids of what a list has under a filter, sorted; its count must be that of its rows.
async fn matching(client: &ProjectClient, list: &str, filter: &Value) -> Vec<String> {
    let path = format!("/{list}?limit=100&filter={}", escaped(&json!([filter])));
    let page = found(client, &path).await;
    let mut ids: Vec<String> = all(&page, "id")
        .into_iter()
        .map(|id| id.as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    assert_eq!(page["meta"]["totalItems"], ids.len(), "{filter}");
    ids
}

/// The same of traces, over `/api/v1`.
async fn matching_v1(client: &ProjectClient, filter: &Value) -> Vec<String> {
    let path = format!(
        "/api/v1/traces?limit=100&filter={}",
        escaped(&json!([filter]))
    );
    let page = client.get_json(&path).await;
    let mut ids: Vec<String> = all(&page, "trace_id")
        .into_iter()
        .map(|id| id.as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids
}

/// Traces as clients describe them, until all can be listed.
async fn described(client: &ProjectClient, traces: &[Value]) {
    let events: Vec<Value> = (1..)
        .zip(traces)
        .map(|(number, trace)| event(number, 1, "trace-create", trace))
        .collect();
    ingest(client, &events).await;
    becomes(client, "/traces?limit=1", |list| {
        list["meta"]["totalItems"] == traces.len()
    })
    .await;
}

fn text(column: &str, operator: &str, value: &str) -> Value {
    json!({"type": "string", "column": column, "operator": operator, "value": value})
}

fn keyed(kind: &str, key: &str, (operator, value): (&str, Value)) -> Value {
    json!({"type": kind, "column": "metadata", "key": key, "operator": operator, "value": value})
}

#[tokio::test(flavor = "multi_thread")]
async fn c051_metadata_is_found_by_the_path_of_a_key() {
    let client = shared().await.new_project();
    let trace = json!({"id": "described", "metadata": {"config": {"timeout": 30, "name": "x"}}});
    let other = json!({"id": "other", "metadata": {"config": {"timeout": 300, "name": "y"}}});
    described(&client, &[trace, other]).await;
    let span =
        SpanBuilder::root("span").attribute("langfuse.trace.metadata.config", r#"{"timeout":30}"#);
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let by_number = keyed("numberObject", "config.timeout", ("=", json!(30)));
    let mut both = [span.trace_id().to_owned(), "described".to_owned()];
    both.sort();
    assert_eq!(matching(&client, "traces", &by_number).await, both);
    let by_text = keyed("stringObject", "config.name", ("contains", json!("x")));
    assert_eq!(matching(&client, "traces", &by_text).await, ["described"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn c052_every_sign_of_a_condition_is_text() {
    let names = [
        "100%",
        "100x",
        "a_b",
        "axb",
        r"c:\temp",
        "it's",
        "\"q\"",
        "{x}",
        "x; DROP",
        "'a' OR 1=1",
    ];
    let client = shared().await.new_project();
    let traces = names.map(|name| json!({"id": name, "name": name}));
    described(&client, &traces).await;
    for name in names {
        for operator in ["contains", "=", "starts with", "ends with"] {
            let found = matching(&client, "traces", &text("name", operator, name)).await;
            assert_eq!(found, [name], "{operator} {name}");
        }
        let others = matching(&client, "traces", &text("name", "does not contain", name)).await;
        assert_eq!(others.len(), names.len() - 1, "{name}");
        assert!(!others.contains(&name.to_owned()), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c053_none_of_keeps_what_has_nothing() {
    let client = shared().await.new_project();
    let traces = [
        json!({"id": "a", "tags": ["a"], "userId": "u1", "metadata": {"k": "v"}}),
        json!({"id": "b", "tags": ["b"], "metadata": {"k": "other"}}),
        json!({"id": "empty", "tags": []}),
        json!({"id": "none"}),
    ];
    described(&client, &traces).await;
    let tags =
        json!({"type": "arrayOptions", "column": "tags", "operator": "none of", "value": ["a"]});
    let users = json!({"type": "stringOptions", "column": "userId", "operator": "none of", "value": ["u1"]});
    let metadata = keyed("stringObject", "k", ("does not contain", json!("v")));
    for filter in [tags, users, metadata] {
        let found = matching(&client, "traces", &filter).await;
        assert_eq!(found, ["b", "empty", "none"], "{filter}");
    }
    let span = |id: &str, level: Value| json!({"id": id, "traceId": "a", "level": level});
    let events = [
        event(11, 2, "span-create", &span("error", json!("ERROR"))),
        event(12, 2, "span-create", &span("warning", json!("WARNING"))),
        event(13, 2, "span-create", &span("silent", Value::Null)),
    ];
    ingest(&client, &events).await;
    becomes(&client, "/observations", |list| {
        list["meta"]["totalItems"] == 3
    })
    .await;
    let level = json!({"type": "stringOptions", "column": "level", "operator": "none of", "value": ["ERROR"]});
    assert_eq!(
        matching(&client, "observations", &level).await,
        ["silent", "warning"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn c055_a_condition_means_the_same_wherever_it_is_put() {
    let client = shared().await.new_project();
    let turn = |id: &str, turn: Value| json!({"id": id, "metadata": {"turn": turn}});
    let traces = [
        turn("one", json!("1")),
        turn("percent", json!("100%")),
        turn("quoted", json!("it's \"1\"")),
        turn("upper", json!("ONE")),
        json!({"id": "without"}),
    ];
    described(&client, &traces).await;
    for (operator, value, expected) in [
        (
            "contains",
            "",
            &["one", "percent", "quoted", "upper", "without"][..],
        ),
        ("contains", "1", &["one", "percent", "quoted"]),
        ("contains", "%", &["percent"]),
        ("contains", "\"1\"", &["quoted"]),
        ("contains", "'", &["quoted"]),
        ("contains", "One", &["upper"]),
    ] {
        let filter = keyed("stringObject", "turn", (operator, json!(value)));
        let listed = matching(&client, "traces", &filter).await;
        assert_eq!(listed, expected, "{filter}");
        let own =
            json!({"column": "metadata", "key": "turn", "operator": operator, "value": value});
        assert_eq!(matching_v1(&client, &own).await, expected, "{own}");
        let query = json!({
            "view": "traces", "dimensions": [], "filters": [filter],
            "metrics": [{"measure": "count", "aggregation": "count"}],
            "fromTimestamp": "2026-01-01T00:00:00Z", "toTimestamp": "2100-01-01T00:00:00Z",
        });
        let counted = found(&client, &format!("/metrics?query={}", escaped(&query))).await;
        let counted = counted["data"][0]["count_count"].clone();
        let counted = counted.as_u64().or_else(|| counted.as_str()?.parse().ok());
        assert_eq!(counted.unwrap_or(0), expected.len() as u64, "{query}");
    }
}
