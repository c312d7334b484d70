//! What the tables of the dialects found on one span.

use domain::Value;
use domain::attr::mlflow;
use domain::span::Provenance;

use super::dialects::{self, Dialect};
use super::field::Field;
use super::lookup::{Key, Lookup, is_empty};
use super::read;

/// For each field the value that counts, and the key that gave it.
pub(super) struct Found<'s> {
    by_field: [Option<(Key, &'s Value)>; Field::COUNT],
}

impl<'s> Found<'s> {
    /// Asks the dialects that the span shows signs of, in their order, then an event that holds the
    /// attributes of the whole call, then the resource for what a sending process may set.
    pub(super) fn search(
        span: &Lookup<'s>,
        whole_call: Option<&Lookup<'s>>,
        resource: &Lookup<'s>,
    ) -> Self {
        let mut found = Found {
            by_field: [None; Field::COUNT],
        };
        for dialect in dialects::BY_AUTHOR {
            found.ask(dialect, span, |field| !field.is_of_call());
        }
        for lookup in [Some(span), whole_call].into_iter().flatten() {
            for dialect in dialects::BY_CALL {
                found.ask(dialect, lookup, |field| {
                    field.is_of_call() && !field.is_content()
                });
            }
        }
        for dialect in dialects::BY_AUTHOR {
            found.ask(dialect, resource, Field::is_of_process);
        }
        found
    }

    fn ask(&mut self, dialect: &Dialect, lookup: &Lookup<'s>, wanted: fn(Field) -> bool) {
        if dialect.families & (lookup.families | dialects::ALWAYS) == 0 {
            return;
        }
        for (field, keys) in dialect.fields {
            let place = &mut self.by_field[*field as usize];
            if place.is_some() || !wanted(*field) {
                continue;
            }
            *place = keys.iter().find_map(|&key| {
                let value = lookup.get(key)?;
                (!is_empty(value) && field.accepts(value)).then_some((key, value))
            });
        }
    }

    pub(super) fn get(&self, field: Field) -> Option<(Key, &'s Value)> {
        self.by_field[field as usize]
    }

    pub(super) fn value(&self, field: Field) -> Option<&'s Value> {
        self.get(field).map(|(_, value)| value)
    }

    pub(super) fn text(&self, field: Field) -> Option<String> {
        let (key, value) = self.get(field)?;
        let text = read::text(value);
        // MLflow writes every value as JSON.
        let text = match key.name.starts_with(mlflow::PREFIX) {
            true => serde_json::from_str(&text).unwrap_or(text),
            false => text,
        };
        Some(text).filter(|text| !text.is_empty())
    }

    pub(super) fn count(&self, field: Field) -> Option<u64> {
        self.value(field).and_then(read::count)
    }

    pub(super) fn number(&self, field: Field) -> Option<f64> {
        self.value(field).and_then(read::number)
    }

    /// Which key gave which field; input and output tell theirs themselves.
    pub(super) fn provenance(&self) -> Vec<Provenance> {
        let mut provenance = Vec::new();
        for dialect_field in Field::FOUND {
            if let Some((key, _)) = self.get(*dialect_field) {
                provenance.push(Provenance {
                    field: dialect_field.name().into(),
                    key: key.name.into(),
                });
            }
        }
        provenance
    }
}
