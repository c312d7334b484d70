//! Projects: make, change, delete.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, eventually, shared};

use super::{ask, done};
use crate::langfuse::media::{self, File};

const PROJECTS: &str = "/projects";

async fn created(client: &ProjectClient, body: &Value) -> Value {
    done(
        client,
        (Method::POST, PROJECTS),
        Some(body),
        StatusCode::CREATED,
    )
    .await
}

/// A key of a project, made by its organisation.
async fn key_of(server: &Server, client: &ProjectClient, project: &str) -> ProjectClient {
    let path = format!("{PROJECTS}/{project}/apiKeys");
    let made = done(
        client,
        (Method::POST, &path),
        Some(&json!({})),
        StatusCode::CREATED,
    )
    .await;
    let text = |field: &str| made[field].as_str().unwrap().to_owned();
    ProjectClient::new(server.http_url(), &text("publicKey"), &text("secretKey"))
}

#[tokio::test]
async fn a_project_is_made_shown_and_changed() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let new = json!({ "name": "search", "metadata": { "team": "b" }, "retention": 30 });
    let made = created(client, &new).await;
    assert_eq!(made["retentionDays"], 30);
    assert_eq!(made["metadata"], json!({ "team": "b" }));
    assert_eq!(made["organization"]["id"], json!(organisation.id));
    let id = made["id"].as_str().unwrap();

    let key = key_of(server, client, id).await;
    let shown = done(&key, (Method::GET, PROJECTS), None, StatusCode::OK).await;
    assert_eq!(shown["data"], json!([made]));

    let path = format!("{PROJECTS}/{id}");
    let renamed = json!({ "name": "search two", "retention": 30 });
    let changed = done(client, (Method::PUT, &path), Some(&renamed), StatusCode::OK).await;
    assert_eq!(changed["name"], "search two");
    assert_eq!(changed["retentionDays"], 30);
    assert_eq!(
        changed["metadata"],
        json!({ "team": "b" }),
        "what is left out stays"
    );
    let emptied = json!({ "name": "search two", "metadata": null, "retention": 0 });
    let changed = done(client, (Method::PUT, &path), Some(&emptied), StatusCode::OK).await;
    assert_eq!(changed["metadata"], json!({}));
    assert!(changed.get("retentionDays").is_none(), "{changed}");

    let listed = done(
        client,
        (Method::GET, "/organizations/projects"),
        None,
        StatusCode::OK,
    )
    .await;
    let names: Vec<_> = listed["projects"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 2);
    assert_eq!(names[1]["name"], "search two");
    assert!(names[1]["updatedAt"].as_str() > names[1]["createdAt"].as_str());
}

#[tokio::test]
async fn what_cannot_be_a_project_is_refused() {
    let organisation = shared().await.new_organisation();
    let client = &organisation.client;
    let other = organisation.project.project_id.clone().unwrap();
    let path = format!("{PROJECTS}/{other}");
    created(client, &json!({ "name": "twice", "retention": 0 })).await;
    let again = json!({ "name": "twice", "retention": 0 });
    let answer = ask(client, Method::POST, PROJECTS, Some(&again)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.body["message"].is_string() && answer.body["error"].is_null());
    for wrong in [
        json!({}),
        json!({ "name": "no retention" }),
        json!({ "name": "ab", "retention": 0 }),
        json!({ "name": "x".repeat(61), "retention": 0 }),
        json!({ "name": 7, "retention": 0 }),
        json!({ "name": "a\u{0}b", "retention": 0 }),
        json!({ "name": "short", "retention": 2 }),
        json!({ "name": "short", "retention": -3 }),
        json!({ "name": "short", "retention": "30" }),
        json!({ "name": "short", "retention": 0, "metadata": "text" }),
        json!({ "name": "short", "retention": 0, "metadata": { "a": "\u{0}" } }),
        json!({ "name": "short", "retention": 0, "metadata": { "a": "x".repeat(70_000) } }),
    ] {
        for (method, path) in [(Method::POST, PROJECTS), (Method::PUT, &path)] {
            let answer = ask(client, method.clone(), path, Some(&wrong)).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{method} {wrong}");
            assert!(answer.body["message"].is_string(), "{}", answer.body);
        }
    }
    let taken = ask(client, Method::PUT, &path, Some(&again)).await;
    assert_eq!(taken.status, StatusCode::CONFLICT);
}

