//! Haystack.

use domain::attr::haystack as attr;
use domain::span::SpanKind;

use super::{Dialect, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::HAYSTACK,
    kind,
    fields: &[
        (
            Field::Input,
            keys![
                attr::COMPONENT_INPUT,
                attr::PIPELINE_INPUT_DATA,
                attr::AGENT_INPUT
            ],
        ),
        (
            Field::Output,
            keys![
                attr::COMPONENT_OUTPUT,
                attr::PIPELINE_OUTPUT_DATA,
                attr::AGENT_OUTPUT
            ],
        ),
    ],
    composed: nothing_composed,
};

/// Component types are class names: their ends tell what they do.
fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    const ENDS: &[(&str, SpanKind)] = &[
        ("Generator", SpanKind::Generation),
        ("Embedder", SpanKind::Embedding),
        ("Retriever", SpanKind::Retriever),
        ("Ranker", SpanKind::Reranker),
        ("Agent", SpanKind::Agent),
    ];
    if lookup.get(const { Key::new(attr::TOOL_NAME) }).is_some() {
        return Some((SpanKind::Tool, attr::TOOL_NAME));
    }
    let component = lookup
        .get(const { Key::new(attr::COMPONENT_TYPE) })?
        .as_str()?;
    let ending = ENDS.iter().find(|(end, _)| component.ends_with(end));
    Some((
        ending.map_or(SpanKind::Chain, |(_, kind)| *kind),
        attr::COMPONENT_TYPE,
    ))
}
