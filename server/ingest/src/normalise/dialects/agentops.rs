//! AgentOps.

use domain::attr::agentops as attr;
use domain::span::SpanKind;

use super::{Dialect, kind_by_name, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::AGENTOPS,
    kind,
    fields: &[
        (Field::Tags, keys![attr::TAGS]),
        (Field::Environment, keys![attr::ENVIRONMENT]),
        (Field::Input, keys![attr::ENTITY_INPUT]),
        (Field::Output, keys![attr::ENTITY_OUTPUT]),
    ],
    composed: nothing_composed,
};

fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    const KINDS: &[(&str, SpanKind)] = &[
        ("llm", SpanKind::Generation),
        ("llm.call", SpanKind::Generation),
        ("agent", SpanKind::Agent),
        ("tool", SpanKind::Tool),
        ("guardrail", SpanKind::Guardrail),
        ("workflow", SpanKind::Chain),
        ("workflow.step", SpanKind::Chain),
        ("task", SpanKind::Chain),
        ("chain", SpanKind::Chain),
        ("operation", SpanKind::Chain),
        ("session", SpanKind::Span),
    ];
    kind_by_name(lookup, const { Key::new(attr::SPAN_KIND) }, KINDS)
}
