//! One recorded operation: the clean model that every dialect is normalised to.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::attr::{gen_ai, otel};
use crate::context::Context;
use crate::ids::{SpanId, TraceId};
use crate::quality::Quality;
use crate::retention::Keep;
use crate::semantic::Finding;
use crate::time::{Nanos, Timestamp};
use crate::tool_use::ToolUse;
use crate::value::{Attributes, Value};

/// Declares an enum whose variants have one fixed name in stores, JSON and pages.
macro_rules! named_enum {
    ($(#[$doc:meta])* $name:ident, default $default:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The name in stores, JSON and pages.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }

            /// The value of that name, `None` when there is none.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some($name::$variant),)+ _ => None }
            }
        }

        impl Default for $name {
            fn default() -> Self { $name::$default }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use named_enum;

pub use crate::usage::{CallRole, Cost, CostSource, Usage, UsageRule, UsageSource};

named_enum!(
    /// What a span did.
    SpanKind, default Span {
        /// A call of a language model.
        Generation = "generation",
        /// A call of an embedding model.
        Embedding = "embedding",
        /// A search for documents.
        Retriever = "retriever",
        /// A re-ordering of documents.
        Reranker = "reranker",
        /// A tool that ran.
        Tool = "tool",
        /// An agent at work.
        Agent = "agent",
        /// Steps in a row.
        Chain = "chain",
        /// A check that may stop the request.
        Guardrail = "guardrail",
        /// A judgement of quality.
        Evaluator = "evaluator",
        /// A point in time.
        Event = "event",
        /// A trace as a whole, as its client described it: no operation, and counted as none.
        Trace = "trace",
        /// Anything else.
        Span = "span",
    }
);

named_enum!(
    /// How a span ended, in OTLP's terms.
    Status, default Unset {
        /// Nothing was said.
        Unset = "unset",
        /// Declared good.
        Ok = "ok",
        /// Declared failed.
        Error = "error",
    }
);

named_enum!(
    /// How loud a span is shown (Langfuse's levels).
    Level, default Default {
        /// For debugging only.
        Debug = "DEBUG",
        /// As usual.
        Default = "DEFAULT",
        /// Worth a look.
        Warning = "WARNING",
        /// Failed.
        Error = "ERROR",
    }
);

named_enum!(
    /// The role of a span between services (OTLP `SpanKind`), kept as it came.
    OtlpKind, default Unspecified {
        /// Not given.
        Unspecified = "unspecified",
        /// Inside one service.
        Internal = "internal",
        /// Answers a request.
        Server = "server",
        /// Makes a request.
        Client = "client",
        /// Sends a message.
        Producer = "producer",
        /// Receives a message.
        Consumer = "consumer",
    }
);

named_enum!(
    /// How an event came.
    EventSource, default Span {
        /// With its span.
        Span = "span",
        /// As a log record, which was joined to the span on reading.
        Log = "log",
    }
);

/// A failure in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpanError {
    /// Class of the error (`RateLimitError`), `None` when unknown.
    pub kind: Option<String>,
    /// What it said; may be empty.
    pub message: String,
}

impl SpanError {
    /// `kind: message`, or whichever there is.
    pub fn line(&self) -> String {
        match &self.kind {
            Some(kind) if self.message.is_empty() => kind.clone(),
            Some(kind) => format!("{kind}: {}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Latency parts in milliseconds; unknown is `None`, never 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Time to first token.
    pub ttft_ms: Option<f64>,
    /// Time per output token after the first.
    pub tpot_ms: Option<f64>,
    /// Waiting in the engine's queue.
    pub queue_ms: Option<f64>,
    /// Reading the prompt.
    pub prefill_ms: Option<f64>,
    /// Writing the answer.
    pub decode_ms: Option<f64>,
    /// Attribute or event that told the TTFT.
    pub ttft_source: Option<String>,
}

impl Timings {
    /// So many output tokens a second while the answer was written: after the first token where that is
    /// known, over the whole time of the call otherwise.
    pub fn output_tokens_per_s(&self, output_tokens: u64, whole_ms: f64) -> Option<f64> {
        let (tokens, millis) = match (self.decode_ms, self.ttft_ms) {
            (Some(decode_ms), _) => (output_tokens.saturating_sub(1), decode_ms),
            (None, Some(ttft_ms)) => (output_tokens.saturating_sub(1), whole_ms - ttft_ms),
            (None, None) => (output_tokens, whole_ms),
        };
        let rate = tokens as f64 * 1_000.0 / millis;
        (tokens > 0 && millis > 0.0 && rate.is_finite()).then_some(rate)
    }
}

/// The managed prompt that a generation used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PromptRef {
    /// Name of the prompt.
    pub name: String,
    /// Version as sent (a number for Langfuse, free text elsewhere).
    pub version: String,
}

/// Input or output as sent, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The text; JSON where it was JSON.
    pub text: Arc<str>,
    /// The attribute that held exactly this text. Its value is stored here only and given back to
    /// the attributes on reading, so that no long text is stored twice.
    pub attribute: Option<Arc<str>>,
}

/// Something that happened at one instant within a span.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpanEvent {
    /// Name of the event.
    pub name: String,
    /// When; [`Timestamp::EPOCH`] when not given.
    pub time: Timestamp,
    /// Its attributes.
    pub attributes: Attributes,
    /// How it came.
    pub source: EventSource,
}

impl SpanEvent {
    /// Whether it tells of an exception.
    pub fn is_exception(&self) -> bool {
        [otel::EXCEPTION_EVENT, gen_ai::CLIENT_OPERATION_EXCEPTION].contains(&self.name.as_str())
    }
}

/// A pointer to another span; not a parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpanLink {
    /// Trace pointed to.
    pub trace_id: TraceId,
    /// Span pointed to.
    pub span_id: SpanId,
    /// Its attributes.
    pub attributes: Attributes,
}

