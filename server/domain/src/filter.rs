//! Which spans and traces a reader asked for.

use serde::{Deserialize, Serialize};

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
    /// Name that the application gave the whole trace.
    TraceName,
    /// Tags (a list).
    Tag,
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

/// What a list of traces or spans is narrowed to; all parts must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// `from ≤ start`.
    pub from: Option<Timestamp>,
    /// `start < to`.
    pub to: Option<Timestamp>,
    /// Free text in name, input, output or error, whatever the case of letters.
    pub text: Option<String>,
    /// Latency of at least that.
    pub min_latency_ms: Option<f64>,
    /// `Some(true)`: with a failed span; `Some(false)`: without.
    pub has_error: Option<bool>,
    /// Comparisons.
    pub conditions: Vec<Condition>,
}
