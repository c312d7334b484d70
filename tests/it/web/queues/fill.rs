//! Queues that a filter fills.

use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually};

use super::super::Browser;
use super::super::headers::Visitor;
use super::{config, owner, progress_in, queue, refused, send};

async fn stored(client: &ProjectClient, name: &str) -> String {
    let root = SpanBuilder::root(name).attribute("input.value", name);
    client.accept_traces(&export([&root])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    root.trace_id().to_owned()
}

async fn holds(visitor: &mut Visitor, page: &str, number: u64) -> String {
    let words = format!("0 of {number}");
    let shown = tokio::sync::Mutex::new(visitor);
    eventually(&format!("{page} says {words}"), async || {
        let page = shown.lock().await.read(page).await;
        match progress_in(&page) == words {
            true => Ok(page),
            false => Err(progress_in(&page)),
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_span_and_a_session_are_put_into_a_queue_from_their_pages() {
    let (browser, client) = Browser::in_new_project("put in").await;
    let path = browser.path().await;
    let project: Vec<&str> = path.split('/').take(3).collect();
    let project = project.join("/");
    let asked = config(&client, json!({ "name": "good", "dataType": "BOOLEAN" })).await;
    let queue = queue(&client, "by hand", &[&asked]).await;
    let root = SpanBuilder::root("turn").attribute("session.id", "to be judged");
    client.accept_traces(&export([&root])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    let page = format!("{project}/queues/{queue}");
    let pages = [
        (format!("traces/{}", root.trace_id()), ".add-to-queue", "1"),
        (
            "sessions/to%20be%20judged".to_owned(),
            "header a[href*='/queues/add']",
            "2",
        ),
    ];
    for (from, link, number) in pages {
        browser.go(&format!("{project}/{from}")).await;
        browser.click(link).await;
        browser.click("#add-put").await;
        browser.path_contains(&page).await;
        browser.says("#queue-done", &format!("0 of {number}")).await;
    }
    let items = client
        .get_json(&format!("/api/public/annotation-queues/{queue}/items"))
        .await;
    let items = items["data"].as_array().unwrap().iter();
    let mut told: Vec<(&str, &str)> = items
        .map(|item| {
            (
                item["objectType"].as_str().unwrap(),
                item["objectId"].as_str().unwrap(),
            )
        })
        .collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [("OBSERVATION", root.span_id()), ("SESSION", "to be judged")]
    );
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_fills_a_queue_once_or_as_traces_come_and_nothing_twice() {
    let (mut owner, client, project) = owner().await;
    let asked = config(&client, json!({ "name": "good", "dataType": "BOOLEAN" })).await;
    let id = queue(&client, "filled", &[&asked]).await;
    let page = format!("{project}/queues/{id}");
    let fill = format!("{page}/fill");
    let wanted = stored(&client, "wanted").await;
    let other = stored(&client, "other").await;
    let told = refused(&owner, &fill, &[("filter", "range=9y"), ("do", "once")]).await;
    assert!(told.contains("range must be one of"), "{told}");
    // A search that says nothing would put in nothing for ever.
    let told = refused(&owner, &fill, &[("filter", "q=((a"), ("do", "keep")]).await;
    assert!(told.contains("parenthesis"), "{told}");

    // The address of the list as it is copied.
    let filter = format!("http://any{project}/traces?range=1h&f=name:is:wanted");
    send(&owner, &fill, &[("filter", &filter), ("do", "once")]).await;
    let shown = holds(&mut owner, &page, 1).await;
    assert!(
        shown.contains(&wanted) && !shown.contains(&other),
        "{shown}"
    );
    // Once is once.
    let second = stored(&client, "wanted").await;
    send(
        &owner,
        &fill,
        &[("filter", "f=name:is:wanted"), ("do", "keep")],
    )
    .await;
    let shown = holds(&mut owner, &page, 2).await;
    assert!(shown.contains(&second), "{shown}");
    // And those that come later, without those that are there.
    stored(&client, "other").await;
    let third = stored(&client, "wanted").await;
    let shown = holds(&mut owner, &page, 3).await;
    assert!(
        shown.contains(&third) && shown.contains("As they come"),
        "{shown}"
    );
    send(&owner, &fill, &[("do", "end")]).await;
    let shown = owner.read(&page).await;
    assert!(!shown.contains("As they come"), "{shown}");
    assert_eq!(progress_in(&shown), "0 of 3");
}
