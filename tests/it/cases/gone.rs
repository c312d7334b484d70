//! Deleting what is not there, or not there any more, or somebody else's.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::Answer;
use tests::{ProjectClient, shared};

use crate::langfuse::{becomes, event, found, ingest};

async fn delete(client: &ProjectClient, path: &str) -> Answer {
    let path = format!("/api/public{path}");
    client.langfuse(Method::DELETE, &path, None).await
}

async fn post(client: &ProjectClient, path: &str, body: Value) -> Value {
    let path = format!("/api/public{path}");
    let answer = client.langfuse(Method::POST, &path, Some(&body)).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.body);
    answer.body
}

/// One thing of each kind: the address at which it is deleted, the one at which it is read, and an address of the
/// same kind at which nothing ever was.
async fn things(client: &ProjectClient) -> Vec<(String, String, &'static str)> {
    let trace = json!({"id": "t", "name": "t"});
    ingest(client, &[event(1, 1, "trace-create", &trace)]).await;
    becomes(client, "/traces/t", |_| true).await;
    post(
        client,
        "/scores",
        json!({"id": "s", "traceId": "t", "name": "n", "value": 1}),
    )
    .await;
    becomes(client, "/v2/scores/s", |_| true).await;
    post(client, "/v2/prompts", json!({"name": "p", "prompt": "x"})).await;
    post(client, "/v2/datasets", json!({"name": "d"})).await;
    post(
        client,
        "/dataset-items",
        json!({"datasetName": "d", "id": "i"}),
    )
    .await;
    let link = json!({"runName": "r", "datasetItemId": "i", "traceId": "t"});
    post(client, "/dataset-run-items", link).await;
    let model = json!({"modelName": "m", "matchPattern": "^m$", "inputPrice": 1});
    let model = post(client, "/models", model).await;
    let config = json!({"name": "c", "dataType": "NUMERIC"});
    let config = post(client, "/score-configs", config).await;
    let queue = json!({"name": "q", "scoreConfigIds": [config["id"]]});
    let queue = post(client, "/annotation-queues", queue).await;
    let items = format!("/annotation-queues/{}/items", queue["id"].as_str().unwrap());
    let item = post(
        client,
        &items,
        json!({"objectId": "t", "objectType": "TRACE"}),
    )
    .await;
    let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
    let same = |path: String, never| (path.clone(), path, never);
    vec![
        same(
            format!("{items}/{}", id(&item)),
            "/annotation-queues/never/items/never",
        ),
        same("/datasets/d/runs/r".to_owned(), "/datasets/d/runs/never"),
        same("/dataset-items/i".to_owned(), "/dataset-items/never"),
        same(format!("/models/{}", id(&model)), "/models/never"),
        (
            "/v2/prompts/p".to_owned(),
            "/v2/prompts/p?label=latest".to_owned(),
            "/v2/prompts/never",
        ),
        (
            "/scores/s".to_owned(),
            "/v2/scores/s".to_owned(),
            "/scores/never",
        ),
        same("/traces/t".to_owned(), "/traces/never"),
    ]
}

/// What an answer says, whatever the thing was called.
fn said(answer: &Answer) -> (StatusCode, Value) {
    (answer.status, answer.body["error"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn c073_what_never_was_and_what_is_another_projects_are_answered_alike() {
    let server = shared().await;
    let (owner, stranger) = (server.new_project(), server.new_project());
    let things = things(&owner).await;
    for (path, shown, never) in &things {
        let anothers = said(&delete(&stranger, path).await);
        assert_eq!(anothers, said(&delete(&stranger, never).await), "{path}");
        let (status, _) = anothers;
        // What may be said of a trace or a score that is not there: that it is deleted.
        let expected = match path.as_str() {
            "/traces/t" => StatusCode::OK,
            "/scores/s" => StatusCode::ACCEPTED,
            _ => StatusCode::NOT_FOUND,
        };
        assert_eq!(status, expected, "{path}");
        found(&owner, shown).await;
    }
    for (path, shown, never) in &things {
        let first = delete(&owner, path).await;
        assert!(first.status.is_success(), "{path}: {}", first.body);
        let gone = crate::langfuse::read(&owner, shown).await;
        assert_eq!(gone.status, StatusCode::NOT_FOUND, "{shown}");
        let again = said(&delete(&owner, path).await);
        assert_eq!(again, said(&delete(&owner, never).await), "{path} twice");
    }
    // Of several traces at once those that are not there are passed over.
    let path = "/api/public/traces";
    let body = json!({"traceIds": ["never", "nor this"]});
    let answer = stranger.langfuse(Method::DELETE, path, Some(&body)).await;
    assert_eq!(answer.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn c073_the_same_holds_for_the_products_own_api() {
    let server = shared().await;
    let (owner, stranger) = (server.new_project(), server.new_project());
    let trace = json!({"id": "t", "name": "t"});
    ingest(&owner, &[event(1, 1, "trace-create", &trace)]).await;
    becomes(&owner, "/traces/t", |_| true).await;
    let price = json!({"model": "m", "prices": {"input": 1}});
    let request = owner.request(Method::POST, "/api/v1/prices");
    let price: Value = request
        .json(&price)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let price = format!("/api/v1/prices/{}", price["id"].as_str().unwrap());
    let status = async |client: &ProjectClient, path: &str| {
        let request = client.request(Method::DELETE, path);
        request.send().await.unwrap().status()
    };
    let never = "/api/v1/prices/01890000-0000-7000-8000-000000000000";
    assert_eq!(status(&stranger, &price).await, StatusCode::NOT_FOUND);
    assert_eq!(status(&stranger, never).await, StatusCode::NOT_FOUND);
    assert_eq!(status(&owner, &price).await, StatusCode::NO_CONTENT);
    assert_eq!(status(&owner, &price).await, StatusCode::NOT_FOUND);
    let of_another = status(&stranger, "/api/v1/traces/t").await;
    assert_eq!(of_another, status(&stranger, "/api/v1/traces/never").await);
    found(&owner, "/traces/t").await;
}
