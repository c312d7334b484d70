//! LangSmith's OpenTelemetry export.

use domain::attr::langsmith as attr;
use domain::span::SpanKind;

use super::{Dialect, kind_by_name, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::LANGSMITH,
    kind,
    fields: &[
        (
            Field::Session,
            keys![
                attr::METADATA_SESSION_ID,
                attr::METADATA_THREAD_ID,
                attr::METADATA_CONVERSATION_ID,
            ],
        ),
        (Field::User, keys![attr::METADATA_USER_ID]),
        (Field::Tags, keys![attr::SPAN_TAGS]),
        (Field::Environment, keys![attr::METADATA_ENVIRONMENT]),
        (Field::Provider, keys![attr::METADATA_LS_PROVIDER]),
        (Field::RequestModel, keys![attr::METADATA_LS_MODEL_NAME]),
    ],
    composed: nothing_composed,
};

fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    const KINDS: &[(&str, SpanKind)] = &[
        ("llm", SpanKind::Generation),
        ("chain", SpanKind::Chain),
        ("tool", SpanKind::Tool),
        ("retriever", SpanKind::Retriever),
        ("embedding", SpanKind::Embedding),
        ("prompt", SpanKind::Span),
        ("parser", SpanKind::Span),
    ];
    kind_by_name(lookup, const { Key::new(attr::SPAN_KIND) }, KINDS)
}
