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

/// A sound: 8,000 samples of 8 bits.
fn second_of_silence() -> Vec<u8> {
    let mut wav = b"RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
    wav.extend_from_slice(b"\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x1f\0\0");
    wav.resize(wav.len() + 8_000, 128);
    wav
}

#[tokio::test(flavor = "multi_thread")]
async fn references_become_pictures_players_and_files_and_svg_never_runs() {
    let (browser, client) = Browser::in_new_project("attachments").await;
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>window.top.__x=1</script></svg>";
    let files = [
        File::new("image/png", STANDARD.decode(DOT).unwrap()),
        File::new("audio/wav", second_of_silence()),
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
    let load = "const audio = document.querySelector('.attachment audio');
        audio.preload = 'metadata'; audio.load()";
    browser.run(load, vec![]).await;
    eventually("the sound is there", async || {
        let script = "return document.querySelector('.attachment audio').duration";
        let seconds = browser.run(script, vec![]).await;
        if seconds.as_f64() == Some(1.0) {
            Ok(())
        } else {
            Err(seconds)
        }
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
