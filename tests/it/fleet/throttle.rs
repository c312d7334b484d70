//! A GPU throttles; the label of a prompt could go back, but that would help nobody.

use fleet::scenario::{Rollout, gpu_name, instance_name};
use fleet::{Call, Cause, Scenario};
use reqwest::Method;
use serde_json::{Value, json};
use tests::eventually_within;

use super::live::{Live, NEW, version};
use super::{PATIENCE, done, server};
use crate::alerts::receiver::Receiver;
use crate::alerts::webhook;

/// The instance whose GPU throttles.
const HOT: usize = 1;
/// Second of the fleet at which it begins to get hot, after the quiet ones.
const HOT_AT: f64 = 612.0;
/// Seconds after that in which it must be told, and named as what the bad calls have in common.
const MINUTE_S: f64 = 60.0;
/// Seconds after that in which the GPU axis must be known as the cause: queues fill at once, and the readings that tell of
/// the GPU come every few seconds, so that the first answers see more of the one than of the other.
const CAUSE_S: f64 = 180.0;

fn scenario() -> Scenario {
    Scenario {
        seed: 5,
        instances: 4,
        requests_per_s: 8.0,
        cause: Cause::Throttle {
            instance: HOT,
            severity: 0.6,
        },
        begins_at: HOT_AT,
        alert_at: HOT_AT,
        alert_s: 0.0,
        // The version that the label stands on, all the time.
        harmless_rollout: Some(Rollout {
            at: 0.0,
            prompt: 0,
            is_release: false,
            share: 1.0,
        }),
        missing_scrapes: 0.0,
        symptom: ("token.e2e_ms", true),
    }
}

/// Milliseconds of a token after the first.
fn tpot_ms(call: &Call) -> f64 {
    1e3 * (call.ended - call.first_token) / (call.output_tokens - 1.0).max(1.0)
}

/// Whether an answer names the instance, or its GPU, before others.
fn is_named(answer: &Value) -> bool {
    let names = [instance_name(HOT), gpu_name(HOT)];
    let culprits = answer["culprits"].as_array().into_iter().flatten();
    let mut first = culprits.take(3);
    first.any(|one| names.iter().any(|name| one["value"] == **name))
}

/// Whether it blames the GPU, too.
fn is_explained(answer: &Value) -> bool {
    answer["axis"] == "gpu" && is_named(answer)
}

/// The incident, once its attribution is as it should be, before so many seconds have gone by.
async fn attributed(live: &mut Live, is_so: fn(&Value) -> bool, within_s: f64) -> Value {
    loop {
        let incident = live.incident().await.unwrap_or_default();
        if is_so(&incident["attribution"]) {
            return incident;
        }
        assert!(live.now() - HOT_AT < within_s, "{incident:#}");
        live.second().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_throttling_gpu_is_named_and_no_label_goes_back() {
    let server = server().await;
    let receiver = Receiver::start(&[]).await;
    let client = server.new_project();
    let channel = webhook(&client, &receiver).await;
    let mut live = Live::start(client, scenario(), NEW).await;
    let usual = live.quantile(0.9, tpot_ms);
    let params = json!({"value": 1.3 * usual, "window_s": 20});
    live.watch("token.tpot_ms:p90", params, &channel).await;
    live.quiet(12).await;

    let first = attributed(&mut live, is_named, MINUTE_S).await;
    assert_eq!(first["rollbacks"], json!([]), "{first:#}");
    let incident = attributed(&mut live, is_explained, CAUSE_S).await;
    let action = &incident["attribution"]["recommendation"]["action"];
    assert_eq!(action, "rebalance", "{incident:#}");

    // Over by hand: its last answer stays, and nothing is decided after it.
    let path = format!("/api/v1/incidents/{}", incident["id"].as_str().unwrap());
    done(
        &live.client,
        Method::POST,
        &format!("{path}/resolve"),
        json!({}),
    )
    .await;
    let last = eventually_within(PATIENCE, "the last answer", async || {
        let incident = live.client.get_json(&path).await;
        let is_told =
            |message: &Value| message["occasion"] == "resolved" && message["state"] == "sent";
        let messages = incident["notifications"].as_array().unwrap();
        let is_over = incident["attribution_status"]["state"] == "final";
        if is_over && messages.iter().any(is_told) {
            Ok(incident)
        } else {
            Err(incident)
        }
    })
    .await;
    assert!(is_explained(&last["attribution"]), "{last:#}");
    assert_eq!(last["rollbacks"], json!([]), "{last:#}");
    let path = "/api/v1/prompts/support/rollbacks";
    assert_eq!(live.client.get_json(path).await["data"], json!([]));
    assert_eq!(version(&live.client).await, NEW);
    let kinds: Vec<Value> = receiver
        .messages()
        .iter()
        .map(|message| serde_json::from_str::<Value>(&message.body).unwrap()["type"].clone())
        .collect();
    assert_eq!(kinds, [json!("incident.fired"), json!("incident.resolved")]);
}