/// How many spans ClickHouse has of a project.
async fn spans_of(server: &Server, project: &str) -> String {
    let text = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&text).unwrap();
    let url = reqwest::Url::parse(run["clickhouse_url"].as_str().unwrap()).unwrap();
    let mut address = url.clone();
    address.set_path("/");
    let sql = format!("SELECT count() FROM spans WHERE project_id = '{project}'");
    let request = reqwest::Client::new()
        .post(address)
        .query(&[("database", url.path().trim_start_matches('/'))])
        .body(sql);
    let answer = request.send().await.unwrap();
    answer.text().await.unwrap().trim().to_owned()
}

#[tokio::test]
async fn a_deleted_project_is_refused_at_once_and_its_telemetry_goes() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let made = created(client, &json!({ "name": "to delete", "retention": 0 })).await;
    let id = made["id"].as_str().unwrap();
    let key = key_of(server, client, id).await;
    // One thing of each kind that is kept in Postgres.
    let prompt = json!({ "name": "p", "prompt": "text", "labels": ["production"] });
    let connection = json!({ "provider": "p", "adapter": "openai", "secretKey": "sk-0123456789" });
    let config = json!({ "name": "c", "dataType": "TEXT" });
    done(
        &key,
        (Method::POST, "/v2/prompts"),
        Some(&prompt),
        StatusCode::CREATED,
    )
    .await;
    done(
        &key,
        (Method::PUT, "/llm-connections"),
        Some(&connection),
        StatusCode::CREATED,
    )
    .await;
    done(
        &key,
        (Method::POST, "/score-configs"),
        Some(&config),
        StatusCode::OK,
    )
    .await;
    let span = SpanBuilder::root("gone");
    key.accept_traces(&export([&span])).await;
    key.trace_with_spans(span.trace_id(), 1).await;
    assert_eq!(spans_of(server, id).await, "1");
    let file = File::new("text/plain", "kept until then");
    media::sent(&key, &file, span.trace_id()).await;
    let stored = file.path(server.data_dir(), id);
    assert!(stored.exists());
    let address = media::address(&key, &file).await;
    let other = &organisation.project;
    other.accept_traces(&export([&span])).await;
    other.trace_with_spans(span.trace_id(), 1).await;

    let path = format!("{PROJECTS}/{id}");
    let answer = done(client, (Method::DELETE, &path), None, StatusCode::ACCEPTED).await;
    assert_eq!(answer["success"], true);
    assert_eq!(
        key.get("/api/public/projects").await.status(),
        StatusCode::UNAUTHORIZED
    );
    let refused = key.send_traces(&export([&span])).await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let again = ask(client, Method::DELETE, &path, None).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    eventually(
        "its telemetry and its attachment are gone",
        async || match (spans_of(server, id).await.as_str(), stored.exists()) {
            ("0", false) => Ok(()),
            left => Err(format!("{left:?}")),
        },
    )
    .await;
    // A file that is still there is given to nobody, whatever address was signed before.
    std::fs::create_dir_all(stored.parent().unwrap()).unwrap();
    std::fs::write(&stored, &file.bytes).unwrap();
    let fetched = reqwest::get(&address).await.unwrap();
    assert_eq!(fetched.status(), StatusCode::NOT_FOUND);
    other.trace_with_spans(span.trace_id(), 1).await;
    created(client, &json!({ "name": "to delete", "retention": 0 })).await;
}
