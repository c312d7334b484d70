use crate::filter::{Column, Quantity};

/// What a field holds, and with that how it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A word of a closed or short list: `:` and `=` mean equal.
    Word,
    /// A text: `:` means that it contains, `=` that it is equal.
    Text,
    /// A length of time: `1.5s`, `200ms`, `2m`; seconds without a unit.
    Time,
    /// A count.
    Count,
    /// US dollars.
    Money,
    /// Yes or no.
    Flag,
    /// Any of these, by what stands there: a number, a label, yes or no.
    Score,
}

/// Fields with what they hold, in the order in which help shows them. Those that end in a dot take a
/// name: `metadata.team:search`.
pub const FIELDS: [(&str, FieldKind); 34] = [
    ("name", FieldKind::Text),
    ("input", FieldKind::Text),
    ("output", FieldKind::Text),
    ("message", FieldKind::Text),
    ("error", FieldKind::Flag),
    ("latency", FieldKind::Time),
    ("ttft", FieldKind::Time),
    ("tokens", FieldKind::Count),
    ("input_tokens", FieldKind::Count),
    ("output_tokens", FieldKind::Count),
    ("cost", FieldKind::Money),
    ("model", FieldKind::Word),
    ("provider", FieldKind::Word),
    ("user", FieldKind::Word),
    ("session", FieldKind::Word),
    ("tag", FieldKind::Word),
    ("environment", FieldKind::Word),
    ("tenant", FieldKind::Word),
    ("release", FieldKind::Word),
    ("version", FieldKind::Word),
    ("service", FieldKind::Word),
    ("route", FieldKind::Word),
    ("prompt", FieldKind::Word),
    ("prompt_version", FieldKind::Word),
    ("kind", FieldKind::Word),
    ("level", FieldKind::Word),
    ("tool", FieldKind::Word),
    ("semantic", FieldKind::Word),
    ("trace_name", FieldKind::Text),
    ("trace_id", FieldKind::Word),
    ("span_id", FieldKind::Word),
    ("metadata.", FieldKind::Word),
    ("attribute.", FieldKind::Word),
    ("score.", FieldKind::Score),
];

/// Longest name behind the dot, characters.
const MAX_NAME: usize = 200;

/// What stands before an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Text(Column, FieldKind),
    Number(Quantity, FieldKind),
    Failed,
    Score(String),
}

impl Field {
    /// By its name; other names that APIs have for the same are understood, too.
    pub(super) fn from_name(name: &str) -> Option<Field> {
        if let Some((family, key)) = name.split_once('.') {
            if key.is_empty() || key.chars().count() > MAX_NAME {
                return None;
            }
            let key = key.to_owned();
            return match family {
                "metadata" => Some(Field::Text(Column::Metadata(key), FieldKind::Word)),
                "attribute" | "attributes" => {
                    Some(Field::Text(Column::Attribute(key), FieldKind::Word))
                }
                "score" => Some(Field::Score(key)),
                _ => None,
            };
        }
        number(name).or_else(|| text(name))
    }
}

fn number(name: &str) -> Option<Field> {
    let (quantity, kind) = match name {
        "error" => return Some(Field::Failed),
        "latency" => (Quantity::LatencyMs, FieldKind::Time),
        "ttft" => (Quantity::TtftMs, FieldKind::Time),
        "tokens" => (Quantity::TotalTokens, FieldKind::Count),
        "input_tokens" => (Quantity::InputTokens, FieldKind::Count),
        "output_tokens" => (Quantity::OutputTokens, FieldKind::Count),
        "cost" => (Quantity::TotalCost, FieldKind::Money),
        _ => return None,
    };
    Some(Field::Number(quantity, kind))
}

fn text(name: &str) -> Option<Field> {
    let of = |column, kind| Some(Field::Text(column, kind));
    let word = |column| of(column, FieldKind::Word);
    match name {
        "name" => of(Column::Name, FieldKind::Text),
        "trace_name" => of(Column::TraceName, FieldKind::Text),
        "input" => of(Column::Input, FieldKind::Text),
        "output" => of(Column::Output, FieldKind::Text),
        "message" | "status_message" => of(Column::StatusMessage, FieldKind::Text),
        "kind" | "type" => word(Column::Kind),
        "environment" | "env" => word(Column::Environment),
        "model" => word(Column::Model),
        "provider" => word(Column::Provider),
        "user" | "user_id" => word(Column::UserId),
        "session" | "session_id" => word(Column::SessionId),
        "prompt" => word(Column::Prompt),
        "prompt_version" => word(Column::PromptVersion),
        "tenant" => word(Column::Tenant),
        "route" => word(Column::Route),
        "release" => word(Column::Release),
        "service" => word(Column::Service),
        "level" => word(Column::Level),
        "version" => word(Column::Version),
        "trace_id" => word(Column::TraceId),
        "span_id" => word(Column::SpanId),
        "tag" | "tags" => word(Column::Tag),
        "tool" | "called_tool" => word(Column::CalledTool),
        "tool_name" => word(Column::ToolName),
        "semantic" | "semantic_event" => word(Column::SemanticEvent),
        _ => None,
    }
}
