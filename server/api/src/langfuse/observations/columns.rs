//! What lists of observations can be narrowed to.

use domain::attr::langfuse as attr;
use domain::filter::{Column, Condition, Filter, Judged, Operator, Quantity};

use crate::langfuse::error::Result;
use crate::langfuse::filter::{self, Columns, Compared, Meaning};
use crate::langfuse::query::Query;

/// Columns of the parameter `filter`.
const COLUMNS: Columns = &[
    ("id", Meaning::Ours("span_id")),
    ("type", Meaning::Kind),
    ("name", Meaning::Ours("name")),
    ("traceId", Meaning::Ours("trace_id")),
    ("parentObservationId", Meaning::Ours("parent_span_id")),
    ("startTime", Meaning::Ours("start")),
    ("level", Meaning::Ours("level")),
    ("version", Meaning::Ours("version")),
    ("release", Meaning::Ours("release")),
    ("environment", Meaning::Ours("environment")),
    ("model", Meaning::Ours("model")),
    ("providedModelName", Meaning::Ours("model")),
    ("promptName", Meaning::Ours("prompt")),
    ("promptVersion", Meaning::Ours("prompt_version")),
    ("metadata", Meaning::Ours("metadata")),
    ("latency", Meaning::Number(Quantity::LatencyMs, 1_000.0)),
    ("traceName", Meaning::OfTrace("trace_name")),
    ("traceTags", Meaning::OfTrace("tags")),
    ("tags", Meaning::OfTrace("tags")),
    ("userId", Meaning::OfTrace("user_id")),
    ("sessionId", Meaning::OfTrace("session_id")),
    ("isRootObservation", Meaning::IsRoot),
    ("hasParentObservation", Meaning::HasParent),
    ("positionInTrace", Meaning::Position),
    ("endTime", Meaning::EndTime),
    ("statusMessage", Meaning::Ours("status_message")),
    ("modelId", Meaning::Model),
    (
        "timeToFirstToken",
        Meaning::Number(Quantity::TtftMs, 1_000.0),
    ),
    (
        "tokensPerSecond",
        Meaning::Number(Quantity::TokensPerSecond, 1.0),
    ),
    ("inputTokens", Meaning::Number(Quantity::InputTokens, 1.0)),
    ("outputTokens", Meaning::Number(Quantity::OutputTokens, 1.0)),
    ("totalTokens", Meaning::Number(Quantity::TotalTokens, 1.0)),
    ("tokens", Meaning::Number(Quantity::TotalTokens, 1.0)),
    ("inputCost", Meaning::Number(Quantity::InputCost, 1.0)),
    ("outputCost", Meaning::Number(Quantity::OutputCost, 1.0)),
    ("totalCost", Meaning::Number(Quantity::TotalCost, 1.0)),
    ("toolNames", Meaning::Ours("tool_name")),
    ("calledToolNames", Meaning::Ours("called_tool")),
    (
        "toolDefinitions",
        Meaning::Number(Quantity::ToolsOffered, 1.0),
    ),
    ("toolCalls", Meaning::Number(Quantity::ToolCalls, 1.0)),
    ("scores_avg", Meaning::Average(Judged::Span)),
    ("score_categories", Meaning::Labels(Judged::Span)),
    ("score_booleans", Meaning::Says(Judged::Span)),
    ("input", Meaning::Ours("input")),
    ("output", Meaning::Ours("output")),
    ("traceEnvironment", Meaning::OfTrace("environment")),
    ("hasInput", Meaning::Has("input")),
    ("hasOutput", Meaning::Has("output")),
    ("evaluatorId", Meaning::NotYet),
    ("ruleId", Meaning::NotYet),
    ("experimentId", Meaning::Attribute(attr::EXPERIMENT_ID)),
    ("experimentName", Meaning::Attribute(attr::EXPERIMENT_NAME)),
    (
        "experimentDatasetId",
        Meaning::Attribute(attr::EXPERIMENT_DATASET_ID),
    ),
    ("isExperimentItemRootSpan", Meaning::IsItemRoot),
    ("ingestionSource", Meaning::NotYet),
    ("ingestionSdkName", Meaning::NotYet),
    ("ingestionSdkVersion", Meaning::NotYet),
    ("ingestionApiKey", Meaning::NotYet),
    ("trace_scores_avg", Meaning::Average(Judged::Trace)),
    ("trace_score_categories", Meaning::Labels(Judged::Trace)),
    ("trace_score_booleans", Meaning::Says(Judged::Trace)),
    ("commentCount", Meaning::NotYet),
    ("commentContent", Meaning::NotYet),
];

/// Reads the filter of a list of observations; both versions take the same parameters.
///
/// # Errors
/// When a parameter, or a condition, cannot be understood.
pub(super) fn filter(query: &Query) -> Result<Filter> {
    let of_trace = |column| Column::OfTrace(Box::new(column));
    let compared = [
        Compared::any("type", Column::Kind),
        Compared::any("name", Column::Name),
        Compared::any("level", Column::Level),
        Compared::any("traceId", Column::TraceId),
        Compared::any("version", Column::Version),
        Compared::any("parentObservationId", Column::ParentId),
        Compared::any("environment", Column::Environment),
        Compared::any("userId", of_trace(Column::UserId)),
        Compared::any("sessionId", of_trace(Column::SessionId)),
    ];
    let mut filter = filter::read(query, COLUMNS, &compared)?;
    filter.from = filter.from.or(query.time("fromStartTime")?);
    filter.to = filter.to.or(query.time("toStartTime")?);
    if let Some(is_root) = query.flag("isRootObservation")? {
        let operator = if is_root {
            Operator::AnyOf
        } else {
            Operator::NoneOf
        };
        filter.conditions.push(Condition {
            column: Column::ParentId,
            operator,
            values: vec![String::new()],
        });
    }
    Ok(filter)
}
