//! What the doors let in, and what they say to the rest.

/// Batches of older Langfuse clients.
mod batches;
/// Limits, compressions, content types, keys.
pub(crate) mod bodies;
/// Lines of engines, and records of whole calls.
mod engine_logs;
/// The same over gRPC.
mod grpc;
/// Log records, and how they join their spans.
mod logs;
/// Metrics, by OTLP and by remote write.
mod metrics;
/// Spans that no exporter should send.
mod spans;

use std::time::Duration;

use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server};

/// A normal span sent now is accepted and can be read: whatever came before did no harm.
pub(crate) async fn a_normal_span_passes(client: &ProjectClient) {
    let span = SpanBuilder::root("right after");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
}

/// Resident memory of the server in MiB.
fn resident_mib(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib / 1024
}

/// Most that the server's memory grew while `work` ran, in MiB.
pub(crate) async fn growth_during(server: &Server, work: impl Future<Output = ()>) -> u64 {
    let before = resident_mib(server);
    let mut most = before;
    tokio::pin!(work);
    loop {
        tokio::select! {
            () = &mut work => return most.max(resident_mib(server)) - before,
            () = tokio::time::sleep(Duration::from_millis(5)) => most = most.max(resident_mib(server)),
        }
    }
}

/// A length-delimited protobuf field.
pub(crate) fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![(number << 3) | 2];
    prost::encoding::encode_varint(content.len() as u64, &mut bytes);
    bytes.extend_from_slice(content);
    bytes
}

/// The bytes of a span's ids as protobuf fields, from the builder's hexadecimal.
pub(crate) fn ids(span: &SpanBuilder) -> Vec<u8> {
    ids_in(span, [1, 2])
}

/// The same where a log record has them.
fn log_ids(span: &SpanBuilder) -> Vec<u8> {
    ids_in(span, [9, 10])
}

fn ids_in(span: &SpanBuilder, [trace, id]: [u8; 2]) -> Vec<u8> {
    let bytes = |hex: &str| {
        let digits: Vec<char> = hex.chars().collect();
        let byte = |pair: &[char]| u8::from_str_radix(&String::from_iter(pair), 16).unwrap();
        digits.chunks(2).map(byte).collect::<Vec<u8>>()
    };
    [
        field(trace, &bytes(span.trace_id())),
        field(id, &bytes(span.span_id())),
    ]
    .concat()
}

/// A protobuf request of spans given as their fields.
pub(crate) fn request(spans: &[Vec<u8>]) -> Vec<u8> {
    let spans: Vec<u8> = spans.iter().flat_map(|span| field(2, span)).collect();
    field(1, &field(2, &spans))
}
