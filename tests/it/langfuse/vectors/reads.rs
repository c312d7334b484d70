//! What is asked and kept.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::super::{PROMPTS, found, read};
use super::post;

#[tokio::test]
async fn a_public_key_reads_nothing() {
    let server = shared().await;
    let project = server.new_project();
    let request = reqwest::Client::new()
        .get(format!("{}/api/public/traces", server.http_url()))
        .bearer_auth(&project.public_key);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let told: Value = answer.json().await.unwrap();
    assert!(told["message"].is_string(), "{told}");
}

#[tokio::test]
async fn a_score_that_is_not_there_is_deleted_all_the_same() {
    let client = shared().await.new_project();
    let path = "/api/public/scores/none-such";
    let answer = client.langfuse(Method::DELETE, path, None).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn null_takes_nothing_from_an_item_and_a_link_needs_no_trace() {
    let client = shared().await.new_project();
    post(&client, "/v2/datasets", &json!({"name": "d"})).await;
    let item = |more: Value| {
        let mut body = json!({"datasetName": "d", "id": "item"});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        body
    };
    for (more, metadata) in [
        (json!({"input": "q", "metadata": {"a": 1}}), json!({"a": 1})),
        (json!({"metadata": {"b": 2}}), json!({"b": 2})),
        (json!({"input": null}), json!({"b": 2})),
    ] {
        let answer = post(&client, "/dataset-items", &item(more)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        assert_eq!(answer.body["input"], "q");
        assert_eq!(answer.body["metadata"], metadata);
    }
    let mut link = json!({
        "runName": "r", "datasetItemId": "item", "traceId": "never-came", "metadata": {"first": true},
    });
    let first = post(&client, "/dataset-run-items", &link).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.body);
    link["metadata"] = json!({"second": true});
    link["traceId"] = json!("nor-this");
    let second = post(&client, "/dataset-run-items", &link).await;
    assert_eq!(second.body["datasetRunId"], first.body["datasetRunId"]);
    let run = found(&client, "/datasets/d/runs/r").await;
    assert_eq!(run["metadata"], json!({"first": true}));
}

#[tokio::test]
async fn a_parameter_that_is_left_empty_is_as_usual_and_an_unknown_one_of_the_third_version_is_none()
 {
    let client = shared().await.new_project();
    let list = found(&client, "/traces?limit=").await;
    assert_eq!(list["meta"]["limit"], 50);
    let answer = read(&client, "/v3/scores?foo=1").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_prompt_with_a_slash_is_made_read_and_deleted() {
    let client = shared().await.new_project();
    let body = json!({"name": "a/b", "prompt": "text", "labels": ["production"]});
    let made = post(&client, "/v2/prompts", &body).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let prompt = found(&client, "/v2/prompts/a%2Fb").await;
    assert_eq!(prompt["version"], 1);
    assert_eq!(prompt["labels"], json!(["production", "latest"]));
    let missing = read(&client, "/v2/prompts/a%2Fb?label=canary").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert_eq!(missing.body["error"], "LangfuseNotFoundError");
    assert!(missing.body["message"].is_string(), "{}", missing.body);
    let path = format!("{PROMPTS}/a%2Fb");
    let gone = client.langfuse(Method::DELETE, &path, None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
}
