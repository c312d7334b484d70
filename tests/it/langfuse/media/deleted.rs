//! Attachments go with the last trace that names them.

use reqwest::{Method, StatusCode};
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::{File, address, announced, sent, shown};

#[tokio::test]
async fn an_attachment_goes_with_the_last_trace_that_names_it() {
    let server = shared().await;
    let project = server.new_project();
    let (one, two) = (SpanBuilder::root("one"), SpanBuilder::root("two"));
    project.accept_traces(&export([&one, &two])).await;
    let shared_file = File::new("image/png", "named by both");
    let own = File::new("image/png", "named by one");
    sent(&project, &shared_file, one.trace_id()).await;
    assert_eq!(
        announced(&project, &shared_file, two.trace_id()).await,
        None
    );
    sent(&project, &own, one.trace_id()).await;
    let folder = project.project_id.clone().unwrap();
    let path = |file: &File| file.path(server.data_dir(), &folder);
    let url = address(&project, &own).await;
    assert!(path(&own).exists());
    let delete = async |trace: &SpanBuilder| {
        let path = format!("/api/public/traces/{}", trace.trace_id());
        let answer = project.langfuse(Method::DELETE, &path, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    };
    delete(&one).await;
    assert_eq!(
        shown(&project, &own.id()).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        reqwest::get(&url).await.unwrap().status(),
        StatusCode::NOT_FOUND
    );
    assert!(!path(&own).exists());
    address(&project, &shared_file).await;
    delete(&two).await;
    assert!(!path(&shared_file).exists());
    // It may come again.
    sent(&project, &own, "another").await;
    // A file that was lost is asked for again.
    std::fs::remove_file(path(&own)).unwrap();
    sent(&project, &own, "another").await;
    address(&project, &own).await;
}
