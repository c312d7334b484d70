//! Columns and operators of the filter, by their names in addresses and their words.

use domain::Fault;
use domain::filter::{Column, Operator};

use crate::i18n::text;

/// Columns that the filter menu offers, with their words.
pub(crate) const COLUMNS: [(&str, &str); 12] = [
    ("name", text!("Name")),
    ("environment", text!("Environment")),
    ("model", text!("Model")),
    ("user_id", text!("User")),
    ("session_id", text!("Session")),
    ("tag", text!("Tag")),
    ("prompt", text!("Prompt")),
    ("tenant", text!("Tenant")),
    ("release", text!("Release")),
    ("service", text!("Service")),
    ("level", text!("Level")),
    ("semantic_event", text!("Semantic event")),
];

/// Operators that the filter menu offers, with their words.
pub(crate) const OPERATORS: [(&str, &str, Operator); 6] = [
    ("is", text!("is"), Operator::AnyOf),
    ("not", text!("is not"), Operator::NoneOf),
    ("has", text!("contains"), Operator::Contains),
    ("hasnt", text!("does not contain"), Operator::DoesNotContain),
    ("starts", text!("starts with"), Operator::StartsWith),
    ("ends", text!("ends with"), Operator::EndsWith),
];

/// A condition from `column:operator:value`.
pub(super) fn condition(text: &str) -> Result<(Column, Operator, String), Fault> {
    let wrong = || Fault::invalid(format!("a filter is column:operator:value, got {text}"));
    let (column, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (operator, value) = rest.split_once(':').ok_or_else(wrong)?;
    let column = column_of(column).ok_or_else(wrong)?;
    let (.., operator) = OPERATORS
        .into_iter()
        .find(|(name, ..)| *name == operator)
        .ok_or_else(wrong)?;
    if value.is_empty() {
        return Err(wrong());
    }
    Ok((column, operator, value.to_owned()))
}

pub(super) fn column_of(name: &str) -> Option<Column> {
    Some(match name {
        "name" => Column::Name,
        "kind" => Column::Kind,
        "environment" => Column::Environment,
        "model" => Column::Model,
        "provider" => Column::Provider,
        "user_id" => Column::UserId,
        "session_id" => Column::SessionId,
        "prompt" => Column::Prompt,
        "prompt_version" => Column::PromptVersion,
        "tenant" => Column::Tenant,
        "route" => Column::Route,
        "release" => Column::Release,
        "service" => Column::Service,
        "level" => Column::Level,
        "version" => Column::Version,
        "trace_id" => Column::TraceId,
        "span_id" => Column::SpanId,
        "parent_span_id" => Column::ParentId,
        "trace_name" => Column::TraceName,
        "tag" => Column::Tag,
        "tool_name" => Column::ToolName,
        "called_tool" => Column::CalledTool,
        "semantic_event" => Column::SemanticEvent,
        _ => {
            let (kind, key) = name.split_once('.').filter(|(_, key)| !key.is_empty())?;
            match kind {
                "metadata" => Column::Metadata(key.to_owned()),
                "attribute" => Column::Attribute(key.to_owned()),
                _ => return None,
            }
        }
    })
}

/// Name of a column in addresses and chips.
pub(crate) fn column_name(column: &Column) -> String {
    match column {
        Column::Name => "name",
        Column::Kind => "kind",
        Column::Environment => "environment",
        Column::Model => "model",
        Column::Provider => "provider",
        Column::UserId => "user_id",
        Column::SessionId => "session_id",
        Column::Prompt => "prompt",
        Column::PromptVersion => "prompt_version",
        Column::Tenant => "tenant",
        Column::Route => "route",
        Column::Release => "release",
        Column::Service => "service",
        Column::Level => "level",
        Column::Version => "version",
        Column::TraceId => "trace_id",
        Column::SpanId => "span_id",
        Column::ParentId => "parent_span_id",
        Column::PriceKey => "price",
        Column::IsItemRoot => "is_item_root",
        Column::TraceName => "trace_name",
        Column::StatusMessage => "status_message",
        Column::Input => "input",
        Column::Output => "output",
        Column::Tag => "tag",
        Column::ToolName => "tool_name",
        Column::CalledTool => "called_tool",
        Column::SemanticEvent => "semantic_event",
        Column::OfTrace(column) => return column_name(column),
        Column::Metadata(key) => return format!("metadata.{key}"),
        Column::Attribute(key) => return format!("attribute.{key}"),
    }
    .to_owned()
}

/// Name of an operator in addresses.
pub(super) fn operator_name(operator: Operator) -> &'static str {
    OPERATORS
        .iter()
        .find(|(.., known)| *known == operator)
        .map_or("is", |(name, ..)| name)
}
