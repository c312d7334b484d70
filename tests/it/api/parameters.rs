//! Parameters of lists: times (case C079), limits, filters.

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

async fn names(client: &ProjectClient, query: &[(&str, &str)]) -> Vec<String> {
    let request = client.request(Method::GET, "/api/v1/traces").query(query);
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert_eq!(status, StatusCode::OK, "{query:?}: {text}");
    let page: Value = serde_json::from_str(&text).unwrap();
    let rows = page["data"].as_array().unwrap();
    let mut names: Vec<String> = rows
        .iter()
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn ranges_need_a_zone_include_from_and_exclude_to() {
    let client = shared().await.new_project();
    // 2026-01-05T01:00:00Z and a minute later.
    for (name, seconds) in [("at from", 1_767_574_800u64), ("at to", 1_767_574_860)] {
        let span = SpanBuilder::root(name)
            .field("startTimeUnixNano", format!("{seconds}000000000"))
            .field("endTimeUnixNano", format!("{seconds}500000000"));
        client.accept_traces(&export([&span])).await;
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    let range = |from| [("from", from), ("to", "2026-01-05T01:01:00Z")];
    assert_eq!(
        names(&client, &range("2026-01-05T01:00:00Z")).await,
        ["at from"]
    );
    assert_eq!(
        names(&client, &range("2026-01-05T10:00:00+09:00")).await,
        ["at from"]
    );
    let raw_plus = "/api/v1/traces?from=2026-01-05T10:00:00+09:00&to=2026-01-05T01:01:00Z";
    assert_eq!(
        client.get_json(raw_plus).await["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    for wrong in [
        "2026-01-05T01:00:00",
        "2026-01-05",
        "1767574800",
        "1767574800000",
        "yesterday",
    ] {
        for parameter in ["from", "to"] {
            let request = client.request(Method::GET, "/api/v1/traces");
            let answer = request.query(&[(parameter, wrong)]).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{wrong}");
            let problem: Value = answer.json().await.unwrap();
            assert_eq!(problem["errors"][0]["path"], parameter);
        }
    }
}

#[tokio::test]
async fn nonsense_is_400_naming_the_parameter() {
    let client = shared().await.client();
    for (query, name) in [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("cursor=zzz", "cursor"),
        ("filter=nonsense", "filter"),
        (
            "filter=%5B%7B%22column%22:%22x%22,%22operator%22:%22%3D%22,%22value%22:%22y%22%7D%5D",
            "filter",
        ),
        ("has_error=maybe", "has_error"),
        ("min_latency_ms=NaN", "min_latency_ms"),
    ] {
        for list in ["traces", "spans"] {
            let answer = client.get(&format!("/api/v1/{list}?{query}")).await;
            assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{query}");
            let problem: Value = answer.json().await.unwrap();
            assert_eq!(problem["errors"][0]["path"], name, "{query}");
        }
    }
}

#[tokio::test]
async fn filters_find_what_they_name_and_keep_what_has_nothing() {
    let client = shared().await.new_project();
    for (name, user) in [("one", Some("u%1")), ("two", Some("u_2")), ("none", None)] {
        let mut span = SpanBuilder::root(name);
        if let Some(user) = user {
            span = span.attribute("user.id", user);
        }
        client.accept_traces(&export([&span])).await;
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    assert_eq!(names(&client, &[("user_id", "u%1")]).await, ["one"]);
    assert_eq!(
        names(&client, &[("user_id", "u%1"), ("user_id", "u_2")]).await,
        ["one", "two"]
    );
    let condition = |operator: &str, value: &str| {
        format!(r#"[{{"column":"userId","operator":"{operator}","value":{value}}}]"#)
    };
    let filtered = async |filter: String| names(&client, &[("filter", filter.as_str())]).await;
    assert_eq!(
        filtered(condition("none of", r#"["u%1"]"#)).await,
        ["none", "two"]
    );
    assert_eq!(filtered(condition("contains", r#""U_""#)).await, ["two"]);
    assert_eq!(filtered(condition("starts with", r#""u%""#)).await, ["one"]);
    assert_eq!(
        filtered(condition("does not contain", r#""%""#)).await,
        ["none", "two"]
    );
    assert_eq!(names(&client, &[("q", "on")]).await, ["none", "one"]);
}

#[tokio::test]
async fn an_unknown_parameter_and_a_broken_escape_are_named() {
    let client = shared().await.new_project();
    for (address, field) in [
        ("/api/v1/traces?sesion_id=a", Some("sesion_id")),
        ("/api/v1/spans?limit=1&foo=", Some("foo")),
        ("/api/v1/traces/abc?limit=1", Some("limit")),
        ("/api/v1/traces?q=50%", None),
        ("/api/v1/traces?q=%ff", None),
        ("/api/v1/traces/%ff", None),
    ] {
        let answer = client.request(Method::GET, address).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{address}");
        let kind = answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        assert_eq!(kind, "application/problem+json", "{address}");
        let problem: Value = answer.json().await.unwrap();
        assert!(
            problem["detail"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        assert_eq!(problem["errors"][0]["path"].as_str(), field, "{address}");
    }
}

#[tokio::test]
async fn a_cursor_of_traces_is_none_of_spans() {
    let client = shared().await.new_project();
    for number in 0..3 {
        let span = SpanBuilder::root("turn")
            .attribute("session.id", format!("s{number}"))
            .attribute("user.id", format!("u{number}"));
        client.accept_traces(&export([&span])).await;
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    let cursor = async |list: &str| {
        let page = client.get_json(&format!("/api/v1/{list}")).await;
        let cursor = page["next_cursor"].as_str();
        cursor.unwrap_or_else(|| panic!("{page}")).to_owned()
    };
    let traces = cursor("traces?limit=1").await;
    let by_cost = cursor("sessions?limit=1&sort=cost").await;
    for wrong in [
        "spans?cursor=18f0.0af7651916cd43dd8448eb211c80319c".to_owned(),
        format!("spans?cursor={traces}"),
        format!("requests?cursor={traces}"),
        format!("incidents?cursor={traces}"),
        format!("sessions?cursor={traces}"),
        format!("sessions?sort=traces&cursor={by_cost}"),
        format!("users?sort=cost&cursor={by_cost}"),
        format!("traces?cursor={by_cost}"),
    ] {
        let answer = client.get(&format!("/api/v1/{wrong}")).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{wrong}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["errors"][0]["path"], "cursor", "{wrong}: {problem}");
    }
    let next = format!("sessions?limit=1&sort=cost&cursor={by_cost}");
    let page = client.get_json(&format!("/api/v1/{next}")).await;
    assert_eq!(page["data"].as_array().unwrap().len(), 1, "{page}");
}
