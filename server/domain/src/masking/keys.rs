use std::collections::HashMap;

use super::settings::MaskedField;
use crate::attr::{gen_ai, langfuse, langsmith, openinference, openllmetry, vercel_ai};
use crate::mapping::Catalogue;

/// Beginnings of keys, each with the field that everything below it belongs to.
const PREFIXES: &[(&str, MaskedField)] = &[
    (langfuse::TRACE_METADATA, MaskedField::Metadata),
    (langfuse::OBSERVATION_METADATA, MaskedField::Metadata),
    (
        openllmetry::TRACELOOP_ASSOCIATION_PROPERTIES,
        MaskedField::Metadata,
    ),
    (langsmith::METADATA, MaskedField::Metadata),
    (vercel_ai::TELEMETRY_METADATA, MaskedField::Metadata),
    (openinference::METADATA, MaskedField::Metadata),
    (openinference::LLM_INPUT_MESSAGES, MaskedField::Input),
    (openinference::LLM_OUTPUT_MESSAGES, MaskedField::Output),
    (gen_ai::PROMPT, MaskedField::Input),
    (gen_ai::COMPLETION, MaskedField::Output),
];

/// Which field an attribute gives, by its key.
#[derive(Clone, Debug, Default)]
pub struct FieldKeys(HashMap<&'static str, MaskedField>);

impl FieldKeys {
    /// Of the keys that fields are read from.
    pub fn new(catalogue: &Catalogue) -> Self {
        let known = catalogue.fields.iter().filter_map(|known| {
            let field = match known.field {
                "error.message" => MaskedField::Error,
                "trace_name" => MaskedField::Name,
                name => MaskedField::from_name(name)?,
            };
            Some(known.keys.iter().map(move |key| (*key, field)))
        });
        FieldKeys(known.flatten().collect())
    }

    /// The field, and for metadata the name of the entry.
    pub(super) fn of<'k>(&self, key: &'k str) -> Option<(MaskedField, &'k str)> {
        if let Some(field) = self.0.get(key) {
            return Some((*field, ""));
        }
        PREFIXES.iter().find_map(|(prefix, field)| {
            let rest = key.strip_prefix(prefix)?;
            match rest.strip_prefix('.') {
                Some(name) => Some((*field, name)),
                None => rest.is_empty().then_some((*field, "")),
            }
        })
    }
}
