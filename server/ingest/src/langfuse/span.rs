use std::sync::Arc;

use domain::attr::langfuse as attr;
use domain::change::{Folded, Subject};
use domain::span::{OtlpKind, Scope, Status};
use domain::{Attributes, SpanId, Timestamp, TraceId, Value};
use serde_json::{Map, Value as Json};

use super::body::OF_TRACE_ITSELF;
use crate::decode::RawSpan;

/// What these spans give as their instrumentation library.
const SCOPE: &str = "langfuse.ingestion";

/// Texts and the attributes by which newer clients send them, of either subject.
const COMMON: &[(&str, &str)] = &[
    ("environment", attr::ENVIRONMENT),
    ("version", attr::VERSION),
    ("release", attr::RELEASE),
    ("userId", attr::USER_ID),
    ("sessionId", attr::SESSION_ID),
];
const OF_TRACE: &[(&str, &str)] = &[
    ("name", attr::TRACE_NAME),
    ("input", attr::TRACE_INPUT),
    ("output", attr::TRACE_OUTPUT),
    ("public", attr::TRACE_PUBLIC),
    ("tags", attr::TRACE_TAGS),
];
const OF_OBSERVATION: &[(&str, &str)] = &[
    ("input", attr::OBSERVATION_INPUT),
    ("output", attr::OBSERVATION_OUTPUT),
    ("level", attr::OBSERVATION_LEVEL),
    ("statusMessage", attr::OBSERVATION_STATUS_MESSAGE),
    ("model", attr::OBSERVATION_MODEL_NAME),
    ("modelParameters", attr::OBSERVATION_MODEL_PARAMETERS),
    ("usageDetails", attr::OBSERVATION_USAGE_DETAILS),
    ("costDetails", attr::OBSERVATION_COST_DETAILS),
    (
        "completionStartTime",
        attr::OBSERVATION_COMPLETION_START_TIME,
    ),
    ("promptName", attr::OBSERVATION_PROMPT_NAME),
    ("promptVersion", attr::OBSERVATION_PROMPT_VERSION),
];

/// As it would have come over OTLP; `None` when its ids cannot be used.
pub(super) fn raw_span(folded: Folded) -> Option<RawSpan> {
    let Folded {
        subject,
        id,
        kind,
        first,
        body,
        ..
    } = folded;
    let text = |name: &str| body.get(name).and_then(Json::as_str);
    let time = |name: &str| text(name).and_then(|text| Timestamp::parse(text).ok());
    let given = ["startTime", "timestamp"].into_iter().find_map(time);
    let start = given.unwrap_or(first);
    // A trace as a whole and an event take no time of their own.
    let is_instant = subject == Subject::Trace || kind == "event";
    let end = time("endTime").or(is_instant.then_some(start));
    let (trace_id, span_id) = match subject {
        Subject::Trace => (id.clone(), format!("{OF_TRACE_ITSELF}{id}")),
        Subject::Observation => (text("traceId").unwrap_or(&id).to_owned(), id.clone()),
    };
    let parent = text("parentObservationId").filter(|parent| !parent.is_empty());
    Some(RawSpan {
        trace_id: TraceId::from_text(&trace_id).ok()?,
        span_id: SpanId::from_text(&span_id).ok()?,
        parent_span_id: parent.and_then(|parent| SpanId::from_text(parent).ok()),
        name: text("name").unwrap_or_default().to_owned(),
        otlp_kind: OtlpKind::Internal,
        start_unix_nanos: nanos(start),
        end_unix_nanos: end.map_or(0, |end| nanos(end.max(start))),
        status: Status::Unset,
        status_message: String::new(),
        attributes: attributes(subject, &kind, &body),
        events: Vec::new(),
        links: Vec::new(),
        resource: Arc::default(),
        scope: Arc::new(Scope {
            name: SCOPE.into(),
            version: "".into(),
        }),
        cut: false,
        invalid_utf8: false,
    })
}

fn nanos(time: Timestamp) -> u64 {
    u64::try_from(time.unix_nanos()).unwrap_or(0)
}

fn attributes(subject: Subject, kind: &str, body: &Map<String, Json>) -> Attributes {
    let mut attributes = Attributes::new();
    let (own, metadata) = match subject {
        Subject::Trace => (OF_TRACE, attr::TRACE_METADATA),
        Subject::Observation => {
            attributes.push((attr::OBSERVATION_TYPE.into(), kind.into()));
            (OF_OBSERVATION, attr::OBSERVATION_METADATA)
        }
    };
    for (name, key) in COMMON.iter().chain(own) {
        let value = body.get(*name).filter(|value| !value.is_null());
        attributes.extend(value.map(|value| (Arc::from(*key), value_of(value))));
    }
    for (name, value) in body
        .get("metadata")
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
    {
        attributes.push((format!("{metadata}.{name}").into(), value_of(value)));
    }
    attributes
}

/// As clients write values into attributes: objects and lists as JSON text.
fn value_of(value: &Json) -> Value {
    match value {
        Json::String(text) => text.as_str().into(),
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            // As a double it would lose digits.
            None if number.is_u64() => Value::Str(number.to_string().into()),
            None => number.as_f64().map_or(Value::Null, Value::Double),
        },
        other => Value::Str(other.to_string().into()),
    }
}
