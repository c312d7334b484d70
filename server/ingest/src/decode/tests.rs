//! The readers against the official types, against hostile input, and against each other.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1 as common;
use opentelemetry_proto::tonic::common::v1::any_value::Value as OtlpValue;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1 as otlp;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use prost::Message;

use domain::Value;
use domain::span::EventSource;

use super::*;

fn decode(encoding: Encoding, body: &[u8]) -> Decoded<RawSpan> {
    traces(encoding, body).unwrap()
}

fn json_spans(spans: &str) -> Decoded<RawSpan> {
    let body = format!(r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{spans}]}}]}}]}}"#);
    decode(Encoding::Json, body.as_bytes())
}

const IDS: &str = r#""traceId":"0AF7651916CD43DD8448EB211C80319C","spanId":"B7AD6B7169203331""#;

fn json_attribute(value: &str) -> Value {
    let span = format!(r#"{{{IDS},"attributes":[{{"key":"k","value":{value}}}]}}"#);
    json_spans(&span).records[0].attributes[0].1.clone()
}

#[test]
fn ids_are_hexadecimal_in_either_case() {
    let decoded = json_spans(&format!("{{{IDS}}}"));
    assert_eq!(
        decoded.records[0].trace_id.as_str(),
        "0af7651916cd43dd8448eb211c80319c"
    );
    assert_eq!(decoded.records[0].parent_span_id, None);
    let base64 = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[
        {"traceId":"CvdlGRbNQ92ESOshHIAxnA==","spanId":"b7ad6b7169203331"}]}]}]}"#;
    let fault = traces(Encoding::Json, base64.as_bytes()).unwrap_err();
    assert!(fault.message.contains("traceId"), "{}", fault.message);
}

