//! Views, dimensions and measures by their names in this API.

use domain::metrics::{Dimension, Measure, View};

/// Which of the two interfaces a question came by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    V1,
    V2,
}

/// A dimension by its name, and since which version.
type NamedDimension = (&'static str, Dimension, Version);
/// A measure by its name, and since which version.
type NamedMeasure = (&'static str, Measure, Version);

/// A view with what it has.
pub(super) struct NamedView {
    pub(super) name: &'static str,
    pub(super) view: View,
    /// What conditions call the instant to which a row belongs.
    pub(super) time: &'static str,
    dimensions: &'static [&'static [NamedDimension]],
    measures: &'static [NamedMeasure],
}

impl NamedView {
    /// The view of that name.
    pub(super) fn find(version: Version, name: &str) -> Option<&'static Self> {
        Self::all(version).find(|view| view.name == name)
    }

    /// All views of a version.
    pub(super) fn all(version: Version) -> impl Iterator<Item = &'static Self> {
        VIEWS
            .iter()
            .filter(move |view| version == Version::V1 || view.view != View::Traces)
    }

    /// A dimension of the view.
    pub(super) fn dimension(&self, version: Version, name: &str) -> Option<Dimension> {
        let mut all = self.dimensions.iter().copied().flatten();
        let found = all.find(|(known, _, since)| *known == name && *since <= version);
        found.map(|(_, dimension, _)| *dimension)
    }

    /// A measure of the view.
    pub(super) fn measure(&self, version: Version, name: &str) -> Option<Measure> {
        let mut all = self.measures.iter();
        let found = all.find(|(known, _, since)| *known == name && *since <= version);
        found.map(|(_, measure, _)| *measure)
    }
}

/// Known to clients, but not to be had here yet.
pub(super) const NOT_YET: &[&str] = &["evaluatorId"];

use Version::{V1, V2};

const VIEWS: &[NamedView] = &[
    NamedView {
        name: "traces",
        view: View::Traces,
        time: "timestamp",
        dimensions: &[TRACES],
        measures: OF_TRACES,
    },
    NamedView {
        name: "observations",
        view: View::Observations,
        time: "startTime",
        dimensions: &[OBSERVATIONS],
        measures: OF_OBSERVATIONS,
    },
    NamedView {
        name: "scores-numeric",
        view: View::NumericScores,
        time: "timestamp",
        dimensions: &[SCORES],
        measures: OF_NUMBERS,
    },
    NamedView {
        name: "scores-boolean",
        view: View::BooleanScores,
        time: "timestamp",
        dimensions: &[SCORES],
        measures: OF_NUMBERS,
    },
    NamedView {
        name: "scores-categorical",
        view: View::CategoricalScores,
        time: "timestamp",
        dimensions: &[SCORES, LABELS],
        measures: OF_LABELS,
    },
];

const TRACES: &[NamedDimension] = &[
    ("id", Dimension::Id, V1),
    ("name", Dimension::Name, V1),
    ("tags", Dimension::Tags, V1),
    ("userId", Dimension::User, V1),
    ("sessionId", Dimension::Session, V1),
    ("release", Dimension::Release, V1),
    ("version", Dimension::Version, V1),
    ("environment", Dimension::Environment, V1),
    ("timestampMonth", Dimension::Month, V1),
];

const OF_TRACES: &[NamedMeasure] = &[
    ("count", Measure::Count, V1),
    ("observationsCount", Measure::Observations, V1),
    ("scoresCount", Measure::Scores, V1),
    ("uniqueUserIds", Measure::Users, V1),
    ("uniqueSessionIds", Measure::Sessions, V1),
    ("latency", Measure::LatencyMs, V1),
    ("totalTokens", Measure::TotalTokens, V1),
    ("totalCost", Measure::TotalCost, V1),
];

