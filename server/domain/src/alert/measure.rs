//! What is measured: a series and what becomes of its values within a window.

use std::fmt;

use crate::Fault;
use crate::span::named_enum;

/// Most bytes of a name.
const MAX_NAME: usize = 200;
/// Before the name of a score.
const SCORE: &str = "score.";

named_enum!(
    /// One of the three axes.
    Axis, default Token {
        /// Devices.
        Gpu = "gpu",
        /// Serving.
        Token = "token",
        /// Answers.
        Quality = "quality",
    }
);

named_enum!(
    /// What becomes of the values within a window.
    Aggregate, default Avg {
        /// Mean.
        Avg = "avg",
        /// Least.
        Min = "min",
        /// Greatest.
        Max = "max",
        /// Sum.
        Sum = "sum",
        /// Share: the mean of what is yes or no.
        Rate = "rate",
        /// How many there are.
        Count = "count",
        /// Median.
        P50 = "p50",
        /// Ninth decile.
        P90 = "p90",
        /// 95th percentile.
        P95 = "p95",
        /// 99th percentile.
        P99 = "p99",
    }
);

named_enum!(
    /// What is known of each request: of each span of a generation.
    RequestMeasure, default Requests {
        /// 1 of each.
        Requests = "request.count",
        /// Whether it failed.
        Errors = "request.errors",
        /// US dollars.
        Cost = "request.cost_usd",
        /// From start to end.
        E2eMs = "token.e2e_ms",
        /// To the first token.
        TtftMs = "token.ttft_ms",
        /// Per token after the first.
        TpotMs = "token.tpot_ms",
        /// In the queue of the engine.
        QueueMs = "token.queue_ms",
        /// Reading the prompt.
        PrefillMs = "token.prefill_ms",
        /// Input tokens.
        InputTokens = "token.input_tokens",
        /// Output tokens.
        OutputTokens = "token.output_tokens",
        /// Whether the answer has the form that was asked for.
        FormatValid = "quality.format_valid",
        /// Whether its length is as expected.
        LengthInRange = "quality.length_in_range",
        /// Whether it is a refusal.
        Refused = "quality.refused",
        /// Whether it ended as it should.
        StopReasonValid = "quality.stop_reason_valid",
        /// Share of repeated n-grams.
        RepeatedNgramRatio = "quality.repeated_ngram_ratio",
        /// Longest run of unknown tokens.
        UnknownTokenRun = "quality.unknown_token_run",
        /// Whether its JSON breaks off.
        TruncatedJson = "quality.truncated_json",
    }
);

impl RequestMeasure {
    fn usual(self) -> Aggregate {
        match self {
            RequestMeasure::Requests => Aggregate::Count,
            RequestMeasure::Cost => Aggregate::Sum,
            RequestMeasure::E2eMs
            | RequestMeasure::TtftMs
            | RequestMeasure::TpotMs
            | RequestMeasure::QueueMs
            | RequestMeasure::PrefillMs => Aggregate::P99,
            RequestMeasure::InputTokens
            | RequestMeasure::OutputTokens
            | RequestMeasure::RepeatedNgramRatio
            | RequestMeasure::UnknownTokenRun => Aggregate::Avg,
            _ => Aggregate::Rate,
        }
    }
}

/// Where values come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Requests.
    Requests(RequestMeasure),
    /// Numbers and yes or no of scores, `score.` and their name.
    Scores(String),
    /// Samples of a metric, by the name of an axis value or its own.
    Metric(String),
}

/// A series with an aggregate, `token.ttft_ms:p99`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AlertSeries {
    /// Where values come from.
    pub source: Source,
    /// What becomes of them.
    pub aggregate: Aggregate,
}

impl AlertSeries {
    /// From `name` or `name:aggregate`.
    ///
    /// # Errors
    /// `invalid` on `series`.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = |why: String| Fault::invalid(format!("series: {why}")).on_field("series");
        if text.len() > MAX_NAME || text.chars().any(char::is_control) {
            return Err(wrong(format!("give at most {MAX_NAME} plain characters")));
        }
        // Names of Prometheus may hold colons themselves.
        let split = text.rsplit_once(':');
        let aggregate = split.and_then(|(_, last)| Aggregate::from_name(last));
        let name = match (split, aggregate) {
            (Some((name, _)), Some(_)) => name,
            _ => text,
        };
        if name.is_empty() {
            return Err(wrong(
                "give a name such as token.ttft_ms:p99 or gpu.sm_active:avg".to_owned(),
            ));
        }
        if let Some(measure) = RequestMeasure::from_name(name) {
            return Ok(AlertSeries {
                source: Source::Requests(measure),
                aggregate: aggregate.unwrap_or(measure.usual()),
            });
        }
        if name
            .strip_prefix(SCORE)
            .is_some_and(|score| !score.is_empty())
        {
            return Ok(AlertSeries {
                source: Source::Scores(name.to_owned()),
                aggregate: aggregate.unwrap_or_default(),
            });
        }
        if name.starts_with("request.") || name.starts_with("quality.") {
            let all = RequestMeasure::ALL.iter().map(|known| known.as_str());
            let known: Vec<&str> = all.collect();
            return Err(wrong(format!(
                "is not known; of requests there are {}",
                known.join(", ")
            )));
        }
        Ok(AlertSeries {
            source: Source::Metric(name.to_owned()),
            aggregate: aggregate.unwrap_or_default(),
        })
    }

    /// The axis that it is of; money and counts are of none.
    pub fn axis(&self) -> Option<Axis> {
        if matches!(self.source, Source::Scores(_)) {
            return Some(Axis::Quality);
        }
        let (axis, _) = self.name().split_once('.')?;
        Axis::from_name(axis)
    }

    /// Its name without the aggregate.
    pub fn name(&self) -> &str {
        match &self.source {
            Source::Requests(measure) => measure.as_str(),
            Source::Scores(name) | Source::Metric(name) => name,
        }
    }

    /// The name of the scores that it is of, if it is of scores.
    pub fn score(&self) -> Option<&str> {
        match &self.source {
            Source::Scores(name) => name.strip_prefix(SCORE),
            Source::Requests(_) | Source::Metric(_) => None,
        }
    }
}

impl fmt::Display for AlertSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name(), self.aggregate)
    }
}

/// What requests are told apart by, in alphabetical order.
pub const DIMENSIONS: &[&str] = &[
    "environment",
    "instance",
    "model",
    "prompt",
    "prompt_version",
    "provider",
    "release",
    "route",
    "service",
    "tenant",
    "user_id",
];
