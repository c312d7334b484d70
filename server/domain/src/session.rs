//! Conversations: what traces share.

use crate::ids::{SpanId, TraceId};
use crate::money::Usd;
use crate::span::{Span, SpanKind};
use crate::time::{Nanos, Timestamp};

/// A conversation, as its spans tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id, unique within the project.
    pub id: String,
    /// Start of the first span that names it.
    pub start: Timestamp,
    /// Where that was.
    pub environment: String,
}

/// A turn of a conversation: one trace, without what was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The trace.
    pub trace_id: TraceId,
    /// Its name.
    pub name: String,
    /// When it began.
    pub start: Timestamp,
    /// When its last span ended; `None` while none has.
    pub end: Option<Timestamp>,
    /// User of the trace.
    pub user_id: Option<String>,
    /// Environment of the trace.
    pub environment: String,
    /// Spans that failed.
    pub errors: u64,
    /// Answers that a hard check found wrong.
    pub failed_checks: u64,
    /// Scores from 0 to 1 below [`crate::rollup::LOW_SCORE`], and those that say no.
    pub low_scores: u64,
    /// Input tokens; `None` when no call told any.
    pub input_tokens: Option<u64>,
    /// Output tokens, likewise.
    pub output_tokens: Option<u64>,
    /// US dollars; `None` when no call has a cost.
    pub cost: Option<Usd>,
    /// Calls that counted something and have no cost.
    pub unpriced_calls: u64,
}

impl Turn {
    /// From its start to its end; `None` while open.
    pub fn latency(&self) -> Option<Nanos> {
        self.end
            .filter(|end| *end >= self.start)
            .map(|end| end - self.start)
    }

    /// Whether something was wrong with it: a failed span, a failed check, a low score.
    pub fn is_bad(&self) -> bool {
        self.errors > 0 || self.failed_checks > 0 || self.low_scores > 0
    }
}

/// A conversation with its turns, the earliest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// Turns in order.
    pub turns: Vec<Turn>,
    /// How many more there are than were read.
    pub left_out: u64,
}

impl Turns {
    /// Adds up a part of the turns that some know; `None` when none does.
    pub fn sum<T>(&self, part: impl Fn(&Turn) -> Option<T>, add: impl Fn(T, T) -> T) -> Option<T> {
        self.turns.iter().filter_map(part).reduce(add)
    }

    /// The last end that is known.
    pub fn end(&self) -> Option<Timestamp> {
        self.turns.iter().filter_map(|turn| turn.end).max()
    }

    /// From the first start to the last end; `None` while nothing has ended.
    pub fn duration(&self) -> Option<Nanos> {
        let (first, end) = (self.turns.first()?.start, self.end()?);
        (end >= first).then(|| end - first)
    }
}

/// A step of a turn: a span that is a call of a model, a tool, a search or a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The span.
    pub span_id: SpanId,
    /// Its name.
    pub name: String,
    /// What it did.
    pub kind: SpanKind,
    /// When it began.
    pub start: Timestamp,
    /// When it ended; `None` while open.
    pub end: Option<Timestamp>,
    /// Whether it failed.
    pub failed: bool,
}

impl Step {
    /// From its start to its end; `None` while open.
    pub fn latency(&self) -> Option<Nanos> {
        self.end
            .filter(|end| *end >= self.start)
            .map(|end| end - self.start)
    }
}

/// What was said in a turn, and what was done for it.
#[derive(Clone, Debug)]
pub struct Said {
    /// The trace.
    pub trace_id: TraceId,
    /// The span whose input the person gave: the root, else the first generation with one.
    pub asked: Option<Span>,
    /// The span whose output the person saw: the root, else the last generation with one.
    pub answered: Option<Span>,
    /// Calls, tools, searches and checks by their start, the first [`MAX_STEPS`].
    pub steps: Vec<Step>,
    /// What the first failed span said.
    pub error: Option<String>,
    /// Models that answered, sorted.
    pub models: Vec<String>,
    /// Prompt of the first generation that names one: name and version.
    pub prompt: Option<(String, String)>,
    /// TTFT of the first generation.
    pub ttft_ms: Option<f64>,
}

/// Steps of a turn that are read.
pub const MAX_STEPS: u32 = 60;
