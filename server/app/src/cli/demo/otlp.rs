//! Spans as OTLP/JSON, the way an exporter would send them.

use domain::Timestamp;
use serde_json::{Value, json};

/// A span of the story.
pub(crate) struct DemoSpan {
    /// Service that sends it.
    pub(crate) service: &'static str,
    /// Deployment environment of that service.
    pub(crate) environment: &'static str,
    /// Trace id, hexadecimal.
    pub(crate) trace_id: String,
    /// Span id, hexadecimal.
    pub(crate) span_id: String,
    /// Parent's id; `None` at the root.
    pub(crate) parent: Option<String>,
    /// Name.
    pub(crate) name: String,
    /// Start.
    pub(crate) start: Timestamp,
    /// End.
    pub(crate) end: Timestamp,
    /// Attributes: text, numbers, booleans, lists of text.
    pub(crate) attributes: Vec<(&'static str, Value)>,
    /// Class and text of a failure.
    pub(crate) error: Option<(&'static str, String)>,
}

/// One export request with these traces.
pub(crate) fn export_request(traces: &[Vec<DemoSpan>]) -> Value {
    let mut groups: Vec<((&str, &str), Vec<Value>)> = Vec::new();
    for span in traces.iter().flatten() {
        let sender = (span.service, span.environment);
        match groups.iter_mut().find(|(known, _)| *known == sender) {
            Some((_, spans)) => spans.push(span_json(span)),
            None => groups.push((sender, vec![span_json(span)])),
        }
    }
    let resource_spans: Vec<Value> = groups
        .into_iter()
        .map(|((service, environment), spans)| {
            json!({
                "resource": {"attributes": [
                    attribute("service.name", &json!(service)),
                    attribute("service.version", &json!("2026.11.3")),
                    attribute("deployment.environment.name", &json!(environment)),
                    attribute("telemetry.sdk.name", &json!("triaxis-demo")),
                ]},
                "scopeSpans": [{"scope": {"name": "triaxis.demo", "version": env!("CARGO_PKG_VERSION")}, "spans": spans}],
            })
        })
        .collect();
    json!({ "resourceSpans": resource_spans })
}

fn span_json(span: &DemoSpan) -> Value {
    let attributes: Vec<Value> = span
        .attributes
        .iter()
        .map(|(key, value)| attribute(key, value))
        .collect();
    let mut out = json!({
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "name": span.name,
        "kind": if span.parent.is_none() { 2 } else { 1 },
        "startTimeUnixNano": span.start.unix_nanos().to_string(),
        "endTimeUnixNano": span.end.unix_nanos().to_string(),
        "attributes": attributes,
        "status": {},
    });
    if let Some(parent) = &span.parent {
        out["parentSpanId"] = json!(parent);
    }
    if let Some((kind, message)) = &span.error {
        out["status"] = json!({"code": 2, "message": message});
        out["events"] = json!([{
            "name": "exception",
            "timeUnixNano": span.end.unix_nanos().to_string(),
            "attributes": [
                attribute("exception.type", &json!(kind)),
                attribute("exception.message", &json!(message)),
            ],
        }]);
    }
    out
}

fn attribute(key: &str, value: &Value) -> Value {
    json!({ "key": key, "value": any_value(value) })
}

fn any_value(value: &Value) -> Value {
    match value {
        Value::Bool(flag) => json!({ "boolValue": flag }),
        Value::Number(number) if number.is_f64() => json!({ "doubleValue": number }),
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        Value::Array(values) => {
            let values: Vec<Value> = values.iter().map(any_value).collect();
            json!({ "arrayValue": { "values": values } })
        }
        Value::String(text) => json!({ "stringValue": text }),
        other => json!({ "stringValue": other.to_string() }),
    }
}
