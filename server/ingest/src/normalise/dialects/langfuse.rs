//! Langfuse SDKs, which write OTLP since version 3 (Python) and 4 (JavaScript).

use domain::attr::langfuse as attr;
use domain::span::SpanKind;

use super::{Dialect, kind_by_name, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::LANGFUSE,
    kind,
    fields: &[
        (Field::TraceName, keys![attr::TRACE_NAME]),
        (Field::Session, keys![attr::SESSION_ID]),
        (Field::User, keys![attr::USER_ID]),
        (Field::Tags, keys![attr::TRACE_TAGS]),
        (Field::Environment, keys![attr::ENVIRONMENT]),
        (Field::Release, keys![attr::RELEASE]),
        (Field::Version, keys![attr::VERSION]),
        (Field::Tenant, keys![attr::TRACE_METADATA_TENANT_ID]),
        (
            Field::PromptName,
            keys![attr::OBSERVATION_PROMPT_NAME, attr::PROMPT_NAME],
        ),
        (
            Field::PromptVersion,
            keys![attr::OBSERVATION_PROMPT_VERSION, attr::PROMPT_VERSION],
        ),
        (Field::Level, keys![attr::OBSERVATION_LEVEL]),
        (
            Field::StatusMessage,
            keys![attr::OBSERVATION_STATUS_MESSAGE],
        ),
        (Field::ResponseModel, keys![attr::OBSERVATION_MODEL_NAME]),
        (Field::Parameters, keys![attr::OBSERVATION_MODEL_PARAMETERS]),
        (Field::UsageDetails, keys![attr::OBSERVATION_USAGE_DETAILS]),
        (Field::CostDetails, keys![attr::OBSERVATION_COST_DETAILS]),
        // LiteLLM's callback for Langfuse puts it there.
        (
            Field::FromCache,
            keys![attr::OBSERVATION_METADATA_CACHE_HIT],
        ),
        (
            Field::FirstTokenAt,
            keys![attr::OBSERVATION_COMPLETION_START_TIME],
        ),
        (
            Field::Input,
            keys![attr::OBSERVATION_INPUT, attr::TRACE_INPUT],
        ),
        (
            Field::Output,
            keys![attr::OBSERVATION_OUTPUT, attr::TRACE_OUTPUT],
        ),
    ],
    composed: nothing_composed,
};

/// Old Python SDKs write `span` on everything, so `span` leaves the question to the others.
fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    const TYPES: &[(&str, SpanKind)] = &[
        ("generation", SpanKind::Generation),
        ("embedding", SpanKind::Embedding),
        ("retriever", SpanKind::Retriever),
        ("tool", SpanKind::Tool),
        ("agent", SpanKind::Agent),
        ("chain", SpanKind::Chain),
        ("guardrail", SpanKind::Guardrail),
        ("evaluator", SpanKind::Evaluator),
        ("event", SpanKind::Event),
    ];
    kind_by_name(lookup, const { Key::new(attr::OBSERVATION_TYPE) }, TYPES)
}
