//! A thing as it is exported: values by the names of their columns, in order.

use std::fmt;

use domain::blob_storage::FieldGroup;
use domain::portrait::Portrait;
use domain::score::Score;
use domain::trace::TraceSummary;
use domain::{ProjectId, Span};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// Columns with their values, which are JSON and stay digit by digit as they were written.
#[derive(Clone, Debug)]
pub struct Record(Vec<(String, Box<RawValue>)>);

/// What the values of a column are, where a file says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts; of anything else its JSON.
    Text,
    /// Decimals.
    Number,
    /// Whole numbers.
    Whole,
    /// Yes or no.
    Flag,
    /// Instants.
    Time,
}

/// What becomes of a thing.
type Written = serde_json::Result<Record>;

/// How things are exported: in the shapes of the API that reads them.
#[derive(Clone, Copy)]
pub struct Records {
    /// A trace.
    pub trace: fn(ProjectId, &Portrait) -> Written,
    /// An observation by itself.
    pub observation: fn(ProjectId, &Span) -> Written,
    /// An observation with what is known of its trace: the groups of fields that are asked for.
    pub enriched: fn(ProjectId, &Span, Option<&TraceSummary>, &[FieldGroup]) -> Written,
    /// A score.
    pub score: fn(ProjectId, &Score) -> Written,
    /// The kind of a column, by its name.
    pub kind: fn(&str) -> ColumnKind,
}

impl Record {
    /// Of an object: its keys become names of columns (`startTime` → `start_time`).
    ///
    /// # Errors
    /// When it is no object.
    pub fn of(shape: &impl Serialize) -> serde_json::Result<Self> {
        serde_json::from_str(&serde_json::to_string(shape)?)
    }

    /// Without some columns.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        self.0.retain(|(name, _)| !names.contains(&name.as_str()));
        self
    }

    /// With some columns at its end, whether they are there or not: what is not is null.
    #[must_use]
    pub fn ending_with(mut self, names: &[&str]) -> Self {
        for name in names {
            let known = self.0.iter().position(|(known, _)| known == name);
            let column = known.map(|at| self.0.remove(at));
            let null = || ((*name).to_owned(), RawValue::NULL.to_owned());
            self.0.push(column.unwrap_or_else(null));
        }
        self
    }

    /// Its columns.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&str, &str)> {
        let columns = self.0.iter();
        columns.map(|(name, value)| (name.as_str(), value.get()))
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Record;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Record, A::Error> {
        let mut columns = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
            columns.push((snake(&name), value));
        }
        Ok(Record(columns))
    }
}

fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for sign in name.chars() {
        if sign.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(sign.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_as_they_were_and_names_become_those_of_columns() {
        let json = r#"{"startTime":"x","input":{"aB":1.0e3,"n":123456789012345678901},"drop":1}"#;
        let record: Record = serde_json::from_str(json).unwrap();
        let record = record
            .without(&["drop"])
            .ending_with(&["value", "start_time"]);
        assert_eq!(
            Vec::from_iter(record.columns()),
            [
                ("input", r#"{"aB":1.0e3,"n":123456789012345678901}"#),
                ("value", "null"),
                ("start_time", r#""x""#),
            ]
        );
        assert!(serde_json::from_str::<Record>("[1]").is_err());
    }
}
