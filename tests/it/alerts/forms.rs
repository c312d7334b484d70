//! Slack and Alertmanager hear of an incident in their own form.

use serde_json::{Value, json};
use tests::builders::now_nanos;

use super::receiver::{Message, Receiver};
use super::told::{errors, messages, recover};
use super::{failed, made, send, server};

fn bodies(all: &[Message], is_of: impl Fn(&Message) -> bool) -> Vec<Value> {
    let of = all.iter().filter(|message| is_of(message));
    of.map(|message| serde_json::from_str(&message.body).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incident_is_told_to_slack_and_alertmanager_and_so_is_its_end() {
    let server = server().await;
    let client = server.new_project();
    let receiver = Receiver::start(&[]).await;
    let mut channels = Vec::new();
    for kind in ["slack", "alertmanager"] {
        let channel = json!({"name": kind, "kind": kind, "url": receiver.url});
        let channel = made(&client, "/api/v1/channels", channel).await;
        channels.push(channel["id"].clone());
    }
    let mut rule = errors("");
    rule["channels"] = Value::Array(channels);
    made(&client, "/api/v1/alert-rules", rule).await;
    send(&client, &[failed(now_nanos())]).await;
    messages(&receiver, "both are told that it fires", 2).await;
    let incident = recover(&client).await;
    let all = messages(&receiver, "both are told that it is over", 4).await;

    let texts = bodies(&all, |message| message.path == "/hook");
    let text = |at: usize| texts[at]["text"].as_str().unwrap();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(text(0).starts_with("[firing] P1 errors: request.errors:rate is 1.0000"));
    assert!(text(1).starts_with("[resolved] P1 errors"), "{}", text(1));
    let id = incident["id"].as_str().unwrap();
    assert!(text(0).lines().last().unwrap().ends_with(id), "{}", text(0));

    // The same labels, so that it is the same alert to Alertmanager, and an end that has come.
    let alerts = bodies(&all, |message| message.path == "/hook/api/v2/alerts");
    assert_eq!(alerts.len(), 2, "{alerts:?}");
    let (fired, over) = (&alerts[0][0], &alerts[1][0]);
    assert_eq!(fired["labels"]["alertname"], "errors");
    assert_eq!(fired["labels"], over["labels"]);
    assert_eq!(fired["startsAt"], over["startsAt"]);
    let end = |alert: &Value| {
        let told = domain::Timestamp::parse(alert["endsAt"].as_str().unwrap()).unwrap();
        u64::try_from(told.unix_nanos()).unwrap()
    };
    assert!(end(fired) > now_nanos() && end(over) <= now_nanos());
}
