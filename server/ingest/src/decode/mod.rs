//! Bytes to spans as the sender wrote them.
//!
//! Spans come out owned, not borrowed from the body: everything in them is kept anyway, and a text
//! that lies behind an `Arc` can be an attribute and the span's input at once without a copy.

/// What one request and one span may hold at most.
pub mod allowance;
/// Log and metric requests, counted only.
mod count;
/// JSON text, read in place.
mod json;
/// OTLP as JSON.
mod otlp_json;
/// OTLP as protobuf.
mod otlp_protobuf;
/// The protobuf wire format, read in place.
mod wire;

use std::sync::Arc;

use domain::ids::InvalidId;
use domain::span::{OtlpKind, Scope, SpanEvent, SpanLink, Status};
use domain::{Attributes, Code, Fault, SpanId, TraceId, Value};

use allowance::Allowance;
pub use count::{Signal, count};

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `application/x-protobuf`.
    Protobuf,
    /// `application/json`.
    Json,
}

/// A span as its sender wrote it: valid ids, nothing interpreted.
#[derive(Clone, Debug, PartialEq)]
pub struct RawSpan {
    /// Trace that it belongs to.
    pub trace_id: TraceId,
    /// Its own id.
    pub span_id: SpanId,
    /// Its parent's id.
    pub parent_span_id: Option<SpanId>,
    /// Name of the operation.
    pub name: String,
    /// Role between services.
    pub otlp_kind: OtlpKind,
    /// Nanoseconds since 1970; 0 when not given.
    pub start_unix_nanos: u64,
    /// Nanoseconds since 1970; 0 when not given.
    pub end_unix_nanos: u64,
    /// How it ended.
    pub status: Status,
    /// What the status said; may be empty.
    pub status_message: String,
    /// Its attributes, in the order sent.
    pub attributes: Attributes,
    /// Instants within it.
    pub events: Vec<SpanEvent>,
    /// Pointers to other spans.
    pub links: Vec<SpanLink>,
    /// Attributes of the sending process.
    pub resource: Arc<Attributes>,
    /// Instrumentation library.
    pub scope: Arc<Scope>,
    /// Something was longer, deeper or more than is kept.
    pub cut: bool,
    /// Bytes that were not UTF-8 were replaced.
    pub invalid_utf8: bool,
}

/// What a trace request held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// The usable spans.
    pub spans: Vec<RawSpan>,
    /// The others.
    pub rejected: Rejected,
}

/// Records that were not taken, for the sender to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejected {
    /// How many.
    pub count: u64,
    /// Why (the first reason, when there were several).
    pub reason: Option<String>,
}

impl Rejected {
    pub(crate) fn add(&mut self, reason: impl std::fmt::Display) {
        self.count += 1;
        if self.reason.is_none() {
            self.reason = Some(reason.to_string());
        }
    }
}

/// A body that cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecodable {
    /// It is not what its content type says.
    #[error("malformed {0}")]
    Malformed(String),
    /// It holds more than one request may.
    #[error("{0}: send smaller requests")]
    TooMuch(&'static str),
}

impl From<Undecodable> for Fault {
    fn from(error: Undecodable) -> Self {
        let code = match error {
            Undecodable::Malformed(_) => Code::Invalid,
            Undecodable::TooMuch(_) => Code::TooLarge,
        };
        Fault::new(code, error.to_string())
    }
}

/// Decodes a trace request.
///
/// # Errors
/// `invalid` when the body is malformed, or when it holds spans and not one of them can be used;
/// `too_large` when it holds more than one request may.
pub fn traces(encoding: Encoding, body: &[u8]) -> Result<Decoded, Fault> {
    let decoded = match encoding {
        Encoding::Protobuf => otlp_protobuf::traces(body)?,
        Encoding::Json => otlp_json::traces(body)?,
    };
    match &decoded.rejected {
        Rejected {
            count,
            reason: Some(reason),
        } if decoded.spans.is_empty() => Err(Fault::invalid(format!(
            "none of {count} spans can be used: {reason}"
        ))),
        _ => Ok(decoded),
    }
}

/// Why a single span cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum SpanRefusal {
    #[error("traceId: {0}")]
    TraceId(InvalidId),
    #[error("spanId: {0}")]
    SpanId(InvalidId),
    #[error("parentSpanId: {0}")]
    ParentSpanId(InvalidId),
    #[error("span is malformed: {0}")]
    Malformed(String),
}

