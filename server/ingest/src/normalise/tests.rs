//! The acceptance cases on mapping, as far as a single span shows them.

use domain::span::{EventSource, Level, SpanKind};
use domain::{SpanId, Timestamp, TraceId, Value};

use super::*;

const START: u64 = 1_790_000_000_000_000_000;

fn raw(pairs: &[(&str, Value)]) -> RawSpan {
    let pair = |(key, value): &(&str, Value)| ((*key).into(), value.clone());
    RawSpan {
        trace_id: TraceId::from_text("t").unwrap(),
        span_id: SpanId::from_text("s").unwrap(),
        parent_span_id: None,
        name: "n".to_owned(),
        otlp_kind: domain::span::OtlpKind::default(),
        start_unix_nanos: START,
        end_unix_nanos: START + 2_000_000_000,
        status: Status::Unset,
        status_message: String::new(),
        attributes: pairs.iter().map(pair).collect(),
        events: Vec::new(),
        links: Vec::new(),
        resource: std::sync::Arc::default(),
        scope: std::sync::Arc::default(),
        cut: false,
        invalid_utf8: false,
    }
}

fn span(pairs: &[(&str, Value)]) -> Span {
    normalise(raw(pairs), Timestamp::MAX)
}

fn text(text: &str) -> Value {
    text.into()
}

