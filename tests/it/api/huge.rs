//! A trace of very many spans: it is read whole, and whoever reads it slowly holds little.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, Settings, eventually_within};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const SPANS: usize = 24_000;
const SLOW_CLIENTS: usize = 12;
/// What all slow clients together may cost. Their trace is 60 MB as JSON.
const MOST_MB: u64 = 300;

/// One root, and below it so many spans with a kilobyte each.
async fn send_huge(client: &ProjectClient) -> SpanBuilder {
    let root = SpanBuilder::root("huge");
    let text = "x".repeat(1_000);
    client.accept_traces(&export([&root])).await;
    for begin in (1..SPANS).step_by(4_000) {
        let end = SPANS.min(begin + 4_000);
        let spans: Vec<SpanBuilder> = (begin..end)
            .map(|number| {
                root.child(&format!("step {number}"))
                    .attribute("input.value", format!("{number} {text}"))
            })
            .collect();
        client.accept_traces(&export(&spans)).await;
    }
    eventually_within(Duration::from_secs(120), "all is stored", async || {
        let list = client.get_json("/api/v1/traces").await;
        match list["data"][0]["span_count"].as_u64() {
            Some(count) if count == SPANS as u64 => Ok(()),
            other => Err(other),
        }
    })
    .await;
    root
}

/// Megabytes of the process: at most so far, or now.
fn memory_mb(server: &Server, line: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status
        .lines()
        .find(|found| found.starts_with(line))
        .unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes / 1024
}

/// The status of an answer of which nothing is taken.
async fn status(stream: &TcpStream) -> u16 {
    let mut head = [0; 12];
    while stream.peek(&mut head).await.unwrap() < head.len() {}
    let text = std::str::from_utf8(&head[9..]).unwrap();
    text.parse().unwrap()
}

fn is_whole(trace: &Value) {
    assert_eq!(trace["span_count"], SPANS);
    let children = trace["spans"][0]["children"].as_array().unwrap();
    assert_eq!(children.len(), SPANS - 1);
    for child in children {
        let number = child["name"].as_str().unwrap().trim_start_matches("step ");
        let input = child["input"].as_str().unwrap();
        assert!(
            input.starts_with(&format!("{number} x")),
            "{number}: {input}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_huge_trace_is_read_whole_and_slow_clients_hold_little_and_not_for_ever() {
    let server = Server::start_with(Settings::default()).await;
    let client = server.client();
    let root = send_huge(&client).await;
    let path = format!("/api/v1/traces/{}", root.trace_id());
    is_whole(&client.get_json(&path).await);

    let before = memory_mb(&server, "VmHWM");
    let request = client.request(reqwest::Method::GET, &path).build().unwrap();
    let key = request.headers()["authorization"].to_str().unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {key}\r\n\r\n");
    let address = server.http_url().trim_start_matches("http://");
    let mut slow = Vec::new();
    for _ in 0..SLOW_CLIENTS {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    // Some have a turn and hold it; the others are asked to come again.
    let mut statuses = Vec::new();
    for stream in &slow {
        statuses.push(status(stream).await);
    }
    assert!(statuses.contains(&200), "{statuses:?}");
    assert!(statuses.contains(&503), "{statuses:?}");
    eventually_within(Duration::from_secs(90), "it is read again", async || {
        let answer = client.get(&path).await;
        match answer.status() {
            StatusCode::OK => Ok(()),
            status => Err((status, answer.headers()["retry-after"].clone())),
        }
    })
    .await;
    let grown = memory_mb(&server, "VmHWM").saturating_sub(before);
    assert!(grown < MOST_MB, "{grown} MB more than before");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_of_spans_is_one_document_with_a_cursor_that_goes_on() {
    let client = tests::shared().await.new_project();
    let spans: Vec<SpanBuilder> = (0..330).map(|_| SpanBuilder::root("one of many")).collect();
    client.accept_traces(&export(&spans)).await;
    client.trace_with_spans(spans[329].trace_id(), 1).await;
    let mut seen = std::collections::HashSet::new();
    let mut pages = Vec::new();
    let mut path = "/api/v1/spans?limit=130&fields=attributes".to_owned();
    loop {
        let page = client.get_json(&path).await;
        let rows = page["data"].as_array().unwrap();
        pages.push(rows.len());
        for row in rows {
            assert!(row["attributes"].is_object());
            assert!(seen.insert(row["span_id"].to_string()), "a span came twice");
        }
        match page["next_cursor"].as_str() {
            Some(cursor) => {
                path = format!("/api/v1/spans?limit=130&fields=attributes&cursor={cursor}");
            }
            None => break,
        }
    }
    assert_eq!(pages, [130, 130, 70]);
}