#[test]
fn one_bad_span_costs_only_itself() {
    let spans = format!(r#"{{"traceId":"abcd","spanId":"b7ad6b7169203331"}},5,{{{IDS}}}"#);
    let decoded = json_spans(&spans);
    assert_eq!((decoded.records.len(), decoded.rejected.count), (1, 2));
    assert!(
        decoded
            .rejected
            .reason
            .unwrap()
            .starts_with("traceId: id has 2 bytes")
    );
}

#[test]
fn numbers_of_64_bits_come_as_text_number_and_halves() {
    let span = format!(
        r#"{{{IDS},"startTimeUnixNano":"1750000000123456789","endTimeUnixNano":1750000000623456789,
        "kind":"SPAN_KIND_CLIENT","futureField":{{}},"status":{{"code":"STATUS_CODE_ERROR"}}}}"#
    );
    let decoded = json_spans(&span);
    let span = &decoded.records[0];
    assert_eq!(span.start_unix_nanos, 1_750_000_000_123_456_789);
    assert_eq!(span.end_unix_nanos, 1_750_000_000_623_456_789);
    assert_eq!(
        (span.otlp_kind, span.status),
        (OtlpKind::Client, Status::Error)
    );
    let halves = format!(r#"{{{IDS},"startTimeUnixNano":{{"low":-1,"high":2}}}}"#);
    assert_eq!(
        json_spans(&halves).records[0].start_unix_nanos,
        (2 << 32) | 0xffff_ffff
    );
    assert_eq!(json_attribute(r#"{"intValue":"42"}"#), Value::Int(42));
    assert_eq!(json_attribute(r#"{"intValue":-7}"#), Value::Int(-7));
    assert_eq!(
        json_attribute(r#"{"intValue":"18446744073709551615"}"#),
        "18446744073709551615".into()
    );
}

#[test]
fn values_of_json_have_their_types() {
    assert_eq!(
        json_attribute(r#"{"doubleValue":"Infinity"}"#),
        Value::Double(f64::INFINITY)
    );
    assert_eq!(json_attribute(r#"{"doubleValue":1}"#), Value::Double(1.0));
    assert_eq!(json_attribute(r#"{"boolValue":true}"#), Value::Bool(true));
    assert_eq!(
        json_attribute(r#"{"bytesValue":"AAE="}"#),
        Value::Bytes(vec![0, 1])
    );
    assert_eq!(
        json_attribute(r#"{"stringValue":"ok \ud83d"}"#),
        "ok \u{fffd}".into()
    );
    assert_eq!(json_attribute("{}"), Value::Null);
    assert_eq!(json_attribute("null"), Value::Null);
    let map = r#"{"kvlistValue":{"values":[{"key":"a","value":{"arrayValue":{"values":[{"intValue":1}]}}}]}}"#;
    let expected = Value::Map(vec![("a".into(), Value::Array(vec![Value::Int(1)]))]);
    assert_eq!(json_attribute(map), expected);
}

#[test]
fn half_an_emoji_marks_its_own_span_only() {
    let bad = format!(r#"{{{IDS},"name":"\ud83d"}}"#);
    let decoded = json_spans(&format!("{bad},{{{IDS}}}"));
    let marks: Vec<bool> = decoded
        .records
        .iter()
        .map(|span| span.invalid_utf8)
        .collect();
    assert_eq!(marks, [true, false]);
}

fn depth_of(mut value: &Value) -> (usize, &Value) {
    let mut depth = 0;
    while let Value::Array(elements) = value {
        depth += 1;
        let Some(inner) = elements.first() else { break };
        value = inner;
    }
    (depth, value)
}

#[test]
fn thirty_levels_are_kept_and_twenty_thousand_cost_only_their_inside() {
    for (levels, kept, inside) in [
        (30, 30, Value::Int(1)),
        (20_000, 64, allowance::TOO_DEEP.into()),
    ] {
        let json = format!(
            "{}{}{}",
            r#"{"arrayValue":{"values":["#.repeat(levels),
            r#"{"intValue":1}"#,
            "]}}".repeat(levels)
        );
        let span = format!(r#"{{{IDS},"attributes":[{{"key":"k","value":{json}}}]}},{{{IDS}}}"#);
        let from_json = json_spans(&span);
        let from_protobuf = decode(Encoding::Protobuf, &nested_protobuf(levels));
        for decoded in [from_json, from_protobuf] {
            assert_eq!(decoded.records.len(), 2);
            assert_eq!(
                depth_of(&decoded.records[0].attributes[0].1),
                (kept, &inside)
            );
            assert_eq!(decoded.records[0].cut, levels > 64);
            assert!(!decoded.records[1].cut);
        }
    }
}

/// By hand, because the official types would recurse.
fn nested_protobuf(levels: usize) -> Vec<u8> {
    let mut value = vec![0x18, 1];
    for _ in 0..levels {
        value = field(5, &field(1, &value));
    }
    let pair = [field(1, b"k"), field(2, &value)].concat();
    let ids = [field(1, &[7; 16]), field(2, &[7; 8])].concat();
    let deep = field(2, &[ids.clone(), field(9, &pair)].concat());
    field(1, &field(2, &[deep, field(2, &ids)].concat()))
}

fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![(number << 3) | 2];
    prost::encoding::encode_varint(content.len() as u64, &mut bytes);
    bytes.extend_from_slice(content);
    bytes
}

#[test]
fn invalid_utf8_is_replaced_and_marked() {
    let ids = [field(1, &[7; 16]), field(2, &[7; 8])].concat();
    let bad = field(2, &[ids.clone(), field(5, b"x\xe4\xbd")].concat());
    let body = field(1, &field(2, &[field(2, &ids), bad].concat()));
    let decoded = decode(Encoding::Protobuf, &body);
    assert_eq!(decoded.records[1].name, "x\u{fffd}");
    assert_eq!(
        (
            decoded.records[0].invalid_utf8,
            decoded.records[1].invalid_utf8
        ),
        (false, true)
    );
}

#[test]
fn too_many_attributes_are_counted_and_a_long_text_is_cut() {
    let pair = field(9, &[field(1, b"k"), field(2, &field(1, b"v"))].concat());
    let ids = [field(1, &[7; 16]), field(2, &[7; 8])].concat();
    let span = [ids, pair.repeat(10_005)].concat();
    let decoded = decode(Encoding::Protobuf, &field(1, &field(2, &field(2, &span))));
    assert!(decoded.records[0].cut);
    let last = decoded.records[0].attributes.last().unwrap();
    assert_eq!(
        (&*last.0, &last.1),
        ("otel.dropped_attributes_count", &Value::Int(5))
    );
}

#[test]
fn amplifying_requests_are_refused() {
    let empty_elements = field(5, &[0x0a, 0].repeat(4_100_000));
    let pair = field(9, &field(2, &empty_elements));
    let span = [field(1, &[7; 16]), field(2, &[7; 8]), pair].concat();
    let fault = traces(Encoding::Protobuf, &field(1, &field(2, &field(2, &span)))).unwrap_err();
    assert_eq!(fault.code, Code::TooLarge);
    let ids = field(2, &[field(1, &[7; 16]), field(2, &[7; 8])].concat());
    let resource = field(
        1,
        &field(
            1,
            &[field(1, b"k"), field(2, &field(1, &[b'x'; 100_000]))].concat(),
        ),
    );
    let body = field(1, &[resource, field(2, &ids.repeat(3_000))].concat());
    assert_eq!(
        traces(Encoding::Protobuf, &body).unwrap_err().code,
        Code::TooLarge
    );
}

#[test]
fn other_signals_and_other_things_are_refused() {
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
    let logs = ExportLogsServiceRequest {
        resource_logs: vec![ResourceLogs {
            scope_logs,
            ..ResourceLogs::default()
        }],
    };
    let body = logs.encode_to_vec();
    let fault = traces(Encoding::Protobuf, &body).unwrap_err();
    assert_eq!(fault.code, Code::Invalid);
    let records = super::logs(Encoding::Protobuf, &body).unwrap().records;
    assert_eq!(records.len(), 3);
    for json in [
        r#"{"resourceLogs":[]}"#,
        "",
        "[]",
        "nonsense",
        r#"{"resourceSpans":[5]}"#,
    ] {
        assert!(traces(Encoding::Json, json.as_bytes()).is_err(), "{json}");
    }
    for (encoding, empty) in [(Encoding::Json, &b"{}"[..]), (Encoding::Protobuf, b"")] {
        assert_eq!(decode(encoding, empty), Decoded::default());
    }
}

proptest! {
    /// What the official types write is read as they mean it.
    #[test]
    fn protobuf_agrees_with_the_official_types(request in request()) {
        let decoded = decode(Encoding::Protobuf, &request.encode_to_vec());
        let mut expected = Vec::new();
        for resource_spans in &request.resource_spans {
            let resource = resource_spans.resource.clone().unwrap_or_default();
            for scope_spans in &resource_spans.scope_spans {
                let scope = scope_spans.scope.clone().unwrap_or_default();
                expected.extend(scope_spans.spans.iter().map(|span| official(&resource, &scope, span)));
            }
        }
        // Debug text, because NaN differs from itself.
        prop_assert_eq!(format!("{:?}", decoded.records), format!("{expected:?}"));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..200)) {
        for encoding in [Encoding::Protobuf, Encoding::Json] {
            let _ = traces(encoding, &bytes);
            let _ = logs(encoding, &bytes);
            let _ = metrics(encoding, &bytes);
        }
    }

    /// A truncated request is refused, or is a whole request of fewer parts.
    #[test]
    fn truncated_requests_never_panic(request in request(), part in 0.0..1.0) {
        let body = request.encode_to_vec();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss,
            reason = "a place within a short body")]
        let length = (body.len() as f64 * part) as usize;
        let _ = traces(Encoding::Protobuf, &body[..length]);
    }

    #[test]
    fn arbitrary_json_in_every_place_never_panics(value in "[\\[\\]{}\":,a-z0-9.\\\\ -]{0,40}") {
        for key in ["traceId", "kind", "startTimeUnixNano", "attributes", "events", "links", "status"] {
            let span = format!(r#"{{{IDS},"{key}":{value}}}"#);
            let body = format!(r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{span}]}}]}}]}}"#);
            let _ = traces(Encoding::Json, body.as_bytes());
        }
    }
}

fn official(resource: &Resource, scope: &InstrumentationScope, span: &otlp::Span) -> RawSpan {
    let mut attributes = official_attributes(&span.attributes);
    let dropped = span.dropped_attributes_count;
    if dropped > 0 {
        attributes.push((
            "otel.dropped_attributes_count".into(),
            Value::Int(i64::from(dropped)),
        ));
    }
    let status = span.status.clone().unwrap_or_default();
    RawSpan {
        trace_id: TraceId::from_otlp_bytes(&span.trace_id).unwrap(),
        span_id: SpanId::from_otlp_bytes(&span.span_id).unwrap(),
        parent_span_id: SpanId::from_otlp_bytes(&span.parent_span_id).ok(),
        name: span.name.clone(),
        otlp_kind: kind_of(u64::try_from(span.kind).unwrap()),
        start_unix_nanos: span.start_time_unix_nano,
        end_unix_nanos: span.end_time_unix_nano,
        status: status_of(u64::try_from(status.code).unwrap()),
        status_message: status.message,
        attributes,
        events: span.events.iter().map(official_event).collect(),
        links: Vec::new(),
        resource: Arc::new(official_attributes(&resource.attributes)),
        scope: Arc::new(Scope {
            name: scope.name.as_str().into(),
            version: scope.version.as_str().into(),
        }),
        cut: false,
        invalid_utf8: false,
    }
}

fn official_event(event: &otlp::span::Event) -> SpanEvent {
    SpanEvent {
        name: event.name.clone(),
        time: domain::Timestamp::from_unix_nanos(event.time_unix_nano)
            .unwrap_or(domain::Timestamp::MAX),
        attributes: official_attributes(&event.attributes),
        source: EventSource::Span,
    }
}

fn official_attributes(pairs: &[KeyValue]) -> Attributes {
    let pair = |pair: &KeyValue| {
        (
            pair.key.as_str().into(),
            official_value(pair.value.as_ref()),
        )
    };
    pairs.iter().map(pair).collect()
}

fn official_value(value: Option<&AnyValue>) -> Value {
    match value.and_then(|value| value.value.as_ref()) {
        Some(OtlpValue::StringValue(text)) => text.as_str().into(),
        Some(OtlpValue::BoolValue(flag)) => Value::Bool(*flag),
        Some(OtlpValue::IntValue(number)) => Value::Int(*number),
        Some(OtlpValue::DoubleValue(number)) => Value::Double(*number),
        Some(OtlpValue::BytesValue(bytes)) => Value::Bytes(bytes.clone()),
        Some(OtlpValue::ArrayValue(list)) => Value::Array(
            list.values
                .iter()
                .map(|value| official_value(Some(value)))
                .collect(),
        ),
        Some(OtlpValue::KvlistValue(map)) => Value::Map(official_attributes(&map.values)),
        _ => Value::Null,
    }
}

fn any_value() -> impl Strategy<Value = AnyValue> {
    let leaf = prop_oneof![
        Just(None),
        any::<String>().prop_map(|text| Some(OtlpValue::StringValue(text))),
        any::<bool>().prop_map(|flag| Some(OtlpValue::BoolValue(flag))),
        any::<i64>().prop_map(|number| Some(OtlpValue::IntValue(number))),
        any::<f64>().prop_map(|number| Some(OtlpValue::DoubleValue(number))),
        vec(any::<u8>(), 0..9).prop_map(|bytes| Some(OtlpValue::BytesValue(bytes))),
    ]
    .prop_map(|value| AnyValue { value });
    leaf.prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3)
                .prop_map(|values| { OtlpValue::ArrayValue(common::ArrayValue { values }) }),
            vec(("[a-c]{0,3}", option::of(inner)), 0..3).prop_map(|pairs| {
                OtlpValue::KvlistValue(common::KeyValueList {
                    values: key_values(pairs),
                })
            }),
        ]
        .prop_map(|value| AnyValue { value: Some(value) })
    })
}

