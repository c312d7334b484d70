//! What a list of traces can be narrowed to and ordered by.

use domain::filter::{Judged, Quantity};
use domain::trace::{Order, OrderColumn};

use crate::langfuse::error::{Issue, Result};
use crate::langfuse::filter::{Columns, Meaning};

/// Columns of the parameter `filter`.
pub(super) const COLUMNS: Columns = &[
    ("id", Meaning::Ours("trace_id")),
    ("traceId", Meaning::Ours("trace_id")),
    ("name", Meaning::Ours("name")),
    ("traceName", Meaning::Ours("name")),
    ("timestamp", Meaning::Ours("start")),
    ("userId", Meaning::Ours("user_id")),
    ("sessionId", Meaning::Ours("session_id")),
    ("metadata", Meaning::Ours("metadata")),
    ("version", Meaning::Ours("version")),
    ("release", Meaning::Ours("release")),
    ("environment", Meaning::Ours("environment")),
    ("tags", Meaning::Ours("tags")),
    ("traceTags", Meaning::Ours("tags")),
    ("level", Meaning::Ours("level")),
    ("latency", Meaning::Number(Quantity::LatencyMs, 1_000.0)),
    ("errorCount", Meaning::Number(Quantity::Errors, 1.0)),
    ("bookmarked", Meaning::NotYet),
    ("evaluatorId", Meaning::NotYet),
    ("ruleId", Meaning::NotYet),
    ("inputTokens", Meaning::Number(Quantity::InputTokens, 1.0)),
    ("outputTokens", Meaning::Number(Quantity::OutputTokens, 1.0)),
    ("totalTokens", Meaning::Number(Quantity::TotalTokens, 1.0)),
    ("tokens", Meaning::Number(Quantity::TotalTokens, 1.0)),
    ("inputCost", Meaning::Number(Quantity::InputCost, 1.0)),
    ("outputCost", Meaning::Number(Quantity::OutputCost, 1.0)),
    ("totalCost", Meaning::Number(Quantity::TotalCost, 1.0)),
    ("warningCount", Meaning::Number(Quantity::Warnings, 1.0)),
    ("defaultCount", Meaning::Number(Quantity::Defaults, 1.0)),
    ("debugCount", Meaning::Number(Quantity::Debugs, 1.0)),
    ("scores", Meaning::Average(Judged::Trace)),
    ("scores_avg", Meaning::Average(Judged::Trace)),
    ("score_categories", Meaning::Labels(Judged::Trace)),
    ("score_booleans", Meaning::Says(Judged::Trace)),
];

/// Reads `<column>.asc` or `<column>.desc`.
///
/// # Errors
/// When it is something else.
pub(super) fn order(text: Option<&str>) -> Result<Order> {
    let Some(text) = text else {
        return Ok(Order::default());
    };
    let wrong = || Issue::new("custom", "orderBy", format!("Invalid order by: {text}"));
    let (column, direction) = text.split_once('.').ok_or_else(wrong)?;
    let column = match column {
        // Nothing is bookmarked: all are equal.
        "timestamp" | "bookmarked" => OrderColumn::Start,
        "id" => OrderColumn::Id,
        "name" => OrderColumn::Name,
        "userId" => OrderColumn::User,
        "sessionId" => OrderColumn::Session,
        "release" => OrderColumn::Release,
        "version" => OrderColumn::Version,
        "public" => OrderColumn::Public,
        _ => return Err(wrong().into()),
    };
    let is_ascending = match direction.to_ascii_lowercase().as_str() {
        "asc" => true,
        "desc" => false,
        _ => return Err(wrong().into()),
    };
    Ok(Order {
        column,
        is_ascending,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_a_column_and_a_direction() {
        assert_eq!(order(None).unwrap(), Order::default());
        let by_name = order(Some("name.asc")).unwrap();
        assert_eq!(
            (by_name.column, by_name.is_ascending),
            (OrderColumn::Name, true)
        );
        for wrong in ["name", "name.up", "nonsense.asc", ""] {
            assert!(order(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
