//! Limits, compressions, content types, keys.

use std::io::Write;

use base64::Engine;
use prost::Message;
use reqwest::{Method, StatusCode};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, shared};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{a_normal_span_passes, growth_during};

const PROTOBUF: &str = "application/x-protobuf";
const JSON: &str = "application/json";

async fn post(
    client: &ProjectClient,
    headers: &[(&str, &str)],
    body: impl Into<reqwest::Body>,
) -> (StatusCode, String) {
    let mut request = client.request(Method::POST, "/v1/traces").body(body);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = request.send().await.unwrap();
    (answer.status(), answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn truncated_and_nonsense_bodies_are_refused_with_a_reason() {
    let client = shared().await.new_project();
    let span = super::ids(&SpanBuilder::root("whole"));
    let body = super::request(&[span]);
    let answer = client
        .send_traces_body(body[..body.len() - 3].to_vec(), PROTOBUF)
        .await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert_eq!(answer.headers()["content-type"], PROTOBUF);
    // google.rpc.Status: the message is field 2.
    let status = answer.bytes().await.unwrap();
    assert!(
        String::from_utf8_lossy(&status).contains("protobuf"),
        "{status:?}"
    );
    for nonsense in ["", "{", "[]", "nonsense", r#"{"resourceSpans":7}{}"#] {
        let answer = client.send_traces_body(nonsense.into(), JSON).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{nonsense}");
        let status: serde_json::Value = answer.json().await.unwrap();
        assert_eq!(status["code"], 3, "{nonsense}");
        assert!(
            status["message"].as_str().unwrap().contains("JSON"),
            "{status}"
        );
    }
    a_normal_span_passes(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_and_case_of_the_content_type_do_not_matter_but_the_type_does() {
    let client = shared().await.new_project();
    for content_type in ["application/json; charset=utf-8", "Application/JSON"] {
        let span = SpanBuilder::root("typed");
        let body = serde_json::to_vec(&export([&span])).unwrap();
        let (status, text) = post(&client, &[("content-type", content_type)], body).await;
        assert_eq!((status, &*text), (StatusCode::OK, "{}"), "{content_type}");
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    let span = SpanBuilder::root("typed");
    let body = super::request(&[super::ids(&span)]);
    let (status, _) = post(
        &client,
        &[("content-type", "application/x-protobuf;proto=x")],
        body,
    )
    .await;
    assert_eq!(status, StatusCode::OK);
    client.trace_with_spans(span.trace_id(), 1).await;
    let (status, text) = post(&client, &[("content-type", "text/plain")], "x").await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{text}");
    let (status, text) = post(&client, &[], Vec::new()).await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{text}");
    let (status, text) = post(
        &client,
        &[("content-type", JSON), ("content-encoding", "br")],
        "{}",
    )
    .await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_compression_is_understood_also_under_the_langfuse_route() {
    let client = shared().await.new_project();
    for encoding in ["gzip", "zstd", "deflate", "identity"] {
        for path in ["/v1/traces", "/api/public/otel/v1/traces"] {
            for content_type in [JSON, PROTOBUF] {
                let span = SpanBuilder::root(encoding);
                let body = match content_type {
                    JSON => serde_json::to_vec(&export([&span])).unwrap(),
                    _ => super::request(&[super::ids(&span)]),
                };
                let request = client.request(Method::POST, path);
                let request = request
                    .header("content-type", content_type)
                    .header("content-encoding", encoding)
                    .body(compress(encoding, &body));
                assert_eq!(
                    request.send().await.unwrap().status(),
                    StatusCode::OK,
                    "{encoding} {path} {content_type}"
                );
                client.trace_with_spans(span.trace_id(), 1).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bombs_are_refused_soon_and_memory_stays_bounded() {
    const BOMB_BYTES: usize = 300 * 1024 * 1024;
    let server = Server::start().await;
    let client = server.client();
    a_normal_span_passes(&client).await;
    for encoding in ["gzip", "zstd", "deflate"] {
        let bomb = bomb(encoding, BOMB_BYTES);
        let growth = growth_during(&server, async {
            let headers = [("content-type", PROTOBUF), ("content-encoding", encoding)];
            let (status, _) = post(&client, &headers, bomb).await;
            assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{encoding}");
        })
        .await;
        println!("{encoding} bomb: memory grew by {growth} MiB");
        assert!(growth < 150, "{encoding}: {growth} MiB");
        a_normal_span_passes(&client).await;
    }
    let growth = growth_during(&server, async {
        // The answer comes before the body is read, so the connection may break while sending.
        let request = client
            .request(Method::POST, "/v1/traces")
            .header("content-type", PROTOBUF);
        if let Ok(answer) = request.body(vec![b' '; 100 * 1024 * 1024]).send().await {
            assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
        }
    })
    .await;
    assert!(growth < 150, "100 MB body: {growth} MiB");
    a_normal_span_passes(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_a_wrong_key_and_a_huge_key_are_refused() {
    let server = shared().await;
    let client = server.new_project();
    let basic = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let span = super::request(&[super::ids(&SpanBuilder::root("stranger"))]);
    let headers = [
        None,
        Some("Bearer nonsense".to_owned()),
        Some(format!("Basic {}", basic("pk-tx-nobody:sk-tx-nothing"))),
        Some(format!("Basic {}", basic(&"x".repeat(7_500)))),
        Some(format!("Bearer {}", "y".repeat(10_000))),
    ];
    for header in headers {
        let mut request = reqwest::Client::new()
            .post(format!("{}/v1/traces", server.http_url()))
            .header("content-type", PROTOBUF)
            .body(span.clone());
        if let Some(header) = &header {
            request = request.header("authorization", header);
        }
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{header:?}");
    }
    // One header is there already; which of two counts is not for us to guess.
    let twice = client
        .request(Method::POST, "/v1/traces")
        .header("content-type", PROTOBUF)
        .header("authorization", format!("Bearer {}", client.secret_key));
    let answer = twice.body(span).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    a_normal_span_passes(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_logs_body_sent_as_traces_is_refused() {
    use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
    use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
    let record = LogRecord {
        time_unix_nano: 5,
        trace_id: vec![1; 16],
        ..LogRecord::default()
    };
    let scope_logs = vec![ScopeLogs {
        log_records: vec![record; 3],
        ..ScopeLogs::default()
    }];
    let resource_logs = vec![ResourceLogs {
        scope_logs,
        ..ResourceLogs::default()
    }];
    let body = ExportLogsServiceRequest { resource_logs }.encode_to_vec();
    let client = shared().await.new_project();
    let answer = client.send_traces_body(body, PROTOBUF).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let answer = client
        .send_traces_body(br#"{"resourceLogs":[{}]}"#.to_vec(), JSON)
        .await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
}

pub(super) fn compress(encoding: &str, bytes: &[u8]) -> Vec<u8> {
    pack(encoding, |sink| sink.write_all(bytes).unwrap())
}

pub(crate) fn bomb(encoding: &str, length: usize) -> Vec<u8> {
    let spaces = vec![b' '; 1024 * 1024];
    pack(encoding, |sink| {
        for _ in 0..length / spaces.len() {
            sink.write_all(&spaces).unwrap();
        }
    })
}

fn pack(encoding: &str, fill: impl Fn(&mut dyn Write)) -> Vec<u8> {
    let level = flate2::Compression::default();
    match encoding {
        "gzip" => {
            let mut sink = flate2::write::GzEncoder::new(Vec::new(), level);
            fill(&mut sink);
            sink.finish().unwrap()
        }
        "deflate" => {
            let mut sink = flate2::write::ZlibEncoder::new(Vec::new(), level);
            fill(&mut sink);
            sink.finish().unwrap()
        }
        "zstd" => {
            let mut sink = zstd::Encoder::new(Vec::new(), 3).unwrap();
            fill(&mut sink);
            sink.finish().unwrap()
        }
        _ => {
            let mut sink = Vec::new();
            fill(&mut sink);
            sink
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_holds_back_big_bodies_does_not_shut_others_out() {
    const SENT: usize = 30_000_000;
    let server = shared().await;
    let (slow, other) = (server.new_project(), server.new_project());
    let keys = format!("{}:{}", slow.public_key, slow.secret_key);
    let head = format!(
        "POST /v1/traces HTTP/1.1\r\nHost: x\r\nAuthorization: Basic {}\r\n\
         Content-Type: {JSON}\r\nContent-Length: {}\r\n\r\n",
        base64::engine::general_purpose::STANDARD.encode(keys),
        SENT + 1,
    );
    let address = server.http_url().trim_start_matches("http://");
    let mut held = Vec::new();
    for _ in 0..10 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        // Whoever is refused may find the connection closed.
        let _sent = stream.write_all(&vec![b' '; SENT]).await;
        held.push(stream);
    }
    a_normal_span_passes(&other).await;
    drop(held);
    a_normal_span_passes(&slow).await;
}
