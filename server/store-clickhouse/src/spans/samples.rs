//! Spans for tests: any span, with everything that a span may have. The integration tests use this
//! file too.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::cost::{Origin, ServiceLevel, Terms};
use domain::quality::{InputDigest, Source, Verdict};
use domain::span::{
    CallRole, Content, Cost, CostSource, EventSource, Level, Oddities, OtlpKind, PromptRef,
    Provenance, Scope, SpanError, SpanEvent, SpanKind, SpanLink, Status, Timings, Usage, UsageRule,
    UsageSource,
};
use domain::{Attributes, Span, SpanId, Timestamp, TraceId, Usd, Value};
use proptest::prelude::*;
use rust_decimal::Decimal;

/// A span with its ids and start only.
pub(crate) fn span(trace: &str, id: &str, start: u64) -> Span {
    Span::bare(
        TraceId::from_text(trace).unwrap(),
        SpanId::from_text(id).unwrap(),
        Timestamp::from_unix_nanos(start).unwrap(),
    )
}

/// Up to five different spans.
pub(crate) fn any_spans() -> impl Strategy<Value = Vec<Span>> {
    proptest::collection::vec(any_span(), 0..5)
}

fn any_attributes() -> impl Strategy<Value = Attributes> {
    proptest::collection::vec(("[a-d$]{1,2}".prop_map(Arc::from), any_value()), 0..5)
}

fn some_text() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("[a-z%_'é]{1,60}")
}

/// A span with everything.
pub(crate) fn any_span() -> impl Strategy<Value = Span> {
    let identity = (
        "[ab]",
        "[a-e]",
        some_text(),
        0u64..9_000_000_000_000_000_000,
        any::<u16>(),
    );
    let texts = proptest::collection::vec(some_text(), 12);
    let numbers = (
        proptest::option::of(any::<u64>()),
        any::<u32>(),
        proptest::option::of(0.0..1e9),
    );
    let content = (some_text(), some_text(), any::<bool>());
    (
        identity,
        texts,
        numbers,
        content,
        any_attributes(),
        any_attributes(),
    )
        .prop_map(build)
}

type Parts = (
    (String, String, Option<String>, u64, u16),
    Vec<Option<String>>,
    (Option<u64>, u32, Option<f64>),
    (Option<String>, Option<String>, bool),
    Attributes,
    Attributes,
);

fn build((identity, texts, numbers, content, attributes, resource): Parts) -> Span {
    let (trace, id, parent, start, bits) = identity;
    let pick = |at: usize| usize::from(bits >> at);
    let mut texts = texts.into_iter();
    let mut text = || texts.next().flatten();
    let mut span = span(&trace, &id, start);
    span.parent_span_id = parent.map(|id| SpanId::from_text(&id).unwrap());
    span.name = text().unwrap_or_default();
    span.kind = SpanKind::ALL[pick(0) % SpanKind::ALL.len()];
    span.otlp_kind = OtlpKind::ALL[pick(1) % OtlpKind::ALL.len()];
    span.status = Status::ALL[pick(2) % 3];
    span.level = Level::ALL[pick(3) % 4];
    span.end = (bits & 1 == 1).then(|| span.start.plus(domain::Nanos(u64::from(numbers.1))));
    span.oddities = Oddities {
        cut: bits & 2 == 2,
        start_unknown: bits & 4 == 4,
        ..Oddities::default()
    };
    span.error = text().map(|message| SpanError {
        kind: None,
        message,
    });
    span.user_id = text();
    span.session_id = text();
    span.release = text();
    span.tags = text().into_iter().collect();
    span.metadata = text()
        .map(|value| BTreeMap::from([("k".to_owned(), value)]))
        .unwrap_or_default();
    span.trace_metadata_keys = span.metadata.keys().cloned().collect();
    span.request_model = text();
    span.prompt = text().map(|name| PromptRef {
        name,
        version: "3".to_owned(),
    });
    span.trace_name = text();
    span.usage = numbers.0.map(|tokens| Usage {
        input_tokens: Some(tokens),
        details: BTreeMap::from([("input".to_owned(), tokens)]),
        source: UsageSource::Estimated,
        rule: UsageRule::ALL[pick(4) % UsageRule::ALL.len()],
        ..Usage::default()
    });
    span.cost = numbers
        .2
        .map(|_| cost(numbers.1, (bits & 8 == 8).then_some(start)));
    span.response_id = span.release.clone();
    span.call_role = CallRole::ALL[pick(5) % CallRole::ALL.len()];
    span.from_cache = [None, Some(false), Some(true)][pick(5) % 3];
    if let Some(number) = numbers.2 {
        add_findings(&mut span, number, bits);
    }
    span.timings = Timings {
        ttft_ms: numbers.2,
        ..Timings::default()
    };
    span.attributes = attributes;
    if let Some(input) = content.0 {
        span.attributes
            .push(("in".into(), Value::from(input.as_str())));
        span.input = Some(Content {
            text: input.into(),
            attribute: Some("in".into()),
        });
    }
    span.output = content.1.map(|output| Content {
        text: output.into(),
        attribute: None,
    });
    span.scope = Arc::new(Scope {
        name: "s".into(),
        version: "".into(),
    });
    if content.2 {
        add_points(&mut span, &resource);
    }
    span.resource = Arc::new(resource);
    span
}

