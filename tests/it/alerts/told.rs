//! From telemetry to messages: told once, however often it takes, and over once.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::now_nanos;
use tests::{ProjectClient, eventually_within};

use super::receiver::{Message, Receiver, Reply};
use super::{SECRET, ask, beside, call, failed, incidents, made, send, server, webhook};

/// A rule over the share of failed calls of the last ten seconds.
pub(super) fn errors(channel: &str) -> Value {
    json!({
        "name": "errors", "kind": "threshold", "series": "request.errors:rate",
        "params": {"value": 0.05, "window_s": 10, "keep_s": 0}, "severity": "P1",
        "filter": {"model": "m"}, "channels": [channel],
    })
}

pub(super) async fn messages(receiver: &Receiver, what: &str, count: usize) -> Vec<Message> {
    eventually_within(Duration::from_secs(120), what, async || {
        let all = receiver.messages();
        if all.len() >= count {
            Ok(all)
        } else {
            Err(all)
        }
    })
    .await
}

/// Sends good calls until the only incident is over.
pub(super) async fn recover(client: &ProjectClient) -> Value {
    eventually_within(
        Duration::from_secs(120),
        "the incident is over",
        async || {
            send(client, &[call(now_nanos(), 0.1)]).await;
            let found = client.get_json("/api/v1/incidents").await;
            let all = found["data"].as_array().unwrap().clone();
            let is_over = all.len() == 1 && all[0]["state"] == "resolved";
            if is_over {
                Ok(all[0].clone())
            } else {
                Err(all)
            }
        },
    )
    .await
}

fn is_of(message: &Message, kind: &str) -> bool {
    let body: Value = serde_json::from_str(&message.body).unwrap();
    body["type"] == kind
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incident_is_one_message_however_often_it_takes_and_is_over_once() {
    let server = server().await;
    let _second = beside(&server).await;
    let client = server.new_project();
    let replies = [Reply::Status(500), Reply::Status(500), Reply::Nothing];
    let receiver = Receiver::start(&replies).await;
    let channel = webhook(&client, &receiver).await;
    made(&client, "/api/v1/alert-rules", errors(&channel)).await;
    let quiet = client.get_json("/api/v1/sampling").await;
    assert_eq!(
        quiet["token_spans"],
        json!({"ratio": 0.01, "boosted_until": null})
    );
    send(&client, &[failed(now_nanos())]).await;
    let told = incidents(&client, "an incident", |all| !all.is_empty()).await;
    let id = told[0]["id"].as_str().unwrap().to_owned();
    let raised = client.get_json("/api/v1/sampling").await;
    assert_eq!(raised["token_spans"]["ratio"], 1.0, "{raised}");
    assert!(
        raised["token_spans"]["boosted_until"].is_string(),
        "{raised}"
    );

    let over = recover(&client).await;
    assert_eq!(
        (&over["id"], &over["resolution"]),
        (&json!(id), &json!("recovered"))
    );
    // Three that failed, one that was taken, one that it is over.
    let all = messages(&receiver, "both messages", 5).await;
    let ids: BTreeSet<&String> = all
        .iter()
        .map(|message| &message.headers["webhook-id"])
        .collect();
    assert_eq!((all.len(), ids.len()), (5, 2));
    assert!(all.iter().all(|message| message.is_signed_with(SECRET)));
    assert!(!all[0].is_signed_with("another-secret-of-them"));
    assert!(
        all[..4]
            .iter()
            .all(|message| is_of(message, "incident.fired") && message.body == all[0].body)
    );
    assert!(is_of(&all[4], "incident.resolved"));
    let whole = eventually_within(Duration::from_secs(60), "the time line", async || {
        let whole = client.get_json(&format!("/api/v1/incidents/{id}")).await;
        let sent = whole["notifications"].as_array().unwrap().iter();
        match sent.filter(|message| message["state"] == "sent").count() {
            2 => Ok(whole),
            _ => Err(whole),
        }
    })
    .await;
    assert_eq!(whole["notifications"][0]["tries"], 4, "{whole}");
    assert!(!whole.to_string().contains("what the receiver says"));
    let moments = whole["timeline"].as_array().unwrap().iter();
    let what: BTreeSet<&str> = moments
        .map(|moment| moment["what"].as_str().unwrap())
        .collect();
    let expected = ["fired", "notified", "onset", "resolved", "sampling_raised"];
    assert_eq!(what, BTreeSet::from(expected));
    // Over by hand what is over already changes nothing.
    let (_, again) = ask(
        &client,
        Method::POST,
        &format!("/api/v1/incidents/{id}/resolve"),
        json!({}),
    )
    .await;
    assert_eq!(again["resolved_at"], over["resolved_at"]);
    assert_eq!(receiver.messages().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_incident_and_message_loses_nothing_and_repeats_nothing() {
    let server = server().await;
    let client = server.client();
    let receiver = Receiver::start(&[Reply::Nothing]).await;
    let channel = webhook(&client, &receiver).await;
    made(&client, "/api/v1/alert-rules", errors(&channel)).await;
    send(&client, &[failed(now_nanos())]).await;
    // The message is on its way, and nobody has said yet that it arrived.
    let first = messages(&receiver, "the message", 1).await;
    server.kill();
    server.start_again().await;
    let client = server.client();
    let all = messages(&receiver, "the message again", 2).await;
    assert_eq!(all[1].headers["webhook-id"], first[0].headers["webhook-id"]);
    assert_eq!(all[1].body, first[0].body);
    let incident = incidents(&client, "one incident", |all| all.len() == 1).await[0].clone();
    let path = format!("/api/v1/incidents/{}", incident["id"].as_str().unwrap());
    let (_, known) = ask(
        &client,
        Method::POST,
        &format!("{path}/acknowledge"),
        json!({}),
    )
    .await;
    assert!(
        ["acknowledged", "resolved"].contains(&known["state"].as_str().unwrap()),
        "{known}"
    );
    recover(&client).await;
    let all = messages(&receiver, "that it is over", 3).await;
    assert!(is_of(&all[2], "incident.resolved"));
    // What is deleted is not looked at any more, and its incident stays.
    let rules = client.get_json("/api/v1/alert-rules").await;
    let rule = format!(
        "/api/v1/alert-rules/{}",
        rules["data"][0]["id"].as_str().unwrap()
    );
    assert_eq!(
        client
            .request(Method::DELETE, &rule)
            .send()
            .await
            .unwrap()
            .status(),
        204
    );
    assert_eq!(client.get_json(&path).await["state"], "resolved");
    assert_eq!(receiver.messages().len(), 3);
}
