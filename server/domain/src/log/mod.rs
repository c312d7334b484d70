//! Log records, and how they join their spans.
//!
//! A record is kept as it came. It joins a span on reading, so that it does not matter which of the
//! two comes first.

/// Log lines of serving engines, read into one schema.
pub mod engine;
/// Records among the events of their spans.
mod join;
/// Requests as their engines know them.
mod requests;

use std::sync::Arc;

use crate::attr::{gen_ai, otel};
use crate::ids::{SpanId, TraceId};
use crate::retention::Keep;
use crate::span::{DEFAULT_ENVIRONMENT, EventSource, Scope, SpanEvent};
use crate::time::Timestamp;
use crate::value::{self, Attributes, Value};

pub use join::{Home, Homes, attach};
pub use requests::Requests;

/// Name of a record that has none, where it stands among the events of a span.
pub const UNNAMED: &str = "log";

/// Attributes of a process that tell its environment, as the store reads them, too.
const ENVIRONMENT_KEYS: [&str; 2] = ["deployment.environment.name", "deployment.environment"];

/// Something that was said at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRecord {
    /// Trace that it belongs to; `None` outside of any.
    pub trace_id: Option<TraceId>,
    /// Span that it belongs to.
    pub span_id: Option<SpanId>,
    /// When it happened, else when it was seen; [`Timestamp::EPOCH`] when neither was given.
    pub time: Timestamp,
    /// OTLP's number: 1–4 trace, 5–8 debug, 9–12 info, 13–16 warning, 17–20 error, 21–24 fatal; 0
    /// when not given.
    pub severity_number: u8,
    /// Severity as its source calls it; empty when not given.
    pub severity_text: String,
    /// Name of the event; empty for plain log lines.
    pub event_name: String,
    /// What was said.
    pub body: Value,
    /// Its attributes, in the order sent.
    pub attributes: Attributes,
    /// Attributes of the sending process.
    pub resource: Arc<Attributes>,
    /// Instrumentation library.
    pub scope: Arc<Scope>,
    /// Something was longer, deeper or more than is kept.
    pub cut: bool,
    /// Bytes that were not UTF-8 were replaced.
    pub invalid_utf8: bool,
    /// Its place within its request: of records of one instant the one sent first stands first.
    pub place: u32,
    /// How long it is kept. Not read back.
    pub keep: Keep,
}

impl LogRecord {
    /// Deployment environment of the sending process; `default` when not given.
    pub fn environment(&self) -> &str {
        let given = ENVIRONMENT_KEYS
            .iter()
            .filter_map(|key| value::get(&self.resource, key));
        let mut given = given
            .filter_map(Value::as_str)
            .filter(|name| !name.is_empty());
        given.next().unwrap_or(DEFAULT_ENVIRONMENT)
    }
}

impl Default for LogRecord {
    /// A record that says nothing, at no time.
    fn default() -> Self {
        LogRecord {
            trace_id: None,
            span_id: None,
            time: Timestamp::EPOCH,
            severity_number: 0,
            severity_text: String::new(),
            event_name: String::new(),
            body: Value::Null,
            attributes: Attributes::new(),
            resource: Arc::default(),
            scope: Arc::default(),
            cut: false,
            invalid_utf8: false,
            place: 0,
            keep: Keep::default(),
        }
    }
}

impl LogRecord {
    /// The provider's id of the answer that it tells of.
    pub fn response_id(&self) -> Option<&str> {
        value::get(&self.attributes, gen_ai::RESPONSE_ID)?.as_str()
    }

    /// As an event of a span: with what it tells as a line of an engine beside what it says.
    pub fn into_event(self) -> SpanEvent {
        let told = engine::read(&self).map(|line| line.attributes());
        let mut attributes = self.attributes;
        for (key, value) in told.unwrap_or_default() {
            if value::get(&attributes, &key).is_none() {
                attributes.push((key, value));
            }
        }
        if self.body != Value::Null {
            attributes.push((otel::BODY.into(), self.body));
        }
        if !self.severity_text.is_empty() {
            let severity = Value::Str(self.severity_text.into());
            attributes.push((otel::SEVERITY.into(), severity));
        }
        SpanEvent {
            name: if self.event_name.is_empty() {
                UNNAMED.to_owned()
            } else {
                self.event_name
            },
            time: self.time,
            attributes,
            source: EventSource::Log,
        }
    }

    /// Which of several answers a choice is.
    fn index(&self) -> Option<i64> {
        let of = |pairs: &Attributes| match value::get(pairs, "index")? {
            Value::Int(index) => Some(*index),
            _ => None,
        };
        let of_body = match &self.body {
            Value::Map(pairs) => of(pairs),
            _ => None,
        };
        of_body.or_else(|| of(&self.attributes))
    }
}
