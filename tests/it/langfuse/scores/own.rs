//! Scores in our own interface: at their trace, at their span, among its quality.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{eventually, shared};

use super::Scores;

#[tokio::test]
async fn scores_stand_at_their_trace_and_span_and_among_its_quality() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let root = SpanBuilder::root("turn");
    let call = root.child("call").attribute("llm.quality.relevance", 0.25);
    project.accept_traces(&export([&root, &call])).await;
    let trace_id = root.trace_id();
    project.trace_with_spans(trace_id, 2).await;
    let on_call = json!({ "traceId": trace_id, "observationId": call.span_id() });
    let score = |id: &str, target: &Value, name: &str, value: Value| {
        let mut score = target.clone();
        score["id"] = id.into();
        score["name"] = name.into();
        score["value"] = value;
        score["comment"] = "because".into();
        score
    };
    let whole = json!({ "traceId": trace_id });
    for score in [
        score("1", &on_call, "grounded", json!(0.5)),
        score("2", &on_call, "relevance", json!(1)),
        score("3", &on_call, "tone", json!("calm")),
        score("4", &whole, "grounded", json!(0.1)),
    ] {
        scores.posted(&score).await;
    }
    let path = format!("/api/v1/traces/{trace_id}");
    let trace = eventually("all scores are there", async || {
        let trace = project.get_json(&path).await;
        match trace["scores"].as_array().map(Vec::len) {
            Some(4) => Ok(trace),
            other => Err(format!("{other:?}")),
        }
    })
    .await;
    let root = &trace["spans"][0];
    let call = &root["children"][0];
    assert_eq!(root["scores"], json!([]));
    assert_eq!(call["scores"].as_array().unwrap().len(), 3);
    let expected = json!({ "value": 0.5, "source": "score" });
    assert_eq!(call["quality"]["grounded"], expected);
    let client = json!({ "value": 0.25, "source": "client" });
    assert_eq!(call["quality"]["relevance"], client);
    assert_eq!(call["quality"].get("tone"), None);
    assert_eq!(root["quality"].get("grounded"), None);
    let tone = call["scores"]
        .as_array()
        .unwrap()
        .iter()
        .find(|score| score["name"] == "tone");
    let tone = tone.unwrap();
    assert_eq!(
        (&tone["value"], &tone["number"]),
        (&json!("calm"), &json!(0.0))
    );
    assert_eq!(
        (&tone["source"], &tone["comment"]),
        (&json!("API"), &json!("because"))
    );
    let listed = project.get_json("/api/v1/traces").await;
    assert_eq!(listed["data"][0]["scores"], trace["scores"]);
    let spans = project.get_json("/api/v1/spans?name=call").await;
    assert_eq!(spans["data"][0]["scores"], call["scores"]);
    assert_eq!(spans["data"][0]["quality"], call["quality"]);
}
