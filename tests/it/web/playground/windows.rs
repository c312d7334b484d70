//! What a person does in the playground and on the page of connections, in a browser.

use serde_json::json;
use tests::eventually;

use super::provider::{CANARY, Provider, SECRET};
use super::{browser, choose, connected, connected_as, set, value};
use crate::web::prompts::made;

const FIRST: &str = "[data-play-window]:nth-of-type(1)";
const SECOND: &str = "[data-play-window]:nth-of-type(2)";

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_added_tested_changed_and_deleted_and_its_secret_is_never_shown() {
    let (browser, project, client) = browser().await;
    let provider = Provider::start().await;
    browser.go(&format!("{project}/settings")).await;
    browser.click(".tabs a:nth-child(9)").await;
    browser.path_contains("/settings/llm-connections").await;
    browser.fill("#connection-name", "of the page").await;
    browser.fill("#connection-url", "ftp://x").await;
    browser.fill("#connection-secret", SECRET).await;
    browser.submit("#connection-name").await;
    browser.says("#connection-url-err", "https://").await;
    browser.expect_complaint("422").await;
    assert_eq!(value(&browser, "#connection-secret").await, json!(""));
    set(&browser, "#connection-url", &provider.url).await;
    set(&browser, "#connection-secret", SECRET).await;
    set(&browser, "#connection-models", "steady\nrefusing").await;
    set(&browser, "#connection-headers-are", "set").await;
    set(
        &browser,
        "#connection-headers",
        "x-gateway: a-header-of-the-page",
    )
    .await;
    browser.submit("#connection-name").await;
    browser.says("#connections-list", "of the page").await;
    browser.says("#connections-list", "…93fa").await;

    let row = "#connections-list tr:has(a[href*='connection='])";
    let test = "document.querySelectorAll('#connections-list tr').forEach((row) => {
        if (row.textContent.includes('of the page')) row.querySelector(arguments[0]).click(); })";
    browser.find(row).await;
    browser.run(test, vec![json!("form button")]).await;
    browser
        .says("main", "of the page: steady answered in")
        .await;
    let asked = provider.asked("steady");
    assert!(
        asked[0]
            .0
            .contains(&format!("authorization: bearer {SECRET}"))
    );
    assert!(asked[0].0.contains("x-gateway: a-header-of-the-page"));

    // The first model is another one, the credential stays.
    browser.run(test, vec![json!("td a")]).await;
    browser.path_contains("connection=").await;
    assert_eq!(value(&browser, "#connection-secret").await, json!(""));
    set(&browser, "#connection-models", "refusing").await;
    browser.submit("#connection-region").await;
    browser.says("#connections-list", "refusing").await;
    browser.run(test, vec![json!("form button")]).await;
    browser
        .says("main", "401: Incorrect API key provided: [hidden].")
        .await;

    // Another address would be sent what nobody may read.
    browser.run(test, vec![json!("td a")]).await;
    browser.path_contains("connection=").await;
    set(&browser, "#connection-url", "http://elsewhere.invalid/v1").await;
    browser.submit("#connection-region").await;
    browser
        .says("#connection-secret-err", "another address needs it again")
        .await;
    browser.expect_complaint("422").await;
    let page = browser
        .run("return document.documentElement.outerHTML", vec![])
        .await;
    let page = page.as_str().unwrap();
    assert!(!page.contains(SECRET) && !page.contains("a-header-of-the-page"));

    browser.run(test, vec![json!("[data-dialog]")]).await;
    browser.click("dialog[open] .armed").await;
    eventually("the connection is gone", async || {
        let left = client
            .get_json("/api/public/llm-connections?limit=100")
            .await;
        match left["data"].to_string().contains("of the page") {
            true => Err(left),
            false => Ok(()),
        }
    })
    .await;
    browser.close().await;
}

