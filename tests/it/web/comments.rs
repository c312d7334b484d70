//! What people remark on a trace and its spans.

use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_written_with_a_mention_and_taken_back() {
    let (browser, client) = Browser::in_new_project("comments").await;
    let root = SpanBuilder::root("turn");
    let call = root.child("call");
    client.accept_traces(&export([&root, &call])).await;
    client.trace_with_spans(root.trace_id(), 2).await;
    let person = shared().await.email().to_owned();
    let handle = person.split('@').next().unwrap().to_owned();

    let page = format!("/{}?span={}&tab=comments", root.trace_id(), call.span_id());
    browser.go_to_traces(&page).await;
    let head: String = handle.chars().take(2).collect();
    browser
        .fill("#comment-text", &format!("Please look, @{head}"))
        .await;
    browser.shows("[data-people] li", 1).await;
    browser.submit("#comment-text").await;
    let script = "return document.querySelector('#comment-text').value";
    let written = browser.run(script, vec![]).await;
    assert_eq!(written, format!("Please look, @{handle} "));
    browser.click(".comment-form .btn-primary").await;
    browser
        .says(".comment .mention", &format!("@{handle}"))
        .await;
    browser.says(".comment", "Please look").await;
    browser
        .path_contains(&format!("span={}", call.span_id()))
        .await;
    browser.says("#panel h2", "call").await;

    // On the whole trace, with what tries to run: seen with each of its spans.
    let hostile = "<script>window.__x=1</script> @nobody";
    browser.fill("#comment-text", hostile).await;
    browser.click("input[name=on][value=trace]").await;
    browser.click(".comment-form .btn-primary").await;
    browser.shows(".comment", 2).await;
    let page = format!("/{}?span={}&tab=comments", root.trace_id(), root.span_id());
    browser.go_to_traces(&page).await;
    browser.shows(".comment", 1).await;
    browser.says(".comment .words", hostile).await;
    browser.shows(".mention", 0).await;
    let ran = browser.run("return window.__x ?? null", vec![]).await;
    assert!(ran.is_null());

    // Programs see it, and theirs is seen.
    let project = client.get_json("/api/public/projects").await;
    let project = project["data"][0]["id"].as_str().unwrap();
    let by_program = json!({ "projectId": project, "objectType": "TRACE",
        "objectId": root.trace_id(), "content": "said by a program" });
    let request = client.request(reqwest::Method::POST, "/api/public/comments");
    let request = request.header("content-type", "application/json");
    let made = request.body(by_program.to_string()).send().await.unwrap();
    assert!(made.status().is_success(), "{}", made.status());
    browser.go_to_traces(&page).await;
    browser.shows(".comment", 2).await;
    // Nobody takes back what another said.
    browser.shows(".comment header form", 1).await;
    browser.click(".comment header form button").await;
    browser.shows(".comment", 1).await;
    browser.says(".comment", "said by a program").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_mentioned_is_told_until_they_follow_it() {
    let (browser, client) = Browser::in_new_project("mentions").await;
    let root = SpanBuilder::root("turn").attribute("session.id", "chat");
    let call = root.child("call");
    client.accept_traces(&export([&root, &call])).await;
    client.trace_with_spans(root.trace_id(), 2).await;
    let project = client.get_json("/api/public/projects").await;
    let project = project["data"][0]["id"].as_str().unwrap();
    let handle = shared().await.email().split('@').next().unwrap();
    browser.go(&format!("/p/{project}/mentions")).await;
    browser.says(".empty h2", "Nobody has mentioned you").await;
    browser.shows(".person .count", 0).await;

    for (kind, id, said) in [
        ("TRACE", root.trace_id(), format!("@{handle} see the whole")),
        (
            "OBSERVATION",
            call.span_id(),
            format!("and this, @{handle}."),
        ),
        ("SESSION", "chat", format!("x@{handle} names nobody")),
        ("SESSION", "chat", format!("(@{handle}) <b>look</b>")),
    ] {
        let comment =
            json!({ "projectId": project, "objectType": kind, "objectId": id, "content": said });
        let made = client
            .langfuse(
                reqwest::Method::POST,
                "/api/public/comments",
                Some(&comment),
            )
            .await;
        assert!(made.status.is_success(), "{}", made.body);
    }
    browser.go(&format!("/p/{project}/mentions")).await;
    browser.shows(".mention-list li", 3).await;
    browser.shows(".mention-list li.unread", 3).await;
    browser.says(".person > summary .count", "3").await;
    browser
        .says(".mention-list li:first-child", "<b>look</b>")
        .await;

    browser.click(".mention-list li:nth-child(2) a").await;
    browser
        .path_contains(&format!("span={}", call.span_id()))
        .await;
    browser.says(".comment", "and this").await;
    browser.says(".person > summary .count", "2").await;
    browser.go(&format!("/p/{project}/mentions")).await;
    browser.shows(".mention-list li.unread", 2).await;
    browser.click(".mention-list li:first-child a").await;
    browser.path_contains("/sessions/chat").await;
    browser.go(&format!("/p/{project}/mentions")).await;
    browser.click(".mention-list li:nth-child(3) a").await;
    browser.path_contains(root.trace_id()).await;
    browser.says(".comment", "see the whole").await;
    browser.shows(".person > summary .count", 0).await;

    // A comment that goes takes its mention with it; what one says oneself calls nobody.
    let page = format!("/{}?tab=comments", root.trace_id());
    browser.go_to_traces(&page).await;
    browser
        .fill("#comment-text", &format!("I, @{handle} did"))
        .await;
    browser.click(".comment-form .btn-primary").await;
    browser.says(".comment", "I, @").await;
    browser.go(&format!("/p/{project}/mentions")).await;
    browser.shows(".mention-list li", 3).await;
    browser.close().await;
}
