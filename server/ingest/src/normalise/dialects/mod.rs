//! The dialects, one file each.
//!
//! To add one: a file with a [`Dialect`], a line in each of the two lists below, and a captured
//! request in `tests/fixtures/otlp`.

/// AgentOps.
mod agentops;
/// Google ADK.
mod google_adk;
/// Haystack.
mod haystack;
/// Messages spread over numbered keys.
mod indexed;
/// Langfuse SDKs.
mod langfuse;
/// LangSmith's OTel export.
mod langsmith;
/// LiteLLM.
mod litellm;
/// MLflow.
mod mlflow;
/// OpenInference.
mod openinference;
/// OpenLLMetry (Traceloop).
mod openllmetry;
/// OpenTelemetry GenAI, current and older.
mod otel_genai;
/// What needs no dialect.
mod plain;
/// Pydantic AI and Logfire.
mod pydantic_ai;
/// Our own keys.
mod triaxis;
/// Vercel AI SDK.
mod vercel_ai;

pub(super) use domain::message::Side;
use domain::span::{SpanEvent, SpanKind};

use super::field::Field;
use super::lookup::{Families, Key, Lookup};

/// How one family of instrumentations writes things down.
pub(super) struct Dialect {
    /// First words of keys by which it is recognised.
    pub(super) families: Families,
    /// What kind of span it is, if the dialect says so, and the key that says it.
    pub(super) kind: fn(&Lookup<'_>) -> Option<(SpanKind, &'static str)>,
    /// Keys of fields, best first.
    pub(super) fields: &'static [(Field, &'static [Key])],
    /// Input or output that is put together from several keys or events. Asked before the keys of
    /// [`Field::Input`] and [`Field::Output`].
    pub(super) composed: fn(&Content<'_, '_>, Side) -> Option<(String, &'static str)>,
}

/// Where input and output are composed from.
pub(super) struct Content<'a, 's> {
    /// Attributes of the span.
    pub(super) lookup: &'a Lookup<'s>,
    /// Events of the span.
    pub(super) events: &'s [SpanEvent],
}
/// Set for every span: dialects that are always asked.
pub(super) const ALWAYS: Families = 1 << 31;

/// For whose and where a span is, and for its kind: the more deliberate, the earlier.
pub(super) static BY_AUTHOR: &[&Dialect] = &[
    &triaxis::DIALECT,
    &langfuse::DIALECT,
    &openinference::DIALECT,
    &mlflow::DIALECT,
    &langsmith::DIALECT,
    &otel_genai::DIALECT,
    &vercel_ai::DIALECT,
    &openllmetry::DIALECT,
    &pydantic_ai::DIALECT,
    &google_adk::DIALECT,
    &agentops::DIALECT,
    &haystack::DIALECT,
    &litellm::DIALECT,
    &plain::DIALECT,
];

/// For the call and its content: the nearer to the provider, the earlier.
pub(super) static BY_CALL: &[&Dialect] = &[
    &triaxis::DIALECT,
    &langfuse::DIALECT,
    &otel_genai::DIALECT,
    &vercel_ai::DIALECT,
    &openinference::DIALECT,
    &openllmetry::DIALECT,
    &pydantic_ai::DIALECT,
    &mlflow::DIALECT,
    &langsmith::DIALECT,
    &google_adk::DIALECT,
    &agentops::DIALECT,
    &haystack::DIALECT,
    &litellm::DIALECT,
    &plain::DIALECT,
];

/// Input and output of a dialect that has them under one key each.
pub(super) fn nothing_composed(_: &Content<'_, '_>, _: Side) -> Option<(String, &'static str)> {
    None
}

/// A dialect that does not tell kinds.
pub(super) fn no_kind(_: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    None
}

/// The kind for the text of a key; letter case does not matter.
pub(super) fn kind_by_name(
    lookup: &Lookup<'_>,
    key: Key,
    names: &[(&str, SpanKind)],
) -> Option<(SpanKind, &'static str)> {
    let text = lookup.get(key)?.as_str()?.trim_matches('"');
    let named = names
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    named.map(|(_, kind)| (*kind, key.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_hold_the_same_dialects() {
        let addresses = |list: &[&'static Dialect]| {
            let mut addresses: Vec<_> = list
                .iter()
                .map(|dialect| std::ptr::from_ref(*dialect))
                .collect();
            addresses.sort();
            addresses
        };
        assert_eq!(addresses(BY_AUTHOR), addresses(BY_CALL));
    }
}
