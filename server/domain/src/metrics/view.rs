//! What rows are of.

use super::dimension::Dimension;
use super::measure::Measure;
use crate::span::named_enum;

named_enum!(
    /// What is counted: each row of a view is one of these.
    View, default Observations {
        /// A trace as a whole; it belongs to the instant at which it begins.
        Traces = "traces",
        /// A span; it belongs to the instant at which it begins.
        Observations = "observations",
        /// A score that is a number; it belongs to the instant at which it was given.
        NumericScores = "numeric_scores",
        /// A score that is yes or no.
        BooleanScores = "boolean_scores",
        /// A score that is a label.
        CategoricalScores = "categorical_scores",
    }
);

impl View {
    /// What its rows can be grouped by and narrowed to.
    pub fn dimensions(self) -> &'static [Dimension] {
        match self {
            View::Traces => TRACES,
            View::Observations => OBSERVATIONS,
            View::NumericScores | View::BooleanScores => SCORES,
            View::CategoricalScores => LABELS,
        }
    }

    /// What can be measured of its rows.
    pub fn measures(self) -> &'static [Measure] {
        match self {
            View::Traces => OF_TRACES,
            View::Observations => OF_OBSERVATIONS,
            View::NumericScores | View::BooleanScores => &[Measure::Count, Measure::Value],
            View::CategoricalScores => &[Measure::Count],
        }
    }

    /// Whether its rows are scores.
    pub fn is_of_scores(self) -> bool {
        !matches!(self, View::Traces | View::Observations)
    }
}

const TRACES: &[Dimension] = &[
    Dimension::Id,
    Dimension::Name,
    Dimension::Tags,
    Dimension::User,
    Dimension::Session,
    Dimension::Release,
    Dimension::Version,
    Dimension::Environment,
    Dimension::Month,
    Dimension::Day,
];

const OBSERVATIONS: &[Dimension] = &[
    Dimension::Id,
    Dimension::Trace,
    Dimension::Parent,
    Dimension::Kind,
    Dimension::BroadKind,
    Dimension::Name,
    Dimension::Level,
    Dimension::Environment,
    Dimension::Release,
    Dimension::Version,
    Dimension::Model,
    Dimension::Provider,
    Dimension::Prompt,
    Dimension::PromptVersion,
    Dimension::IsRoot,
    Dimension::TraceName,
    Dimension::Tags,
    Dimension::User,
    Dimension::Session,
    Dimension::Tenant,
    Dimension::Route,
    Dimension::Feature,
    Dimension::Region,
    Dimension::Variant,
    Dimension::TraceRelease,
    Dimension::TraceVersion,
    Dimension::Month,
    Dimension::Day,
    Dimension::Experiment,
    Dimension::ExperimentName,
    Dimension::ExperimentDataset,
    Dimension::CostKind,
    Dimension::UsageKind,
    Dimension::Tool,
    Dimension::CalledTool,
    Dimension::FromCache,
];

/// Of scores that are labels: the label first.
const LABELS: &[Dimension] = &[
    Dimension::Label,
    Dimension::Id,
    Dimension::Name,
    Dimension::Environment,
    Dimension::Source,
    Dimension::DataType,
    Dimension::Config,
    Dimension::Trace,
    Dimension::Observation,
    Dimension::Session,
    Dimension::DatasetRun,
    Dimension::Month,
    Dimension::Day,
    Dimension::TraceName,
    Dimension::Tags,
    Dimension::User,
    Dimension::TraceRelease,
    Dimension::TraceVersion,
    Dimension::ObservationName,
    Dimension::Experiment,
    Dimension::ExperimentName,
    Dimension::Model,
    Dimension::Prompt,
    Dimension::PromptVersion,
];

/// Of other scores: the same without a label.
const SCORES: &[Dimension] = LABELS.split_at(1).1;

const OF_TRACES: &[Measure] = &[
    Measure::Count,
    Measure::Observations,
    Measure::Scores,
    Measure::Users,
    Measure::Sessions,
    Measure::LatencyMs,
    Measure::InputTokens,
    Measure::OutputTokens,
    Measure::TotalTokens,
    Measure::TotalCost,
];

const OF_OBSERVATIONS: &[Measure] = &[
    Measure::Count,
    Measure::Traces,
    Measure::Users,
    Measure::Sessions,
    Measure::Scores,
    Measure::LatencyMs,
    Measure::TtftMs,
    Measure::StreamingMs,
    Measure::InputTokens,
    Measure::OutputTokens,
    Measure::TotalTokens,
    Measure::OutputTokensPerSecond,
    Measure::TokensPerSecond,
    Measure::InputCost,
    Measure::OutputCost,
    Measure::TotalCost,
    Measure::UnpricedCalls,
    Measure::CostByKind,
    Measure::UsageByKind,
    Measure::ToolsOffered,
    Measure::ToolCalls,
];
