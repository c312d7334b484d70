//! Names that browsers take for a way through folders lead to their pages all the same.

use reqwest::Method;
use serde_json::json;
use tests::builders::{SpanBuilder, export};

use super::Browser;
use super::sessions::{go_to, listed};

#[tokio::test(flavor = "multi_thread")]
async fn users_sessions_and_prompts_of_dots_are_opened_from_their_links() {
    let (browser, client) = Browser::in_new_project("dots").await;
    for (user, session) in [(".", ".."), ("..", "."), ("~.", "~..")] {
        let root = SpanBuilder::root("turn")
            .attribute("user.id", user)
            .attribute("session.id", session)
            .attribute("input.value", "Where is my bag?");
        client.accept_traces(&export([&root])).await;
        client.trace_with_spans(root.trace_id(), 1).await;
    }
    for name in [".", "..", "a/../b"] {
        let body = json!({ "name": name, "prompt": "Answer." });
        let made = client.request(Method::POST, "/api/public/v2/prompts");
        let made = made.body(body.to_string()).send().await.unwrap();
        assert!(made.status().is_success(), "{name}: {}", made.status());
    }
    listed(&client, "sessions", 3).await;
    listed(&client, "users", 3).await;
    let open = "
        const links = [...document.querySelectorAll(`main a[href*='/${arguments[1]}/']`)];
        links.find((link) => link.textContent.trim() === arguments[0]).click();";
    for (list, name) in [
        ("users", "."),
        ("users", ".."),
        ("users", "~."),
        ("sessions", "."),
        ("sessions", ".."),
        ("sessions", "~.."),
        ("prompts", "."),
        ("prompts", ".."),
    ] {
        go_to(&browser, list).await;
        browser.says("main", name).await;
        browser.run(open, vec![json!(name), json!(list)]).await;
        browser.path_contains(&format!("/{list}/~")).await;
        browser.says("h1", name).await;
    }
    browser.close().await;
}