#[expect(
    clippy::too_many_lines,
    reason = "one story, as a person goes through it"
)]
#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_is_tried_in_windows_side_by_side_and_saved() {
    let (browser, project, client) = browser().await;
    let provider = Provider::start().await;
    connected(&client, "side by side", &provider).await;
    let price = json!({"model": "steady", "prices": {"input": "0.001", "output": "0.002"}});
    let request = client.request(reqwest::Method::POST, "/api/v1/prices");
    let set_price = request.body(price.to_string()).send().await.unwrap();
    assert!(set_price.status().is_success());
    made(
        &client,
        json!({"name": "play/greet", "type": "chat", "labels": ["production"],
            "prompt": [{"role": "system", "content": "Be kind."}, {"type": "placeholder", "name": "history"},
                {"role": "user", "content": "Hello {{name}}"}],
            "config": {"model": "steady", "temperature": 0.2}}),
    )
    .await;
    browser.go(&format!("{project}/prompts/play/greet")).await;
    browser.click("#open-playground").await;
    browser.path_contains("/playground?prompt=").await;
    choose(&browser, "#w1-connection", "side by side").await;
    assert_eq!(value(&browser, "#w1-model").await, json!("steady"));
    assert_eq!(value(&browser, "#w1-temperature").await, json!("0.2"));
    // A variable without a value, then one with.
    set(&browser, "#w1-content-2", "Hello {{name}} of {{place}}").await;
    browser.shows("[data-play-values] [data-value]", 3).await;
    set(&browser, "[name='var.name']", "Ada").await;
    set(&browser, "[name='var.place']", "London").await;
    let history = json!([{"role": "assistant", "content": "I am here."}]).to_string();
    set(&browser, "[name='slot.history']", &history).await;

    browser.click("#add-window").await;
    browser.shows("[data-play-window]", 2).await;
    set(&browser, "#w2-model", "calling").await;
    let tools = json!([{"name": "find_order", "parameters": {"type": "object"}}]).to_string();
    set(&browser, "#w2-tools", &tools).await;
    set(&browser, "#w1-schema", r#"{"type": "object"}"#).await;
    browser.click("#run-all").await;
    browser
        .says(
            &format!("{FIRST} [data-play-text]"),
            "steady says: Hello Ada of London",
        )
        .await;
    browser.says(&format!("{FIRST} .facts"), "$0.02").await;
    browser.says(&format!("{FIRST} .facts"), "TTFT").await;
    browser
        .says(
            &format!("{SECOND} [data-play-calls]"),
            "find_order {\"order\": 7}",
        )
        .await;
    browser
        .says(&format!("{SECOND} [data-play-outcome]"), "No cost")
        .await;
    let (_, body) = provider.asked("steady").pop().unwrap();
    let expected = json!([{"role": "system", "content": "Be kind."},
        {"role": "assistant", "content": "I am here."}, {"role": "user", "content": "Hello Ada of London"}]);
    assert_eq!(body["messages"], expected);
    assert_eq!(
        (&body["temperature"], &body["stream"]),
        (&json!(0.2), &json!(true))
    );
    assert_eq!(
        body["response_format"]["json_schema"]["schema"],
        json!({"type": "object"})
    );
    let (_, body) = provider.asked("calling").pop().unwrap();
    assert_eq!(body["tools"][0]["function"]["name"], "find_order");

    // A run that does not end is stopped, and so is its request.
    set(&browser, "#w2-model", "slow").await;
    browser.click(&format!("{SECOND} [data-play-do=run]")).await;
    browser
        .says(&format!("{SECOND} [data-play-text]"), "word word")
        .await;
    browser
        .click(&format!("{SECOND} [data-play-do=stop]"))
        .await;
    browser
        .says(&format!("{SECOND} [data-play-state]"), "Stopped")
        .await;
    eventually("the provider sees it", async || match provider.left() {
        0 => Err("it still answers"),
        _ => Ok(()),
    })
    .await;

    // What stands in the window becomes an item, then the next version.
    browser
        .run(
            &format!("document.querySelector('{FIRST} [data-play-with-values]').click()"),
            vec![],
        )
        .await;
    browser.find("#item-input").await;
    let input = value(&browser, "#item-input").await;
    assert!(
        input.as_str().unwrap().contains("Hello Ada of London"),
        "{input}"
    );
    let expected = value(&browser, "#item-expected").await;
    assert!(
        expected.as_str().unwrap().contains("steady says"),
        "{expected}"
    );
    browser
        .fill("#item-new-dataset", "from the playground")
        .await;
    browser.click(".dataset-form .btn-primary").await;
    browser.path_contains("/items/").await;

    browser
        .go(&format!("{project}/playground?prompt=play%2Fgreet"))
        .await;
    set(&browser, "#w1-content-0", "Be very kind.").await;
    set(&browser, "#w1-max_tokens", "50").await;
    browser
        .click(&format!("{FIRST} [formaction$='/prompt']"))
        .await;
    browser.find("#prompt-config").await;
    browser
        .fill("#prompt-message", "tried in the playground")
        .await;
    browser.click("#save-prompt").await;
    browser.says(".versions", "tried in the playground").await;
    let told = client
        .get_json("/api/public/v2/prompts/play%2Fgreet?label=latest")
        .await;
    assert_eq!(told["version"], 2);
    assert_eq!(told["prompt"][0]["content"], "Be very kind.");
    assert_eq!(
        told["prompt"][1],
        json!({"type": "placeholder", "name": "history"})
    );
    assert_eq!(
        told["config"],
        json!({"model": "steady", "temperature": 0.2, "max_tokens": 50})
    );
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_goes_wrong_at_a_provider_is_told_and_nothing_of_it_runs() {
    let (browser, project, client) = browser().await;
    let provider = Provider::start().await;
    connected(&client, "wrong", &provider).await;
    connected_as(&client, ("in turns", "anthropic"), &provider).await;
    connected_as(&client, ("kept for others", "google-vertex-ai"), &provider).await;
    browser.go(&format!("{project}/playground")).await;
    choose(&browser, "#w1-connection", "wrong").await;
    let offered = browser.text("#w1-connection").await;
    assert!(!offered.contains("kept for others"), "{offered}");
    let error = format!("{FIRST} [data-play-error]");
    let run = format!("{FIRST} [data-play-do=run]");
    browser.click(&run).await;
    browser.says(&error, "there is no message").await;
    browser.expect_complaint("400").await;
    set(&browser, "#w1-content-1", "Hi").await;
    for (model, words) in [
        (
            "refusing",
            "401: Incorrect API key provided: [hidden]. <script>",
        ),
        ("page", "the provider answered with status 500"),
        (
            "moved",
            "302: the address leads on to another one, which is not followed",
        ),
        ("odd", "nothing that is an answer of this interface"),
        ("broken", "the connection broke off"),
        ("huge", "the answer is too long"),
    ] {
        set(&browser, "#w1-model", model).await;
        browser.click(&run).await;
        browser.says(&error, words).await;
        browser.shows(&format!("{FIRST}[data-is-running]"), 0).await;
    }
    let page = browser
        .run("return document.documentElement.outerHTML", vec![])
        .await;
    let page = page.as_str().unwrap();
    assert!(!page.contains(SECRET) && !page.contains(CANARY));
    set(&browser, "#w1-tools", "{not json").await;
    browser.click(&run).await;
    browser.says(&error, "the tools: this is no JSON").await;
    browser.expect_complaint("400").await;
    set(&browser, "#w1-tools", "").await;
    set(&browser, "#w1-model", "whole").await;
    browser.click(&run).await;
    browser
        .says(&format!("{FIRST} [data-play-text]"), "All at once.")
        .await;
    browser.shows(&error, 0).await;
    set(&browser, "#w1-model", "hostile").await;
    browser.click(&run).await;
    browser
        .says(
            &format!("{FIRST} [data-play-text]"),
            "<script>window.__x=1</script>",
        )
        .await;
    browser.says(&format!("{FIRST} .facts"), "Latency").await;
    let ran = browser.run("return window.__x ?? null", vec![]).await;
    assert_eq!(ran, json!(null));
    choose(&browser, "#w1-connection", "in turns").await;
    set(&browser, "#w1-model", "claude-of-here").await;
    browser.click(&run).await;
    browser
        .says(
            &format!("{FIRST} [data-play-text]"),
            "Said by Anthropic's interface.",
        )
        .await;
    let (head, body) = provider.asked("claude-of-here").pop().unwrap();
    assert!(head.contains(&format!("x-api-key: {SECRET}")), "{head}");
    assert_eq!(body["messages"][0]["content"][0]["text"], "Hi");
    browser.close().await;
}
