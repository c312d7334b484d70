//! The live stream.

use std::time::{Duration, Instant};

use reqwest::Response;
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually, shared};

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
    let read = read_until(&mut stream, "\"first\"", Duration::from_secs(30)).await;
    assert!(
        read.contains("event: trace") && read.contains("\"first\""),
        "{read}"
    );
    send(&mine, &SpanBuilder::root("second")).await;
    let more = read_until(&mut stream, "\"second\"", Duration::from_secs(30)).await;
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
    let _over = tokio::time::timeout(Duration::from_secs(30), reading).await;
    for span in &spans {
        assert!(read.contains(span.trace_id()), "a trace was not told");
    }
    assert!(!read.contains("\"before\""));
}

#[tokio::test]
async fn a_trace_is_told_when_its_root_arrives_however_late() {
    let client = shared().await.new_project();
    let hours_ago = (now_nanos() - 3 * 3_600_000_000_000).to_string();
    let root = SpanBuilder::root("late root").field("startTimeUnixNano", hours_ago.as_str());
    let child = root.child("early child");
    let mut stream = client.get("/api/v1/live").await;
    client.accept_traces(&export([&child])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    // Many others in between: the trace is on no first page of any list.
    let others: Vec<SpanBuilder> = (0..150).map(|_| SpanBuilder::root("other")).collect();
    client.accept_traces(&export(&others)).await;
    let last = others.last().unwrap().trace_id();
    let read = read_until(&mut stream, last, Duration::from_secs(30)).await;
    assert!(!read.contains(root.trace_id()), "it has no root yet");
    client.accept_traces(&export([&root])).await;
    let read = read_until(&mut stream, "late root", Duration::from_secs(30)).await;
    assert!(read.contains(root.trace_id()), "{read}");
}

#[tokio::test]
async fn a_crowd_of_listeners_is_told_at_once_and_leaves_places_to_others() {
    let server = shared().await;
    let (crowd, other) = (server.new_project(), server.new_project());
    let mut streams = Vec::new();
    let refused = loop {
        let stream = crowd.get("/api/v1/live").await;
        if stream.status() != 200 {
            break stream;
        }
        streams.push(stream);
        assert!(streams.len() < 200, "one project takes all places");
    };
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(other.get("/api/v1/live").await.status(), 200);
    send(&crowd, &SpanBuilder::root("for all")).await;
    let begun = Instant::now();
    for stream in &mut streams {
        let read = read_until(stream, "for all", Duration::from_secs(30)).await;
        assert!(read.contains("for all"), "a listener was not told");
    }
    let took = begun.elapsed();
    assert!(
        took < Duration::from_secs(30),
        "{} took {took:?}",
        streams.len()
    );
    streams.pop();
    // The place is free as soon as the server has seen the end of the connection.
    eventually("a place is free", async || {
        match crowd.get("/api/v1/live").await.status().as_u16() {
            200 => Ok(()),
            status => Err(status),
        }
    })
    .await;
}