/// Instrumentation library that made a span.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// Name of the library; empty when not given.
    pub name: Arc<str>,
    /// Version of the library; empty when not given.
    pub version: Arc<str>,
}

/// What was odd about a span when it arrived; shown beside it, never corrected in silence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oddities {
    /// The end lay before the start: latency counts as zero.
    pub end_before_start: bool,
    /// The start was missing or absurd: [`Span::start`] is the end, or the time of arrival.
    pub start_unknown: bool,
    /// A text was longer than the limit and was cut.
    pub cut: bool,
    /// Bytes that were not UTF-8 were replaced by U+FFFD.
    pub invalid_utf8: bool,
}

/// Which source gave which field: the mapping inspector's evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Field of the span, by its name in the API (`request_model`).
    pub field: std::borrow::Cow<'static, str>,
    /// Key that gave it (`gen_ai.request.model`).
    pub key: std::borrow::Cow<'static, str>,
}

/// One recorded operation, whatever dialect it came in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Trace that it belongs to.
    pub trace_id: TraceId,
    /// Its own id, unique within the trace.
    pub span_id: SpanId,
    /// The span that caused it; `None` at the root.
    pub parent_span_id: Option<SpanId>,
    /// Name of the operation.
    pub name: String,
    /// What it did.
    pub kind: SpanKind,
    /// Role between services.
    pub otlp_kind: OtlpKind,
    /// When it began.
    pub start: Timestamp,
    /// When it ended; `None` while open.
    pub end: Option<Timestamp>,
    /// What was odd on arrival.
    pub oddities: Oddities,
    /// How it ended.
    pub status: Status,
    /// The failure in words.
    pub error: Option<SpanError>,
    /// How loud it is shown.
    pub level: Level,
    /// `service.name`; empty when not given.
    pub service: String,
    /// Serving instance.
    pub instance: Option<String>,
    /// Deployment environment; `default` when not given.
    pub environment: String,
    /// Release of the application.
    pub release: Option<String>,
    /// Version that the application gave this operation.
    pub version: Option<String>,
    /// Tenant of the application.
    pub tenant: Option<String>,
    /// Route of the application.
    pub route: Option<String>,
    /// User of the application.
    pub user_id: Option<String>,
    /// Session (conversation).
    pub session_id: Option<String>,
    /// Free labels, sorted, without repeats.
    pub tags: Vec<String>,
    /// Metadata by key; each value is JSON text.
    pub metadata: BTreeMap<String, String>,
    /// Keys of the metadata that are said of the whole trace, sorted.
    pub trace_metadata_keys: Vec<String>,
    /// Name that the application gave the whole trace.
    pub trace_name: Option<String>,
    /// Who served the model.
    pub provider: Option<String>,
    /// Model asked for.
    pub request_model: Option<String>,
    /// Model that answered.
    pub response_model: Option<String>,
    /// Model parameters by name; each value is JSON text.
    pub parameters: BTreeMap<String, String>,
    /// Why the model stopped.
    pub finish_reasons: Vec<String>,
    /// Tokens.
    pub usage: Option<Usage>,
    /// Money.
    pub cost: Option<Cost>,
    /// Latency parts.
    pub timings: Timings,
    /// Managed prompt.
    pub prompt: Option<PromptRef>,
    /// Input as sent.
    pub input: Option<Content>,
    /// Output as sent.
    pub output: Option<Content>,
    /// Everything that came, with the types that it came in.
    pub attributes: Attributes,
    /// Attributes of the sending process, shared by the spans of one request.
    pub resource: Arc<Attributes>,
    /// Instrumentation library, shared likewise.
    pub scope: Arc<Scope>,
    /// Instants within the span.
    pub events: Vec<SpanEvent>,
    /// Pointers to other spans.
    pub links: Vec<SpanLink>,
    /// Which key gave which field.
    pub provenance: Vec<Provenance>,
    /// The provider's id of the answer.
    pub response_id: Option<String>,
    /// Whether it records a call of its own.
    pub call_role: CallRole,
    /// Whether a cache of answers gave the answer, so that no model ran; `None` where nobody says.
    pub from_cache: Option<bool>,
    /// Judgements of its output, by name.
    pub quality: Quality,
    /// What the call was made with, in a few bytes.
    pub context: Context,
    /// Tools that a model was offered and called.
    pub tools: ToolUse,
    /// What went wrong in its meaning: one of each type at most.
    pub semantic_events: Vec<Finding>,
    /// Values of axis series that came with the span, by name (`token.kv_cache_hit_rate`).
    pub axes: BTreeMap<String, f64>,
    /// Changes that it was put together from, when it came piece by piece: a state of more changes
    /// goes before one of fewer. `None` when it came whole. Not read back.
    pub changes: Option<u32>,
    /// How long it is kept.
    #[serde(skip)]
    pub keep: Keep,
}

