//! Values of the axes over time, and one by another.

use serde_json::{Value, json};
use tests::builders::export;
use tests::eventually;

use super::{Fleet, ONE, TWO, time};

/// Eight calls, a second apart, by turns to both instances: those to the second take longer, and half of them are of no
/// valid format.
async fn served(fleet: &Fleet) {
    let calls: Vec<_> = (0..8_i64)
        .map(|at| {
            let (address, version) = if at % 2 == 0 { (ONE.0, 1) } else { (TWO.0, 2) };
            let call = fleet
                .call(at * 1_000)
                .attribute("llm.infer.instance", address)
                .attribute("llm.app.prompt_template_id", "triage")
                .attribute("llm.app.prompt_template_version", version.to_string())
                .attribute("llm.quality.format_valid", at % 4 != 3);
            let ms = 100 * (at + 1);
            let end = fleet.at.saturating_add_signed(at * 1_000 + ms);
            call.field("endTimeUnixNano", format!("{end}000000"))
        })
        .collect();
    fleet.client.accept_traces(&export(calls.iter())).await;
    fleet.requests("", 8).await;
    fleet.is_readable().await;
}

async fn series(fleet: &Fleet, query: &str) -> Vec<Value> {
    let (from, to) = (time(fleet.at), time(fleet.at + 12_000));
    let path = format!("/api/v1/axes/series?from={from}&to={to}&{query}");
    let answer = fleet.client.get_json(&path).await;
    assert_eq!(answer["sampled"], false);
    answer["series"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_told_step_by_step_and_nothing_is_null() {
    let fleet = Fleet::new().await;
    served(&fleet).await;
    let query = "step=4&series=token.e2e_ms:p50,token.e2e_ms:max,quality.format_valid:rate,requests:count,requests:per_s,errors:rate";
    let lines = series(&fleet, query).await;
    let values = |at: usize| lines[at]["values"].clone();
    assert_eq!(lines[0]["name"], "token.e2e_ms:p50");
    assert_eq!(values(0), json!([250.0, 650.0, null]));
    assert_eq!(values(1), json!([400.0, 800.0, null]));
    assert_eq!(values(2), json!([0.75, 0.75, null]));
    assert_eq!(values(3), json!([4.0, 4.0, 0.0]));
    assert_eq!(values(4), json!([1.0, 1.0, 0.0]));
    assert_eq!(values(5), json!([0.0, 0.0, null]));
    let by_version = series(
        &fleet,
        "step=12&series=quality.format_valid&group_by=prompt_version",
    )
    .await;
    let found: Vec<_> = by_version
        .iter()
        .map(|line| (&line["group"]["prompt_version"], &line["values"][0]))
        .collect();
    assert_eq!(
        found,
        [
            (&json!("triage@1"), &json!(1.0)),
            (&json!("triage@2"), &json!(0.5))
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fleet_is_asked_itself_unless_requests_are_meant() {
    let fleet = Fleet::new().await;
    served(&fleet).await;
    let value = |lines: &[Value], at: usize| lines[at]["values"][0].as_f64().unwrap();
    // One scrape of each GPU lies within, whoever asked them for anything.
    let lines = series(&fleet, "step=12&series=gpu.power_w:avg").await;
    assert_eq!(
        lines[0]["values"][0],
        Value::Null,
        "the scrape is a second earlier: {lines:?}"
    );
    let (from, to) = (time(fleet.at - 60_000), time(fleet.at));
    let range = format!("/api/v1/axes/series?from={from}&to={to}&step=60");
    let of_fleet = fleet
        .client
        .get_json(&format!(
            "{range}&series=gpu.power_w:avg,token.prefix_cache_hit_rate"
        ))
        .await;
    assert_eq!(of_fleet["series"][0]["values"], json!([200.0]));
    assert_eq!(of_fleet["series"][1]["values"], json!([0.75]));
    let sum = fleet
        .client
        .get_json(&format!(
            "{range}&series=gpu.power_w:sum,token.running_requests:sum"
        ))
        .await;
    assert_eq!(sum["series"][0]["values"], json!([600.0]));
    assert_eq!(sum["series"][1]["values"], json!([7.0]));
    let by_gpu = fleet
        .client
        .get_json(&format!("{range}&series=gpu.power_w:max&group_by=gpu"))
        .await;
    let found: Vec<_> = by_gpu["series"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| &line["group"]["gpu"])
        .collect();
    assert_eq!(found, ["a", "b", "c"]);
    let one = fleet
        .client
        .get_json(&format!("{range}&series=gpu.power_w&instance={}", ONE.0))
        .await;
    assert_eq!(one["series"][0]["values"], json!([250.0]));
    // During requests it is the sum of each instance's GPUs.
    let of_requests = series(&fleet, "step=12&series=gpu.power_w&group_by=prompt_version").await;
    assert_eq!(
        (value(&of_requests, 0), value(&of_requests, 1)),
        (500.0, 100.0)
    );
    let narrowed = series(&fleet, "step=12&series=gpu.power_w&prompt_version=2").await;
    assert_eq!(value(&narrowed, 0), 100.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_value_goes_with_another_within_an_interval() {
    let fleet = Fleet::new().await;
    served(&fleet).await;
    let path = format!(
        "/api/v1/axes/joint?{}&x=gpu.sm_active&y=quality.format_valid&bins=2",
        fleet.range()
    );
    let joint = eventually("joined requests", async || {
        let joint = fleet.client.get_json(&path).await;
        if joint["count"] == 8 {
            Ok(joint)
        } else {
            Err(joint)
        }
    })
    .await;
    assert_eq!(joint["statistic"], "rate");
    let bins = joint["bins"].as_array().unwrap();
    let counts: Vec<_> = bins
        .iter()
        .map(|bin| (&bin["count"], &bin["value"]))
        .collect();
    assert_eq!(counts, [(&json!(4), &json!(0.5)), (&json!(4), &json!(1.0))]);
    // statsmodels' proportion_confint(2, 4, method="wilson")
    let (low, high) = (
        bins[0]["low"].as_f64().unwrap(),
        bins[0]["high"].as_f64().unwrap(),
    );
    assert!(
        (low - 0.150_039).abs() < 1e-5 && (high - 0.849_961).abs() < 1e-5,
        "{low} {high}"
    );
    let path = format!(
        "/api/v1/axes/joint?{}&x=gpu.temperature_c&y=token.e2e_ms&bins=3",
        fleet.range()
    );
    let joint = fleet.client.get_json(&path).await;
    let means: Vec<_> = joint["bins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bin| &bin["value"])
        .collect();
    assert_eq!(means, [&json!(500.0), &Value::Null, &json!(400.0)]);
    let none = format!(
        "/api/v1/axes/joint?{}&x=gpu.xid&y=token.e2e_ms",
        fleet.range()
    );
    assert_eq!(fleet.client.get_json(&none).await["bins"], json!([]));
}
