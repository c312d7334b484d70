//! Spans of one request, summed up.

use std::sync::OnceLock;

use serde::Serialize;

use crate::billing::{Metered, totals};
use crate::ids::{SpanId, TraceId};
use crate::money::Usd;
use crate::span::{
    CallRole, DEFAULT_ENVIRONMENT, Level, Span, SpanError, SpanKind, Status, Timings,
};
use crate::time::{Nanos, Timestamp};
use crate::tree::Tree;
use crate::tree::drawn::Drawn;

/// One row of the traces list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceSummary {
    /// Id of the trace.
    pub trace_id: TraceId,
    /// Name: the one set by the application, else the root span's, else the first span's.
    pub name: String,
    /// Earliest start of its spans.
    pub start: Timestamp,
    /// Latest end of its spans; `None` while none has ended.
    pub end: Option<Timestamp>,
    /// Whether the root span has come.
    pub has_root: bool,
    /// User, session and so on: the root's, else the first span's that has one.
    pub user_id: Option<String>,
    /// Session.
    pub session_id: Option<String>,
    /// Environment.
    pub environment: String,
    /// Release.
    pub release: Option<String>,
    /// Version.
    pub version: Option<String>,
    /// Tenant.
    pub tenant: Option<String>,
    /// Tags of all spans, sorted.
    pub tags: Vec<String>,
    /// Models that answered, sorted.
    pub models: Vec<String>,
    /// Prompt of the first generation that names one: name and version.
    pub prompt: Option<(String, String)>,
    /// Head of the root's input, at most [`PREVIEW_CHARS`] characters.
    pub input_preview: Option<String>,
    /// Head of the root's output, likewise.
    pub output_preview: Option<String>,
    /// Whether anybody may see it: as what describes it says, where that says so or not; else as any of
    /// its spans says.
    pub is_public: bool,
    /// Spans.
    pub span_count: u64,
    /// Spans that failed.
    pub error_count: u64,
    /// What the first failed span said, `kind: message`.
    pub first_error: Option<String>,
    /// Input tokens of its model calls; `None` when none reported any.
    pub input_tokens: Option<u64>,
    /// Output tokens, likewise.
    pub output_tokens: Option<u64>,
    /// Cost; `None` when no span has one.
    pub cost: Option<Usd>,
    /// Calls that counted something and have no cost: what they cost is unknown, not zero.
    pub unpriced_calls: u64,
    /// TTFT of its first generation.
    pub ttft_ms: Option<f64>,
}

/// What a list of traces by number is ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderColumn {
    /// Start.
    #[default]
    Start,
    /// Id.
    Id,
    /// Name.
    Name,
    /// User.
    User,
    /// Session.
    Session,
    /// Release.
    Release,
    /// Version.
    Version,
    /// Whether anybody may see it.
    Public,
}

/// An order of traces; the newest first where nothing is said, and among equals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// What is compared.
    pub column: OrderColumn,
    /// From the smallest up.
    pub is_ascending: bool,
}

/// Characters of a preview.
pub const PREVIEW_CHARS: usize = 200;

impl TraceSummary {
    /// A trace of which nothing is known but its identity.
    pub fn bare(trace_id: TraceId, start: Timestamp) -> Self {
        TraceSummary {
            trace_id,
            name: String::new(),
            start,
            end: None,
            has_root: false,
            user_id: None,
            session_id: None,
            environment: DEFAULT_ENVIRONMENT.to_owned(),
            release: None,
            version: None,
            tenant: None,
            tags: Vec::new(),
            models: Vec::new(),
            prompt: None,
            input_preview: None,
            output_preview: None,
            is_public: false,
            span_count: 0,
            error_count: 0,
            first_error: None,
            input_tokens: None,
            output_tokens: None,
            cost: None,
            unpriced_calls: 0,
            ttft_ms: None,
        }
    }

    /// Time from first start to last end; `None` while open.
    pub fn latency(&self) -> Option<Nanos> {
        self.end.map(|end| end - self.start)
    }

