//! Spans as OTLP/JSON: what is not said is filled in soundly.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// A span to send.
#[derive(Clone, Debug)]
pub struct SpanBuilder {
    json: Value,
}

impl SpanBuilder {
    /// A root span of a new trace that began two seconds ago and ended one second ago.
    pub fn root(name: &str) -> Self {
        let now = now_nanos();
        SpanBuilder {
            json: json!({
                "traceId": format!("{:032x}", u128::from(unique()) << 64 | u128::from(now)),
                "spanId": format!("{:016x}", unique()),
                "name": name,
                "kind": 1,
                "startTimeUnixNano": (now - 2_000_000_000).to_string(),
                "endTimeUnixNano": (now - 1_000_000_000).to_string(),
                "attributes": [],
            }),
        }
    }

    /// A span below this one, at the same time.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        let mut child = self.clone();
        child.json["parentSpanId"] = self.json["spanId"].clone();
        child.json["spanId"] = json!(format!("{:016x}", unique()));
        child.json["name"] = json!(name);
        child.json["attributes"] = json!([]);
        child
    }

    /// With a field as OTLP/JSON names it.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.json[name] = value.into();
        self
    }

    /// With an attribute: text, whole number, fraction, boolean.
    #[must_use]
    pub fn attribute(mut self, key: &str, value: impl Into<Value>) -> Self {
        let value = match value.into() {
            Value::Bool(flag) => json!({ "boolValue": flag }),
            Value::Number(number) if number.is_f64() => json!({ "doubleValue": number }),
            Value::Number(number) => json!({ "intValue": number.to_string() }),
            Value::String(text) => json!({ "stringValue": text }),
            other => other,
        };
        if let Some(attributes) = self.json["attributes"].as_array_mut() {
            attributes.push(json!({ "key": key, "value": value }));
        }
        self
    }

    /// Its trace id.
    pub fn trace_id(&self) -> &str {
        self.json["traceId"].as_str().unwrap()
    }

    /// Its own id.
    pub fn span_id(&self) -> &str {
        self.json["spanId"].as_str().unwrap()
    }

    /// As OTLP/JSON.
    pub fn json(&self) -> &Value {
        &self.json
    }
}

/// One export request of the service `demo`.
pub fn export<'a>(spans: impl IntoIterator<Item = &'a SpanBuilder>) -> Value {
    let spans: Vec<&Value> = spans.into_iter().map(SpanBuilder::json).collect();
    json!({ "resourceSpans": [{
        "resource": { "attributes": [{ "key": "service.name", "value": { "stringValue": "demo" } }] },
        "scopeSpans": [{ "scope": { "name": "tests" }, "spans": spans }],
    }] })
}

/// A log record of a span, a second and a half ago; its body is an OTLP/JSON value.
pub fn log_record(span: &SpanBuilder, event: &str, body: impl Into<Value>) -> Value {
    json!({
        "traceId": span.trace_id(),
        "spanId": span.span_id(),
        "timeUnixNano": (now_nanos() - 1_500_000_000).to_string(),
        "eventName": event,
        "body": body.into(),
    })
}

/// One export request of log records of the service `demo`.
pub fn export_logs(records: &[Value]) -> Value {
    json!({ "resourceLogs": [{
        "resource": { "attributes": [{ "key": "service.name", "value": { "stringValue": "demo" } }] },
        "scopeLogs": [{ "scope": { "name": "tests" }, "logRecords": records }],
    }] })
}

/// Nanoseconds since 1970.
pub fn now_nanos() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_nanos()).unwrap()
}

/// A number that no other call of this process and hardly one of another gives.
fn unique() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let process = u64::from(std::process::id());
    process << 40 | NEXT.fetch_add(1, Ordering::Relaxed)
}
