//! Annotation queues: made, filled, worked on by one and by several, and what comes of it.

mod agreement;
mod evaluators;
mod fill;
mod keyboard;
mod progress;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually, shared};

use super::headers::Visitor;
use super::tenancy::{between, new_key};

/// What comes of a request to Langfuse's API that must succeed.
pub(super) async fn done(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Value {
    let answer = client
        .langfuse(method, &format!("/api/public{path}"), body)
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    answer.body
}

fn id(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

/// A new configuration; its id.
pub(super) async fn config(client: &ProjectClient, body: Value) -> String {
    id(&done(client, Method::POST, "/score-configs", Some(&body)).await)
}

/// A new queue by the API; its id.
pub(super) async fn queue(client: &ProjectClient, name: &str, configs: &[&str]) -> String {
    let body = json!({ "name": name, "scoreConfigIds": configs });
    id(&done(client, Method::POST, "/annotation-queues", Some(&body)).await)
}

/// Puts a trace into a queue by the API; the id of its item.
pub(super) async fn item(client: &ProjectClient, queue: &str, trace: &str) -> String {
    let body = json!({ "objectId": trace, "objectType": "TRACE" });
    let path = format!("/annotation-queues/{queue}/items");
    id(&done(client, Method::POST, &path, Some(&body)).await)
}

/// A stored trace in which something was asked and answered; its id.
async fn trace(client: &ProjectClient, asked: &str, answered: &str) -> String {
    let root = SpanBuilder::root("answering")
        .attribute("langfuse.observation.input", asked)
        .attribute("langfuse.observation.output", answered);
    client.accept_traces(&export([&root])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    root.trace_id().to_owned()
}

/// Waits until the scores of a trace are as they must be.
async fn scores_of(
    client: &ProjectClient,
    trace: &str,
    is_so: impl Fn(&[Value]) -> bool,
) -> Vec<Value> {
    let path = format!("/api/public/v2/scores?traceId={trace}&limit=100");
    eventually(&format!("{path} is as it must be"), async || {
        let found = client.get_json(&path).await;
        let found = found["data"].as_array().cloned().unwrap_or_default();
        match is_so(&found) {
            true => Ok(found),
            false => Err(format!("{found:?}")),
        }
    })
    .await
}

fn named<'s>(scores: &'s [Value], name: &str) -> Option<&'s Value> {
    scores.iter().find(|score| score["name"] == name)
}

/// The owner of a project of its own with a key of it, and the path of its pages.
async fn owner() -> (Visitor, ProjectClient, String) {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let home = owner.project().await;
    owner.read(&format!("{home}/settings")).await;
    let name = format!("queues {}", uuid());
    let form = [("_csrf", owner.csrf.as_str()), ("name", name.as_str())];
    let made = owner
        .post(&format!("{home}/settings/projects"), &form)
        .await;
    let to = made.headers()["location"].to_str().unwrap().to_owned();
    let project: Vec<&str> = to.split('/').take(3).collect();
    let project = project.join("/");
    let client = new_key(&mut owner, &project).await;
    (owner, client, project)
}

/// Something that nobody else has.
fn uuid() -> String {
    SpanBuilder::root("x").trace_id().to_owned()
}

/// Another member of the project, who may judge.
async fn second(owner: &mut Visitor, project: &str) -> Visitor {
    let path = format!("{project}/settings/members");
    owner.read(&path).await;
    let email = format!("rater-{}@example.com", uuid());
    let password = "judges all day long 7";
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("email", email.as_str()),
        ("role", "member"),
        ("password", password),
    ];
    let answer = owner.post(&path, &form).await;
    assert!(!answer.status().is_client_error(), "{}", answer.status());
    let mut second = Visitor::signed_in_as(&email, password).await;
    second.read(&format!("{project}/account")).await;
    second
}

/// Sends a form that must be taken; where it leads.
async fn send(visitor: &Visitor, path: &str, form: &[(&str, &str)]) -> String {
    let mut all = vec![("_csrf", visitor.csrf.as_str())];
    all.extend_from_slice(form);
    let answer = visitor.post(path, &all).await;
    let status = answer.status();
    let to = answer.headers().get("location").cloned();
    let to = to.map(|to| to.to_str().unwrap().to_owned());
    match to {
        Some(to) if status == StatusCode::SEE_OTHER => to,
        _ => panic!("{path}: {status} {}", answer.text().await.unwrap()),
    }
}

/// Sends a form that must be refused with a page; the page.
async fn refused(visitor: &Visitor, path: &str, form: &[(&str, &str)]) -> String {
    let mut all = vec![("_csrf", visitor.csrf.as_str())];
    all.extend_from_slice(form);
    let answer = visitor.post(path, &all).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{path}");
    answer.text().await.unwrap()
}

/// `2 of 5` at the head of a page of a queue.
fn progress_in(page: &str) -> String {
    let words = between(page, "id=\"queue-done\"", (">", "<"));
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