    /// With tokens and cost as its spans have them.
    #[must_use]
    pub fn with_totals<'a>(self, spans: impl Iterator<Item = &'a TreeSpan>) -> Self {
        let metered: Vec<Metered<'a>> = spans.map(Metered::from).collect();
        let totals = totals(&metered);
        TraceSummary {
            input_tokens: totals.input_tokens,
            output_tokens: totals.output_tokens,
            cost: totals.cost,
            unpriced_calls: totals.unpriced_calls,
            ..self
        }
    }
}

/// What the tree shows of one span: everything but content and attributes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeSpan {
    /// Its id.
    pub span_id: SpanId,
    /// Its parent, as sent.
    pub parent_span_id: Option<SpanId>,
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: SpanKind,
    /// Start.
    pub start: Timestamp,
    /// End; `None` while open.
    pub end: Option<Timestamp>,
    /// Status.
    pub status: Status,
    /// Level.
    pub level: Level,
    /// What it said when it failed, `kind: message`.
    pub error: Option<String>,
    /// Service.
    pub service: String,
    /// Model that answered, else the one asked for.
    pub model: Option<String>,
    /// Input tokens.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Cost.
    pub cost: Option<Usd>,
    /// Latency parts.
    pub timings: Timings,
    /// The provider's id of the answer.
    pub response_id: Option<String>,
    /// Whether it records a call of its own.
    pub call_role: CallRole,
    /// Kinds of tokens that it counts.
    pub usage_details: u8,
}

impl From<&Span> for TreeSpan {
    fn from(span: &Span) -> Self {
        let usage = span.usage.as_ref();
        TreeSpan {
            span_id: span.span_id.clone(),
            parent_span_id: span.parent_span_id.clone(),
            name: span.name.clone(),
            kind: span.kind,
            start: span.start,
            end: span.end,
            status: span.status,
            level: span.level,
            error: span.error.as_ref().map(SpanError::line),
            service: span.service.clone(),
            model: span.model().map(str::to_owned),
            input_tokens: usage.and_then(|usage| usage.input_tokens),
            output_tokens: usage.and_then(|usage| usage.output_tokens),
            cost: span.cost.as_ref().and_then(|cost| cost.total),
            timings: span.timings.clone(),
            response_id: span.response_id.clone(),
            call_role: span.call_role,
            usage_details: usage.map_or(0, |usage| {
                u8::try_from(usage.details.len()).unwrap_or(u8::MAX)
            }),
        }
    }
}

impl TreeSpan {
    /// Time from start to end; `None` while open.
    pub fn latency(&self) -> Option<Nanos> {
        self.end.map(|end| end - self.start)
    }

    /// Whether it failed: by its status or by its level.
    pub fn failed(&self) -> bool {
        self.status == Status::Error || self.level == Level::Error
    }
}

/// A whole trace, as its page opens it.
#[derive(Clone, Debug)]
pub struct TraceView {
    /// Its row in the list.
    pub summary: TraceSummary,
    /// Its spans as a tree.
    pub tree: Tree,
    drawn: OnceLock<Drawn>,
}

impl TraceView {
    /// Puts it together.
    pub fn new(summary: TraceSummary, tree: Tree) -> Self {
        TraceView {
            summary,
            tree,
            drawn: OnceLock::new(),
        }
    }

    /// What is computed of its tree to draw it: once, by whoever asks first.
    pub fn drawn(&self) -> &Drawn {
        self.drawn.get_or_init(|| Drawn::of(&self.tree))
    }
}

/// One column of the density chart above the list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DensityBucket {
    /// Start of the column.
    pub start: Timestamp,
    /// Traces that began in it.
    pub traces: u64,
    /// Of these, those with a failed span.
    pub errors: u64,
    /// 95th percentile of their latency; `None` without traces that ended.
    pub p95_ms: Option<f64>,
}

/// The density chart: equal columns over the chosen range, and the range's totals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Density {
    /// Width of a column.
    pub step: Nanos,
    /// Columns in order, none left out.
    pub buckets: Vec<DensityBucket>,
    /// Traces in the range.
    pub traces: u64,
    /// Of these, those with a failed span.
    pub errors: u64,
    /// 95th percentile of latency over the range.
    pub p95_ms: Option<f64>,
}
