//! What somebody asks of a fleet.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::{eventually_within, shared};

use super::told::{Told, scenario};
use super::{post, support};
use fleet::Cause;

/// The answer, once all requests that were told can be read with what their GPUs and engines did.
pub(super) async fn answer(told: &Told) -> Value {
    let (question, expected) = (told.question(), told.considered());
    eventually_within(Duration::from_secs(120), "the whole fleet", async || {
        let (status, answer) = post(&told.client, "/api/v1/attributions", &question).await;
        let seen = |axis: &str| {
            let axes = answer["axes"].as_array().into_iter().flatten();
            let of = axes.filter(|vote| vote["axis"] == axis);
            of.map(|vote| vote["requests"].as_u64().unwrap())
                .sum::<u64>()
        };
        let is_whole = status == StatusCode::OK
            && answer["requests_considered"] == expected
            && seen("gpu") * 10 > expected as u64 * 9;
        if is_whole { Ok(answer) } else { Err(answer) }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_version_that_breaks_the_prefix_is_named_and_taken_back() {
    let client = shared().await.new_project();
    support(&client).await;
    let cause = Cause::BrokenPrefix {
        prompt: 0,
        rollout: 1.0,
    };
    let told = Told::to(client, scenario(cause, ("token.ttft_ms", true), 3)).await;
    let answer = answer(&told).await;
    assert_eq!(answer["axis"], "token", "{answer:#}");
    let first = &answer["culprits"][0];
    assert_eq!(
        (&first["dimension"], &first["value"]),
        (&json!("prompt_version"), &json!("support@5")),
        "{answer:#}"
    );
    assert_eq!(answer["recommendation"]["action"], "rollback", "{answer:#}");
    let prompt = &answer["prompt"];
    assert_eq!(prompt["name"], "support", "{prompt}");
    assert_eq!(
        (&prompt["suspect_version"], &prompt["previous_version"]),
        (&json!("5"), &json!("4"))
    );
    // The role of the first message is all that both begin with.
    let at = prompt["diverges_at_token"].as_u64().unwrap();
    assert!((1..6).contains(&at), "{prompt}");
    let reuse = |when: &str| prompt[format!("prefix_reuse_{when}")].as_f64().unwrap();
    assert!(reuse("before") > 0.5 && reuse("after") < 0.1, "{prompt}");
    assert_eq!(answer["sample_trace_ids"].as_array().unwrap().len(), 10);
    // The symptom first: its requests moved to the right, and the bins of both windows are the same.
    let symptom = &answer["distributions"][0];
    assert_eq!(symptom["series"], "token.ttft_ms", "{symptom}");
    let numbers = |name: &str| -> Vec<f64> {
        let list = symptom[name].as_array().unwrap().iter();
        list.map(|one| one.as_f64().unwrap()).collect()
    };
    let middle = |shares: Vec<f64>| -> f64 {
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{symptom}");
        let edges = numbers("edges");
        let bins = shares.iter().zip(edges.windows(2));
        bins.map(|(share, ends)| share * f64::midpoint(ends[0], ends[1]))
            .sum()
    };
    let (before, after) = (middle(numbers("baseline")), middle(numbers("alert")));
    assert!(after > 1.5 * before, "{before} → {after}: {symptom}");
    let lying = answer["distributions"].as_array().unwrap();
    assert!((2..=4).contains(&lying.len()), "{lying:?}");
    let what: Vec<&str> = answer["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|moment| moment["what"].as_str().unwrap())
        .collect();
    assert!(
        what.contains(&"prompt version support@5 is seen for the first time"),
        "{what:?}"
    );
    // The same requests have the same answer.
    let (_, again) = post(&told.client, "/api/v1/attributions", &told.question()).await;
    let without_clock = |answer: &Value| {
        let mut answer = answer.clone();
        answer["took_ms"].take();
        answer
    };
    assert_eq!(without_clock(&again), without_clock(&answer));
    // Without the requests of the version there is nothing wrong.
    let mut others = told.question();
    others["filter"] = json!({"prompt": ["extract", "summary"]});
    let (status, answer) = post(&told.client, "/api/v1/attributions", &others).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert!(
        !answer.to_string().contains("support@"),
        "the filter holds: {answer:#}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_throttles_is_named_and_no_rollback_recommended() {
    let cause = Cause::Throttle {
        instance: 1,
        severity: 0.6,
    };
    let told = Told::of(scenario(cause, ("token.e2e_ms", true), 5)).await;
    let answer = answer(&told).await;
    assert_eq!(answer["axis"], "gpu", "{answer:#}");
    let culprits = answer["culprits"].as_array().unwrap();
    let is_node =
        |culprit: &Value| culprit["dimension"] == "instance" && culprit["value"] == "node-1:8000";
    assert!(culprits.iter().take(3).any(is_node), "{answer:#}");
    assert_eq!(
        answer["recommendation"]["action"], "rebalance",
        "{answer:#}"
    );
    assert_eq!(answer["prompt"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_fleet_has_no_cause() {
    let told = Told::of(scenario(Cause::Quiet, ("token.ttft_ms", true), 7)).await;
    let answer = answer(&told).await;
    assert_eq!(answer["axis"], "none", "{answer:#}");
    assert_eq!(answer["recommendation"]["action"], "none");
    assert_eq!(answer["culprits"], json!([]));
    let reason = answer["recommendation"]["reason"].as_str().unwrap();
    assert!(reason.starts_with("token.ttft_ms is as before"), "{reason}");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_that_make_no_sense_are_refused_by_their_field() {
    let client = shared().await.new_project();
    let good = json!({
        "from": "2026-01-01T00:00:00Z", "to": "2026-01-01T00:05:00Z",
        "symptom": {"series": "token.ttft_ms"},
    });
    let (status, body) = post(&client, "/api/v1/attributions", &good).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    assert!(body.to_string().contains("30 needed"), "{body}");
    let wrong: &[(&str, Value, &str)] = &[
        ("/from", Value::Null, "from"),
        ("/to", json!("2026-01-01T00:00:00Z"), "to"),
        ("/to", json!("tomorrow"), "to"),
        ("/baseline_to", json!("2026-01-01T00:01:00Z"), "baseline_to"),
        (
            "/baseline_from",
            json!("2025-12-31T23:59:30Z"),
            "baseline_from",
        ),
        ("/symptom", Value::Null, "symptom"),
        (
            "/symptom/series",
            json!("token.ttft_ms:p99"),
            "symptom.series",
        ),
        ("/symptom/series", json!(1), "symptom.series"),
        ("/symptom/direction", json!("left"), "symptom.direction"),
        ("/symptom/threshold", json!("much"), "symptom.threshold"),
        ("/symptom/threshhold", json!(1), "symptom.threshhold"),
        ("/filter", json!([{"column": "mood"}]), "filter"),
        ("/window", json!(1), "window"),
    ];
    for (pointer, value, field) in wrong {
        let mut body = good.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = if parent.is_empty() {
            &mut body
        } else {
            body.pointer_mut(parent).unwrap()
        };
        parent[name] = value.clone();
        let (status, answer) = post(&client, "/api/v1/attributions", &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{pointer}: {answer}");
        assert_eq!(answer["errors"][0]["path"], *field, "{pointer}: {answer}");
    }
}
