use crate::ids::{SpanId, TraceId};
use crate::money::Usd;
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// What came of a span.
    EvaluationState, default Waiting {
        /// It waits, for the first time or to be tried again.
        Waiting = "waiting",
        /// It has its score.
        Scored = "scored",
        /// It will have none.
        Failed = "failed",
        /// It lacks what is asked about.
        Skipped = "skipped",
    }
);

/// A span before an evaluator.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Its trace.
    pub trace: TraceId,
    /// The span.
    pub span: SpanId,
    /// What came of it.
    pub state: EvaluationState,
    /// How often it was tried.
    pub tries: u32,
    /// When it was last tried; `None`: not yet.
    pub tried_at: Option<Timestamp>,
    /// The score in words; empty without one.
    pub value: String,
    /// Why it got this score, or what went wrong.
    pub words: String,
    /// What the calls cost; `None`: not known, or there was none.
    pub cost: Option<Usd>,
    /// Tokens of the last call.
    pub tokens: Option<u64>,
    /// How long the last call took.
    pub latency_ms: Option<f64>,
}

/// What an evaluator did within some time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Spans that got a score.
    pub scored: u64,
    /// Tries that came to none: calls that failed, answers that were no judgement.
    pub failures: u64,
    /// Spans that lack what is asked about.
    pub skipped: u64,
    /// Calls of models.
    pub calls: u64,
    /// What they cost.
    pub cost: Usd,
    /// Their tokens.
    pub tokens: u64,
    /// How long one took, on average.
    pub latency_ms: Option<f64>,
    /// The mean of scores that are numbers, yes counted as 1.
    pub mean: Option<f64>,
}

/// How an evaluator does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Within the last 24 hours.
    pub day: Sums,
    /// Within the last 7 days.
    pub week: Sums,
    /// What was spent since midnight UTC.
    pub spent_today: Usd,
    /// Spans that wait.
    pub waiting: u64,
    /// Until when nothing is taken up because calls failed.
    pub held_until: Option<Timestamp>,
    /// What went wrong last; empty when nothing did.
    pub last_error: String,
    /// What is left to be scored after the fact: what ended from ≤ t < until.
    pub back: Option<(Timestamp, Timestamp)>,
}
