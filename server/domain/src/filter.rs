//! Which spans and traces a reader asked for.

use serde::{Deserialize, Serialize};

use crate::comparison::Compare;
use crate::search::Search;
use crate::time::Timestamp;

/// A column that can be filtered on, by its name in the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// Name of the span or trace.
    Name,
    /// Kind of span.
    Kind,
    /// Environment.
    Environment,
    /// Model that answered or was asked for.
    Model,
    /// Provider.
    Provider,
    /// User of the application.
    UserId,
    /// Session.
    SessionId,
    /// Prompt name.
    Prompt,
    /// Prompt version.
    PromptVersion,
    /// Tenant.
    Tenant,
    /// Route.
    Route,
    /// Release.
    Release,
    /// Service.
    Service,
    /// Level.
    Level,
    /// Version that the application gave the operation.
    Version,
    /// Id of the trace.
    TraceId,
    /// Id of the span.
    SpanId,
    /// Id of the parent; nothing at a root.
    ParentId,
    /// The price by which its cost was computed, by its [`crate::cost::Price::key`] or
    /// [`crate::cost::ProjectPrice::key`]; nothing where it was not computed.
    PriceKey,
    /// Whether the span is the root of an item of an experiment: `true` or `false`.
    IsItemRoot,
    /// Name that the application gave the whole trace.
    TraceName,
    /// Tags (a list).
    Tag,
    /// Tools that a model was offered (a list).
    ToolName,
    /// Tools that it called (a list).
    CalledTool,
    /// Types of semantic events that it has (a list).
    SemanticEvent,
    /// What an operation said about its end.
    StatusMessage,
    /// Input as it was sent.
    Input,
    /// Output as it was sent.
    Output,
    /// Metadata by key.
    Metadata(String),
    /// Attribute by key.
    Attribute(String),
    /// A column of any span of the same trace, or of what describes the trace as a whole.
    OfTrace(Box<Column>),
}

/// A comparison with texts. Patterns are literal: `%`, `_`, `\` and quotes mean themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// Equal to one of the values.
    AnyOf,
    /// Equal to none of the values; rows that have nothing match.
    NoneOf,
    /// Contains the (one) value, whatever the case of letters.
    Contains,
    /// Does not contain it; rows that have nothing match.
    DoesNotContain,
    /// Starts with it.
    StartsWith,
    /// Ends with it.
    EndsWith,
    /// Has each of its words, whatever the case of letters.
    Matches,
}

/// One condition. A trace meets it when one of its spans does; for the negative operators, when no
/// span has what is denied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// What is compared.
    pub column: Column,
    /// How.
    pub operator: Operator,
    /// With what; at least one.
    pub values: Vec<String>,
}

/// A number of a span, or of a trace as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// From start to end, milliseconds.
    LatencyMs,
    /// From start to the first token, milliseconds.
    TtftMs,
    /// When it ended, milliseconds since 1970.
    EndMs,
    /// Output tokens per second of latency.
    TokensPerSecond,
    /// Input tokens.
    InputTokens,
    /// Output tokens.
    OutputTokens,
    /// All tokens.
    TotalTokens,
    /// US dollars for input.
    InputCost,
    /// US dollars for output.
    OutputCost,
    /// US dollars in all.
    TotalCost,
    /// Tools that a model was offered.
    ToolsOffered,
    /// Calls of tools that it made.
    ToolCalls,
    /// Failed spans of a trace.
    Errors,
    /// Spans of a trace with a warning.
    Warnings,
    /// Spans of a trace of the usual level.
    Defaults,
    /// Spans of a trace for debugging.
    Debugs,
}

/// A comparison of a number; what has none does not match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What is compared.
    pub quantity: Quantity,
    /// How.
    pub compare: Compare,
    /// With what.
    pub number: f64,
}

/// What the scores of a condition judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// The trace or one of its spans.
    Trace,
    /// The span itself.
    Span,
}

/// What scores of one name must say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Their numbers compare so on average.
    Average(Compare, f64),
    /// One of them gives one of the labels.
    AnyLabel(Vec<String>),
    /// None of them gives one of the labels; without scores that holds, too.
    NoLabel(Vec<String>),
    /// One of them says yes, or no.
    Says(bool),
}

/// A condition on the scores of one name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdicts {
    /// What they judge.
    pub of: Judged,
    /// Their name.
    pub name: String,
    /// What they must say.
    pub verdict: Verdict,
}

/// The place of a span among those of its trace by start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// From 1 on.
    pub number: u32,
    /// Whether the last is the first.
    pub is_from_end: bool,
}

/// Most conditions of one filter: each is another look at every trace.
pub const MAX_CONDITIONS: usize = 50;

/// What a list of traces or spans is narrowed to; all parts must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// `from ≤ start`.
    pub from: Option<Timestamp>,
    /// `start < to`.
    pub to: Option<Timestamp>,
    /// Free text in name, input, output or error, whatever the case of letters.
    pub text: Option<String>,
    /// What was typed into a search field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
    /// Latency of at least that.
    pub min_latency_ms: Option<f64>,
    /// `Some(true)`: with a failed span; `Some(false)`: without.
    pub has_error: Option<bool>,
    /// Comparisons.
    pub conditions: Vec<Condition>,
    /// Comparisons of numbers.
    #[serde(default)]
    pub measured: Vec<Measured>,
    /// Conditions on scores.
    #[serde(default)]
    pub verdicts: Vec<Verdicts>,
    /// The place of spans within their traces.
    #[serde(default)]
    pub place: Option<Place>,
}