fn key_values(pairs: Vec<(String, Option<AnyValue>)>) -> Vec<KeyValue> {
    let pair = |(key, value)| KeyValue {
        key,
        value,
        ..KeyValue::default()
    };
    pairs.into_iter().map(pair).collect()
}

fn attributes() -> impl Strategy<Value = Vec<KeyValue>> {
    vec(("[a-z.]{0,12}", option::of(any_value())), 0..4).prop_map(key_values)
}

prop_compose! {
    fn event()(name in any::<String>(), time_unix_nano in any::<u64>(), attributes in attributes())
        -> otlp::span::Event
    {
        otlp::span::Event { name, time_unix_nano, attributes, ..otlp::span::Event::default() }
    }
}

prop_compose! {
    fn span()(
        trace_id in any::<[u8; 16]>(), span_id in any::<[u8; 8]>(), parent in option::of(any::<[u8; 8]>()),
        name in any::<String>(), kind in 0..6, times in any::<(u64, u64)>(),
        attributes in attributes(), events in vec(event(), 0..3), dropped in 0..3_u32,
        status in option::of((any::<String>(), 0..3)),
    ) -> otlp::Span {
        otlp::Span {
            trace_id: trace_id.map(|byte| byte | 1).to_vec(),
            span_id: span_id.map(|byte| byte | 1).to_vec(),
            parent_span_id: parent.unwrap_or_default().to_vec(),
            name,
            kind,
            start_time_unix_nano: times.0,
            end_time_unix_nano: times.1,
            attributes,
            events,
            dropped_attributes_count: dropped,
            status: status.map(|(message, code)| otlp::Status { message, code }),
            ..otlp::Span::default()
        }
    }
}

prop_compose! {
    fn resource_spans()(
        attributes in option::of(attributes()),
        scope in option::of(("[a-z.]{0,9}", "[0-9.]{0,5}")),
        spans in vec(span(), 0..4),
    ) -> otlp::ResourceSpans {
        let scope = scope.map(|(name, version)| {
            InstrumentationScope { name, version, ..InstrumentationScope::default() }
        });
        otlp::ResourceSpans {
            resource: attributes.map(|attributes| Resource { attributes, ..Resource::default() }),
            scope_spans: vec![otlp::ScopeSpans { scope, spans, ..otlp::ScopeSpans::default() }],
            ..otlp::ResourceSpans::default()
        }
    }
}

fn request() -> impl Strategy<Value = ExportTraceServiceRequest> {
    vec(resource_spans(), 0..3)
        .prop_map(|resource_spans| ExportTraceServiceRequest { resource_spans })
}
