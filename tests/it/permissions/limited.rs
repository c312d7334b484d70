//! What keys that are limited or end may do beyond the door, and how refusals look.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::keys::{ended, key};
use super::pages::project_of_its_own;
use crate::web::headers::Visitor;

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_names_the_scope_that_is_missing_in_the_words_of_each_protocol() {
    let organisation = shared().await.new_organisation();
    let reads = key(&organisation, json!({ "scopes": ["read"] })).await;
    let refused = reads.send_traces(&export([&SpanBuilder::root("x")])).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let told: Value = refused.json().await.unwrap();
    assert!(
        told["message"]
            .as_str()
            .unwrap()
            .contains("lacks the scope ingest"),
        "{told}"
    );
    let sends = key(&organisation, json!({ "scopes": ["ingest"] })).await;
    let span = SpanBuilder::root("x");
    sends.accept_traces(&export([&span])).await;
    let refused = sends.get("/api/v1/traces").await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let told: Value = refused.json().await.unwrap();
    assert!(
        told["detail"]
            .as_str()
            .unwrap()
            .contains("lacks the scope read"),
        "{told}"
    );
    let refused = sends
        .langfuse(Method::GET, "/api/public/traces", None)
        .await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let told = refused.body["message"].as_str().unwrap();
    assert!(told.contains("lacks the scope read"), "{told}");
    let ended = ended(&organisation).await;
    let refused = ended
        .langfuse(Method::GET, "/api/public/traces", None)
        .await;
    assert_eq!(refused.body["message"], "this key has expired");
    // What it may send arrives.
    reads.trace_with_spans(span.trace_id(), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_batch_each_key_sends_what_its_scopes_say() {
    let organisation = shared().await.new_organisation();
    let at = "2026-11-03T10:00:00Z";
    let batch = json!({ "batch": [
        {"id": "a", "timestamp": at, "type": "trace-create", "body": {"id": "t-of-a-batch"}},
        {"id": "b", "timestamp": at, "type": "score-create",
         "body": {"id": "s", "name": "n", "value": 1, "traceId": "t-of-a-batch"}},
    ]});
    for (scopes, taken) in [
        (json!(["ingest"]), vec!["a"]),
        (json!(["scores"]), vec!["b"]),
        (json!(["scores", "ingest"]), vec!["a", "b"]),
    ] {
        let client = key(&organisation, json!({ "scopes": scopes })).await;
        let answer = client
            .langfuse(Method::POST, "/api/public/ingestion", Some(&batch))
            .await;
        let taken_now: Vec<&str> = answer.body["successes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["id"].as_str().unwrap())
            .collect();
        assert_eq!(taken_now, taken, "{scopes}: {}", answer.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_key_cannot_be_is_refused_and_what_it_is_is_listed() {
    let organisation = shared().await.new_organisation();
    let project = organisation.project.project_id.as_ref().unwrap();
    let path = format!("/api/public/projects/{project}/apiKeys");
    for wrong in [
        json!({ "scopes": ["everything"] }),
        json!({ "expiresAt": "2020-01-01T00:00:00Z" }),
        json!({ "expiresAt": "tomorrow" }),
    ] {
        let answer = organisation
            .client
            .langfuse(Method::POST, &path, Some(&wrong))
            .await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{wrong}: {}",
            answer.body
        );
    }
    let at = "2126-01-01T00:00:00Z";
    key(
        &organisation,
        json!({ "scopes": ["prompts", "ingest"], "expiresAt": at }),
    )
    .await;
    let listed = organisation.client.langfuse(Method::GET, &path, None).await;
    let newest = &listed.body["apiKeys"][0];
    assert_eq!(newest["scopes"], json!(["ingest", "prompts"]));
    assert_eq!(newest["expiresAt"], "2126-01-01T00:00:00.000Z");
    assert_eq!(listed.body["apiKeys"][1].get("scopes"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_makes_keys_that_are_limited_and_end() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = project_of_its_own(&mut owner).await;
    let path = format!("{project}/settings/keys");
    owner.read(&path).await;
    let csrf = owner.csrf.clone();
    let form = |role: &'static str, expires: &'static str| {
        [
            ("_csrf", csrf.clone()),
            ("note", "a limited one".to_owned()),
            ("role", role.to_owned()),
            ("scope", "ingest".to_owned()),
            ("scope", "scores".to_owned()),
            ("expires", expires.to_owned()),
        ]
    };
    for (role, expires, status) in [
        (
            "member",
            "2020-01-01T10:00",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (
            "admin",
            "2126-01-01T10:00",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        ("member", "2126-01-01T10:00", StatusCode::SEE_OTHER),
    ] {
        let form = form(role, expires);
        let form: Vec<(&str, &str)> = form
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        assert_eq!(
            owner.post(&path, &form).await.status(),
            status,
            "{role} {expires}"
        );
    }
    let page = owner.read(&path).await;
    for tag in ["ingest", "scores"] {
        assert!(
            page.contains(&format!("<span class=\"tag\">{tag}</span>")),
            "{tag}"
        );
    }
    assert!(
        page.contains("<span class=\"tag\">ends 1 Jan 2126 10:00<"),
        "{page}"
    );
}
