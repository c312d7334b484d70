//! What a run comes to: the answer, and the span that tells of the call as any other would.

use domain::cost::Pricer;
use domain::llm_connection::{Adapter, LlmConnection};
use domain::span::{Content, SpanKind, Status};
use domain::{Nanos, Span, SpanId, Timestamp, TraceId};
use serde_json::json;

use super::ask::Ask;
use super::assembly::Assembled;

/// The service that such spans are of.
const SERVICE: &str = "triaxis";

/// How long it took.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    /// When it was sent.
    pub(super) started: Timestamp,
    /// Until the last byte.
    pub(super) latency: Nanos,
    /// Until the first piece.
    pub(super) first: Option<Nanos>,
}

/// What a run comes to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Assembled,
    /// The call as a span of a trace of its own, with tokens and cost; it is stored nowhere yet.
    pub span: Span,
    /// Why it has no cost; `None` where it has one.
    pub unpriced: Option<String>,
}

impl Outcome {
    /// Of an answer that is whole. Without a pricer there is no cost, for a wrong one is worse.
    pub(super) fn new(
        (connection, ask): (&LlmConnection, &Ask),
        answer: Assembled,
        measured: Measured,
        pricer: Option<&Pricer>,
    ) -> Self {
        let mut span = Span::bare(new_trace_id(), new_span_id(), measured.started);
        span.kind = SpanKind::Generation;
        span.name = format!("chat {}", ask.model);
        span.end = Some(measured.started.plus(measured.latency));
        span.status = Status::Ok;
        span.service = SERVICE.to_owned();
        span.provider = Some(provider(connection));
        span.request_model = Some(ask.model.clone());
        span.response_model = answer.model.clone();
        span.response_id = answer.id.clone();
        span.finish_reasons = answer.finish_reason.iter().cloned().collect();
        span.parameters = ask
            .parameters
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect();
        span.usage = answer.usage();
        span.timings.ttft_ms = measured.first.map(Nanos::as_millis_f64);
        span.timings.ttft_source = measured.first.map(|_| "stream".to_owned());
        if !ask.tools.is_empty() {
            let tools = json!(ask.tools).to_string();
            span.metadata.insert("tools".to_owned(), tools);
        }
        if let Some(schema) = &ask.schema {
            let schema = schema.to_string();
            span.parameters.insert("response_format".to_owned(), schema);
        }
        span.input = Some(content(&json!(ask.messages)));
        span.output = Some(content(&json!([answer.message()])));
        let priced = pricer.and_then(|pricer| pricer.cost_of(&span));
        let unpriced = match priced {
            Some(Ok(cost)) => {
                span.cost = Some(cost);
                None
            }
            Some(Err(why)) => Some(why.to_string()),
            None if span.usage.is_none() => Some("the provider told no tokens".to_owned()),
            None => Some("prices cannot be read at the moment".to_owned()),
        };
        Outcome {
            answer,
            span,
            unpriced,
        }
    }
}

fn content(json: &serde_json::Value) -> Content {
    Content {
        text: json.to_string().into(),
        attribute: None,
    }
}

/// Who serves it, in the words of telemetry: with an address of its own it is whatever the project calls it.
fn provider(connection: &LlmConnection) -> String {
    let usual = match connection.adapter {
        Adapter::OpenAi => "openai",
        Adapter::Anthropic => "anthropic",
        Adapter::Azure => "azure.ai.openai",
        Adapter::AiStudio => "gcp.gemini",
        Adapter::Bedrock => "aws.bedrock",
        Adapter::VertexAi => "gcp.vertex_ai",
    };
    match (&connection.base_url, connection.adapter) {
        (None, _) | (Some(_), Adapter::Azure) => usual.to_owned(),
        (Some(_), _) => connection.provider.clone(),
    }
}

fn new_trace_id() -> TraceId {
    loop {
        let bytes: [u8; 16] = rand::random();
        if let Ok(id) = TraceId::from_otlp_bytes(&bytes) {
            return id;
        }
    }
}

fn new_span_id() -> SpanId {
    loop {
        let bytes: [u8; 8] = rand::random();
        if let Ok(id) = SpanId::from_otlp_bytes(&bytes) {
            return id;
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::LlmConnectionId;
    use domain::cost::PriceBook;

    use super::super::assembly::Delta;
    use super::*;

    #[test]
    fn a_run_is_a_span_with_its_tokens_and_its_price() {
        let connection = LlmConnection {
            id: LlmConnectionId(uuid::Uuid::nil()),
            provider: "p".to_owned(),
            adapter: Adapter::OpenAi,
            secret_hint: String::new(),
            base_url: None,
            custom_models: Vec::new(),
            with_default_models: true,
            extra_header_names: Vec::new(),
            config: None,
            created_at: Timestamp::EPOCH,
            updated_at: Timestamp::EPOCH,
        };
        let mut answer = Assembled::default();
        answer.take(&Delta::Text("OK".to_owned()));
        answer.take(&Delta::Tokens([("input".to_owned(), 1_000)].into()));
        let measured = || Measured {
            started: Timestamp::EPOCH,
            latency: Nanos::from_seconds(2),
            first: Some(Nanos::from_seconds(1)),
        };
        let ask = Ask::trial(connection.id, "gpt-4o");
        let pricer = Pricer::new(PriceBook::built_in());
        let of = |ask: &Ask, answer: &Assembled| {
            Outcome::new(
                (&connection, ask),
                answer.clone(),
                measured(),
                Some(&pricer),
            )
        };
        let outcome = of(&ask, &answer);
        let cost = outcome.span.cost.as_ref().and_then(|cost| cost.total);
        assert_eq!(cost.unwrap().to_string(), "0.0025");
        assert_eq!(outcome.span.latency(), Some(Nanos::from_seconds(2)));
        assert_eq!(outcome.span.timings.ttft_ms, Some(1_000.0));
        assert_eq!(outcome.unpriced, None);
        let unknown = of(&Ask::trial(connection.id, "no-such-model"), &answer);
        assert!(unknown.unpriced.unwrap().contains("no-such-model"));
        assert!(of(&ask, &Assembled::default()).unpriced.is_some());
    }
}
