//! What a person does with prompts, in a browser.

use serde_json::{Value, json};

use super::made;
use crate::web::Browser;

/// Puts a text into a field at once: typing is slow, and braces are keys of editors.
async fn set(browser: &Browser, css: &str, text: &str) {
    browser.find(css).await;
    let script = "document.querySelector(arguments[0]).value = arguments[1]";
    browser.run(script, vec![json!(css), json!(text)]).await;
}

#[expect(
    clippy::too_many_lines,
    reason = "one story, as a person goes through it"
)]
#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_is_written_changed_compared_labelled_remarked_on_and_deleted() {
    let (browser, client) = Browser::in_new_project("prompts").await;
    browser.press("gp").await;
    browser.says("main", "No prompts yet").await;
    browser.click("#new-prompt").await;
    browser.fill("#prompt-name", "team/greet").await;
    browser.click("#kind-chat").await;
    browser.find("#message-content-0").await;
    let name = "return document.querySelector('#prompt-name').value";
    assert_eq!(browser.run(name, Vec::new()).await, json!("team/greet"));
    set(&browser, "#message-content-0", "You are kind.\nBe brief.").await;
    browser.click("#add-message").await;
    set(&browser, "#message-content-1", "{{question}}").await;
    browser
        .run(
            "document.querySelector('#message-role-1').value = 'user'",
            Vec::new(),
        )
        .await;
    set(&browser, "#prompt-config", "{not json").await;
    browser.click("#save-prompt").await;
    browser
        .says("#prompt-config-err", "config is no JSON")
        .await;
    browser.expect_complaint("422").await;
    set(&browser, "#prompt-config", "{\"model\": \"gpt-4o\"}").await;
    browser.fill("#prompt-labels", "production").await;
    browser.fill("#prompt-message", "the first").await;
    browser.click("#save-prompt").await;
    browser.path_contains("/prompts/team/greet").await;
    browser.says(".prompt-words", "Be brief.").await;
    browser.says(".versions", "the first").await;
    browser.says(".versions .tag-live", "production").await;
    let told = client.get_json("/api/public/v2/prompts/team%2Fgreet").await;
    assert_eq!(
        told["prompt"],
        json!([
            {"role": "system", "content": "You are kind.\nBe brief."},
            {"role": "user", "content": "{{question}}"},
        ])
    );

    browser.click("#new-version").await;
    set(
        &browser,
        "#message-content-0",
        "Now: {{now}}. You are kind.\nBe brief.",
    )
    .await;
    browser.fill("#prompt-message", "the time first").await;
    browser.click("#save-prompt").await;
    browser.says(".versions", "the time first").await;
    browser.shows(".versions > li", 2).await;
    browser.click(".tabs a:nth-child(2)").await;
    browser.says(".diff-head", "1 changed").await;
    browser.says(".diff ins", "Now: {{now}}.").await;
    browser.says("#prefix", "Leaves the prefix at token").await;
    browser.press("n").await;
    browser.shows("[data-change][data-cursor]", 1).await;
    browser.click("#unified").await;
    browser.shows(".diff.unified", 4).await;

    // The label goes forth, after it is shown what speaks against it.
    browser.click("[data-dialog=move-label]").await;
    browser.fill("#move-name", "production").await;
    browser.click("#move-check").await;
    browser.says("#asked", "checks do not hold").await;
    browser.click("#move-now").await;
    browser.says("#history", "production moved, 1 to 2").await;
    let told = client.get_json("/api/public/v2/prompts/team%2Fgreet").await;
    assert_eq!(told["version"], 2);

    browser.click(".tabs a:nth-child(5)").await;
    set(&browser, "#comment-text", "Why the time?\n<b>?</b>").await;
    browser.click("main form button").await;
    browser.says(".prompt-comments", "<b>?</b>").await;
    browser.shows(".prompt-comments b b", 0).await;

    browser.click(".head .pop summary").await;
    browser.click("[data-dialog=delete-prompt]").await;
    browser.fill("#delete-prompt-text", "team/other").await;
    browser.click("dialog[open] .armed").await;
    browser
        .says("main [role=alert]", "nothing was deleted")
        .await;
    browser.expect_complaint("400").await;
    browser.click(".head .pop summary").await;
    browser.click("[data-dialog=delete-prompt]").await;
    browser.fill("#delete-prompt-text", "team/greet").await;
    browser.click("dialog[open] .armed").await;
    browser.says("main", "No prompts yet").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_goes_back_by_its_policy_and_forth_again() {
    let (browser, client) = Browser::in_new_project("labels").await;
    for text in ["one", "two"] {
        made(
            &client,
            json!({"name": "team/answer", "prompt": text, "labels": ["production"]}),
        )
        .await;
    }
    let settings = browser.path().await;
    let project = settings.split("/settings").next().unwrap().to_owned();
    browser
        .go(&format!("{project}/prompts/team/answer?tab=labels"))
        .await;
    browser.says("[data-mode]", "stays").await;
    browser.click("[data-dialog=policy-0]").await;
    let mode = "document.querySelector('#policy-0-mode').value = 'auto'";
    browser.run(mode, Vec::new()).await;
    browser.click("dialog[open] .btn-primary").await;
    browser.says("[data-mode]", "goes back by itself").await;
    browser
        .says("#history", "Rollback of production: auto")
        .await;

    browser
        .go(&format!(
            "{project}/prompts/team/answer?tab=labels&move=production&at=1"
        ))
        .await;
    browser
        .says("#asked", "checks do not hold for 1 carrying production")
        .await;
    let served = async || {
        let told = client
            .get_json("/api/public/v2/prompts/team%2Fanswer")
            .await;
        told["version"].clone()
    };
    assert_eq!(served().await, 2, "nothing moved yet");
    browser.click("#move-now").await;
    browser
        .says("#history", "production went back, 2 to 1")
        .await;
    assert_eq!(served().await, 1);
    browser.click(".undo").await;
    browser
        .says("#history", "production went forth again, 1 to 2")
        .await;
    assert_eq!(served().await, 2);

    // A copy begins with what the version says.
    browser.click(".head .pop summary").await;
    browser.click("#copy-prompt").await;
    let text = browser
        .run(
            "return document.querySelector('#prompt-content').value",
            Vec::new(),
        )
        .await;
    assert_eq!(text, Value::from("two"));
    browser.fill("#prompt-name", "team/copy").await;
    browser.click("#save-prompt").await;
    browser.path_contains("/prompts/team/copy").await;
    browser.says(".prompt-words", "two").await;
    browser.close().await;
}
