//! Export requests like those of real applications: model calls with messages, in both the GenAI
//! and the OpenInference dialect at once, as bridges send them, with tools and chains around.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Spans of one trace.
const SPANS_PER_TRACE: usize = 8;

/// One encoded request whose ids and times are changed in place, so that the sender costs little.
#[derive(Clone)]
pub(crate) struct Template {
    bytes: Vec<u8>,
    spans: usize,
    ids: Vec<usize>,
    times: Vec<usize>,
}

impl Template {
    /// A request of that many spans.
    pub(crate) fn new(spans: usize) -> Self {
        let mut rng = StdRng::seed_from_u64(7);
        let spans_of_request = (0..spans).map(|index| span(index, &mut rng)).collect();
        let request = ExportTraceServiceRequest {
            resource_spans: vec![ResourceSpans {
                resource: Some(Resource {
                    attributes: vec![
                        text("service.name", "support-api"),
                        text("service.version", "2026.11.3"),
                        text("deployment.environment.name", "production"),
                        text("telemetry.sdk.language", "python"),
                    ],
                    ..Resource::default()
                }),
                scope_spans: vec![ScopeSpans {
                    scope: Some(InstrumentationScope {
                        name: "openinference.instrumentation.openai".to_owned(),
                        version: "0.1.42".to_owned(),
                        ..InstrumentationScope::default()
                    }),
                    spans: spans_of_request,
                    ..ScopeSpans::default()
                }],
                ..ResourceSpans::default()
            }],
        };
        let bytes = request.encode_to_vec();
        let ids = positions(&bytes, &ID_MARK);
        let times = positions(&bytes, &TIME_MARK);
        Template {
            bytes,
            spans,
            ids,
            times,
        }
    }

    /// Spans of one request.
    pub(crate) fn spans(&self) -> usize {
        self.spans
    }

    /// Average size of a span.
    pub(crate) fn bytes_per_span(&self) -> f64 {
        self.bytes.len() as f64 / self.spans as f64
    }

    /// The request of that number, as of `now_nanos`: ids that no other number has.
    pub(crate) fn request(&self, number: u32, now_nanos: u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for &at in &self.ids {
            bytes[at..at + 4].copy_from_slice(&number.wrapping_add(1).to_be_bytes());
        }
        for &at in &self.times {
            // The mark is the high half of a little-endian time; the low half tells spans apart.
            let low =
                u32::from_le_bytes([bytes[at - 4], bytes[at - 3], bytes[at - 2], bytes[at - 1]]);
            let time = now_nanos - 3_000_000_000 + u64::from(low % 2_000_000_000);
            bytes[at - 4..at + 4].copy_from_slice(&time.to_le_bytes());
        }
        bytes
    }