impl Span {
    /// Time from start to end; `None` while open.
    pub fn latency(&self) -> Option<Nanos> {
        self.end.map(|end| end - self.start)
    }

    /// Whether it failed: by its status or by its level.
    pub fn failed(&self) -> bool {
        self.status == Status::Error || self.level == Level::Error
    }

    /// Keys and values that gave a field, or a part of it (`usage` → `usage.input_tokens` too).
    pub fn evidence<'s>(&'s self, field: &'s str) -> impl Iterator<Item = (&'s str, &'s Value)> {
        let gave = self.provenance.iter().filter(move |evidence| {
            let rest = evidence.field.strip_prefix(field);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        gave.filter_map(|evidence| {
            let mut attributes = self.attributes.iter().rev();
            let (key, value) = attributes.find(|(key, _)| **key == *evidence.key)?;
            Some((&**key, value))
        })
    }

    /// The text of an attribute; `None` where it is no text.
    pub fn text_attribute(&self, key: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        attributes.find_map(|(name, value)| match value {
            Value::Str(text) if **name == *key => Some(&**text),
            _ => None,
        })
    }

    /// Output tokens a second while the answer was written: after the first token where that is
    /// known, over the whole time otherwise.
    pub fn output_tokens_per_s(&self) -> Option<f64> {
        let output_tokens = self.usage.as_ref()?.output_tokens?;
        let whole_ms = self.latency()?.as_millis_f64();
        self.timings.output_tokens_per_s(output_tokens, whole_ms)
    }

    /// The model to show: the one that answered, else the one asked for.
    pub fn model(&self) -> Option<&str> {
        self.response_model
            .as_deref()
            .or(self.request_model.as_deref())
    }

    /// A span with nothing but its identity; decoders and tests fill in the rest.
    pub fn bare(trace_id: TraceId, span_id: SpanId, start: Timestamp) -> Self {
        Span {
            trace_id,
            span_id,
            parent_span_id: None,
            name: String::new(),
            kind: SpanKind::default(),
            otlp_kind: OtlpKind::default(),
            start,
            end: None,
            oddities: Oddities::default(),
            status: Status::default(),
            error: None,
            level: Level::default(),
            service: String::new(),
            instance: None,
            environment: DEFAULT_ENVIRONMENT.to_owned(),
            release: None,
            version: None,
            tenant: None,
            route: None,
            user_id: None,
            session_id: None,
            tags: Vec::new(),
            metadata: BTreeMap::new(),
            trace_metadata_keys: Vec::new(),
            trace_name: None,
            provider: None,
            request_model: None,
            response_model: None,
            parameters: BTreeMap::new(),
            finish_reasons: Vec::new(),
            usage: None,
            cost: None,
            timings: Timings::default(),
            prompt: None,
            input: None,
            output: None,
            attributes: Vec::new(),
            resource: Arc::default(),
            scope: Arc::default(),
            events: Vec::new(),
            links: Vec::new(),
            provenance: Vec::new(),
            response_id: None,
            call_role: CallRole::default(),
            from_cache: None,
            quality: Quality::default(),
            context: Context::default(),
            tools: ToolUse::default(),
            semantic_events: Vec::new(),
            axes: BTreeMap::new(),
            changes: None,
            keep: Keep::default(),
        }
    }
}

/// Environment of spans that name none.
pub const DEFAULT_ENVIRONMENT: &str = "default";
