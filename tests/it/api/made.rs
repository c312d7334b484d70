//! Datasets with their kinds, and tests of prompts.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{ProjectClient, shared};

async fn sent(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> (StatusCode, Value) {
    let mut request = client.request(method, path);
    if let Some(body) = body {
        request = request
            .header("content-type", "application/json")
            .body(body.to_string());
    }
    let answer = request.send().await.unwrap();
    (answer.status(), answer.json().await.unwrap_or_default())
}

#[tokio::test]
async fn datasets_are_made_with_a_kind_and_found_by_it() {
    let client = shared().await.new_project();
    for (name, kind) in [("truths", "golden"), ("of late", "rolling")] {
        let body = json!({ "name": name, "kind": kind, "description": "d" });
        let (status, made) = sent(&client, Method::POST, "/api/v1/datasets", Some(body)).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        assert_eq!((&made["kind"], &made["items"]), (&json!(kind), &json!(0)));
    }
    // Langfuse's clients make plain ones, and write to those that there are, whatever they are.
    for name in ["any", "truths"] {
        let body = json!({ "name": name });
        let (status, made) =
            sent(&client, Method::POST, "/api/public/v2/datasets", Some(body)).await;
        assert!(status.is_success(), "{made}");
        assert_eq!(made.get("kind"), None);
    }
    let names = async |query: &str| {
        let path = format!("/api/v1/datasets{query}");
        let listed = client.get_json(&path).await;
        let rows = listed["data"].as_array().unwrap().iter();
        rows.map(|row| {
            format!(
                "{} {}",
                row["name"].as_str().unwrap(),
                row["kind"].as_str().unwrap()
            )
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(
        names("").await,
        ["any plain", "of late rolling", "truths golden"]
    );
    assert_eq!(names("?kind=golden").await, ["truths golden"]);
    assert_eq!(names("?archived=true").await, [""; 0]);
    for (body, field) in [
        (json!({ "name": "x", "kind": "silver" }), "kind"),
        (json!({ "kind": "golden" }), "name"),
    ] {
        let (status, told) = sent(&client, Method::POST, "/api/v1/datasets", Some(body)).await;
        assert!(status.is_client_error(), "{told}");
        assert_eq!(told["errors"][0]["path"], field, "{told}");
    }
    let body = json!({ "name": "truths", "kind": "plain" });
    let (status, _) = sent(&client, Method::POST, "/api/v1/datasets", Some(body)).await;
    assert_eq!(status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_label_is_put_to_the_test_and_taken_from_it() {
    let client = shared().await.new_project();
    for labels in [&["production"][..], &[]] {
        let body = json!({ "name": "a/b", "prompt": "x", "labels": labels });
        sent(&client, Method::POST, "/api/public/v2/prompts", Some(body)).await;
    }
    let path = "/api/v1/prompts/a%2Fb/labels/production/test";
    assert_eq!(
        sent(&client, Method::GET, path, None).await.0,
        StatusCode::NOT_FOUND
    );
    let wanted = json!([{ "version": 1, "percent": 97.5 }, { "version": 2, "percent": 2.5 }]);
    let body = json!({ "variants": wanted });
    let (status, set) = sent(&client, Method::PUT, path, Some(body)).await;
    assert_eq!(status, StatusCode::OK, "{set}");
    assert_eq!((&set["version"], &set["variants"]), (&json!(1), &wanted));
    assert_eq!(client.get_json(path).await, set);
    for wrong in [
        json!([{ "version": 1, "percent": 90 }, { "version": 2, "percent": 20 }]),
        json!([{ "version": 1, "percent": 100 }]),
        json!([{ "version": 1, "percent": 50 }, { "version": "2", "percent": 50 }]),
    ] {
        let body = json!({ "variants": wrong });
        let (status, told) = sent(&client, Method::PUT, path, Some(body)).await;
        assert!(status.is_client_error(), "{told}");
        assert_eq!(told["errors"][0]["path"], "variants", "{told}");
    }
    let missing =
        json!({ "variants": [{ "version": 1, "percent": 50 }, { "version": 9, "percent": 50 }] });
    assert_eq!(
        sent(&client, Method::PUT, path, Some(missing)).await.0,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        client.get_json(path).await,
        set,
        "what is refused changes nothing"
    );
    let gone = sent(&client, Method::DELETE, path, None).await.0;
    assert_eq!(gone, StatusCode::NO_CONTENT);
    assert_eq!(
        sent(&client, Method::DELETE, path, None).await.0,
        StatusCode::NOT_FOUND
    );
}
