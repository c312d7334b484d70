//! What dimensions and measures are in SQL: the closed list that queries are put together from. A row of
//! the view is `r`; `w` is its trace as a whole, `s` has the number of its scores, `o` the span that it
//! judges, and `kind_name`, `kind_value` are one of its kinds of usage.

use domain::metrics::{Dimension, Measure, View};

/// Something of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) sql: &'static str,
    /// What is read beside the row itself.
    pub(super) beside: Beside,
}

/// What is read beside a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    Nothing,
    /// Its trace as a whole.
    Trace,
    /// How many scores it has.
    Scores,
    /// The span that it judges.
    Span,
    /// Each kind of its costs.
    Costs,
    /// Each kind of its usage.
    Usage,
    /// Each tool that its model was offered.
    Tools,
    /// Each call of a tool that it made.
    Calls,
}

const fn own(sql: &'static str) -> Expression {
    beside(Beside::Nothing, sql)
}

const fn beside(beside: Beside, sql: &'static str) -> Expression {
    Expression { sql, beside }
}

/// A value of a dimension as text, or a list of texts. What a view does not have is nothing.
pub(super) fn dimension(view: View, dimension: Dimension) -> Expression {
    match view {
        View::Traces => of_trace(dimension),
        View::Observations => of_observation(dimension),
        View::NumericScores | View::BooleanScores | View::CategoricalScores => of_score(dimension),
    }
}

/// Each text of a dimension that counts one by one; nothing of any other.
pub(super) fn one_by_one(dimension: Dimension) -> Option<Expression> {
    match dimension {
        Dimension::Tool => Some(beside(Beside::Tools, "toString(r.tool)")),
        Dimension::CalledTool => Some(beside(Beside::Calls, "toString(r.called_tool)")),
        _ => None,
    }
}

fn of_trace(dimension: Dimension) -> Expression {
    own(match dimension {
        Dimension::Id => "r.trace_id",
        Dimension::Name => "r.name",
        Dimension::Tags => "r.tags",
        Dimension::User => "r.user_id",
        Dimension::Session => "r.session_id",
        Dimension::Release => "r.release",
        Dimension::Version => "r.version_label",
        Dimension::Environment => "r.environment",
        Dimension::Month => "formatDateTime(r.time, '%Y-%m')",
        Dimension::Day => "formatDateTime(r.time, '%Y-%m-%d')",
        _ => "''",
    })
}

fn of_observation(dimension: Dimension) -> Expression {
    own(match dimension {
        Dimension::Id => "r.span_id",
        Dimension::Trace => "r.trace_id",
        Dimension::Parent => "r.parent_span_id",
        Dimension::IsRoot => "toString(r.parent_span_id = '')",
        Dimension::Kind => "toString(r.kind)",
        Dimension::BroadKind => "if(r.kind = 'reranker', 'retriever', toString(r.kind))",
        Dimension::Name => "r.name",
        Dimension::Level => "toString(r.level)",
        Dimension::Environment => "toString(r.environment)",
        Dimension::Release => "toString(r.release)",
        Dimension::Version => "toString(r.version_label)",
        Dimension::Model => "r.model",
        Dimension::Provider => "toString(r.provider)",
        Dimension::Prompt => "toString(r.prompt_name)",
        Dimension::PromptVersion => "toString(r.prompt_version)",
        Dimension::Month => "formatDateTime(r.time, '%Y-%m')",
        Dimension::Day => "formatDateTime(r.time, '%Y-%m-%d')",
        Dimension::Experiment => "r.experiment_id",
        Dimension::ExperimentName => "r.experiment_name",
        Dimension::ExperimentDataset => "r.experiment_dataset_id",
        Dimension::Tool => "r.tool_names",
        Dimension::CalledTool => "r.called_tool_names",
        Dimension::FromCache => "toString(r.from_cache)",
        Dimension::CostKind => return beside(Beside::Costs, "toString(r.kind_name)"),
        Dimension::UsageKind => return beside(Beside::Usage, "toString(r.kind_name)"),
        other => return of_its_trace(other),
    })
}

fn of_score(dimension: Dimension) -> Expression {
    own(match dimension {
        Dimension::Id => "r.score_id",
        Dimension::Name => "toString(r.name)",
        Dimension::Label => "r.words",
        Dimension::Environment => "toString(r.environment)",
        Dimension::Source => "toString(r.source)",
        Dimension::DataType => "toString(r.data_type)",
        Dimension::Config => "r.config_id",
        Dimension::Trace => "r.trace_id",
        Dimension::Observation => "r.observation_id",
        Dimension::Session => "r.session_id",
        Dimension::DatasetRun => "r.dataset_run_id",
        Dimension::Month => "formatDateTime(r.time, '%Y-%m')",
        Dimension::Day => "formatDateTime(r.time, '%Y-%m-%d')",
        Dimension::Experiment => {
            let sql = "if(r.dataset_run_id != '', r.dataset_run_id, o.experiment_id)";
            return beside(Beside::Span, sql);
        }
        Dimension::ExperimentName => return beside(Beside::Span, "o.experiment_name"),
        Dimension::ObservationName => return beside(Beside::Span, "o.name"),
        Dimension::Model => return beside(Beside::Span, "o.model"),
        Dimension::Prompt => return beside(Beside::Span, "toString(o.prompt_name)"),
        Dimension::PromptVersion => return beside(Beside::Span, "toString(o.prompt_version)"),
        other => return of_its_trace(other),
    })
}

