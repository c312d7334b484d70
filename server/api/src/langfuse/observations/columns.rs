//! What lists of observations can be narrowed to.

use domain::attr::langfuse as attr;
use domain::filter::{Column, Condition, Filter, Operator};

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
    ("latency", Meaning::Ours("latency")),
    ("traceName", Meaning::OfTrace("trace_name")),
    ("traceTags", Meaning::OfTrace("tags")),
    ("tags", Meaning::OfTrace("tags")),
    ("userId", Meaning::OfTrace("user_id")),
    ("sessionId", Meaning::OfTrace("session_id")),
    ("isRootObservation", Meaning::IsRoot),
    ("hasParentObservation", Meaning::HasParent),
    ("endTime", Meaning::NotYet),
    ("statusMessage", Meaning::NotYet),
    ("modelId", Meaning::NotYet),
    ("timeToFirstToken", Meaning::NotYet),
    ("tokensPerSecond", Meaning::NotYet),
    ("inputTokens", Meaning::NotYet),
    ("outputTokens", Meaning::NotYet),
    ("totalTokens", Meaning::NotYet),
    ("tokens", Meaning::NotYet),
    ("inputCost", Meaning::NotYet),
    ("outputCost", Meaning::NotYet),
    ("totalCost", Meaning::NotYet),
    ("toolNames", Meaning::NotYet),
    ("calledToolNames", Meaning::NotYet),
    ("toolDefinitions", Meaning::NotYet),
    ("toolCalls", Meaning::NotYet),
    ("scores_avg", Meaning::NotYet),
    ("score_categories", Meaning::NotYet),
    ("score_booleans", Meaning::NotYet),
    ("input", Meaning::NotYet),
    ("output", Meaning::NotYet),
    ("traceEnvironment", Meaning::NotYet),
    ("hasInput", Meaning::NotYet),
    ("hasOutput", Meaning::NotYet),
    ("evaluatorId", Meaning::NotYet),
    ("ruleId", Meaning::NotYet),
    ("experimentId", Meaning::Attribute(attr::EXPERIMENT_ID)),
    ("experimentName", Meaning::Attribute(attr::EXPERIMENT_NAME)),
    (
        "experimentDatasetId",
        Meaning::Attribute(attr::EXPERIMENT_DATASET_ID),
    ),
    ("isExperimentItemRootSpan", Meaning::NotYet),
    ("ingestionSource", Meaning::NotYet),
    ("ingestionSdkName", Meaning::NotYet),
    ("ingestionSdkVersion", Meaning::NotYet),
    ("ingestionApiKey", Meaning::NotYet),
    ("trace_scores_avg", Meaning::NotYet),
    ("trace_score_categories", Meaning::NotYet),
    ("trace_score_booleans", Meaning::NotYet),
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
