//! Bytes to spans, log records and metrics as the sender wrote them.
//!
//! They come out owned, not borrowed from the body: everything in them is kept anyway, and a text
//! that lies behind an `Arc` can be an attribute and the span's input at once without a copy.

/// What one request and one record may hold at most.
pub mod allowance;
/// Spans while they are read.
mod draft;
/// What exporters of metrics answer.
pub mod exposition;
/// JSON text, read in place.
mod json;
/// Values of OTLP in JSON.
mod json_value;
/// Log records as sent.
mod log;
/// Log records as JSON.
mod log_json;
/// Log records as protobuf.
mod log_protobuf;
/// Metrics as sent.
pub mod metric;
/// Metrics as JSON.
mod metric_json;
/// Metrics as protobuf.
mod metric_protobuf;
/// Requests as JSON.
mod otlp_json;
/// Requests as protobuf.
mod otlp_protobuf;
/// Spans, log records and metrics alike.
mod record;
/// Prometheus remote write.
pub mod remote_write;
/// Spans as JSON.
mod span_json;
/// Spans as protobuf.
mod span_protobuf;
/// The protobuf wire format, read in place.
mod wire;

use std::sync::Arc;

use domain::ids::InvalidId;
use domain::span::{OtlpKind, Scope, SpanEvent, SpanLink, Status};
use domain::{Attributes, Code, Fault, SpanId, TraceId};

pub use exposition::exposition;
pub use log::RawLog;
pub use metric::RawMetric;
use record::Record;
pub use remote_write::remote_write;

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `application/x-protobuf`.
    Protobuf,
    /// `application/json`.
    Json,
}

/// A kind of telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Spans.
    Traces,
    /// Log records.
    Logs,
    /// Metric data points.
    Metrics,
}

impl Signal {
    /// What one record of it is called.
    pub fn record(self) -> &'static str {
        match self {
            Signal::Traces => "span",
            Signal::Logs => "log record",
            Signal::Metrics => "data point",
        }
    }
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

/// What a request held.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded<R> {
    /// The usable records.
    pub records: Vec<R>,
    /// The others.
    pub rejected: Rejected,
}

impl<R> Default for Decoded<R> {
    fn default() -> Self {
        Decoded {
            records: Vec::new(),
            rejected: Rejected::default(),
        }
    }
}

impl<R> Decoded<R> {
    /// Whether there was nothing at all.
    fn is_empty(&self) -> bool {
        self.records.is_empty() && self.rejected.count == 0
    }
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
    /// Those of another part of the request, too.
    pub(crate) fn append(&mut self, others: Rejected) {
        self.count += others.count;
        if self.reason.is_none() {
            self.reason = others.reason;
        }
    }

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
pub fn traces(encoding: Encoding, body: &[u8]) -> Result<Decoded<RawSpan>, Fault> {
    request(encoding, body)
}

/// Decodes a log request.
///
/// # Errors
/// As [`traces`].
pub fn logs(encoding: Encoding, body: &[u8]) -> Result<Decoded<RawLog>, Fault> {
    let mut decoded = request(encoding, body)?;
    for (place, log) in (0..).zip(&mut decoded.records) {
        let log: &mut RawLog = log;
        log.place = place;
    }
    Ok(decoded)
}

/// Decodes a metric request.
///
/// # Errors
/// As [`traces`].
pub fn metrics(encoding: Encoding, body: &[u8]) -> Result<Decoded<RawMetric>, Fault> {
    request(encoding, body)
}

fn request<R: Record>(encoding: Encoding, body: &[u8]) -> Result<Decoded<R>, Fault> {
    let decoded: Decoded<R> = match encoding {
        Encoding::Protobuf => otlp_protobuf::request(body)?,
        Encoding::Json => otlp_json::request(body)?,
    };
    match &decoded.rejected {
        Rejected {
            count,
            reason: Some(reason),
        } if decoded.records.is_empty() => Err(Fault::invalid(format!(
            "none of {count} {}s can be used: {reason}",
            R::SIGNAL.record()
        ))),
        _ => Ok(decoded),
    }
}

/// Why a single record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("traceId: {0}")]
    TraceId(InvalidId),
    #[error("spanId: {0}")]
    SpanId(InvalidId),
    #[error("parentSpanId: {0}")]
    ParentSpanId(InvalidId),
    #[error("{0} is malformed: {1}")]
    Malformed(&'static str, String),
    #[error("it is no {0}")]
    OtherSignal(&'static str),
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
