//! Labels under test: several versions by weight, held against each other, until one is left.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::builders::{SpanBuilder, export};

use super::{encoded, made, owner, post, served};
use crate::web::Browser;

/// Versions that users get of a prompt.
async fn versions(client: &ProjectClient, name: &str, users: u32) -> BTreeMap<u32, u64> {
    let mut found = BTreeMap::new();
    for user in 0..users {
        let query = format!("?label=production&stickTo=user-{user}");
        let (status, told) = served(client, name, &query).await;
        assert!(status.is_success(), "{told}");
        assert!(
            told["labels"]
                .as_array()
                .unwrap()
                .contains(&json!("production")),
            "{told}"
        );
        found.insert(user, told["version"].as_u64().unwrap());
    }
    found
}

fn share(found: &BTreeMap<u32, u64>, version: u64) -> f64 {
    let of = found.values().filter(|it| **it == version).count();
    of as f64 / found.len() as f64
}

/// The number of a prompt's history that says something.
fn told(page: &str, words: &str) -> usize {
    page.matches(words).count()
}

/// Both routes, by header as by query; by chance where nothing is said.
async fn sticks_by_header_and_is_free_without(
    client: &ProjectClient,
    name: &str,
    versions: &BTreeMap<u32, u64>,
) {
    let whole = client.request(
        Method::GET,
        &format!("/api/public/prompts?name={}", encoded(name)),
    );
    let whole = whole.header("x-stick-to", "user-7").send().await.unwrap();
    let whole: Value = whole.json().await.unwrap();
    assert_eq!(whole["version"], versions[&7]);
    assert_eq!(whole["isActive"], true);
    let mut any = Vec::new();
    for _ in 0..40 {
        any.push(served(client, name, "").await.1["version"].clone());
    }
    assert!(
        any.contains(&json!(1)) && any.contains(&json!(2)),
        "{any:?}"
    );
    let long = format!("?stickTo={}", "x".repeat(501));
    assert!(served(client, name, &long).await.0.is_client_error());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_under_test_gives_versions_by_weight_and_a_user_always_the_same() {
    let (mut owner, client, project) = owner().await;
    let name = format!("ab/shares {}", std::process::id());
    for labels in [&["production"][..], &[]] {
        let body = json!({ "name": name, "prompt": "answer", "labels": labels });
        made(&client, body).await;
    }
    let path = format!("{project}/prompt/test/{}", name.replace(' ', "%20"));
    let page = format!("{project}/prompts/{}?tab=labels", name.replace(' ', "%20"));
    let set = |percent: &'static str| {
        [
            ("label", "production"),
            ("do", "set"),
            ("control", "1"),
            ("version", "2"),
            ("percent", percent),
        ]
    };
    // What is no test is refused with its reason, and changes nothing.
    let (status, said) = post(&mut owner, &path, &set("100")).await;
    assert!(
        status.is_client_error() && said.contains("less than 100"),
        "{status}"
    );
    let elsewhere = [
        ("label", "production"),
        ("do", "set"),
        ("control", "2"),
        ("version", "3"),
        ("percent", "5"),
    ];
    let (status, said) = post(&mut owner, &path, &elsewhere).await;
    assert!(
        status.is_client_error() && said.contains("one of those that are tested"),
        "{status}"
    );

    post(&mut owner, &path, &set("20")).await;
    let before = versions(&client, &name, 200).await;
    let of_new = share(&before, 2);
    assert!((0.08..0.34).contains(&of_new), "{of_new}");
    assert_eq!(
        versions(&client, &name, 200).await,
        before,
        "whoever sticks, stays"
    );
    // Nobody goes back when the new one gets more.
    post(&mut owner, &path, &set("60")).await;
    let after = versions(&client, &name, 200).await;
    for (user, version) in &before {
        assert!(*version == 1 || after[user] == 2, "{user}");
    }
    assert!((0.45..0.75).contains(&share(&after, 2)), "{after:?}");
    sticks_by_header_and_is_free_without(&client, &name, &after).await;

    // A client that sets the label, to where it stands already, means that version alone.
    let shown = owner.read(&page).await;
    assert_eq!(told(&shown, "Under test: production"), 1, "{shown}");
    let patch = format!("/api/public/v2/prompts/{}/versions/1", encoded(&name));
    let body = json!({ "newLabels": ["production"] });
    let answer = client
        .request(Method::PATCH, &patch)
        .header("content-type", "application/json");
    let answer = answer.body(body.to_string()).send().await.unwrap();
    assert!(answer.status().is_success());
    assert_eq!(share(&versions(&client, &name, 40).await, 1), 1.0);
    let shown = owner.read(&page).await;
    assert_eq!(told(&shown, "Under test: production"), 0);
    assert!(
        shown.contains("Test of production ended, 1 given alone"),
        "{shown}"
    );
    assert!(
        shown.contains("production under test: 1 40 %, 2 60 %"),
        "{shown}"
    );

    // A version that goes takes the test along.
    post(&mut owner, &path, &set("50")).await;
    let gone = format!("/api/public/v2/prompts/{}?version=2", encoded(&name));
    let gone = client.request(Method::DELETE, &gone).send().await.unwrap();
    assert!(gone.status().is_success());
    assert_eq!(share(&versions(&client, &name, 20).await, 1), 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_under_test_are_held_against_each_other_and_one_is_kept() {
    let (browser, client) = Browser::in_new_project("ab").await;
    for (text, labels) in [
        ("one", &["production"][..]),
        ("two", &["production"]),
        ("three", &[]),
    ] {
        let body = json!({ "name": "team/ab", "prompt": text, "labels": labels });
        made(&client, body).await;
    }
    let path = browser.path().await;
    let project = path.split("/settings").next().unwrap().to_owned();
    let page = format!("{project}/prompts/team/ab?tab=labels");
    browser.go(&page).await;
    browser.click("[data-dialog=test-0]").await;
    browser.click("#test-0-v1 option[value='3']").await;
    browser.fill("#test-0-w1", "12.5").await;
    browser.click("dialog[open] .btn-primary").await;
    browser.says(".test h2", "Under test: production").await;
    browser.says(".versions", "production 87.5 %").await;
    browser.says(".versions", "production 12.5 %").await;
    browser
        .says("#history", "production under test: 2 87.5 %, 3 12.5 %")
        .await;

    let mut spans = Vec::new();
    for version in [2, 2, 2, 3, 3] {
        let span = SpanBuilder::root("generate")
            .attribute("langfuse.observation.type", "generation")
            .attribute("langfuse.observation.prompt.name", "team/ab")
            .attribute("langfuse.observation.prompt.version", i64::from(version))
            .attribute("gen_ai.usage.input_tokens", 100_i64)
            .attribute("gen_ai.usage.output_tokens", 10_i64);
        spans.push(span);
    }
    client.accept_traces(&export(&spans)).await;
    for span in &spans {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    browser.go(&page).await;
    browser
        .says(".test tbody tr:first-child", "stands here")
        .await;
    browser.shows(".test tbody tr", 2).await;
    browser.says(".test thead", "n").await;

    // A move back ends the test and says so.
    browser.go(&format!("{page}&move=production&at=1")).await;
    browser.click("#move-now").await;
    browser
        .says("#history", "production went back, 2 to 1")
        .await;
    browser
        .says("#history", "Test of production ended, 1 given alone")
        .await;
    browser.shows(".test", 0).await;

    // The other way out: one of them is kept.
    browser.click("[data-dialog=test-0]").await;
    browser.click("#test-0-v1 option[value='3']").await;
    browser.fill("#test-0-w1", "50").await;
    browser.click("dialog[open] .btn-primary").await;
    browser.shows(".test tbody tr", 2).await;
    browser
        .click(".test tbody tr:last-child button[value='only']")
        .await;
    browser.says("#history", "production moved, 1 to 3").await;
    browser.shows(".test", 0).await;
    let served = client.get_json("/api/public/v2/prompts/team%2Fab").await;
    assert_eq!(served["version"], 3);
    browser.close().await;
}
