//! The doors of gRPC. Calls are framed by hand, so that they can be wrong; that real exporters get
//! through is the business of `sdk`.

use base64::Engine;
use reqwest::header::HeaderMap;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, shared};

use super::bodies::{bomb, compress};
use super::{a_normal_span_passes, field, ids, log_ids, request};

const TRACES: &str = "opentelemetry.proto.collector.trace.v1.TraceService/Export";
const METRICS: &str = "opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
const LOGS: &str = "opentelemetry.proto.collector.logs.v1.LogsService/Export";

#[derive(Clone, Copy)]
struct Call<'a> {
    server: &'a Server,
    project: Option<&'a ProjectClient>,
    method: &'a str,
    encoding: &'a str,
}

impl Call<'_> {
    /// Headers and message of the answer. The status of a refusal stands in the headers.
    async fn send(&self, message: &[u8]) -> (HeaderMap, Vec<u8>) {
        let mut framed = vec![u8::from(self.encoding != "identity")];
        framed.extend_from_slice(&u32::try_from(message.len()).unwrap().to_be_bytes());
        framed.extend_from_slice(message);
        let http2 = reqwest::Client::builder()
            .http2_prior_knowledge()
            .build()
            .unwrap();
        let mut request = http2
            .post(format!("{}/{}", self.server.grpc_url(), self.method))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("grpc-encoding", self.encoding);
        if let Some(project) = self.project {
            let keys = format!("{}:{}", project.public_key, project.secret_key);
            let basic = base64::engine::general_purpose::STANDARD.encode(keys);
            request = request.header("authorization", format!("Basic {basic}"));
        }
        let answer = request.body(framed).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], "application/grpc");
        let headers = answer.headers().clone();
        (headers, answer.bytes().await.unwrap().to_vec())
    }

    async fn refusal(&self, message: &[u8]) -> (String, String) {
        let (headers, _) = self.send(message).await;
        let text = |name: &str| headers[name].to_str().unwrap().to_owned();
        (text("grpc-status"), text("grpc-message"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_compression_is_understood() {
    let server = shared().await;
    let project = server.new_project();
    for encoding in ["identity", "gzip", "zstd"] {
        let span = SpanBuilder::root(encoding);
        let call = Call {
            server,
            project: Some(&project),
            method: TRACES,
            encoding,
        };
        let (headers, message) = call
            .send(&compress(encoding, &request(&[ids(&span)])))
            .await;
        assert!(!headers.contains_key("grpc-status"), "{headers:?}");
        assert_eq!(message, [0; 5], "an empty message: everything was taken");
        project.trace_with_spans(span.trace_id(), 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_have_their_codes_and_reasons() {
    let server = shared().await;
    let project = server.new_project();
    let call = Call {
        server,
        project: Some(&project),
        method: TRACES,
        encoding: "identity",
    };
    let body = request(&[ids(&SpanBuilder::root("whole"))]);
    let (code, reason) = call.refusal(&body[..body.len() - 3]).await;
    assert_eq!(code, "3", "INVALID_ARGUMENT: {reason}");
    let stranger = Call {
        project: None,
        ..call
    };
    assert_eq!(stranger.refusal(&body).await.0, "16", "UNAUTHENTICATED");
    let unknown = Call {
        method: "no.such.Service/Export",
        ..call
    };
    assert_eq!(unknown.refusal(&body).await.0, "12", "UNIMPLEMENTED");
    for encoding in ["gzip", "zstd"] {
        let bombed = Call { encoding, ..call };
        let (code, reason) = bombed.refusal(&bomb(encoding, 300 * 1024 * 1024)).await;
        assert_eq!(code, "8", "RESOURCE_EXHAUSTED: {reason}");
    }
    a_normal_span_passes(&project).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn part_of_a_request_can_be_refused() {
    let server = shared().await;
    let project = server.new_project();
    let call = Call {
        server,
        project: Some(&project),
        method: TRACES,
        encoding: "identity",
    };
    let span = SpanBuilder::root("good");
    let bad = [field(1, b"short"), field(2, b"ids")].concat();
    let (_, message) = call.send(&request(&[bad, ids(&span)])).await;
    assert!(
        String::from_utf8_lossy(&message).contains("traceId"),
        "{message:?}"
    );
    project.trace_with_spans(span.trace_id(), 1).await;
    let metrics = Call {
        method: METRICS,
        ..call
    };
    let points = field(7, &field(1, b""));
    let (_, message) = metrics.send(&field(1, &field(2, &field(2, &points)))).await;
    assert!(
        String::from_utf8_lossy(&message).contains("it has no name"),
        "{message:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_cost_no_span() {
    let server = shared().await;
    let project = server.new_project();
    let call = Call {
        server,
        project: Some(&project),
        method: TRACES,
        encoding: "gzip",
    };
    let (first, second) = (SpanBuilder::root("first"), SpanBuilder::root("second"));
    let value = field(1, b"x\xe4\xbd");
    let pair = field(9, &[field(1, b"k"), field(2, &value)].concat());
    let body = request(&[ids(&first), [ids(&second), pair].concat()]);
    let (headers, message) = call.send(&compress("gzip", &body)).await;
    assert!(!headers.contains_key("grpc-status"), "{headers:?}");
    assert_eq!(message, [0; 5], "an empty message: everything was taken");
    project.trace_with_spans(first.trace_id(), 1).await;
    let trace = project.trace_with_spans(second.trace_id(), 1).await;
    assert_eq!(trace["spans"][0]["attributes"]["k"], "x\u{fffd}");
}

#[tokio::test(flavor = "multi_thread")]
async fn log_records_come_this_way_too() {
    let server = shared().await;
    let project = server.new_project();
    let span = SpanBuilder::root("with a log");
    let call = Call {
        server,
        project: Some(&project),
        method: LOGS,
        encoding: "gzip",
    };
    let said = field(5, &field(1, b"it happened"));
    let record = [said, log_ids(&span)].concat();
    let body = field(1, &field(2, &field(2, &record)));
    let (headers, message) = call.send(&compress("gzip", &body)).await;
    assert!(!headers.contains_key("grpc-status"), "{headers:?}");
    assert_eq!(message, [0; 5], "an empty message: everything was taken");
    project.accept_traces(&export([&span])).await;
    let trace = project.trace_with_spans(span.trace_id(), 1).await;
    let event = &trace["spans"][0]["events"][0];
    assert_eq!(event["attributes"]["body"], "it happened", "{event}");
}