#[test]
fn tokens_are_read_in_every_documented_form() {
    let both = |input: &'static str, output: &'static str, ten: Value, five: Value| {
        span(&[(input, ten), (output, five)])
    };
    let (input, output) = ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens");
    let spans = [
        span(&[(
            "langfuse.observation.usage_details",
            text(r#"{"input":10,"output":5}"#),
        )]),
        both(input, output, Value::Int(10), Value::Int(5)),
        both(input, output, text("10"), text("5")),
        both(input, output, Value::Double(10.0), Value::Double(5.0)),
        both(
            "gen_ai.usage.prompt_tokens",
            "gen_ai.usage.completion_tokens",
            Value::Int(10),
            Value::Int(5),
        ),
        both(
            "llm.token_count.prompt",
            "llm.token_count.completion",
            Value::Int(10),
            Value::Int(5),
        ),
    ];
    for span in spans {
        let usage = span.usage.unwrap();
        let counts = (usage.input_tokens, usage.output_tokens, usage.total_tokens);
        assert_eq!(
            counts,
            (Some(10), Some(5), Some(15)),
            "{:?}",
            span.attributes
        );
    }
}

#[test]
fn unknown_and_odd_usage_keys_do_no_harm() {
    let span = span(&[
        ("gen_ai.usage.input_tokens", Value::Int(7)),
        ("gen_ai.usage.foo", Value::Int(3)),
        (
            "gen_ai.usage.prompt_token_details.cached_tokens",
            Value::Int(4),
        ),
        ("gen_ai.usage.bar", text("text")),
        ("gen_ai.usage.baz", Value::Double(1.5)),
        ("gen_ai.usage.cost", Value::Double(f64::NAN)),
        ("llm.token_count.prompt", Value::Double(f64::NEG_INFINITY)),
    ]);
    let usage = span.usage.unwrap();
    assert_eq!(
        (usage.input_tokens, usage.details["cache_read"]),
        (Some(7), 4)
    );
    assert_eq!(span.cost, None);
    assert_eq!(span.attributes.len(), 7);
}

#[test]
fn a_single_text_is_shared_with_its_attribute() {
    for (key, given) in [
        ("input.value", r#"{"a":"b"}"#),
        ("langfuse.observation.input", r#"{"a":"b"}"#),
        ("traceloop.entity.input", r#"{"q":1}"#),
        ("input", "plain"),
    ] {
        let span = span(&[(key, text(given))]);
        let input = span.input.unwrap();
        assert_eq!(
            (&*input.text, input.attribute.as_deref()),
            (given, Some(key))
        );
        let Value::Str(attribute) = &span.attributes[0].1 else {
            unreachable!()
        };
        assert!(std::sync::Arc::ptr_eq(attribute, &input.text));
    }
}

#[test]
fn a_workflow_of_openllmetry_has_its_content_and_its_people() {
    let span = span(&[
        ("traceloop.span.kind", text("workflow")),
        ("traceloop.entity.output", text(r#"{"a":2}"#)),
        ("traceloop.association.properties.session_id", text("s1")),
        ("traceloop.association.properties.user_id", text("u1")),
    ]);
    assert_eq!(span.kind, SpanKind::Chain);
    assert_eq!(&*span.output.unwrap().text, r#"{"a":2}"#);
    assert_eq!(
        (span.session_id.as_deref(), span.user_id.as_deref()),
        (Some("s1"), Some("u1"))
    );
}

#[test]
fn current_genai_messages_and_tools_are_read_and_system_instructions_stand_in_front() {
    let chat = span(&[
        ("gen_ai.operation.name", text("chat")),
        (
            "gen_ai.system_instructions",
            text(r#"[{"type":"text","content":"be kind"}]"#),
        ),
        (
            "gen_ai.input.messages",
            text(r#"[{"role":"user","parts":[]}]"#),
        ),
        (
            "gen_ai.output.messages",
            text(r#"[{"role":"assistant","parts":[]}]"#),
        ),
    ]);
    assert_eq!(chat.kind, SpanKind::Generation);
    let input: serde_json::Value = serde_json::from_str(&chat.input.unwrap().text).unwrap();
    assert_eq!(input[0]["role"], "system");
    assert_eq!(input[0]["parts"][0]["content"], "be kind");
    assert_eq!(input[1]["role"], "user");
    let tool = span(&[
        ("gen_ai.operation.name", text("execute_tool")),
        ("gen_ai.tool.name", text("find")),
        ("gen_ai.tool.call.arguments", text(r#"{"k":1}"#)),
        ("gen_ai.tool.call.result", text("ok")),
    ]);
    assert_eq!(tool.kind, SpanKind::Tool);
    assert_eq!(&*tool.input.unwrap().text, r#"{"k":1}"#);
    assert_eq!(&*tool.output.unwrap().text, "ok");
}

#[test]
fn message_events_of_the_older_convention_give_the_same_picture() {
    let event = |name: &str, pairs: &[(&str, Value)]| domain::span::SpanEvent {
        name: name.to_owned(),
        time: Timestamp::EPOCH,
        attributes: pairs
            .iter()
            .map(|(key, value)| ((*key).into(), value.clone()))
            .collect(),
        source: EventSource::Span,
    };
    let mut raw = raw(&[("gen_ai.operation.name", text("chat"))]);
    raw.events = vec![
        event(
            "gen_ai.user.message",
            &[("content", text("hi")), ("gen_ai.system", text("x"))],
        ),
        event(
            "gen_ai.choice",
            &[
                ("message", text(r#"{"content":"yo"}"#)),
                ("index", Value::Int(0)),
            ],
        ),
    ];
    let span = normalise(raw, Timestamp::MAX);
    assert_eq!(
        &*span.input.unwrap().text,
        r#"[{"role":"user","content":"hi"}]"#
    );
    let output = r#"[{"role":"assistant","message":{"content":"yo"},"index":0}]"#;
    assert_eq!(&*span.output.unwrap().text, output);
}

#[test]
fn metadata_stands_once_at_the_top() {
    let span = span(&[
        ("langfuse.observation.metadata.customer", text("c1")),
        ("langfuse.trace.metadata.region", text("eu")),
        ("gen_ai.request.temperature", Value::Double(0.2)),
        ("custom.key", text("x")),
    ]);
    assert_eq!(span.metadata["customer"], r#""c1""#);
    assert_eq!(span.metadata.len(), 2);
    assert_eq!(span.trace_metadata_keys, ["region"]);
    assert_eq!(span.parameters["temperature"], "0.2");
}

#[test]
fn a_model_name_alone_makes_no_call_of_plain_web_or_database_work() {
    let model = ("gen_ai.request.model", text("m1"));
    assert_eq!(
        span(std::slice::from_ref(&model)).kind,
        SpanKind::Generation
    );
    let web = span(&[model.clone(), ("http.request.method", text("POST"))]);
    let database = span(&[model, ("db.system", text("redis"))]);
    assert_eq!((web.kind, database.kind), (SpanKind::Span, SpanKind::Span));
}

#[test]
fn a_cost_that_is_sent_is_kept() {
    let details = span(&[(
        "langfuse.observation.cost_details",
        text(r#"{"input":0.1,"output":0.2,"total":0.3}"#),
    )]);
    assert_eq!(details.cost.unwrap().total.unwrap().to_string(), "0.3");
    let total = span(&[("llm.cost.total", Value::Double(0.000_000_15))]);
    assert_eq!(total.cost.unwrap().total.unwrap().to_string(), "0.00000015");
}

#[test]
fn failures_have_words_and_handled_exceptions_are_no_failures() {
    let exception = domain::span::SpanEvent {
        name: "exception".to_owned(),
        time: Timestamp::EPOCH,
        attributes: vec![
            ("exception.type".into(), text("RateLimitError")),
            ("exception.message".into(), text("slow down")),
        ],
        source: EventSource::Span,
    };
    let mut handled = raw(&[]);
    handled.events = vec![exception];
    let mut failed = handled.clone();
    failed.status = Status::Error;
    assert_eq!(normalise(handled, Timestamp::MAX).error, None);
    let failed = normalise(failed, Timestamp::MAX);
    let error = failed.error.unwrap();
    assert_eq!(
        (error.kind.as_deref(), &*error.message),
        (Some("RateLimitError"), "slow down")
    );
    assert_eq!(failed.level, Level::Error);
}

#[test]
fn the_first_token_is_timed_in_every_unit() {
    let ttft = |pairs: &[(&str, Value)]| span(pairs).timings.ttft_ms;
    let seconds = ("gen_ai.response.time_to_first_chunk", Value::Double(0.25));
    assert_eq!(ttft(&[seconds]), Some(250.0));
    assert_eq!(
        ttft(&[("ai.response.msToFirstChunk", Value::Double(250.0))]),
        Some(250.0)
    );
    let at = Timestamp::from_unix_nanos(START + 250_000_000).unwrap();
    let quoted = text(&format!("\"{at}\""));
    assert_eq!(
        ttft(&[("langfuse.observation.completion_start_time", quoted)]),
        Some(250.0)
    );
}

#[test]
fn what_gave_what_is_told() {
    let span = span(&[
        ("gen_ai.request.model", text("m")),
        ("session.id", text("s")),
        ("langfuse.session.id", text("better")),
    ]);
    assert_eq!(span.session_id.as_deref(), Some("better"));
    let told: Vec<_> = span
        .provenance
        .iter()
        .map(|p| (&*p.field, &*p.key))
        .collect();
    assert!(
        told.contains(&("session_id", "langfuse.session.id")),
        "{told:?}"
    );
    assert!(
        told.contains(&("request_model", "gen_ai.request.model")),
        "{told:?}"
    );
    assert!(told.contains(&("kind", "gen_ai.request.model")), "{told:?}");
}

#[test]
fn an_event_with_the_whole_call_fills_what_the_span_does_not_say() {
    let event = |name: &str, pairs: &[(&str, Value)]| domain::span::SpanEvent {
        name: name.to_owned(),
        time: Timestamp::EPOCH,
        attributes: raw(pairs).attributes,
        source: EventSource::Span,
    };
    let mut call = raw(&[
        ("gen_ai.operation.name", text("chat")),
        ("gen_ai.request.model", text("asked")),
    ]);
    call.status = Status::Error;
    call.events = vec![
        event(
            "gen_ai.client.inference.operation.details",
            &[
                ("gen_ai.request.model", text("other")),
                ("gen_ai.response.model", text("answered")),
                ("gen_ai.usage.input_tokens", Value::Int(10)),
                ("gen_ai.usage.output_tokens", Value::Int(5)),
            ],
        ),
        event(
            "gen_ai.client.operation.exception",
            &[
                ("exception.type", text("RateLimitError")),
                ("exception.message", text("slow down")),
            ],
        ),
    ];
    let call = normalise(call, Timestamp::MAX);
    assert_eq!(call.request_model.as_deref(), Some("asked"));
    assert_eq!(call.response_model.as_deref(), Some("answered"));
    let usage = call.usage.unwrap();
    assert_eq!(
        (usage.input_tokens, usage.output_tokens),
        (Some(10), Some(5))
    );
    let error = call.error.unwrap();
    assert_eq!(error.kind.as_deref(), Some("RateLimitError"));
    assert_eq!(error.message, "slow down");
}
