//! Anything under any key that is looked for, through all stages: nothing panics, and the spans beside
//! it in the same request come out as if it were not there.
//!
//! The keys come from the tables of the dialects and the constants of the conventions themselves, so
//! that a new dialect is covered as it is written.

use std::sync::{Arc, LazyLock};

use domain::cost::{PriceBook, Pricer};
use domain::quality::{Expected, ProjectRules, QualityRule, QualityRuleDraft, RuleFormat};
use domain::span::Span;
use domain::{QualityRuleId, Timestamp, attr};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as OtlpValue;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, KeyValue, KeyValueList};
use opentelemetry_proto::tonic::trace::v1 as otlp;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use prost::Message;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::decode::Encoding;
use crate::{enrich, normalise, pipeline};

/// Every key that some dialect asks for.
static KEYS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let catalogue = normalise::catalogue();
    let fields = catalogue.fields.iter();
    let mut keys: Vec<&str> = fields.flat_map(|field| field.keys.clone()).collect();
    keys.extend(&catalogue.prefixes);
    keys.extend(attr::all());
    keys.sort_unstable();
    keys.dedup();
    keys
});

/// Kinds of operations and shapes of content: values that make readers look closer.
const TELLING: &[&str] = &[
    "chat",
    "execute_tool",
    "embeddings",
    "invoke_agent",
    "LLM",
    "generation",
    "RETRIEVER",
    "ai.generateText.doGenerate",
    "null",
    "NaN",
    "-1",
    "1e999",
    "9223372036854775808",
    "18446744073709551616",
    "{",
    "[[[[",
    "{'role': 'user', 'content': None}",
    r#"[{"role":"user","parts":[{"type":"text","content":"hi"}]}]"#,
    r#"[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{"}}]}]"#,
    r#"{"usage":{"input_tokens":-1,"output_tokens":1e99},"choices":[{"message":{}}]}"#,
    r##"{"type":"json_schema","json_schema":{"schema":{"$ref":"#"}}}"##,
    "\u{0}\u{fffd}\u{202e}",
];

fn key() -> impl Strategy<Value = String> {
    let known = || select(KEYS.as_slice());
    prop_oneof![
        8 => known().prop_map(str::to_owned),
        2 => (known(), 0u64..12, known()).prop_map(|(prefix, at, rest)| format!("{prefix}.{at}.{rest}")),
        2 => (known(), "[a-z0-9._]{0,12}").prop_map(|(prefix, rest)| format!("{prefix}.{rest}")),
        1 => any::<String>(),
    ]
}

fn value() -> impl Strategy<Value = AnyValue> {
    let leaf = prop_oneof![
        4 => select(TELLING).prop_map(|text| Some(OtlpValue::StringValue(text.to_owned()))),
        2 => any::<String>().prop_map(|text| Some(OtlpValue::StringValue(text))),
        2 => any::<i64>().prop_map(|number| Some(OtlpValue::IntValue(number))),
        1 => (-2i64..20).prop_map(|number| Some(OtlpValue::IntValue(number))),
        2 => any::<f64>().prop_map(|number| Some(OtlpValue::DoubleValue(number))),
        1 => any::<bool>().prop_map(|flag| Some(OtlpValue::BoolValue(flag))),
        1 => vec(any::<u8>(), 0..9).prop_map(|bytes| Some(OtlpValue::BytesValue(bytes))),
        1 => Just(None),
    ]
    .prop_map(|value| AnyValue { value });
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3)
                .prop_map(|values| OtlpValue::ArrayValue(ArrayValue { values })),
            vec((key(), inner), 0..3).prop_map(|pairs| OtlpValue::KvlistValue(KeyValueList {
                values: pairs.into_iter().map(pair).collect()
            })),
        ]
        .prop_map(|value| AnyValue { value: Some(value) })
    })
}

fn pair((key, value): (String, AnyValue)) -> KeyValue {
    KeyValue {
        key,
        value: Some(value),
        ..KeyValue::default()
    }
}

