use reqwest::StatusCode;
use tests::builders::{SpanBuilder, export};
use tests::eventually;

use super::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn a_key_works_until_it_is_revoked() {
    let (browser, client) = Browser::in_new_project("revoke").await;
    let body = export([&SpanBuilder::root("hello")]);
    client.accept_traces(&body).await;
    browser.go(&browser.path().await).await;
    assert!(
        !browser.text("main").await.contains(&client.secret_key),
        "it is shown once"
    );

    browser.click("tbody [data-dialog]").await;
    browser.click("dialog[open] .armed").await;
    browser.says(".wide-section", "make a key").await;
    eventually("the key is refused", async || {
        match client.send_traces(&body).await.status() {
            StatusCode::UNAUTHORIZED => Ok(()),
            status => Err(status),
        }
    })
    .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_is_renamed_and_a_name_in_use_is_refused_beside_its_field() {
    let (browser, _client) = Browser::in_new_project("rename").await;
    browser.press("g,").await;
    browser.path_contains("/settings").await;
    let name = format!("renamed {}", std::process::id());
    browser.fill("#name", &name).await;
    browser.submit("#name").await;
    browser.says(".crumbs", &name).await;
    browser.fill("#new-name", &name).await;
    browser.submit("#new-name").await;
    let words = browser.text("#new-name-err").await;
    assert!(!words.is_empty());
    let kept = browser.find("#new-name").await.prop("value").await.unwrap();
    assert_eq!(
        kept.as_deref(),
        Some(name.as_str()),
        "what was entered stays"
    );
    browser.expect_complaint("422").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_of_prompts_are_protected_in_the_settings() {
    let (browser, client) = Browser::in_new_project("protected").await;
    browser.press("g,").await;
    browser.fill("#protected", "production, latest").await;
    browser.submit("#protected").await;
    browser.says("#protected-err", "moves by itself").await;
    browser.expect_complaint("422").await;
    browser.fill("#protected", "production staging").await;
    browser.submit("#protected").await;
    let value = "return document.querySelector('#protected')?.value";
    eventually("both are protected", async || {
        let told = client.get_json("/api/v1/protected-labels").await;
        match told["labels"] == serde_json::json!(["production", "staging"]) {
            true => Ok(()),
            false => Err(told),
        }
    })
    .await;
    browser.press("g,").await;
    browser.path_contains("/settings").await;
    assert_eq!(browser.run(value, vec![]).await, "production, staging");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_is_added_with_a_role_and_removed() {
    let (browser, _client) = Browser::in_new_project("members").await;
    browser.click(".tabs a:nth-child(3)").await;
    let email = format!("viewer-{}@example.org", std::process::id());
    browser.fill("#email", &email).await;
    browser.click("#role option[value=viewer]").await;
    browser.fill("#password", "a long enough password").await;
    browser.submit("#password").await;
    browser.says("tbody", &email).await;

    let row = format!("tr:has(td[title='{email}'])");
    browser.click(&format!("{row} option[value=admin]")).await;
    browser
        .find(&format!("{row} option[value=admin][selected]"))
        .await;

    let viewer = Browser::open().await;
    viewer.go("/").await;
    viewer.fill("#email", &email).await;
    viewer.fill("#password", "a long enough password").await;
    viewer.submit("#password").await;
    viewer.path_contains("/overview").await;
    viewer.close().await;

    browser.click(&format!("{row} button[data-dialog]")).await;
    browser.click("dialog[open] .armed").await;
    eventually("the member is gone", async || {
        let rows = browser.count(&row).await;
        if rows == 0 { Ok(()) } else { Err(rows) }
    })
    .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn loading_the_page_of_a_new_key_again_makes_no_other() {
    let (browser, client) = Browser::in_new_project("reload").await;
    browser.go(&browser.path().await).await;
    browser.shows("tbody tr", 1).await;
    browser.click("form.stack-form .btn-primary").await;
    browser.find("#made-secret").await;
    browser.shows("tbody tr", 2).await;
    browser.says("tbody", "made ").await;
    browser.run("location.reload()", vec![]).await;
    browser.shows("#made-secret", 0).await;
    browser.shows("tbody tr", 2).await;
    let keys = browser.text("tbody").await;
    assert!(keys.contains(&client.public_key), "whole, to copy: {keys}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_owner_stays_and_is_told_on_the_page_of_members() {
    let browser = Browser::open().await;
    let server = tests::Server::start().await;
    let browser = browser.at(server.http_url());
    browser.sign_in(&server).await;
    let members = browser.path().await.replace("/traces", "/settings/members");
    browser.go(&members).await;
    browser.click("tbody option[value=viewer]").await;
    browser.says("[role=alert]", "needs an owner").await;
    browser.shows("tbody tr", 1).await;
    browser.expect_complaint("409").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_without_a_price_is_given_one_and_the_past_is_computed_anew() {
    let (browser, client) = Browser::in_new_project("prices").await;
    let call = SpanBuilder::root("call")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.response.model", "nobody/knows-7b")
        .attribute("gen_ai.usage.input_tokens", 1_000_000);
    client.accept_traces(&export([&call])).await;
    client.trace_with_spans(call.trace_id(), 1).await;
    browser.go(&browser.path().await).await;
    browser.click(".tabs a:nth-child(4)").await;
    browser.says("main", "nobody/knows-7b").await;
    browser.click("tbody a.btn").await;
    browser.fill("#input", "0.15").await;
    browser.submit("#input").await;
    browser.says("tbody a", "nobody/knows-7b").await;

    browser.click("form[action$='/reprice'] button").await;
    browser.path_contains("/settings/prices").await;
    eventually("the call has a cost", async || {
        let trace = client
            .get_json(&format!("/api/v1/traces/{}", call.trace_id()))
            .await;
        match trace["cost"]["total"].as_str() {
            Some("0.15") => Ok(()),
            _ => Err(trace["cost"].clone()),
        }
    })
    .await;

    browser.click("tbody a").await;
    browser.fill("#input", "free").await;
    browser.submit("#input").await;
    let words = browser.text("#input-err").await;
    assert!(!words.is_empty());
    browser.expect_complaint("422").await;
    browser.close().await;
}
