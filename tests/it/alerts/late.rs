//! Rules go by the time of what happened, not by the time at which it is told.

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, now_nanos};
use tests::{ProjectClient, eventually_within};

use super::receiver::Receiver;
use super::{ask, call, failed, incidents, made, send, server, webhook};

const SECOND: u64 = 1_000_000_000;
/// How long what is late is waited for, in seconds.
const DELAY_S: u64 = 20;

/// A rule over the share of failed calls of the last ten seconds.
async fn errors(client: &ProjectClient, channel: &str) {
    let rule = json!({"name": "errors", "kind": "threshold", "series": "request.errors:rate",
        "params": {"value": 0.5, "window_s": 10, "keep_s": 0}, "severity": "P1", "channels": [channel]});
    made(client, "/api/v1/alert-rules", rule).await;
}

/// Seconds since the epoch of an instant of an answer.
fn seconds(instant: &Value) -> u64 {
    let told = domain::Timestamp::parse(instant.as_str().unwrap()).unwrap();
    u64::try_from(told.unix_nanos()).unwrap() / SECOND
}

/// Waits until rules were looked at beyond an instant: an incident of another series, of calls of that time, says so.
async fn looked_beyond(client: &ProjectClient, number: u64) {
    let name = format!("calls {number}");
    let rule = json!({"name": name, "kind": "threshold", "series": "request.count:count",
        "filter": {"model": [name]}, "params": {"value": 0.5, "window_s": 10}, "severity": "P3"});
    made(client, "/api/v1/alert-rules", rule).await;
    let sign = SpanBuilder::root("chat")
        .field("startTimeUnixNano", (now_nanos() - SECOND).to_string())
        .field("endTimeUnixNano", now_nanos().to_string())
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.response.model", name.as_str());
    send(client, &[sign]).await;
    let what = "rules were looked at";
    eventually_within(std::time::Duration::from_secs(120), what, async || {
        let found = client.get_json("/api/v1/incidents?limit=100").await;
        let all = found["data"].as_array().unwrap().clone();
        let is_told = all.iter().any(|one| one["rule"]["name"] == name.as_str());
        if is_told { Ok(()) } else { Err(all) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_late_counts_at_its_time_and_what_comes_too_late_or_twice_tells_nothing_again() {
    let server = server().await;
    let receiver = Receiver::start(&[]).await;
    let client = server.new_project();
    let settings = json!({"delay_s": DELAY_S});
    let (status, _) = ask(&client, Method::PUT, "/api/v1/alert-settings", settings).await;
    assert!(status.is_success());
    let channel = webhook(&client, &receiver).await;
    errors(&client, &channel).await;
    // A rule looks at what comes after it was made: by then that is further back than what will be late.
    looked_beyond(&client, 0).await;

    // Good calls of now come first, and those that failed before them come after, within the delay.
    let now = now_nanos();
    let good: Vec<SpanBuilder> = (0..5).map(|_| call(now, 0.1)).collect();
    send(&client, &good).await;
    let harm = now - 12 * SECOND;
    let bad: Vec<SpanBuilder> = (0..5).map(|_| failed(harm)).collect();
    send(&client, &bad).await;
    let is_errors = |one: &&Value| one["rule"]["name"] == "errors";
    let told = incidents(&client, "the incident", |all| {
        all.iter().any(|one| is_errors(&one))
    })
    .await;
    let incident = told.iter().find(is_errors).unwrap().clone();
    // It began when the calls failed, and not when they were told of.
    let onset = seconds(&incident["onset"]);
    let wanted = harm / SECOND;
    assert!(
        (wanted..wanted + 10).contains(&onset),
        "{onset} of {wanted}: {incident:#}"
    );

    // Told once more, and more of that time when it has been looked at for good: nothing of it fires again.
    looked_beyond(&client, 1).await;
    send(&client, &bad).await;
    let more: Vec<SpanBuilder> = (0..20).map(|_| failed(harm - 15 * SECOND)).collect();
    send(&client, &more).await;
    looked_beyond(&client, 2).await;
    let all = client.get_json("/api/v1/incidents?limit=100").await;
    let all = all["data"].as_array().unwrap();
    let of_errors: Vec<&Value> = all.iter().filter(is_errors).collect();
    assert_eq!(of_errors.len(), 1, "{of_errors:#?}");
    assert_eq!(of_errors[0]["id"], incident["id"]);
    let fired = receiver.messages().into_iter().filter(|message| {
        let body: Value = serde_json::from_str(&message.body).unwrap();
        body["type"] == "incident.fired"
    });
    assert_eq!(fired.count(), 1);
}
