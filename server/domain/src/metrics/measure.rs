//! What is measured of each row, and how it is summed up.

use crate::span::named_enum;

named_enum!(
    /// What is measured of each row. Of tokens and costs each call of a model counts once, however many
    /// spans tell of it, by the rule of the reports on calls.
    Measure, default Count {
        /// One for each row.
        Count = "count",
        /// Spans of a trace.
        Observations = "observations",
        /// Scores of a trace with its spans, or of a span.
        Scores = "scores",
        /// The trace of a span.
        Traces = "traces",
        /// The user.
        Users = "users",
        /// The session.
        Sessions = "sessions",
        /// From start to end, milliseconds.
        LatencyMs = "latency_ms",
        /// From start to the first token, milliseconds.
        TtftMs = "ttft_ms",
        /// From the first token to the end, milliseconds.
        StreamingMs = "streaming_ms",
        /// Input tokens, cached ones included.
        InputTokens = "input_tokens",
        /// Output tokens, reasoning ones included.
        OutputTokens = "output_tokens",
        /// All tokens.
        TotalTokens = "total_tokens",
        /// Output tokens per second from the first token on.
        OutputTokensPerSecond = "output_tokens_per_second",
        /// All tokens per second of latency.
        TokensPerSecond = "tokens_per_second",
        /// US dollars for input.
        InputCost = "input_cost",
        /// US dollars for output.
        OutputCost = "output_cost",
        /// US dollars in all.
        TotalCost = "total_cost",
        /// One for each call that counted tokens and has no cost.
        UnpricedCalls = "unpriced_calls",
        /// US dollars for one kind of usage.
        CostByKind = "cost_by_kind",
        /// Tokens or things of one kind of usage.
        UsageByKind = "usage_by_kind",
        /// Tools that a model was offered.
        ToolsOffered = "tools_offered",
        /// Calls of tools that it made.
        ToolCalls = "tool_calls",
        /// Number of a score; of yes 1, of no 0.
        Value = "value",
    }
);

named_enum!(
    /// How the values of a group are summed up. Rows without a value are left out.
    Aggregation, default Sum {
        /// Sum.
        Sum = "sum",
        /// Mean.
        Average = "avg",
        /// How many rows have a value.
        Count = "count",
        /// Greatest.
        Max = "max",
        /// Least.
        Min = "min",
        /// Median.
        P50 = "p50",
        /// Third quartile.
        P75 = "p75",
        /// Ninth decile.
        P90 = "p90",
        /// 95th percentile.
        P95 = "p95",
        /// 99th percentile.
        P99 = "p99",
        /// How many rows lie where; bars of equal weight rather than of equal width.
        Histogram = "histogram",
        /// How many different values.
        Uniq = "uniq",
    }
);

/// What values of a measure are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// Whole numbers.
    Whole,
    /// Fractions.
    Fraction,
    /// Exact amounts of US dollars.
    Money,
    /// Ids: they can be counted and told apart, no more.
    Id,
}

impl Measure {
    /// What its values are.
    pub fn kind(self) -> MeasureKind {
        match self {
            Measure::Count
            | Measure::Observations
            | Measure::Scores
            | Measure::InputTokens
            | Measure::OutputTokens
            | Measure::TotalTokens
            | Measure::UnpricedCalls
            | Measure::UsageByKind
            | Measure::ToolsOffered
            | Measure::ToolCalls => MeasureKind::Whole,
            Measure::LatencyMs
            | Measure::TtftMs
            | Measure::StreamingMs
            | Measure::OutputTokensPerSecond
            | Measure::TokensPerSecond
            | Measure::Value => MeasureKind::Fraction,
            Measure::InputCost | Measure::OutputCost | Measure::TotalCost | Measure::CostByKind => {
                MeasureKind::Money
            }
            Measure::Traces | Measure::Users | Measure::Sessions => MeasureKind::Id,
        }
    }

    /// Whether values can be summed up so.
    pub fn takes(self, aggregation: Aggregation) -> bool {
        self.kind() != MeasureKind::Id || aggregation.is_of_anything()
    }
}

impl Aggregation {
    /// Whether it needs no numbers.
    pub fn is_of_anything(self) -> bool {
        matches!(self, Aggregation::Count | Aggregation::Uniq)
    }

    /// Whether nothing comes to 0, not to something unknown.
    pub fn is_zero_of_nothing(self) -> bool {
        matches!(
            self,
            Aggregation::Count | Aggregation::Uniq | Aggregation::Sum
        )
    }
}