fn attributes() -> impl Strategy<Value = Vec<KeyValue>> {
    vec((key(), value()), 0..14).prop_map(|pairs| pairs.into_iter().map(pair).collect())
}

prop_compose! {
    fn any_span()(
        name in any::<String>(),
        kind in -1..7,
        times in prop_oneof![any::<(u64, u64)>(), Just((1_790_000_000_000_000_000, 0))],
        attributes in attributes(),
        events in vec((key(), attributes()), 0..3),
        status in 0..4,
    ) -> otlp::Span {
        let event = |(name, attributes)| otlp::span::Event {
            name,
            attributes,
            ..otlp::span::Event::default()
        };
        otlp::Span {
            trace_id: vec![7; 16],
            span_id: vec![2; 8],
            name,
            kind,
            start_time_unix_nano: times.0,
            end_time_unix_nano: times.1,
            attributes,
            events: events.into_iter().map(event).collect(),
            status: Some(otlp::Status { message: String::new(), code: status }),
            ..otlp::Span::default()
        }
    }
}

/// A call whose every field is known.
fn neighbour(id: u8) -> otlp::Span {
    let text = |key: &str, text: &str| {
        let value = Some(OtlpValue::StringValue(text.to_owned()));
        pair((key.to_owned(), AnyValue { value }))
    };
    let count = |key: &str, count| {
        let value = Some(OtlpValue::IntValue(count));
        pair((key.to_owned(), AnyValue { value }))
    };
    otlp::Span {
        trace_id: vec![7; 16],
        span_id: vec![id; 8],
        name: format!("neighbour {id}"),
        start_time_unix_nano: 1_790_000_000_000_000_000,
        end_time_unix_nano: 1_790_000_001_000_000_000,
        attributes: vec![
            text(attr::gen_ai::OPERATION_NAME, "chat"),
            text(attr::gen_ai::RESPONSE_MODEL, "gpt-4o"),
            text(attr::openinference::INPUT_VALUE, "Where is it?"),
            text(attr::openinference::OUTPUT_VALUE, r#"{"in": "the drawer"}"#),
            count(attr::gen_ai::USAGE_INPUT_TOKENS, 100),
            count(attr::gen_ai::USAGE_OUTPUT_TOKENS, 10),
        ],
        ..otlp::Span::default()
    }
}

fn request(spans: Vec<otlp::Span>, resource: Vec<KeyValue>) -> ExportTraceServiceRequest {
    let resource = opentelemetry_proto::tonic::resource::v1::Resource {
        attributes: resource,
        ..Default::default()
    };
    let scope_spans = vec![otlp::ScopeSpans {
        spans,
        ..otlp::ScopeSpans::default()
    }];
    ExportTraceServiceRequest {
        resource_spans: vec![otlp::ResourceSpans {
            resource: Some(resource),
            scope_spans,
            ..otlp::ResourceSpans::default()
        }],
    }
}

/// The same as OTLP/JSON.
fn json_of(request: &ExportTraceServiceRequest) -> Json {
    let span = |span: &otlp::Span| {
        let event = |event: &otlp::span::Event| json!({"name": event.name, "attributes": pairs(&event.attributes)});
        json!({
            "traceId": hex(&span.trace_id), "spanId": hex(&span.span_id), "name": span.name, "kind": span.kind,
            "startTimeUnixNano": span.start_time_unix_nano.to_string(),
            "endTimeUnixNano": span.end_time_unix_nano.to_string(),
            "attributes": pairs(&span.attributes),
            "events": span.events.iter().map(event).collect::<Vec<_>>(),
            "status": {"code": span.status.as_ref().map(|status| status.code)},
        })
    };
    let resource = &request.resource_spans[0];
    let spans: Vec<Json> = resource.scope_spans[0].spans.iter().map(span).collect();
    let process = resource.resource.as_ref();
    let process = process.map_or(&[][..], |process| &process.attributes);
    json!({"resourceSpans": [{
        "resource": {"attributes": pairs(process)},
        "scopeSpans": [{"spans": spans}],
    }]})
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn pairs(pairs: &[KeyValue]) -> Json {
    let pair = |pair: &KeyValue| json!({"key": pair.key, "value": pair.value.as_ref().map_or(Json::Null, any_json)});
    pairs.iter().map(pair).collect()
}

fn any_json(value: &AnyValue) -> Json {
    match &value.value {
        None => json!({}),
        Some(OtlpValue::StringValue(text)) => json!({ "stringValue": text }),
        Some(OtlpValue::BoolValue(flag)) => json!({ "boolValue": flag }),
        Some(OtlpValue::IntValue(number)) => json!({ "intValue": number.to_string() }),
        Some(OtlpValue::DoubleValue(number)) if number.is_finite() => {
            json!({ "doubleValue": number })
        }
        Some(OtlpValue::DoubleValue(number)) => json!({ "doubleValue": number.to_string() }),
        Some(OtlpValue::ArrayValue(list)) => {
            let values: Vec<Json> = list.values.iter().map(any_json).collect();
            json!({ "arrayValue": { "values": values } })
        }
        Some(OtlpValue::KvlistValue(list)) => {
            json!({ "kvlistValue": { "values": pairs(&list.values) } })
        }
        Some(_) => json!({ "bytesValue": "AQI=" }),
    }
}

/// Rules that ask for everything there is to ask.
static EXPECTED: LazyLock<Expected> = LazyLock::new(|| {
    let draft = QualityRuleDraft {
        format: Some(RuleFormat::Json),
        max_characters: Some(10),
        refusal_phrases: vec!["no".to_owned()],
        instruction_tokens: vec!["<|x|>".to_owned()],
        ..QualityRuleDraft::default()
    };
    let rules = ProjectRules::new(&[QualityRule {
        id: QualityRuleId(Uuid::nil()),
        draft,
        created_at: Timestamp::EPOCH,
    }]);
    Expected {
        rules: Arc::new(rules),
        ..Expected::default()
    }
});
static PRICES: LazyLock<Pricer> = LazyLock::new(|| Pricer::new(PriceBook::built_in()));

/// All stages.
fn taken(encoding: Encoding, body: &[u8]) -> Vec<Span> {
    let read = pipeline::spans_of(encoding, body, (Timestamp::MAX, &EXPECTED));
    let (mut spans, rejected) = read.unwrap();
    assert_eq!(rejected.count, 0, "{:?}", rejected.reason);
    enrich::cost::cost(&mut spans, &PRICES);
    spans
}

#[test]
fn the_keys_of_all_dialects_are_there() {
    for key in [
        "gen_ai.request.model",
        "llm.token_count.prompt",
        "ai.prompt",
        "langfuse.trace.name",
    ] {
        assert!(KEYS.contains(&key), "{key}");
    }
    assert!(KEYS.len() > 300, "{}", KEYS.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_neighbour_of_anything_is_as_if_it_were_alone(
        span in any_span(),
        resource in prop_oneof![3 => Just(Vec::new()), 1 => attributes()],
    ) {
        let neighbours = vec![neighbour(1), neighbour(3)];
        let alone = request(neighbours, resource.clone());
        let spans = vec![neighbour(1), span, neighbour(3)];
        let together = request(spans, resource);
        let bodies = [
            (Encoding::Protobuf, alone.encode_to_vec(), together.encode_to_vec()),
            (Encoding::Json, json_of(&alone).to_string().into(), json_of(&together).to_string().into()),
        ];
        for (encoding, alone, together) in bodies {
            let expected = taken(encoding, &alone);
            let found = taken(encoding, &together);
            prop_assert_eq!(found.len(), 3);
            prop_assert_eq!(&found[0], &expected[0]);
            prop_assert_eq!(&found[2], &expected[1]);
            prop_assert!(found[0].cost.is_some() || found[0].usage.is_none());
        }
    }
}
