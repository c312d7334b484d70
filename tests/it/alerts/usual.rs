//! What is usual, and what would have fired.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, now_nanos};
use tests::shared;

use super::{ask, call, made, send};

const MINUTE: u64 = 60_000_000_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The last 04:00 in UTC.
fn refreshed() -> u64 {
    (now_nanos() - 4 * HOUR) / DAY * DAY + 4 * HOUR
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_usual_at_an_hour_is_known_after_a_week_and_rules_are_held_against_it() {
    let client = shared().await.new_project();
    // Ten o'clock of the nine days before the last refresh, a call a minute; the day before yesterday is slower at the
    // end of the hour.
    let as_of = refreshed();
    let ten = |day: u64| as_of - day * DAY + 6 * HOUR;
    let mut calls: Vec<SpanBuilder> = Vec::new();
    for day in 1..=8 {
        let minutes = 0..60_u32;
        calls.extend(minutes.map(|minute| {
            let ttft = 0.1 + f64::from(minute % 3) * 0.01;
            call(ten(day) + u64::from(minute) * MINUTE + MINUTE / 2, ttft)
        }));
    }
    let spike = ten(1) + 50 * MINUTE;
    calls.extend((0..20).map(|second| call(spike + second * 1_000_000_000, 1.0)));
    send(&client, &calls).await;

    let usual = client
        .get_json("/api/v1/baselines?series=token.ttft_ms:p50")
        .await;
    let hours = usual["data"].as_array().unwrap();
    assert_eq!((hours.len(), &hours[0]["hour"]), (1, &json!(10)), "{usual}");
    let median = hours[0]["median"].as_f64().unwrap();
    assert!((median / 110.0 - 1.0).abs() < 0.011, "{usual}");
    assert_eq!(hours[0]["samples"], 7 * 60);
    let other = client
        .get_json("/api/v1/baselines?series=token.ttft_ms:p50&hour=11")
        .await;
    assert_eq!(other["data"], json!([]));

    let shift = json!({"name": "shift", "kind": "p99_shift", "enabled": false,
        "params": {"keep_s": 0}});
    let made = made(&client, "/api/v1/alert-rules", shift.clone()).await;
    assert_eq!(
        (&made["series"], &made["params"]["factor"]),
        (&json!("token.ttft_ms:p99"), &json!(1.8))
    );
    let path = format!("/api/v1/alert-rules/{}/test", made["id"].as_str().unwrap());
    let at = |ns: u64| json!({"at": domain::Timestamp::from_unix_nanos(ns).unwrap().to_string()});
    let (_, said) = ask(&client, Method::POST, &path, at(spike + 30_000_000_000)).await;
    assert_eq!(said["state"], "firing", "{said}");
    let baseline = said["groups"][0]["baseline"].as_f64().unwrap();
    assert!((100.0..200.0).contains(&baseline), "{said}");

    // The same spike is found by looking back, and nothing else.
    let (status, preview) = ask(&client, Method::POST, "/api/v1/alert-rules/preview", shift).await;
    assert_eq!(status, StatusCode::OK, "{preview}");
    assert_eq!(preview["fired"], 1, "{preview}");
    let told = &preview["incidents"][0];
    let fired: &str = told["fired_at"].as_str().unwrap();
    let fired = domain::Timestamp::parse(fired).unwrap().unix_nanos();
    let spike = i64::try_from(spike).unwrap();
    assert!(
        (spike..spike + 60_000_000_000).contains(&fired),
        "{preview}"
    );
    assert!(told["resolved_at"].is_string(), "{preview}");
    assert!(preview["rule"]["id"].is_null());

    // Of another time of day too little is known, and that is told.
    let later = client.request(Method::PUT, "/api/v1/alert-settings");
    let later = later.body(json!({"zone": "Asia/Kolkata", "min_samples": 1000}).to_string());
    assert_eq!(later.send().await.unwrap().status(), StatusCode::OK);
    let (_, said) = ask(
        &client,
        Method::POST,
        &path,
        at(u64::try_from(spike).unwrap() + 30_000_000_000),
    )
    .await;
    assert_eq!(
        (&said["state"], &said["firing"]),
        (&json!("no_baseline"), &Value::Bool(false))
    );
}
