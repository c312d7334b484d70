//! Incidents get their attributions, whatever happens in between.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, Server, Settings, eventually_within, shared};

use crate::alerts::receiver::Receiver;

use super::asked::answer;
use super::told::{Told, scenario};
use super::{post, support};
use fleet::Cause;

/// Makes a rule of the first severity.
async fn rule(client: &ProjectClient, series: &str, params: Value, channels: &[&str]) {
    let rule = json!({"name": "slow", "kind": "threshold", "series": series, "params": params,
        "severity": "P1", "channels": channels});
    let (status, made) = post(client, "/api/v1/alert-rules", &rule).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
}

/// The only incident of a project, once its attribution is as wanted.
async fn incident(client: &ProjectClient, what: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
    eventually_within(Duration::from_secs(400), what, async || {
        let found = client.get_json("/api/v1/incidents").await;
        let Some(id) = found["data"][0]["id"].as_str() else {
            return Err(found);
        };
        let incident = client.get_json(&format!("/api/v1/incidents/{id}")).await;
        if is_wanted(&incident) {
            Ok(incident)
        } else {
            Err(incident)
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incident_carries_the_cause_that_the_fleet_had() {
    let client = shared().await.new_project();
    support(&client).await;
    let cause = Cause::BrokenPrefix {
        prompt: 0,
        rollout: 1.0,
    };
    let told = Told::to(client, scenario(cause, ("token.ttft_ms", true), 3)).await;
    answer(&told).await;
    // Between what nine of ten calls took before and what half of them take now.
    let ttft = |call: &fleet::Call| 1e3 * (call.first_token - call.at);
    let (before, _) = told.quantiles(0.9, ttft);
    let (_, now) = told.quantiles(0.75, ttft);
    assert!(now > before, "{now} > {before}");
    let params = json!({"value": (before + now) / 2.0, "window_s": 600});
    rule(&told.client, "token.ttft_ms:p90", params, &[]).await;
    let is_told = |moment: &Value| moment["what"] == "attributed";
    let found = incident(&told.client, "an attribution", |incident| {
        let answer = &incident["attribution"];
        let mut moments = incident["timeline"].as_array().into_iter().flatten();
        answer["axis"] == "token"
            && moments.any(is_told)
            && ["provisional", "final"].contains(
                &incident["attribution_status"]["state"]
                    .as_str()
                    .unwrap_or_default(),
            )
    })
    .await;
    let answer = &found["attribution"];
    assert_eq!(answer["culprits"][0]["value"], "support@5", "{found:#}");
    assert_eq!(answer["recommendation"]["action"], "rollback", "{found:#}");
    assert_eq!(answer["symptom"]["series"], "token.ttft_ms");
    assert!(found["attribution_status"]["attached_at"].is_string());
    let moments = found["timeline"].as_array().unwrap().iter();
    let mut attributed = moments.filter(|moment| is_told(moment));
    let detail = attributed.next().unwrap()["detail"].as_str().unwrap();
    assert!(
        detail.starts_with("token, prompt version support@5 (confidence "),
        "{detail}"
    );
    // Over by hand: its window has closed, and the answer stays.
    let id = found["id"].as_str().unwrap();
    let path = format!("/api/v1/incidents/{id}/resolve");
    let (status, _) = post(&told.client, &path, &json!({})).await;
    assert_eq!(status, StatusCode::OK);
    let last = incident(&told.client, "a final answer", |incident| {
        incident["attribution_status"]["state"] == "final"
    })
    .await;
    assert_eq!(last["attribution"]["axis"], "token", "{last:#}");
}

/// Calls so many seconds ago, one a second, of which none or all failed.
fn calls(from_s: u64, to_s: u64, failed: bool) -> Vec<SpanBuilder> {
    let now = now_nanos();
    let call = |ago: u64| {
        let start = now - ago * 1_000_000_000;
        let call = SpanBuilder::root("chat")
            .field("startTimeUnixNano", start.to_string())
            .field("endTimeUnixNano", (start + 500_000_000).to_string())
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.request.model", "m");
        match failed {
            true => call.field("status", json!({"code": 2})),
            false => call,
        }
    };
    (to_s..from_s).rev().map(call).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_incident_and_attribution_loses_nothing() {
    let settings = Settings::default().with("TRIAXIS_ALLOW_PRIVATE_ADDRESSES", "127.0.0.0/8");
    let server = Server::start_with(settings).await;
    let client = server.client();
    let receiver = Receiver::start(&[]).await;
    let channel = json!({"name": "hook", "kind": "webhook", "url": receiver.url,
        "secret": "a-secret-of-the-receiver-7d21"});
    let (_, channel) = post(&client, "/api/v1/channels", &channel).await;
    let channel = channel["id"].as_str().unwrap();
    let params = json!({"value": 0.05, "window_s": 300});
    rule(&client, "request.errors:rate", params, &[channel]).await;
    client.accept_traces(&export(&calls(3, 1, true))).await;
    // Of two requests nothing can be said yet.
    let waiting = incident(&client, "an incident without an attribution", |incident| {
        let status = &incident["attribution_status"];
        status["state"] == "waiting" && status["last_error"].is_string()
    })
    .await;
    assert_eq!(waiting["attribution"], Value::Null, "{waiting}");
    let why = waiting["attribution_status"]["last_error"]
        .as_str()
        .unwrap();
    assert!(why.contains("too few requests"), "{why}");
    let sent = "that it fired is told";
    eventually_within(Duration::from_secs(60), sent, async || {
        let messages = receiver.messages();
        messages.first().map(|_| ()).ok_or(messages.len())
    })
    .await;
    server.kill();
    server.start_again().await;
    let client = server.client();
    client
        .accept_traces(&export(&calls(1_500, 900, false)))
        .await;
    client.accept_traces(&export(&calls(120, 20, true))).await;
    let found = incident(&client, "an attribution after the kill", |incident| {
        incident["attribution"]["axis"] == "token"
    })
    .await;
    assert_eq!(found["id"], waiting["id"]);
    assert_eq!(
        found["attribution"]["symptom"]["series"], "errors",
        "{found:#}"
    );
    assert!(found["attribution_status"]["tries"].as_u64().unwrap() > 1);
    // That it is over is told with its cause, that it began was told before there was one.
    let path = format!(
        "/api/v1/incidents/{}/resolve",
        found["id"].as_str().unwrap()
    );
    let (status, _) = post(&client, &path, &json!({})).await;
    assert_eq!(status, StatusCode::OK);
    let causes = eventually_within(Duration::from_secs(60), "both messages", async || {
        let bodies = receiver.messages().into_iter().map(|message| message.body);
        let bodies: Vec<Value> = bodies
            .map(|body| serde_json::from_str(&body).unwrap())
            .collect();
        let of = |kind: &str| {
            let mut all = bodies.iter().filter(|body| body["type"] == kind);
            all.next().map(|body| body["data"]["attribution"].clone())
        };
        match (of("incident.fired"), of("incident.resolved")) {
            (Some(fired), Some(resolved)) => Ok((fired, resolved)),
            _ => Err(bodies),
        }
    })
    .await;
    assert_eq!(causes.0, Value::Null);
    assert_eq!(causes.1["axis"], "token", "{}", causes.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_request_has_is_asked_of_nobody() {
    let client = shared().await.new_project();
    let rule =
        json!({"name": "silent", "kind": "no_data", "series": "request.count", "severity": "P1"});
    let (status, made) = post(&client, "/api/v1/alert-rules", &rule).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let found = incident(&client, "an incident", |incident| {
        incident["id"].is_string()
    })
    .await;
    assert_eq!(
        (&found["attribution"], &found["attribution_status"]),
        (&Value::Null, &Value::Null)
    );
    let id = made["id"].as_str().unwrap();
    let path = format!("/api/v1/alert-rules/{id}");
    let gone = client.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
}
