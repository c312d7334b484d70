//! Semantic events: derived, listed, gone with their trace.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::{SECOND, ago, at, call, events, field, pages, time};

/// A span of each kind, from a minute ago on, a second apart.
struct Spans {
    start: u64,
    refusal: SpanBuilder,
    agent: SpanBuilder,
    loops: Vec<SpanBuilder>,
    fine: SpanBuilder,
    others: Vec<SpanBuilder>,
}

impl Spans {
    fn new() -> Self {
        let start = ago(60);
        let agent = at(SpanBuilder::root("agent"), start + 6 * SECOND);
        let search = |times: u64| {
            at(agent.child("search"), start + (7 + times) * SECOND)
                .attribute("openinference.span.kind", "TOOL")
                .attribute("input.value", r#"{"q": "the same"}"#)
        };
        let refused = call("I'm sorry, but I can't assist with that.");
        Spans {
            start,
            refusal: at(refused, start)
                .attribute("session.id", "s-1")
                .attribute("llm.app.prompt_template_id", "support")
                .attribute("llm.app.prompt_template_version", "7"),
            loops: (0..4).map(search).collect(),
            fine: at(call("It is in the drawer."), start + 20 * SECOND),
            others: vec![
                at(call("{\"a\": [1, 2"), start + SECOND)
                    .attribute("llm.quality.format_valid", false),
                at(plan("refund", &json!({})), start + 2 * SECOND),
                at(plan("pay", &json!({"sum": 3})), start + 3 * SECOND),
                at(SpanBuilder::root("route"), start + 4 * SECOND)
                    .attribute("prompt.intent", "Default Fallback Intent")
                    .attribute("llm.app.confidence_drop", 0.4),
                at(SpanBuilder::root("check"), start + 5 * SECOND)
                    .attribute("llm.quality.hallucination", 0.9)
                    .attribute("llm.quality.multi_turn_inconsistency", true),
            ],
            agent,
        }
    }

    async fn send(&self, client: &ProjectClient) {
        let few = [&self.refusal, &self.agent, &self.fine];
        let all = few.into_iter().chain(&self.loops).chain(&self.others);
        client.accept_traces(&export(all)).await;
    }

    /// With a score beside them; nine events.
    async fn sent(client: &ProjectClient) -> (Self, Vec<Value>) {
        let spans = Spans::new();
        spans.send(client).await;
        let judged = json!({"traceId": spans.fine.trace_id(), "name": "hallucination", "value": 1,
            "dataType": "BOOLEAN", "comment": "made up"});
        let scores = client.request(Method::POST, "/api/public/scores");
        let answer = scores.json(&judged).send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
        let found = events(client, "", 9).await;
        (spans, found)
    }
}

/// A call of a model that was offered one tool.
fn plan(called: &str, arguments: &Value) -> SpanBuilder {
    let offered = json!([{"type": "function", "function": {"name": "pay", "parameters": {
        "type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]}}}]);
    let answer = json!([{"role": "assistant", "parts": [
        {"type": "tool_call", "id": "1", "name": called, "arguments": arguments}]}]);
    SpanBuilder::root("plan")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "m")
        .attribute("gen_ai.tool.definitions", offered.to_string())
        .attribute("gen_ai.output.messages", answer.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_type_is_derived_with_its_rule_and_evidence() {
    let client = shared().await.new_project();
    let (spans, found) = Spans::sent(&client).await;
    let kinds = field(&found, "event_type").into_iter();
    let mut told: Vec<(&str, &str)> = kinds.zip(field(&found, "rule")).collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            ("agent_loop", "repeated_tool_call"),
            ("format_error", "reported"),
            ("hallucination", "reported"),
            ("hallucination", "score"),
            ("intent_recognition_failure", "fallback_intent"),
            ("multi_turn_inconsistency", "reported"),
            ("refusal", "refusal_check"),
            ("tool_call_deviation", "tool_arguments"),
            ("tool_call_deviation", "tool_not_offered"),
        ]
    );
    let times = field(&found, "at");
    assert!(times.is_sorted_by(|one, other| one >= other), "{times:?}");
    let by = |rule: &str| found.iter().find(|event| event["rule"] == rule).unwrap();
    let refused = by("refusal_check");
    assert_eq!(refused["trace_id"], spans.refusal.trace_id());
    assert_eq!(refused["span_id"], spans.refusal.span_id());
    assert_eq!(refused["trigger_round"], 2);
    assert_eq!(
        refused["prompt"],
        json!({"name": "support", "version": "7"})
    );
    let failed = by("fallback_intent");
    assert_eq!(failed["fallback_intent"], "Default Fallback Intent");
    assert_eq!(failed["confidence_drop"], 0.4);
    let looped = by("repeated_tool_call");
    assert_eq!(looped["span_id"], spans.loops[2].span_id());
    let evidence = "search was called with the same arguments 4 times in a row";
    assert_eq!(looped["evidence"], evidence);
    let evidence = |rule: &str| by(rule)["evidence"].as_str().unwrap();
    assert!(evidence("tool_arguments").ends_with("missing: amount"));
    assert!(evidence("score").ends_with(": made up"));
    assert_eq!(by("score")["span_id"], Value::Null);
    // The span itself carries what follows from it alone.
    let whole = client.trace_with_spans(spans.refusal.trace_id(), 1).await;
    let carried = &whole["spans"][0]["semantic_events"][0];
    assert_eq!(carried["event_type"], "refusal");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_again_is_the_same_and_what_is_deleted_is_gone() {
    let client = shared().await.new_project();
    let (spans, found) = Spans::sent(&client).await;
    spans.send(&client).await;
    let marker = SpanBuilder::root("marker");
    client.accept_traces(&export([&marker])).await;
    client.trace_with_spans(marker.trace_id(), 1).await;
    assert_eq!(events(&client, "", 9).await, found);
    for gone in [&spans.refusal, &spans.agent] {
        let path = format!("/api/v1/traces/{}", gone.trace_id());
        let deleted = client.request(Method::DELETE, &path).send().await.unwrap();
        assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    }
    let left = events(&client, "", 7).await;
    let kinds = field(&left, "event_type");
    assert!(!kinds.contains(&"refusal") && !kinds.contains(&"agent_loop"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_narrowed_and_comes_page_by_page() {
    let client = shared().await.new_project();
    let (spans, found) = Spans::sent(&client).await;
    let of_trace = format!("?trace_id={}", spans.agent.trace_id());
    let late = format!("?from={}", time(spans.start + 5 * SECOND));
    let early = format!("?to={}", time(spans.start + 2 * SECOND));
    for (query, count) in [
        ("?type=refusal", 1),
        ("?type=refusal&type=agent_loop", 2),
        ("?rule=score", 1),
        ("?session_id=s-1", 1),
        ("?prompt=support&prompt_version=7", 1),
        ("?prompt=support&prompt_version=8", 0),
        ("?name=search", 1),
        ("?has_error=true", 0),
        (&of_trace, 1),
        (&late, 4),
        (&early, 2),
    ] {
        events(&client, query, count).await;
    }
    let search = "/api/v1/traces?q=semantic%3Arefusal";
    let search = client.get_json(search).await;
    assert_eq!(
        field(search["data"].as_array().unwrap(), "trace_id"),
        [spans.refusal.trace_id()]
    );
    assert_eq!(pages(&client, "/api/v1/semantic-events", 2).await, found);
    for (query, field) in [
        ("type=sadness", "type"),
        ("cursor=1.x", "cursor"),
        ("rule=x", "rule"),
        ("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to"),
    ] {
        let refused = client
            .get(&format!("/api/v1/semantic-events?{query}"))
            .await;
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{query}");
        let problem: Value = refused.json().await.unwrap();
        assert_eq!(problem["errors"][0]["path"], field);
    }
}
