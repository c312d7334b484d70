//! `/api/admin/organizations*` with the operator's key.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::{Answer, assert_shape};
use tests::{ProjectClient, Server, shared};

use super::done;

const ORGANISATIONS: &str = "/api/admin/organizations";

async fn operate(server: &Server, method: Method, path: &str, body: Option<&Value>) -> Answer {
    let url = format!("{}{path}", server.http_url());
    let request = reqwest::Client::new().request(method.clone(), url);
    let mut request = request.bearer_auth(server.admin_key());
    if let Some(body) = body {
        request = request.json(body);
    }
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    if status.is_success() {
        assert_shape(method.as_str(), path, &body);
    }
    Answer { status, body }
}

#[tokio::test]
async fn an_organisation_is_made_given_a_key_and_deleted_when_it_is_empty() {
    let server = shared().await;
    let new = json!({ "name": "Lighthouse", "metadata": { "plan": 1 } });
    let made = operate(server, Method::POST, ORGANISATIONS, Some(&new)).await;
    assert_eq!(made.status, StatusCode::CREATED);
    assert_eq!(made.body["metadata"], json!({ "plan": 1 }));
    assert_eq!(made.body["projects"], json!([]));
    let path = format!("{ORGANISATIONS}/{}", made.body["id"].as_str().unwrap());
    let shown = operate(server, Method::GET, &path, None).await;
    assert_eq!(shown.body, made.body);

    let keys = format!("{path}/apiKeys");
    let key = operate(
        server,
        Method::POST,
        &keys,
        Some(&json!({ "note": "scim" })),
    )
    .await;
    assert_eq!(key.status, StatusCode::CREATED);
    let text = |field: &str| key.body[field].as_str().unwrap().to_owned();
    let client = ProjectClient::new(server.http_url(), &text("publicKey"), &text("secretKey"));
    let project = json!({ "name": "first", "retention": 0 });
    let project = done(
        &client,
        (Method::POST, "/projects"),
        Some(&project),
        StatusCode::CREATED,
    );
    let project = project.await;
    let listed = operate(server, Method::GET, &keys, None).await;
    assert_eq!(listed.body["apiKeys"][0]["note"], "scim");

    let renamed = json!({ "name": "Lighthouse two" });
    let renamed = operate(server, Method::PUT, &path, Some(&renamed)).await;
    assert_eq!(renamed.body["name"], "Lighthouse two");
    assert_eq!(renamed.body["metadata"], json!({ "plan": 1 }));
    assert_eq!(renamed.body["projects"][0]["id"], project["id"]);
    let all = operate(server, Method::GET, ORGANISATIONS, None).await;
    let all = all.body["organizations"].as_array().unwrap().clone();
    assert!(all.contains(&renamed.body), "{all:?}");

    let refused = operate(server, Method::DELETE, &path, None).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "it has a project");
    assert!(refused.body["error"].is_string());
    let project = format!("/projects/{}", project["id"].as_str().unwrap());
    done(
        &client,
        (Method::DELETE, &project),
        None,
        StatusCode::ACCEPTED,
    )
    .await;
    let gone = operate(server, Method::DELETE, &path, None).await;
    assert_eq!(gone.body, json!({ "success": true }));
    let status = client
        .get("/api/public/organizations/projects")
        .await
        .status();
    assert_eq!(status, StatusCode::UNAUTHORIZED, "its keys went with it");
    let missing = operate(server, Method::GET, &path, None).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_key_of_an_organisation_is_revoked() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let keys = format!("{ORGANISATIONS}/{}/apiKeys", organisation.id);
    let listed = operate(server, Method::GET, &keys, None).await;
    let key = listed.body["apiKeys"][0]["id"].as_str().unwrap();
    done(
        &organisation.client,
        (Method::GET, "/organizations/apiKeys"),
        None,
        StatusCode::OK,
    )
    .await;
    let gone = operate(server, Method::DELETE, &format!("{keys}/{key}"), None).await;
    assert_eq!(gone.status, StatusCode::OK);
    let status = organisation
        .client
        .get("/api/public/organizations/apiKeys")
        .await
        .status();
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let again = operate(server, Method::DELETE, &format!("{keys}/{key}"), None).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_cannot_be_an_organisation_is_refused_with_details() {
    let server = shared().await;
    for wrong in [
        json!({}),
        json!({ "name": "ab" }),
        json!({ "name": "abc", "metadata": [] }),
    ] {
        let answer = operate(server, Method::POST, ORGANISATIONS, Some(&wrong)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert!(answer.body["error"].is_string() && answer.body["details"].is_array());
    }
}

#[tokio::test]
async fn nothing_but_the_whole_key_operates() {
    let server = shared().await;
    let key = server.admin_key();
    for wrong in [&key[1..], &key[..key.len() - 1], "x", &format!("{key}x")] {
        let request = reqwest::Client::new().get(format!("{}{ORGANISATIONS}", server.http_url()));
        let answer = request.bearer_auth(wrong).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{wrong}");
    }
    let request = reqwest::Client::new().get(format!("{}{ORGANISATIONS}", server.http_url()));
    let answer = request.basic_auth("x", Some(key)).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_operator_reaches_connections_and_models_of_a_project_that_is_named() {
    let server = shared().await;
    let project = server.new_project();
    let id = project.project_id.clone().unwrap();
    let send = async |method: Method, path: &str, (again, id): (&str, &str), body: &Value| {
        let url = format!("{}/api/public{path}", server.http_url());
        let request = reqwest::Client::new()
            .request(method, url)
            .bearer_auth(server.admin_key())
            .header("x-langfuse-admin-api-key", again)
            .header("x-langfuse-project-id", id)
            .json(body);
        request.send().await.unwrap()
    };
    let key = server.admin_key();
    let model = json!({ "modelName": "theirs", "matchPattern": "^theirs$", "inputPrice": 1e-6 });
    let connection = json!({ "provider": "p", "adapter": "openai", "secretKey": "sk-0123456789" });
    let made = send(Method::POST, "/models", (key, &id), &model).await;
    assert_eq!(made.status(), StatusCode::OK);
    let made: Value = made.json().await.unwrap();
    let one = format!("/models/{}", made["id"].as_str().unwrap());
    let set = send(Method::PUT, "/llm-connections", (key, &id), &connection).await;
    assert_eq!(set.status(), StatusCode::CREATED);
    let set: Value = set.json().await.unwrap();
    let set = format!("/llm-connections/{}", set["id"].as_str().unwrap());
    for (method, path, body) in [
        (Method::GET, "/llm-connections", &Value::Null),
        (Method::PUT, "/llm-connections", &connection),
        (Method::GET, "/models", &Value::Null),
        (Method::POST, "/models", &model),
        (Method::GET, one.as_str(), &Value::Null),
        (Method::DELETE, one.as_str(), &Value::Null),
        (Method::DELETE, set.as_str(), &Value::Null),
    ] {
        let status = async |shown| send(method.clone(), path, shown, body).await.status();
        let wrong_key = status(("another key", &id)).await;
        assert_eq!(wrong_key, StatusCode::UNAUTHORIZED, "{method} {path}");
        let nowhere = status((key, "nothing")).await;
        assert_eq!(nowhere, StatusCode::NOT_FOUND, "{method} {path}");
        if method != Method::POST {
            let right = status((key, &id)).await;
            assert_eq!(right, StatusCode::OK, "{method} {path}");
        }
    }
}