    /// Trace id of the last span of the request of that number, in hexadecimal.
    pub(crate) fn last_trace_id(&self, number: u32) -> String {
        let trace = (self.spans - 1) / SPANS_PER_TRACE;
        trace_id(trace, number.wrapping_add(1).to_be_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

const ID_MARK: [u8; 4] = [0xd1, 0xce, 0xfa, 0xce];
const TIME_MARK: [u8; 4] = [0xd2, 0xce, 0xfa, 0x0e];

fn trace_id(trace: usize, number: [u8; 4]) -> [u8; 16] {
    let mut id = [0u8; 16];
    id[..4].copy_from_slice(&number);
    id[4..8].copy_from_slice(&scatter(trace));
    id[12..].copy_from_slice(&(trace as u32).to_be_bytes());
    id
}

fn span_id(index: usize) -> Vec<u8> {
    [ID_MARK, scatter(index)].concat()
}

fn scatter(index: usize) -> [u8; 4] {
    (index as u32 + 1).wrapping_mul(2_654_435_761).to_be_bytes()
}

fn marked_time(low: u32) -> u64 {
    u64::from(u32::from_le_bytes(TIME_MARK)) << 32 | u64::from(low)
}

fn positions(bytes: &[u8], mark: &[u8; 4]) -> Vec<usize> {
    bytes
        .windows(4)
        .enumerate()
        .filter(|(_, window)| window == mark)
        .map(|(at, _)| at)
        .collect()
}

fn span(index: usize, rng: &mut StdRng) -> Span {
    let place = index % SPANS_PER_TRACE;
    let first = index - place;
    let begin = rng.random_range(0..900_000_000);
    Span {
        trace_id: trace_id(index / SPANS_PER_TRACE, ID_MARK).to_vec(),
        span_id: span_id(index),
        parent_span_id: if place == 0 {
            Vec::new()
        } else {
            span_id(first)
        },
        name: [
            "support.turn",
            "triage",
            "plan",
            "lookup_order",
            "search kb",
            "answer",
            "guard",
            "persist",
        ][place]
            .to_owned(),
        kind: 1,
        start_time_unix_nano: marked_time(begin),
        end_time_unix_nano: marked_time(begin + rng.random_range(1_000_000..900_000_000)),
        attributes: generation(rng),
        ..Span::default()
    }
}

fn generation(rng: &mut StdRng) -> Vec<KeyValue> {
    let system = sentences(rng, 900);
    let question = sentences(rng, 500);
    let answer = sentences(rng, 700);
    let input = format!(
        r#"[{{"role":"system","parts":[{{"type":"text","content":"{system}"}}]}},{{"role":"user","parts":[{{"type":"text","content":"{question}"}}]}}]"#
    );
    let output = format!(
        r#"[{{"role":"assistant","parts":[{{"type":"text","content":"{answer}"}}],"finish_reason":"stop"}}]"#
    );
    let (tokens_in, tokens_out) = (rng.random_range(400..4000), rng.random_range(40..400));
    vec![
        text("gen_ai.operation.name", "chat"),
        text("gen_ai.provider.name", "openai"),
        text("gen_ai.request.model", "gpt-5-mini"),
        text("gen_ai.response.model", "gpt-5-mini-2026-08-07"),
        double("gen_ai.request.temperature", 0.2),
        int("gen_ai.request.max_tokens", 1024),
        int("gen_ai.usage.input_tokens", tokens_in),
        int("gen_ai.usage.output_tokens", tokens_out),
        text("gen_ai.input.messages", &input),
        text("gen_ai.output.messages", &output),
        text(
            "gen_ai.response.id",
            &format!("chatcmpl-{:016x}", rng.random::<u64>()),
        ),
        text("openinference.span.kind", "LLM"),
        text("llm.model_name", "gpt-5-mini-2026-08-07"),
        text("llm.provider", "openai"),
        text(
            "llm.invocation_parameters",
            r#"{"temperature":0.2,"max_tokens":1024}"#,
        ),
        int("llm.token_count.prompt", tokens_in),
        int("llm.token_count.completion", tokens_out),
        int("llm.token_count.total", tokens_in + tokens_out),
        text("llm.input_messages.0.message.role", "system"),
        text("llm.input_messages.0.message.content", &system),
        text("llm.input_messages.1.message.role", "user"),
        text("llm.input_messages.1.message.content", &question),
        text("llm.output_messages.0.message.role", "assistant"),
        text("llm.output_messages.0.message.content", &answer),
        text("input.mime_type", "application/json"),
        text("output.value", &answer),
        text(
            "session.id",
            &format!("s_{:06x}", rng.random_range(0..40_000)),
        ),
        text("user.id", &format!("u_{:05x}", rng.random_range(0..9_000))),
        text(
            "tenant.id",
            ["lumen-air", "acme-retail", "northstar"][rng.random_range(0..3)],
        ),
    ]
}

const WORDS: &[&str] = &[
    "the",
    "booking",
    "of",
    "your",
    "flight",
    "was",
    "changed",
    "please",
    "send",
    "receipts",
    "for",
    "delayed",
    "baggage",
    "within",
    "seven",
    "days",
    "refund",
    "is",
    "allowed",
    "up",
    "to",
    "limit",
    "policy",
    "section",
    "four",
    "covers",
    "necessary",
    "purchases",
    "and",
    "escort",
    "service",
    "traveller",
    "number",
    "seat",
    "window",
    "upgrade",
    "points",
    "lounge",
    "invoice",
    "VAT",
];

fn sentences(rng: &mut StdRng, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    while text.len() < bytes {
        text.push_str(WORDS[rng.random_range(0..WORDS.len())]);
        text.push(' ');
        if rng.random_ratio(1, 9) {
            text.push_str(&rng.random_range(10..9999).to_string());
            text.push(' ');
        }
    }
    text
}

fn text(key: &str, value: &str) -> KeyValue {
    attribute(key, Any::StringValue(value.to_owned()))
}

fn int(key: &str, value: i64) -> KeyValue {
    attribute(key, Any::IntValue(value))
}

fn double(key: &str, value: f64) -> KeyValue {
    attribute(key, Any::DoubleValue(value))
}

fn attribute(key: &str, value: Any) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}
