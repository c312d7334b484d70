//! What rows are grouped by.

use crate::span::named_enum;

named_enum!(
    /// A property of rows that they are grouped by or narrowed to.
    Dimension, default Name {
        /// Id of the row itself.
        Id = "id",
        /// Its name.
        Name = "name",
        /// Kind of a span.
        Kind = "kind",
        /// Kind of a span, re-rankers among the searches.
        BroadKind = "broad_kind",
        /// Level of a span.
        Level = "level",
        /// Environment.
        Environment = "environment",
        /// Release; of a span, what the span itself says.
        Release = "release",
        /// Version; of a span, what the span itself says.
        Version = "version",
        /// Tags of the trace: those that have the same tags are one group.
        Tags = "tags",
        /// User of the trace.
        User = "user_id",
        /// Session of the trace; of a score, the one that is judged.
        Session = "session_id",
        /// Trace of a span; of a score, the one that is judged.
        Trace = "trace_id",
        /// Parent of a span; nothing at a root.
        Parent = "parent_span_id",
        /// Whether a span has no parent.
        IsRoot = "is_root",
        /// Tenant of the trace.
        Tenant = "tenant",
        /// Route of the trace.
        Route = "route",
        /// Feature that the trace belongs to: the key `feature` of its metadata.
        Feature = "feature",
        /// Region in which the trace was made: the key `region` of its metadata.
        Region = "region",
        /// Variant of the application that made it: the key `variant` of its metadata.
        Variant = "variant",
        /// Model that answered or was asked for.
        Model = "model",
        /// Who served it.
        Provider = "provider",
        /// Prompt.
        Prompt = "prompt",
        /// Version of the prompt.
        PromptVersion = "prompt_version",
        /// Name of the trace.
        TraceName = "trace_name",
        /// Release of the trace.
        TraceRelease = "trace_release",
        /// Version of the trace.
        TraceVersion = "trace_version",
        /// Experiment that a span is part of; of a score, the one that is judged.
        Experiment = "experiment_id",
        /// Its name, as the span says.
        ExperimentName = "experiment_name",
        /// Dataset that it tries, as the span says.
        ExperimentDataset = "experiment_dataset_id",
        /// Month in UTC, `2026-11`.
        Month = "month",
        /// Day in UTC, `2026-11-30`.
        Day = "day",
        /// Kind of usage that a part of the cost is for. A span counts once for each.
        CostKind = "cost_kind",
        /// Kind of usage. A span counts once for each.
        UsageKind = "usage_kind",
        /// Tool that a model was offered. A span counts once for each, and not at all without one.
        Tool = "tool",
        /// Tool that it called. A span counts once for each call, and not at all without one.
        CalledTool = "called_tool",
        /// Whether a cache of answers gave the answer: `true`, `false`, or nothing said.
        FromCache = "from_cache",
        /// Who judged.
        Source = "source",
        /// What kind of value a score is.
        DataType = "data_type",
        /// Configuration that a score follows.
        Config = "config_id",
        /// Run of a dataset that is judged.
        DatasetRun = "dataset_run_id",
        /// Span that is judged.
        Observation = "span_id",
        /// Name of the span that is judged.
        ObservationName = "span_name",
        /// Label that a score gives.
        Label = "label",
    }
);

/// What a value of a dimension is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DimensionKind {
    /// A text, or nothing.
    Text,
    /// Several texts.
    Texts,
    /// Yes or no.
    Flag,
}

impl Dimension {
    /// What its values are.
    pub fn kind(self) -> DimensionKind {
        match self {
            Dimension::Tags | Dimension::Tool | Dimension::CalledTool => DimensionKind::Texts,
            Dimension::IsRoot => DimensionKind::Flag,
            _ => DimensionKind::Text,
        }
    }

    /// Whether a row counts once for each of its texts, rather than for all of them together.
    pub fn is_one_by_one(self) -> bool {
        matches!(self, Dimension::Tool | Dimension::CalledTool)
    }

    /// Whether it has nearly as many values as there are rows, users or sessions.
    pub fn has_many_values(self) -> bool {
        matches!(
            self,
            Dimension::Id
                | Dimension::Trace
                | Dimension::Parent
                | Dimension::User
                | Dimension::Session
                | Dimension::Observation
                | Dimension::Experiment
                | Dimension::ExperimentName
                | Dimension::ExperimentDataset
        )
    }
}
