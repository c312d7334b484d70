//! Addresses that clients of Langfuse print.

use reqwest::StatusCode;
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::headers::Visitor;

#[tokio::test]
async fn the_address_of_a_trace_leads_to_its_page() {
    let server = shared().await;
    let owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let printed = project.replacen("/p/", "/project/", 1);
    let answer = owner.get(&format!("{printed}/traces/a%2F1")).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let page = format!("{project}/traces/a%2F1");
    assert_eq!(answer.headers()["location"].to_str().unwrap(), page);
    let other = owner.get("/project/nonsense/traces/t").await;
    assert_eq!(other.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_address_of_a_session_leads_to_its_traces() {
    let server = shared().await;
    let owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let printed = project.replacen("/p/", "/project/", 1);
    let answer = owner.get(&format!("{printed}/sessions/chat%2F1")).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let to = answer.headers()["location"].to_str().unwrap();
    assert!(to.starts_with(&format!("{project}/traces?")), "{to}");
    assert!(to.contains("chat%2F1"), "{to}");
    assert!(owner.get(to).await.status().is_success());
}

#[tokio::test]
async fn the_address_of_a_trace_without_a_project_leads_to_where_it_is() {
    let server = shared().await;
    let owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let span = SpanBuilder::root("somewhere");
    let client = server.client();
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let answer = owner.get(&format!("/trace/{}", span.trace_id())).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    // Other tests make projects of this organisation.
    let shown = client.get_json("/api/public/projects").await;
    let project = shown["data"][0]["id"].as_str().unwrap();
    let page = format!("/p/{project}/traces/{}", span.trace_id());
    assert_eq!(answer.headers()["location"].to_str().unwrap(), page);
    // One that is in a project of others is as good as none.
    let stranger = server.new_project();
    let other = SpanBuilder::root("elsewhere");
    stranger.accept_traces(&export([&other])).await;
    stranger.trace_with_spans(other.trace_id(), 1).await;
    let answer = owner.get(&format!("/trace/{}", other.trace_id())).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}
