//! The live stream.

use std::time::Duration;

use reqwest::Response;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

/// Reads until the text has come, or the time is over; everything read.
async fn read_until(stream: &mut Response, text: &str, limit: Duration) -> String {
    let mut read = String::new();
    let _over = tokio::time::timeout(limit, async {
        while !read.contains(text) {
            let Ok(Some(piece)) = stream.chunk().await else {
                break;
            };
            read.push_str(&String::from_utf8_lossy(&piece));
        }
    })
    .await;
    read
}

async fn send(client: &ProjectClient, span: &SpanBuilder) {
    client.accept_traces(&export([span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
}

#[tokio::test]
async fn new_traces_of_the_project_are_told_once_and_others_never() {
    let server = shared().await;
    let (mine, other) = (server.new_project(), server.new_project());
    send(&mine, &SpanBuilder::root("old")).await;
    let mut stream = mine.get("/api/v1/live").await;
    assert_eq!(stream.status(), 200);
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    send(&other, &SpanBuilder::root("foreign")).await;
    send(&mine, &SpanBuilder::root("first")).await;
    let read = read_until(&mut stream, "\"first\"", Duration::from_secs(5)).await;
    assert!(
        read.contains("event: trace") && read.contains("\"first\""),
        "{read}"
    );
    send(&mine, &SpanBuilder::root("second")).await;
    let more = read_until(&mut stream, "\"second\"", Duration::from_secs(5)).await;
    assert!(
        more.contains("\"second\"") && !more.contains("\"first\""),
        "{more}"
    );
    for hidden in ["foreign", "old"] {
        assert!(!read.contains(hidden) && !more.contains(hidden), "{hidden}");
    }
}

#[tokio::test]
async fn many_traces_at_once_are_all_told() {
    const COUNT: usize = 350;
    let client = shared().await.new_project();
    send(&client, &SpanBuilder::root("before")).await;
    let mut stream = client.get("/api/v1/live").await;
    let spans: Vec<SpanBuilder> = (0..COUNT).map(|_| SpanBuilder::root("burst")).collect();
    let all: Vec<&SpanBuilder> = spans.iter().collect();
    client.accept_traces(&export(all)).await;
    let mut read = String::new();
    let reading = async {
        while read.matches("event: trace").count() < COUNT {
            let piece = stream.chunk().await.unwrap().unwrap();
            read.push_str(&String::from_utf8_lossy(&piece));
        }
    };
    let _over = tokio::time::timeout(Duration::from_secs(10), reading).await;
    for span in &spans {
        assert!(read.contains(span.trace_id()), "a trace was not told");
    }
    assert!(!read.contains("\"before\""));
}
