//! From a rule to an incident and its end, and a channel that is tried.

use std::time::Duration;

use serde_json::Value;
use tests::builders::now_nanos;
use tests::{ProjectClient, eventually_within};

use super::Browser;
use crate::alerts::receiver::{Receiver, Reply};
use crate::alerts::{call, failed, send, server};

/// Keys of the project whose page is open, and its path.
async fn keys(browser: &Browser, base: &str) -> (ProjectClient, String) {
    let home = browser.path().await;
    let project = home.split("/traces").next().unwrap().to_owned();
    browser.go(&format!("{project}/settings/keys")).await;
    browser.fill("#note", "browser test").await;
    browser.submit("#note").await;
    let public = browser.text("#made-public").await;
    let secret = browser.text("#made-secret").await;
    (ProjectClient::new(base, &public, &secret), project)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_is_previewed_and_saved_fires_into_an_incident_and_is_acknowledged_and_resolved() {
    let server = server().await;
    let browser = Browser::open().await.at(server.http_url());
    browser.sign_in(&server).await;
    let (client, project) = keys(&browser, server.http_url()).await;

    browser.press("gi").await;
    browser.says("main", "Nothing has fired").await;
    browser.click("main .btn-primary").await;
    browser.path_contains("/alerts/new").await;
    browser.fill("#rule-name", "failures").await;
    browser.fill("#rule-series", "request.errors").await;
    browser.fill("#rule-value", "much").await;
    browser.click("#rule-save").await;
    assert!(!browser.text("#rule-value-err").await.is_empty());
    browser.expect_complaint("422").await;

    // An hour ago everything failed for a while.
    let hour_ago = now_nanos() - 3_600_000_000_000;
    let past: Vec<_> = (0..20_u64)
        .map(|at| failed(hour_ago + at * 1_000_000_000))
        .collect();
    send(&client, &past).await;
    browser.fill("#rule-value", "0.05").await;
    browser.fill("#rule-window-s", "10").await;
    browser.click("#rule-preview").await;
    browser.says("#preview", "Would have fired once").await;
    browser.shows("#preview tbody tr", 1).await;
    assert!(browser.count("#preview svg.plot .mark").await >= 1);
    let none = client.get_json("/api/v1/alert-rules").await;
    assert_eq!(
        none["data"],
        Value::Array(Vec::new()),
        "a preview keeps nothing"
    );
    browser.click("#rule-save").await;
    browser.says("tbody", "failures").await;

    let now = now_nanos();
    let (bad, good) = (failed(now), call(now, 0.2));
    let trace_id = bad.trace_id().to_owned();
    send(&client, &[bad, good]).await;
    let told = eventually_within(Duration::from_secs(120), "the incident", async || {
        let all = client.get_json("/api/v1/incidents").await;
        let first = all["data"][0].clone();
        if first.is_null() { Err(all) } else { Ok(first) }
    });
    let told = told.await;
    let id = told["id"].as_str().unwrap();
    browser.go(&format!("{project}/incidents")).await;
    browser.says(".nav .count", "1").await;
    browser.says("tbody", "requests failed").await;
    browser.press("j").await;
    browser.click("tbody a").await;
    browser.path_contains(id).await;
    browser
        .says(".report-title", "1 in 2 requests failed")
        .await;
    browser.says(".figures", "Requests hit").await;
    browser.says(".course", "Began.").await;
    browser.says(".report tbody", &trace_id[..12]).await;
    browser.click("#acknowledge").await;
    browser.says(".head", "acknowledged").await;
    browser.click(".head [data-dialog=resolve]").await;
    browser.click("dialog[open] .armed").await;
    browser.says(".head", "resolved").await;
    browser.says(".course", "somebody said so").await;
    browser.shows(".nav .count", 0).await;

    browser.press("ga").await;
    browser.click("tbody a").await;
    browser.click("[data-dialog=delete-rule]").await;
    browser.click("dialog[open] .armed").await;
    browser
        .says("main", "No rule looks at this project yet")
        .await;
    browser.go(&format!("{project}/incidents/{id}")).await;
    browser.says(".report", "The rule is deleted.").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_is_added_with_its_secret_shown_once_tried_switched_off_and_deleted() {
    let server = server().await;
    let receiver = Receiver::start(&[Reply::Status(503)]).await;
    let browser = Browser::open().await.at(server.http_url());
    browser.sign_in(&server).await;
    browser.press("ga").await;
    browser.click(".tabs a:nth-child(2)").await;
    browser.fill("#channel-name", "on call").await;
    browser.fill("#channel-url", "ftp://nowhere").await;
    browser.submit("#channel-url").await;
    assert!(!browser.text("#channel-url-err").await.is_empty());
    browser.expect_complaint("422").await;
    browser.fill("#channel-url", &receiver.url).await;
    browser.submit("#channel-url").await;
    let secret = browser.text("#made-secret").await;
    assert_eq!(secret.len(), 48);
    browser.says("tbody", "127.0.0.1").await;

    browser.click("tbody .test").await;
    browser.says("tbody .result", "503").await;
    assert!(browser.count("#made-secret").await == 0, "it is shown once");
    browser.click("tbody .test").await;
    browser.says("tbody .result", "taken, 200").await;
    let messages = receiver.messages();
    assert_eq!(messages.len(), 2);
    assert!(
        messages
            .iter()
            .all(|message| message.is_signed_with(&secret))
    );

    browser.click("tbody form[action$=switch] button").await;
    browser.shows("tbody tr.over", 1).await;
    browser.click("tbody [data-dialog]").await;
    browser.click("dialog[open] .armed").await;
    browser
        .says("main", "Nobody is told of incidents yet")
        .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_of_alerts_and_rules_of_the_topology_are_checked_and_kept() {
    let (browser, client) = Browser::in_new_project("topology").await;
    let path = browser.path().await;
    let project = path.split("/settings").next().unwrap();
    browser.go(&format!("{project}/alerts/settings")).await;
    browser.fill("#alerts-zone", "Nowhere/Land").await;
    browser.submit("#alerts-zone").await;
    assert!(!browser.text("#alerts-zone-err").await.is_empty());
    browser.expect_complaint("422").await;
    browser.fill("#alerts-zone", "Asia/Shanghai").await;
    browser.fill("#alerts-delay-s", "20").await;
    browser.submit("#alerts-zone").await;
    browser.path_contains("/alerts/settings").await;
    let kept = eventually_within(Duration::from_secs(60), "the settings", async || {
        let kept = client.get_json("/api/v1/alert-settings").await;
        if kept["zone"] == "Asia/Shanghai" {
            Ok(kept)
        } else {
            Err(kept)
        }
    });
    assert_eq!(kept.await["delay_s"], 20);

    browser.go(&format!("{project}/settings/topology")).await;
    browser.says("main", "the usual rules").await;
    browser.says("tbody", "told_instance").await;
    let script = "document.querySelector('#topology-rules').value = arguments[0]";
    let enter = async |text: &str| {
        browser.run(script, vec![Value::from(text)]).await;
        browser.click("#topology-save").await;
    };
    enter("{\"instances\": 3, \"gpus\": []}").await;
    assert!(!browser.text("#topology-rules-err").await.is_empty());
    browser.expect_complaint("422").await;
    let rules = r#"{"instances": [{"name": "by_zone", "from": "server", "keys": ["cloud.zone"], "labels": ["zone"]}], "gpus": []}"#;
    enter(rules).await;
    browser.says("tbody", "by_zone").await;
    let held = client.get_json("/api/v1/topology").await;
    assert_eq!(held["instances"][0]["name"], "by_zone");
    browser.click("#topology-reset").await;
    browser.says("main", "the usual rules").await;
    browser.close().await;
}