const OBSERVATIONS: &[NamedDimension] = &[
    ("id", Dimension::Id, V1),
    ("traceId", Dimension::Trace, V1),
    ("traceName", Dimension::TraceName, V1),
    ("environment", Dimension::Environment, V1),
    ("parentObservationId", Dimension::Parent, V1),
    ("type", Dimension::BroadKind, V1),
    ("name", Dimension::Name, V1),
    ("level", Dimension::Level, V1),
    ("version", Dimension::Version, V1),
    ("tags", Dimension::Tags, V1),
    ("providedModelName", Dimension::Model, V1),
    ("promptName", Dimension::Prompt, V1),
    ("promptVersion", Dimension::PromptVersion, V1),
    ("userId", Dimension::User, V1),
    ("sessionId", Dimension::Session, V1),
    ("traceRelease", Dimension::TraceRelease, V1),
    ("traceVersion", Dimension::TraceVersion, V1),
    ("startTimeMonth", Dimension::Month, V1),
    ("toolNames", Dimension::Tool, V1),
    ("calledToolNames", Dimension::CalledTool, V1),
    ("isRootObservation", Dimension::IsRoot, V2),
    ("release", Dimension::Release, V2),
    ("experimentId", Dimension::Experiment, V2),
    ("experimentName", Dimension::ExperimentName, V2),
    ("experimentDatasetId", Dimension::ExperimentDataset, V2),
    ("costType", Dimension::CostKind, V2),
    ("usageType", Dimension::UsageKind, V2),
];

const OF_OBSERVATIONS: &[NamedMeasure] = &[
    ("count", Measure::Count, V1),
    ("latency", Measure::LatencyMs, V1),
    ("streamingLatency", Measure::StreamingMs, V1),
    ("timeToFirstToken", Measure::TtftMs, V1),
    ("inputTokens", Measure::InputTokens, V1),
    ("outputTokens", Measure::OutputTokens, V1),
    ("totalTokens", Measure::TotalTokens, V1),
    ("outputTokensPerSecond", Measure::OutputTokensPerSecond, V1),
    ("tokensPerSecond", Measure::TokensPerSecond, V1),
    ("inputCost", Measure::InputCost, V1),
    ("outputCost", Measure::OutputCost, V1),
    ("totalCost", Measure::TotalCost, V1),
    ("countScores", Measure::Scores, V1),
    ("toolDefinitions", Measure::ToolsOffered, V1),
    ("toolCalls", Measure::ToolCalls, V1),
    ("uniqueUserIds", Measure::Users, V2),
    ("uniqueSessionIds", Measure::Sessions, V2),
    ("traceId", Measure::Traces, V2),
    ("costByType", Measure::CostByKind, V2),
    ("usageByType", Measure::UsageByKind, V2),
];

const SCORES: &[NamedDimension] = &[
    ("id", Dimension::Id, V1),
    ("environment", Dimension::Environment, V1),
    ("name", Dimension::Name, V1),
    ("source", Dimension::Source, V1),
    ("dataType", Dimension::DataType, V1),
    ("traceId", Dimension::Trace, V1),
    ("configId", Dimension::Config, V1),
    ("timestampMonth", Dimension::Month, V1),
    ("timestampDay", Dimension::Day, V1),
    ("observationId", Dimension::Observation, V1),
    ("sessionId", Dimension::Session, V1),
    ("datasetRunId", Dimension::DatasetRun, V1),
    ("traceName", Dimension::TraceName, V1),
    ("userId", Dimension::User, V1),
    ("tags", Dimension::Tags, V1),
    ("traceRelease", Dimension::TraceRelease, V1),
    ("traceVersion", Dimension::TraceVersion, V1),
    ("observationName", Dimension::ObservationName, V1),
    ("observationModelName", Dimension::Model, V1),
    ("observationPromptName", Dimension::Prompt, V1),
    ("observationPromptVersion", Dimension::PromptVersion, V1),
    ("experimentId", Dimension::Experiment, V2),
    ("experimentName", Dimension::ExperimentName, V2),
];

const LABELS: &[NamedDimension] = &[("stringValue", Dimension::Label, V1)];

const OF_NUMBERS: &[NamedMeasure] = &[("count", Measure::Count, V1), ("value", Measure::Value, V1)];

const OF_LABELS: &[NamedMeasure] = &[("count", Measure::Count, V1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_of_something_that_the_view_has() {
        for named in VIEWS {
            for (name, dimension, _) in named.dimensions.iter().copied().flatten() {
                let known = named.view.dimensions().contains(dimension);
                assert!(known, "{} has no {name}", named.name);
            }
            for (name, measure, _) in named.measures {
                let known = named.view.measures().contains(measure);
                assert!(known, "{} does not measure {name}", named.name);
            }
        }
    }

    #[test]
    fn the_second_version_has_more_dimensions_and_no_traces() {
        assert!(NamedView::find(V2, "traces").is_none());
        let observations = NamedView::find(V1, "observations").unwrap();
        assert_eq!(observations.dimension(V1, "costType"), None);
        assert_eq!(
            observations.dimension(V2, "costType"),
            Some(Dimension::CostKind)
        );
    }
}
