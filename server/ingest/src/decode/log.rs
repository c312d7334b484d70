//! Log records as sent.

use std::sync::Arc;

use domain::attr::otel;
use domain::ids::InvalidId;
use domain::span::Scope;
use domain::{Attributes, SpanId, TraceId, Value};

/// A log record as its sender wrote it: nothing interpreted.
#[derive(Clone, Debug, PartialEq)]
pub struct RawLog {
    /// Trace that it belongs to.
    pub trace_id: Option<TraceId>,
    /// Span that it belongs to.
    pub span_id: Option<SpanId>,
    /// Ids that came and cannot be used; the record is kept without them.
    pub bad_ids: u64,
    /// Nanoseconds since 1970 when it happened; 0 when not given.
    pub time_unix_nanos: u64,
    /// Nanoseconds since 1970 when it was seen; 0 when not given.
    pub observed_unix_nanos: u64,
    /// Severity as OTLP numbers it.
    pub severity_number: u64,
    /// Severity as its source calls it.
    pub severity_text: String,
    /// Name of the event, where it stands in the field for it.
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
    /// Its place within the request.
    pub place: u32,
}

impl Default for RawLog {
    fn default() -> Self {
        RawLog {
            trace_id: None,
            span_id: None,
            bad_ids: 0,
            time_unix_nanos: 0,
            observed_unix_nanos: 0,
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
        }
    }
}

impl RawLog {
    /// Ids as far as they are good. A span without its trace is none.
    pub(super) fn keep_ids(
        &mut self,
        trace_id: Result<TraceId, InvalidId>,
        span_id: Result<SpanId, InvalidId>,
    ) {
        let is_bad = |error: Option<&InvalidId>| error.is_some_and(|why| *why != InvalidId::Empty);
        self.bad_ids =
            u64::from(is_bad(trace_id.as_ref().err())) + u64::from(is_bad(span_id.as_ref().err()));
        self.trace_id = trace_id.ok();
        self.span_id = span_id.ok().filter(|_| self.trace_id.is_some());
    }

    /// The number of attributes that were dropped, as for spans.
    pub(super) fn keep_dropped(&mut self, count: u64) {
        if count > 0 {
            let count = Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
            let key = otel::DROPPED_ATTRIBUTES_COUNT.into();
            self.attributes.push((key, count));
        }
    }
}
