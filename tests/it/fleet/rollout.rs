//! A version of a prompt is bad.

use fleet::cause::{Flaw, Source};
use fleet::{Cause, Scenario};
use serde_json::{Value, json};

use super::live::{Live, NEW, USUAL, move_label, version};
use super::server;
use crate::alerts::receiver::{Message, Receiver};
use crate::alerts::{SECRET, webhook};

/// Seconds of the fleet from the harm until that it is over has been told.
const MINUTE_S: f64 = 60.0;

fn scenario() -> Scenario {
    Scenario {
        seed: 1,
        instances: 4,
        requests_per_s: 8.0,
        // Four in five of its answers do not have the form that they should.
        cause: Cause::PoorAnswers {
            source: Source::Version(0),
            flaw: Flaw::Format,
            rate: 0.8,
            rollout: 1.0,
        },
        begins_at: 0.0,
        alert_at: 0.0,
        alert_s: 0.0,
        harmless_rollout: None,
        missing_scrapes: 0.0,
        symptom: ("quality.format_valid", false),
    }
}

/// Messages of a kind.
fn told(receiver: &Receiver, kind: &str) -> Vec<(Message, Value)> {
    let all = receiver.messages().into_iter();
    let read = all.map(|message| {
        let body: Value = serde_json::from_str(&message.body).unwrap();
        (message, body)
    });
    read.filter(|(_, body)| body["type"] == kind).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_version_is_told_named_taken_back_and_over_within_a_minute() {
    let server = server().await;
    let receiver = Receiver::start(&[]).await;
    let client = server.new_project();
    let channel = webhook(&client, &receiver).await;
    let mut live = Live::start(client, scenario(), USUAL).await;
    let params = json!({"direction": "down", "value": 0.9, "window_s": 25, "keep_s": 0});
    live.watch("quality.format_valid:rate", params, &channel)
        .await;
    live.quiet(12).await;

    move_label(&live.client, NEW).await;
    let harm = live.now();
    while told(&receiver, "incident.resolved").is_empty() {
        let went_by = live.now() - harm;
        assert!(went_by < MINUTE_S, "{:#?}", live.incident().await);
        live.second().await;
    }

    let incident = live.incident().await.unwrap();
    assert_eq!(version(&live.client).await, USUAL, "{incident:#}");
    assert_eq!(incident["resolution"], "recovered", "{incident:#}");
    let answer = &incident["attribution"];
    assert_eq!(answer["axis"], "quality", "{incident:#}");
    let culprits = answer["culprits"].as_array().unwrap();
    let named = culprits
        .iter()
        .map(|culprit| (&culprit["dimension"], &culprit["value"]));
    let wanted = (&json!("prompt_version"), &json!(format!("support@{NEW}")));
    assert!(named.into_iter().any(|one| one == wanted), "{incident:#}");
    let back = &incident["rollbacks"][0];
    assert_eq!(
        (&back["state"], &back["automatic"], &back["allowed"]),
        (&json!("applied"), &json!(true), &json!(true)),
        "{incident:#}"
    );
    assert_eq!(
        (&back["from_version"], &back["to_version"]),
        (&json!(NEW), &json!(USUAL))
    );
    let seconds = back["recovered_after_s"].as_i64().unwrap();
    assert!(seconds >= 0, "{incident:#}");
    let moments = incident["timeline"].as_array().unwrap().iter();
    let what: Vec<&str> = moments
        .map(|moment| moment["what"].as_str().unwrap())
        .collect();
    let place = |of: &str| what.iter().position(|what| *what == of);
    let story = ["fired", "attributed", "rolled_back", "resolved"].map(place);
    assert!(story.is_sorted() && story[0].is_some(), "{what:?}");
    assert!(place("rolled_back_recovered").is_some(), "{what:?}");

    for kind in [
        "incident.fired",
        "incident.rolled_back",
        "incident.resolved",
    ] {
        let messages = told(&receiver, kind);
        assert_eq!(messages.len(), 1, "{kind}: {messages:?}");
        let (message, body) = &messages[0];
        assert!(message.is_signed_with(SECRET), "{kind}");
        assert_eq!(body["data"]["incident"]["id"], incident["id"], "{body}");
    }
    let (_, over) = &told(&receiver, "incident.resolved")[0];
    let culprit = over["data"]["attribution"]["culprit"].to_string();
    assert!(culprit.contains(&format!("support@{NEW}")), "{over}");
}