/// A cost, with the price that it was computed with since a time.
fn cost(units: u32, valid_from: Option<u64>) -> Cost {
    Cost {
        total: Some(Usd(Decimal::new(i64::from(units), 12))),
        details: BTreeMap::from([("input".to_owned(), Usd(Decimal::new(i64::from(units), 7)))]),
        source: CostSource::PriceTable,
        terms: valid_from.map(|nanos| Terms {
            model: "m".to_owned(),
            provider: "p".to_owned(),
            origin: Origin::default(),
            valid_from: Timestamp::from_unix_nanos(nanos),
            tier: Some(u64::from(units)),
            service_level: ServiceLevel::default(),
            named_tier: None,
        }),
    }
}

/// Judgements, axes and what the call was made with.
fn add_findings(span: &mut Span, number: f64, bits: u16) {
    span.quality
        .record("ratio", Verdict::Number(number), Source::Check);
    span.quality
        .record("valid", Verdict::Bool(bits & 16 == 16), Source::Client);
    span.axes.insert("token.batch_size".to_owned(), number);
    span.context.system_hash = Some("00ff".to_owned());
    span.context.input_digest = InputDigest::of("some words");
    span.context.chunk_ids = span.tags.clone();
}

/// An event, a link and evidence.
fn add_points(span: &mut Span, attributes: &Attributes) {
    span.events.push(SpanEvent {
        name: "e".to_owned(),
        time: span.start,
        attributes: attributes.clone(),
        source: EventSource::Span,
    });
    span.links.push(SpanLink {
        trace_id: span.trace_id.clone(),
        span_id: span.span_id.clone(),
        attributes: attributes.clone(),
    });
    span.provenance = vec![Provenance {
        field: "input".into(),
        key: "in".into(),
    }];
}

/// Any value, also those that JSON lacks. NaN is left out: it is not equal to itself.
pub(crate) fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        ".{0,12}".prop_map(|text| Value::from(text.as_str())),
        any::<i64>().prop_map(Value::Int),
        any::<f64>()
            .prop_filter("not equal to itself", |n| !n.is_nan())
            .prop_map(Value::Double),
        any::<bool>().prop_map(Value::Bool),
        proptest::collection::vec(any::<u8>(), 0..6).prop_map(Value::Bytes),
        Just(Value::Null),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let pair = ("(\\$map|\\$bytes|[a-c])", inner.clone());
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::Array),
            proptest::collection::vec(pair, 0..4).prop_map(|pairs| {
                Value::Map(
                    pairs
                        .into_iter()
                        .map(|(key, value)| (key.into(), value))
                        .collect(),
                )
            }),
        ]
    })
}
