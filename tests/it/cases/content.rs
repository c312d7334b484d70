//! Content that is odd, large or half broken.

use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::shared;

#[tokio::test(flavor = "multi_thread")]
async fn text_that_only_looks_like_json_and_big_integers_come_back_as_sent() {
    let client = shared().await.new_project();
    let texts = [
        "12 apples",
        r#"{"unfinished": "#,
        "[1,2",
        r#""quoted" tail"#,
        "NaN",
        "1e999",
        r#"{"id":107505301260286111,"n":18446744073709551615,"f":0.1}"#,
    ];
    for text in texts {
        let span = SpanBuilder::root("content").attribute("output.value", text);
        client.accept_traces(&export([&span])).await;
        client.trace_with_spans(span.trace_id(), 1).await;
        let answer = client
            .get(&format!("/api/v1/traces/{}", span.trace_id()))
            .await;
        let raw = answer.text().await.unwrap();
        let as_text = serde_json::to_string(text).unwrap();
        // Valid JSON may be given as JSON, with every digit; anything else as the text that it is.
        let kept = raw.contains(&format!("\"output\":{as_text}"))
            || raw.replace(' ', "").contains(&format!("\"output\":{text}"));
        assert!(kept, "{text}: {raw}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_that_json_lacks_are_kept_and_break_no_answer() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("odd numbers")
        .attribute("x", json!({"doubleValue": "NaN"}))
        .attribute("y", json!({"doubleValue": "Infinity"}))
        .attribute(
            "gen_ai.usage.input_tokens",
            json!({"doubleValue": "-Infinity"}),
        );
    client.accept_traces(&export([&span])).await;
    let trace = client.trace_with_spans(span.trace_id(), 1).await;
    let root = &trace["spans"][0];
    assert_eq!(root["attributes"]["x"], "NaN");
    assert_eq!(root["attributes"]["y"], "Infinity");
    assert!(root["usage"].is_null() || root["usage"]["input_tokens"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn environments_are_found_under_the_name_that_is_shown() {
    let client = shared().await.new_project();
    for given in ["Prod:EU", "staging ", "", &"x".repeat(200)] {
        let span = SpanBuilder::root("environment");
        let mut body = export([&span]);
        let attributes = body["resourceSpans"][0]["resource"]["attributes"]
            .as_array_mut()
            .unwrap();
        attributes.push(json!({
            "key": "deployment.environment.name", "value": {"stringValue": given}
        }));
        client.accept_traces(&body).await;
        let trace = client.trace_with_spans(span.trace_id(), 1).await;
        let shown = trace["environment"].as_str().unwrap().to_owned();
        assert!(!shown.is_empty());
        if given.is_empty() {
            assert_eq!(shown, "default");
        }
        let request = client
            .request(reqwest::Method::GET, "/api/v1/traces")
            .query(&[("environment", shown.as_str()), ("limit", "1000")]);
        let listed: serde_json::Value = request.send().await.unwrap().json().await.unwrap();
        let ids: Vec<_> = listed["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| &t["trace_id"])
            .collect();
        assert!(
            ids.contains(&&json!(span.trace_id())),
            "{given} shown as {shown}"
        );
        // Under the same name for clients of Langfuse.
        let path = format!("/api/public/traces/{}", span.trace_id());
        assert_eq!(client.get_json(&path).await["environment"], shown);
        let request = client.request(reqwest::Method::GET, "/api/public/traces");
        let request = request.query(&[("environment", shown.as_str())]);
        let listed: serde_json::Value = request.send().await.unwrap().json().await.unwrap();
        let rows = listed["data"].as_array().unwrap();
        assert!(
            rows.iter().any(|row| row["id"] == span.trace_id()),
            "{given} shown as {shown}: {listed}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_monstrous_span_does_not_hold_up_the_others() {
    let client = shared().await.new_project();
    let big = SpanBuilder::root("big").attribute("blob", "x".repeat(50_000_000));
    let answer = client.send_traces(&export([&big])).await;
    let big_was_stored =
        answer.status().is_success() && !answer.text().await.unwrap().contains("rejectedSpans");
    let spans: Vec<SpanBuilder> = (0..100).map(|_| SpanBuilder::root("small")).collect();
    for span in &spans {
        client.accept_traces(&export([span])).await;
    }
    for span in &spans {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    if big_was_stored {
        client.trace_with_spans(big.trace_id(), 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c043_escaped_text_is_shown_and_found_as_text() {
    let client = shared().await.new_project();
    let escaped = r"\u4f60\u597d";
    for words in [escaped.to_owned(), escaped.repeat(420)] {
        let span =
            SpanBuilder::root("escaped").attribute("input.value", format!(r#"{{"q":"{words}"}}"#));
        client.accept_traces(&export([&span])).await;
        let trace = client.trace_with_spans(span.trace_id(), 1).await;
        let shown = trace["input"]["q"].as_str().unwrap();
        assert!(
            shown.starts_with("你好") && !shown.contains('\\'),
            "{shown}"
        );
    }
    let found = client.get_json("/api/v1/traces?q=%E4%BD%A0%E5%A5%BD").await;
    assert_eq!(found["data"].as_array().unwrap().len(), 2, "{found}");
}
