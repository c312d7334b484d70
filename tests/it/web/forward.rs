//! Addresses that clients of Langfuse print.

use reqwest::StatusCode;
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::datasets::run_over_a_dataset;
use super::headers::Visitor;
use super::tenancy::new_key;

/// Addresses that clients of Langfuse print or that its answers name, and where each leads.
#[tokio::test(flavor = "multi_thread")]
async fn each_address_that_is_printed_leads_to_a_page() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let client = new_key(&mut owner, &project).await;
    let session = format!("chat {}", std::process::id());
    let span = SpanBuilder::root("printed").attribute("session.id", session.as_str());
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let name = format!("printed {}", std::process::id());
    let (dataset, run) = run_over_a_dataset(&client, &name, span.trace_id()).await;
    let item = format!("item%20of%20{}", name.replace(' ', "%20"));
    let (trace, root) = (span.trace_id(), project.replacen("/p/", "/project/", 1));
    let shown = client
        .get_json(&format!("/api/public/traces/{trace}"))
        .await;
    let html_path = shown["htmlPath"].as_str().unwrap().to_owned();
    assert_eq!(html_path, format!("{root}/traces/{trace}"));
    let printed = [
        (html_path, format!("{project}/traces/{trace}")),
        (
            format!("/trace/{trace}"),
            format!("{project}/traces/{trace}"),
        ),
        (
            format!("{root}/sessions/chat%20{}", std::process::id()),
            format!("{project}/sessions/chat%20{}", std::process::id()),
        ),
        (
            format!("{root}/datasets/{dataset}/runs/{run}"),
            format!("{project}/datasets/{dataset}/runs/{run}"),
        ),
        (
            format!("{root}/experiments/results?baseline={run}"),
            format!("{project}/datasets/{dataset}/runs/{run}"),
        ),
        (format!("{root}/experiments"), format!("{project}/datasets")),
        (
            format!("{root}/datasets/{dataset}/items/{item}"),
            format!("{project}/datasets/{dataset}/items/{item}"),
        ),
        (
            format!("{root}/datasets/{dataset}"),
            format!("{project}/datasets/{dataset}"),
        ),
        (
            format!("{root}/datasets/{dataset}/items"),
            format!("{project}/datasets/{dataset}"),
        ),
        (
            format!("{root}/datasets/{dataset}/runs"),
            format!("{project}/datasets/{dataset}"),
        ),
        (format!("{root}/datasets"), format!("{project}/datasets")),
        (format!("{root}/prompts/a/b"), format!("{project}/traces?")),
        (
            format!("{root}/prompts/a%2Fb"),
            format!("{project}/traces?"),
        ),
        (format!("{root}/traces"), format!("{project}/traces")),
        (root, format!("{project}/traces")),
    ];
    for (address, expected) in printed {
        let answer = owner.get(&address).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{address}");
        let to = answer.headers()["location"].to_str().unwrap().to_owned();
        assert!(to.starts_with(&expected), "{address}: {to}");
        let page = owner.get(&to).await;
        assert_eq!(page.status(), StatusCode::OK, "{address}: {to}");
    }
}

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
async fn the_address_of_a_session_leads_to_its_page() {
    let server = shared().await;
    let owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let printed = project.replacen("/p/", "/project/", 1);
    let answer = owner.get(&format!("{printed}/sessions/chat%2F1")).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let to = answer.headers()["location"].to_str().unwrap();
    assert_eq!(to, format!("{project}/sessions/chat%2F1"));
    // Nothing names that session.
    assert_eq!(owner.get(to).await.status(), StatusCode::NOT_FOUND);
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
