//! Contents go before their rows; what was stored before a change follows it; users on legal hold stay.

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, export_logs, log_record};
use tests::{ProjectClient, Server, eventually, shared};

use super::{aged, counted, now, set, verified_since};
use crate::deletions::project;

const MARK: &str = "WORDS8213";

fn call(hours: u64, user: &str) -> SpanBuilder {
    aged(SpanBuilder::root("chat"), hours)
        .attribute("user.id", user)
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "a-model")
        .attribute("gen_ai.usage.input_tokens", 7)
        .attribute("gen_ai.usage.output_tokens", 5)
        .attribute("input.value", format!("ask {MARK}"))
        .attribute("output.value", format!("answer {MARK}"))
        .attribute("langfuse.trace.tags", json!(["a-tag"]).to_string())
        .attribute("langfuse.trace.metadata.note", MARK)
        .attribute("note", MARK)
}

async fn stored(client: &ProjectClient, spans: &[&SpanBuilder]) {
    client.accept_traces(&export(spans.iter().copied())).await;
    for span in spans {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
}

async fn span_of(client: &ProjectClient, span: &SpanBuilder) -> Value {
    let path = format!("/api/v1/traces/{}", span.trace_id());
    client.get_json(&path).await["spans"][0].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn contents_go_and_figures_stay() {
    let server = Server::start().await;
    let (member, admin) = project(&server);
    let (old, new) = (call(72, "u"), call(1, "u"));
    stored(&member, &[&old, &new]).await;
    let said = json!({"stringValue": format!("a line about {MARK}")});
    let mut line = log_record(&old, "", said);
    line["timeUnixNano"] = old.json()["startTimeUnixNano"].clone();
    member.accept_logs(&export_logs(&[line])).await;
    let (before, newest) = (span_of(&member, &old).await, span_of(&member, &new).await);
    assert!(before.to_string().contains(MARK));
    eventually("the record is stored", async || {
        let many = counted(&server, "logs").await;
        (many == 1).then_some(()).ok_or(many)
    })
    .await;

    let verification = set(&admin, &json!({"content_days": 2, "structure_days": 30})).await;
    assert_eq!(verification["rows_past_their_time"], 0, "{verification}");
    let after = span_of(&member, &old).await;
    assert!(!after.to_string().contains(MARK), "{after}");
    assert_eq!(after["input"], Value::Null);
    for kept in [
        "cost",
        "name",
        "user_id",
        "tags",
        "latency_ms",
        "request_model",
        "start",
    ] {
        assert_eq!(after[kept], before[kept], "{kept}");
    }
    assert_eq!(after["usage"]["details"], before["usage"]["details"]);
    assert_eq!(after["usage"]["input_tokens"], 7);
    assert_eq!(span_of(&member, &new).await, newest);
    let with_words = format!("spans WHERE position(formatRow('JSONEachRow', *), '{MARK}') > 0");
    assert_eq!(counted(&server, &with_words).await, 1);
    let with_words = format!("logs WHERE position(body, '{MARK}') > 0");
    assert_eq!(counted(&server, &with_words).await, 0);

    // The same span again, and one as old as it, come and go at once: days are stored with them.
    stored(&member, &[&old]).await;
    let late = call(73, "u");
    member.accept_traces(&export([&late])).await;
    eventually("it has its days", async || {
        let rows = format!(
            "spans WHERE trace_id = '{}' AND content_days = 2 AND structure_days = 30",
            late.trace_id()
        );
        let many = counted(&server, &rows).await;
        (many == 1).then_some(()).ok_or(many)
    })
    .await;

    // Shorter: what is stored follows. Longer again: what is left is kept for ever.
    let verification = set(&admin, &json!({"structure_days": 2})).await;
    assert_eq!(verification["rows_past_their_time"], 0, "{verification}");
    let path = format!("/api/v1/traces/{}", old.trace_id());
    assert_eq!(member.get(&path).await.status(), 404);
    set(&admin, &json!({"preset": "everything"})).await;
    assert_eq!(span_of(&member, &new).await, newest);
    assert_eq!(counted(&server, "spans WHERE structure_days > 0").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn users_on_legal_hold_stay_until_it_is_lifted() {
    let server = shared().await;
    let (member, admin) = project(server);
    let (held, free) = (call(72, "held"), call(72, "free"));
    let below = aged(held.child("step"), 72).attribute("input.value", "below");
    member.accept_traces(&export([&held, &below, &free])).await;
    member.trace_with_spans(held.trace_id(), 2).await;
    member.trace_with_spans(free.trace_id(), 1).await;
    let request = admin.request(Method::POST, "/api/v1/legal-holds");
    let hold = request.body(json!({"user_id": "held", "reason": "a case"}).to_string());
    let hold: Value = hold.send().await.unwrap().json().await.unwrap();
    let before = member
        .get_json(&format!("/api/v1/traces/{}", held.trace_id()))
        .await;
    let asked = json!({"content_days": 1, "structure_days": 1, "dry_run": true});
    let (_, said) = super::send(&admin, Method::PUT, &asked).await;
    let expected = json!({"traces": 1, "spans": 1, "contents": 1});
    assert_eq!(said["would_remove"], expected);

    set(&admin, &json!({"content_days": 1, "structure_days": 1})).await;
    let path = format!("/api/v1/traces/{}", free.trace_id());
    assert_eq!(member.get(&path).await.status(), 404);
    let path = format!("/api/v1/traces/{}", held.trace_id());
    assert_eq!(member.get_json(&path).await, before);
    // What comes late of them stays, too.
    let late = call(73, "held");
    member.accept_traces(&export([&late])).await;
    member.trace_with_spans(late.trace_id(), 1).await;

    let since = now();
    let lift = format!("/api/v1/legal-holds/{}", hold["id"].as_str().unwrap());
    let lifted = admin.request(Method::DELETE, &lift).send().await.unwrap();
    assert!(lifted.status().is_success());
    let verification = verified_since(&admin, &since).await;
    assert_eq!(verification["rows_past_their_time"], 0, "{verification}");
    assert_eq!(member.get(&path).await.status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_counts_what_would_go_and_changes_nothing() {
    let server = shared().await;
    let (member, admin) = project(server);
    let (old, new) = (call(72, "u"), call(1, "u"));
    stored(&member, &[&old, &new]).await;
    let asked = json!({"content_days": 1, "structure_days": 2, "dry_run": true});
    let (status, said) = super::send(&admin, Method::PUT, &asked).await;
    assert!(status.is_success(), "{said}");
    let expected = json!({"traces": 1, "spans": 1, "contents": 1});
    assert_eq!(said, json!({"dry_run": true, "would_remove": expected}));
    let shown = admin.get_json(super::RETENTION).await;
    assert_eq!(shown["preset"], "everything");
    assert_eq!(shown["verification"], Value::Null);
    member.trace_with_spans(old.trace_id(), 1).await;
}