/// The ids of a span.
struct SpanIds {
    trace_id: TraceId,
    span_id: SpanId,
    parent_span_id: Option<SpanId>,
}

impl SpanIds {
    /// Checks them; no parent (or an all-zero one) means a root.
    fn new(
        trace_id: Result<TraceId, InvalidId>,
        span_id: Result<SpanId, InvalidId>,
        parent: Result<SpanId, InvalidId>,
    ) -> Result<Self, SpanRefusal> {
        Ok(SpanIds {
            trace_id: trace_id.map_err(SpanRefusal::TraceId)?,
            span_id: span_id.map_err(SpanRefusal::SpanId)?,
            parent_span_id: match parent {
                Ok(id) => Some(id),
                Err(InvalidId::Empty) => None,
                Err(invalid) => return Err(SpanRefusal::ParentSpanId(invalid)),
            },
        })
    }
}

/// What the spans of one `ResourceSpans` or one `ScopeSpans` have in common. Fields come in any
/// order, so it is given to the spans when all have been read.
#[derive(Default)]
struct Shared {
    scope: Scope,
    attributes: Attributes,
    bytes: usize,
    marks: allowance::Marks,
}

impl Shared {
    /// To be called when one of its parts has been read.
    fn measure(&mut self, allowance: &Allowance) {
        self.bytes += allowance.shared_bytes();
        self.marks = self.marks.or(allowance.marks);
    }

    fn give_as_resource(
        self,
        spans: &mut [RawSpan],
        allowance: &mut Allowance,
    ) -> Result<(), Undecodable> {
        allowance.share(self.bytes, spans.len())?;
        let resource = Arc::new(self.attributes);
        for span in spans {
            span.resource = Arc::clone(&resource);
            span.mark(self.marks);
        }
        Ok(())
    }

    /// A scope's attributes have no place of their own in the model and are kept among those of
    /// each span, under a prefix.
    fn give_as_scope(
        mut self,
        spans: &mut [RawSpan],
        allowance: &mut Allowance,
    ) -> Result<(), Undecodable> {
        allowance.share(self.bytes, spans.len())?;
        self.marks.cut |= self.attributes.len() > allowance::MAX_SCOPE_ATTRIBUTES;
        self.attributes.truncate(allowance::MAX_SCOPE_ATTRIBUTES);
        for (key, _) in &mut self.attributes {
            *key = format!("{}{key}", domain::attr::otel::SCOPE_PREFIX).into();
        }
        let scope = Arc::new(self.scope);
        for span in spans {
            span.scope = Arc::clone(&scope);
            span.attributes.extend_from_slice(&self.attributes);
            span.mark(self.marks);
        }
        Ok(())
    }
}

impl RawSpan {
    fn mark(&mut self, marks: allowance::Marks) {
        self.cut |= marks.cut;
        self.invalid_utf8 |= marks.invalid_utf8;
    }
}

/// What OTLP says about a span beside its fields of its own, kept as attributes under the names
/// that OpenTelemetry gives them for formats without such fields.
#[derive(Default)]
struct Extras {
    dropped_attributes: u64,
    dropped_events: u64,
    dropped_links: u64,
    trace_state: Option<Arc<str>>,
}

impl Extras {
    fn append_to(self, attributes: &mut Attributes) {
        use domain::attr::otel;
        let counts = [
            (otel::DROPPED_ATTRIBUTES_COUNT, self.dropped_attributes),
            (otel::DROPPED_EVENTS_COUNT, self.dropped_events),
            (otel::DROPPED_LINKS_COUNT, self.dropped_links),
        ];
        for (key, count) in counts {
            if count > 0 {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                attributes.push((key.into(), Value::Int(count)));
            }
        }
        if let Some(state) = self.trace_state {
            attributes.push((otel::TRACE_STATE.into(), Value::Str(state)));
        }
    }
}

fn kind_of(number: u64) -> OtlpKind {
    match number {
        1 => OtlpKind::Internal,
        2 => OtlpKind::Server,
        3 => OtlpKind::Client,
        4 => OtlpKind::Producer,
        5 => OtlpKind::Consumer,
        _ => OtlpKind::Unspecified,
    }
}

fn status_of(number: u64) -> Status {
    match number {
        1 => Status::Ok,
        2 => Status::Error,
        _ => Status::Unset,
    }
}

#[cfg(test)]
mod tests;
