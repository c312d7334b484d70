//! Attachments on the page of the trace that names them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::eventually;

use super::{File, sent};
use crate::web::Browser;

/// A picture of one dot.
const DOT: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP438DwHwAGgAJ/EEwb4QAAAABJRU5ErkJggg==";

#[tokio::test(flavor = "multi_thread")]
async fn references_become_pictures_players_and_files_and_svg_never_runs() {
    let (browser, client) = Browser::in_new_project("attachments").await;
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>window.top.__x=1</script></svg>";
    let files = [
        File::new("image/png", STANDARD.decode(DOT).unwrap()),
        File::new("audio/wav", "no sound"),
        File::new("video/mp4", "no film"),
        File::new("image/svg+xml", svg),
        File::new("text/html", "<script>window.__x=1</script>"),
    ];
    let lost = File::new("image/png", "never sent");
    let all: Vec<String> = files.iter().map(File::reference).collect();
    let messages = json!([{ "role": "user", "content": format!("Look at {} or {}", all.join(" "), lost.reference()) }]);
    let span = SpanBuilder::root("seen")
        .attribute("input.value", messages.to_string())
        .attribute(
            "output.value",
            json!({ "picture": files[0].reference() }).to_string(),
        );
    for file in &files {
        sent(&client, file, span.trace_id()).await;
    }
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    browser.go_to_traces(&format!("/{}", span.trace_id())).await;
    browser.says("#panel .msg.user", "Look at").await;
    browser.shows("#panel .attachment img", 2).await;
    browser.shows("#panel .attachment audio", 1).await;
    browser.shows("#panel .attachment video", 1).await;
    browser.shows("#panel .attachment a[download]", 6).await;
    // What was never sent stays what it is.
    browser.says("#panel .msg.user", &lost.reference()).await;
    browser
        .says("#panel .msg.output", &files[0].reference())
        .await;
    eventually("the picture is there", async || {
        let script = "return document.querySelector('.attachment img').naturalWidth";
        let width = browser.run(script, vec![]).await;
        if width == 1 { Ok(()) } else { Err(width) }
    })
    .await;
    let ran = browser.run("return window.__x ?? null", vec![]).await;
    assert!(ran.is_null());
    browser
        .go_to_traces(&format!("/{}?tab=raw", span.trace_id()))
        .await;
    browser.says("#panel", &files[0].reference()).await;
    browser.shows("#panel .attachment", 0).await;
    browser.close().await;
}
