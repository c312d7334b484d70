//! Spans that tell of calls, and of their way to the engine.

use std::sync::Arc;

use super::{Judgement, Request};
use crate::axes::topology::Signs;
use crate::span::{CallRole, SpanKind};
use crate::{SpanId, Timestamp, TraceId};

/// A call of a model, or a span between a client and an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct CallSpan {
    /// Its trace.
    pub trace_id: TraceId,
    /// Its id.
    pub span_id: SpanId,
    /// Its parent.
    pub parent_span_id: Option<SpanId>,
    /// Its kind.
    pub kind: SpanKind,
    /// Whether it records a call of its own.
    pub role: CallRole,
    /// Whether it was received by a server.
    pub is_server: bool,
    /// Whether it has tokens or a cost.
    pub has_usage: bool,
    /// Whether it is among those that were asked for.
    pub is_chosen: bool,
    /// When it began.
    pub start: Timestamp,
    /// When it ended; `None` while open.
    pub end: Option<Timestamp>,
    /// Whether it failed.
    pub failed: bool,
    /// What it is told apart by.
    pub named: Named,
    /// What it says of its engine, by key.
    pub signs: Vec<(Arc<str>, Arc<str>)>,
    /// Attributes of its process, by key; of spans of engines and servers only.
    pub resource: Arc<Vec<(Arc<str>, Arc<str>)>>,
    /// Its numbers.
    pub numbers: Numbers,
    /// Values of the axes, by name.
    pub told: Vec<(Arc<str>, f64)>,
    /// Judgements.
    pub judged: Vec<Judgement>,
}

/// What a request is told apart by; `None` where unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// Model that answered, else the one asked for.
    pub model: Option<Arc<str>>,
    /// Managed prompt.
    pub prompt: Option<Arc<str>>,
    /// Its version.
    pub prompt_version: Option<Arc<str>>,
    /// Tenant.
    pub tenant: Option<Arc<str>>,
    /// Route.
    pub route: Option<Arc<str>>,
    /// Release.
    pub release: Option<Arc<str>>,
    /// Provider.
    pub provider: Option<Arc<str>>,
    /// Environment.
    pub environment: Option<Arc<str>>,
}

/// Numbers of a request; `None` where unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numbers {
    /// To the first token.
    pub ttft_ms: Option<f64>,
    /// Of an output token after the first.
    pub tpot_ms: Option<f64>,
    /// In the queue of the engine.
    pub queue_ms: Option<f64>,
    /// Reading the prompt.
    pub prefill_ms: Option<f64>,
    /// Writing the answer.
    pub decode_ms: Option<f64>,
    /// Input tokens, cached ones too.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Input tokens out of a cache.
    pub cached_tokens: Option<u64>,
    /// US dollars.
    pub cost: Option<f64>,
}

impl Numbers {
    /// What is not known here is taken from another; usage and cost are not, for an engine counts differently.
    fn or_timings_of(self, other: &Numbers) -> Self {
        Numbers {
            ttft_ms: self.ttft_ms.or(other.ttft_ms),
            tpot_ms: self.tpot_ms.or(other.tpot_ms),
            queue_ms: self.queue_ms.or(other.queue_ms),
            prefill_ms: self.prefill_ms.or(other.prefill_ms),
            decode_ms: self.decode_ms.or(other.decode_ms),
            ..self
        }
    }
}

/// A span as a request, with what the engine and the servers below it say.
pub(super) fn request(span: &CallSpan, servers: &[&CallSpan]) -> Request {
    let is_engine = span.role == CallRole::Engine;
    let own = is_engine.then_some(span);
    let mut server = Vec::new();
    for teller in servers.iter().copied().chain(own) {
        server.extend(teller.signs.iter().cloned());
        server.extend(teller.resource.iter().cloned());
    }
    server.sort();
    server.dedup();
    let (mut numbers, mut told) = (span.numbers, span.told.clone());
    for engine in servers
        .iter()
        .filter(|server| server.role == CallRole::Engine)
    {
        numbers = numbers.or_timings_of(&engine.numbers);
        let news = engine
            .told
            .iter()
            .filter(|(name, _)| !span.told.iter().any(|(known, _)| known == name));
        told.extend(news.cloned());
    }
    Request {
        trace_id: span.trace_id.clone(),
        span_id: span.span_id.clone(),
        start: span.start,
        end: span.end,
        failed: span.failed,
        named: span.named.clone(),
        signs: Signs {
            request: span.signs.clone(),
            server,
            model: span.named.model.clone(),
        },
        numbers,
        told,
        judged: span.judged.clone(),
        scored: Vec::new(),
    }
}