fn of_its_trace(dimension: Dimension) -> Expression {
    let sql = match dimension {
        Dimension::TraceName => "w.name",
        Dimension::Tags => "w.tags",
        Dimension::User => "w.user_id",
        Dimension::Session => "w.session_id",
        Dimension::TraceRelease => "w.release",
        Dimension::TraceVersion => "w.version_label",
        Dimension::Tenant => "w.tenant",
        Dimension::Route => "w.route",
        Dimension::Feature => {
            "if(startsWith(w.metadata['feature'], '\"'), \
             JSONExtractString(w.metadata['feature']), w.metadata['feature'])"
        }
        Dimension::Region => {
            "if(startsWith(w.metadata['region'], '\"'), \
             JSONExtractString(w.metadata['region']), w.metadata['region'])"
        }
        Dimension::Variant => {
            "if(startsWith(w.metadata['variant'], '\"'), \
             JSONExtractString(w.metadata['variant']), w.metadata['variant'])"
        }
        _ => return own("''"),
    };
    beside(Beside::Trace, sql)
}

/// The metadata of a row by a key: a pattern with `{key}` for the key's parameter.
pub(super) fn metadata(view: View) -> &'static str {
    match view {
        View::Traces | View::Observations => {
            "if(startsWith(r.metadata[{key}], '\"'), JSONExtractString(r.metadata[{key}]), r.metadata[{key}])"
        }
        View::NumericScores | View::BooleanScores | View::CategoricalScores => {
            "if(startsWith(JSONExtractRaw(r.metadata, {key}), '\"'), \
             JSONExtractString(r.metadata, {key}), JSONExtractRaw(r.metadata, {key}))"
        }
    }
}

/// A number of a row, or an id; NULL where it has none.
pub(super) fn measure(view: View, measure: Measure) -> Expression {
    match view {
        View::Traces => measure_of_trace(measure),
        View::Observations => measure_of_observation(measure),
        View::NumericScores | View::BooleanScores | View::CategoricalScores => own(match measure {
            Measure::Value => "r.value",
            Measure::Count => "toUInt64(1)",
            _ => "NULL",
        }),
    }
}

fn measure_of_trace(measure: Measure) -> Expression {
    own(match measure {
        Measure::Count => "toUInt64(1)",
        Measure::Observations => "r.spans_in_all",
        Measure::Scores => return beside(Beside::Scores, "s.scores"),
        Measure::Users => "nullIf(r.user_id, '')",
        Measure::Sessions => "nullIf(r.session_id, '')",
        Measure::LatencyMs => {
            "(toUnixTimestamp64Nano(r.end_time) - toUnixTimestamp64Nano(r.time)) / 1e6"
        }
        Measure::InputTokens => "r.input_tokens",
        Measure::OutputTokens => "r.output_tokens",
        Measure::TotalTokens => "r.total_tokens",
        Measure::TotalCost => "r.cost",
        _ => "NULL",
    })
}

fn measure_of_observation(measure: Measure) -> Expression {
    own(match measure {
        Measure::Count => "toUInt64(1)",
        Measure::Traces => "r.trace_id",
        Measure::Users => return beside(Beside::Trace, "nullIf(w.user_id, '')"),
        Measure::Sessions => return beside(Beside::Trace, "nullIf(w.session_id, '')"),
        Measure::Scores => return beside(Beside::Scores, "s.scores"),
        Measure::LatencyMs => "r.latency_ms",
        Measure::TtftMs => "r.ttft_ms",
        Measure::StreamingMs => "r.latency_ms - r.ttft_ms",
        Measure::InputTokens => "if(r.counts, r.input_tokens, NULL)",
        Measure::OutputTokens => "if(r.counts, r.output_tokens, NULL)",
        Measure::TotalTokens => "if(r.counts, r.all_tokens, NULL)",
        Measure::OutputTokensPerSecond => {
            "if(r.counts, r.output_tokens, NULL) / nullIf((r.latency_ms - r.ttft_ms) / 1e3, 0)"
        }
        Measure::TokensPerSecond => {
            "if(r.counts, r.all_tokens, NULL) / nullIf(r.latency_ms / 1e3, 0)"
        }
        Measure::InputCost => INPUT_COST,
        Measure::OutputCost => OUTPUT_COST,
        Measure::TotalCost => "if(r.counts, r.cost, NULL)",
        Measure::UnpricedCalls => {
            "if(r.counts AND isNotNull(r.all_tokens) AND isNull(r.cost), toUInt64(1), NULL)"
        }
        Measure::ToolsOffered => "length(r.tool_names)",
        Measure::ToolCalls => "length(r.called_tool_names)",
        Measure::CostByKind => return beside(Beside::Costs, "if(r.counts, r.kind_value, NULL)"),
        Measure::UsageByKind => return beside(Beside::Usage, "if(r.counts, r.kind_value, NULL)"),
        Measure::Observations | Measure::Value => "NULL",
    })
}

/// What is known of the parts of a cost for input: names of kinds tell the side.
const INPUT_COST: &str = "if(r.counts AND isNotNull(r.cost) AND notEmpty(r.cost_details), \
     arraySum(mapValues(mapFilter((kind, amount) -> kind LIKE '%input%' OR kind LIKE 'cache_%', \
     r.cost_details))), NULL)";

/// The same for output.
const OUTPUT_COST: &str = "if(r.counts AND isNotNull(r.cost) AND notEmpty(r.cost_details), \
     arraySum(mapValues(mapFilter((kind, amount) -> kind LIKE '%output%' OR kind = 'reasoning', \
     r.cost_details))), NULL)";
