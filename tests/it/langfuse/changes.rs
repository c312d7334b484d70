//! Versions, labels and deletion.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{ProjectClient, shared};

use super::Prompts;

async fn project() -> ProjectClient {
    shared().await.new_project()
}

async fn labels(prompts: &Prompts<'_>, version: u32) -> Value {
    let prompt = prompts.found(&format!("/p?version={version}")).await;
    prompt["labels"].clone()
}

#[tokio::test]
async fn a_label_stands_on_one_version_and_is_never_taken_by_leaving_it_out() {
    let project = project().await;
    let prompts = Prompts(&project);
    prompts.text("p", "1", &["production"]).await;
    assert_eq!(labels(&prompts, 1).await, json!(["production", "latest"]));
    prompts.text("p", "2", &["production"]).await;
    assert_eq!(labels(&prompts, 1).await, json!([]));
    assert_eq!(labels(&prompts, 2).await, json!(["production", "latest"]));
    let moved = prompts.label("p", 1, &["production", "canary"]).await;
    assert_eq!(moved.status, StatusCode::OK);
    assert_eq!(moved.body["labels"], json!(["production", "canary"]));
    assert_eq!(labels(&prompts, 2).await, json!(["latest"]));
    // Union: what it has stays.
    let more = prompts.label("p", 1, &["other"]).await;
    assert_eq!(
        more.body["labels"],
        json!(["production", "canary", "other"])
    );
    let none = prompts.label("p", 1, &[]).await;
    assert_eq!(none.body["labels"], more.body["labels"]);
    assert_eq!(
        prompts.label("p", 1, &["latest"]).await.status,
        StatusCode::BAD_REQUEST
    );
    assert_eq!(
        prompts.label("p", 3, &["x"]).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        prompts.label("q", 1, &["x"]).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_label_is_taken_away_by_name_only() {
    let project = project().await;
    let prompts = Prompts(&project);
    prompts.text("a/p", "1", &["production", "canary"]).await;
    let tag = "@@@langfusePrompt:name=a/p|label=production@@@";
    prompts.text("outer", tag, &[]).await;
    let remove = async |path: &str| {
        let path = format!("/api/v1/prompts/{path}");
        let request = project.request(Method::DELETE, &path);
        request.send().await.unwrap().status()
    };
    assert_eq!(prompts.found("/a%2Fp?label=canary").await["version"], 1);
    assert_eq!(remove("a%2Fp/labels/canary").await, StatusCode::NO_CONTENT);
    assert_eq!(
        prompts.get("/a%2Fp?label=canary").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(remove("a%2Fp/labels/canary").await, StatusCode::NOT_FOUND);
    assert_eq!(remove("none/labels/canary").await, StatusCode::NOT_FOUND);
    assert_eq!(remove("a%2Fp/labels/Not%20so").await, StatusCode::NOT_FOUND);
    // One moves by itself, another prompt needs the other.
    assert_eq!(remove("a%2Fp/labels/latest").await, StatusCode::BAD_REQUEST);
    assert_eq!(
        remove("a%2Fp/labels/production").await,
        StatusCode::BAD_REQUEST
    );
    assert_eq!(
        prompts.found("/a%2Fp").await["labels"],
        json!(["production", "latest"])
    );
}

#[tokio::test]
async fn many_versions_made_at_once_all_get_a_number() {
    let project = project().await;
    let made = (0..40).map(|at| {
        let project = project.clone();
        tokio::spawn(async move {
            let prompts = Prompts(&project);
            prompts.text("p", &at.to_string(), &["production"]).await["version"].clone()
        })
    });
    let mut versions = Vec::new();
    for made in made.collect::<Vec<_>>() {
        versions.push(made.await.unwrap().as_u64().unwrap());
    }
    versions.sort_unstable();
    assert_eq!(versions, (1..=40).collect::<Vec<_>>());
    let prompts = Prompts(&project);
    let production = prompts.found("/p").await;
    assert_eq!(production["version"], 40);
    let list = prompts.found("").await;
    assert_eq!(list["data"][0]["labels"], json!(["latest", "production"]));
}

#[tokio::test]
async fn what_is_deleted_is_gone_and_latest_goes_to_the_highest_that_is_left() {
    let project = project().await;
    let prompts = Prompts(&project);
    for text in ["1", "2", "3"] {
        prompts.text("p", text, &[]).await;
    }
    prompts.label("p", 1, &["production"]).await;
    assert_eq!(
        prompts.delete("/p?version=3").await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(prompts.found("/p?label=latest").await["version"], 2);
    assert_eq!(
        prompts.delete("/p?label=production").await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(prompts.get("/p").await.status, StatusCode::NOT_FOUND);
    // The number of a version that was deleted is not given again.
    assert_eq!(prompts.text("p", "4", &[]).await["version"], 4);
    assert_eq!(prompts.get("/p").await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        prompts.delete("/p?version=1").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(prompts.delete("/p").await.status, StatusCode::NO_CONTENT);
    assert_eq!(prompts.delete("/p").await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        prompts.get("/p?version=4").await.status,
        StatusCode::NOT_FOUND
    );
    // The name is free again, for the other kind too.
    let chat = json!({ "name": "p", "type": "chat", "prompt": [] });
    assert_eq!(prompts.created(&chat).await["version"], 1);
}

#[tokio::test]
async fn what_another_prompt_needs_is_not_deleted() {
    let project = project().await;
    let prompts = Prompts(&project);
    for text in ["1", "2", "3"] {
        prompts.text("q", text, &[]).await;
    }
    prompts.label("q", 1, &["production"]).await;
    let by_label = "@@@langfusePrompt:name=q|label=production@@@";
    let by_number = "@@@langfusePrompt:name=q|version=2@@@";
    let by_latest = "@@@langfusePrompt:name=q|label=latest@@@";
    prompts.text("p", by_label, &[]).await;
    prompts
        .text("p", &format!("{by_number}{by_latest}"), &["production"])
        .await;
    for path in ["/q", "/q?label=production", "/q?version=1", "/q?version=2"] {
        let refused = prompts.delete(path).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{path}");
        let message = refused.body["message"].as_str().unwrap();
        assert!(message.contains("prompt p version"), "{message}");
    }
    // `latest` moves to one that stays.
    assert_eq!(
        prompts.delete("/q?version=3").await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(prompts.found("/p").await["prompt"], "22");
    assert_eq!(prompts.delete("/p").await.status, StatusCode::NO_CONTENT);
    assert_eq!(prompts.delete("/q").await.status, StatusCode::NO_CONTENT);
}
