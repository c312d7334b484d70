//! Prompts within prompts.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::shared;

use super::Prompts;

fn tag(name: &str, which: &str) -> String {
    format!("@@@langfusePrompt:name={name}|{which}@@@")
}

#[tokio::test]
async fn what_is_referred_to_stands_in_its_place_and_labels_are_followed() {
    let project = shared().await.new_project();
    let prompts = Prompts(&project);
    let inner = prompts
        .text("inner", "one \"quoted\"\n", &["production"])
        .await;
    let raw = format!("<{}>", tag("inner", "label=production"));
    let middle = prompts.text("middle", &raw, &[]).await;
    let content = format!("a {} b", tag("middle", "version=1"));
    let chat = json!([{ "role": "system", "content": content }]);
    let body = json!({ "name": "root", "type": "chat", "prompt": chat, "labels": ["production"] });
    let root = prompts.created(&body).await;
    let read = prompts.found("/root").await;
    assert_eq!(read["prompt"][0]["content"], "a <one \"quoted\"\n> b");
    let graph = &read["resolutionGraph"];
    let node = |prompt: &Value| json!({ "id": prompt["id"], "name": prompt["name"], "version": prompt["version"] });
    assert_eq!(graph["root"], node(&root));
    let of = |prompt: &Value| &graph["dependencies"][prompt["id"].as_str().unwrap()];
    assert_eq!(of(&root), &json!([node(&middle)]));
    assert_eq!(of(&middle), &json!([node(&inner)]));
    let unresolved = prompts.found("/root?resolve=false").await;
    assert_eq!(unresolved["prompt"][0]["content"], content);
    assert_eq!(unresolved["resolutionGraph"], Value::Null);
    // Of another version from the next read on.
    prompts.text("inner", "two", &["production"]).await;
    let read = prompts.found("/root").await;
    assert_eq!(read["prompt"][0]["content"], "a <two> b");
}

#[tokio::test]
async fn what_cannot_be_put_together_is_refused_when_it_is_made() {
    let project = shared().await.new_project();
    let prompts = Prompts(&project);
    prompts.text("a", "plain", &[]).await;
    let chat = json!({ "name": "chat", "type": "chat", "prompt": [] });
    prompts.created(&chat).await;
    prompts.text("b", &tag("a", "label=latest"), &[]).await;
    for (name, text) in [
        ("x", tag("x", "version=1")),
        ("a", tag("a", "version=1")),
        ("a", tag("b", "version=1")),
        ("x", tag("missing", "version=1")),
        ("x", tag("a", "label=missing")),
        ("x", tag("chat", "version=1")),
    ] {
        let refused = prompts
            .create(&json!({ "name": name, "prompt": text }))
            .await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{name}: {text}");
    }
    assert_eq!(prompts.found("/a?label=latest").await["version"], 1);
    // Five deep, and no deeper.
    prompts.text("p0", "end", &[]).await;
    for depth in 1..=5 {
        let text = tag(&format!("p{}", depth - 1), "label=latest");
        prompts.text(&format!("p{depth}"), &text, &[]).await;
    }
    assert_eq!(prompts.found("/p5?version=1").await["prompt"], "end");
    let deep = json!({ "name": "p6", "prompt": tag("p5", "label=latest") });
    assert_eq!(prompts.create(&deep).await.status, StatusCode::BAD_REQUEST);
    // What is only like a reference is text.
    let text = "@@@langfusePrompt:name=a@@@ @@@langfusePrompt:name=a|version=x@@@";
    prompts.text("text", text, &[]).await;
    assert_eq!(prompts.found("/text?version=1").await["prompt"], text);
}

#[tokio::test]
async fn what_can_no_longer_be_put_together_is_a_conflict_when_it_is_read() {
    let project = shared().await.new_project();
    let prompts = Prompts(&project);
    prompts.text("p0", "end", &[]).await;
    for depth in 1..=5 {
        let text = tag(&format!("p{}", depth - 1), "label=latest");
        prompts
            .text(&format!("p{depth}"), &text, &["production"])
            .await;
    }
    // The innermost grows: each of them can be put together, the outermost no longer.
    prompts.text("below", "below", &[]).await;
    prompts.text("p0", &tag("below", "label=latest"), &[]).await;
    let conflict = prompts.get("/p5").await;
    assert_eq!(conflict.status, StatusCode::CONFLICT, "{}", conflict.body);
    assert_eq!(conflict.body["error"], "LangfuseConflictError");
    assert_eq!(prompts.found("/p4").await["prompt"], "below");
    prompts.found("/p5?resolve=false").await;
}
