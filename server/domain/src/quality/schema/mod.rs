//! JSON schemas, compiled, with bounded cost.
//!
//! Schema and answer both come from outside. So nothing is fetched, patterns run on an engine without
//! backtracking, and what an answer can cost is known beforehand: a schema may refer to itself, and
//! then the work can double at each depth of the answer (`cost.rs`).

use jsonschema::{PatternOptions, Validator};
use serde::de::IgnoredAny;
use serde_json::Value;
use thiserror::Error;

/// What a schema can cost at each depth of an answer.
mod cost;
/// Which schemas a schema applies, and to what.
mod keywords;

use cost::Costs;

/// Bytes of a schema, at most.
pub const MAX_SCHEMA_BYTES: usize = 64 * 1024;
/// Bytes of an answer that is validated, at most.
pub const MAX_ANSWER_BYTES: usize = 1024 * 1024;
/// Keywords that one answer may cost, at most: about a second at the very worst, reached only on
/// purpose; an answer of 4 kB costs ten thousands.
const BUDGET: u64 = 30_000_000;
/// Bytes of an answer that count like one value more: long texts take time where there are patterns.
const BYTES_A_UNIT: usize = 32;
/// Patterns in a schema, at most: each takes memory for as long as the schema is kept.
pub const MAX_PATTERNS: usize = 64;
/// Bytes of one compiled pattern, at most.
const PATTERN_BYTES: usize = 256 * 1024;

/// Why a schema is not taken.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SchemaError {
    /// It is larger than [`MAX_SCHEMA_BYTES`].
    #[error("the schema is larger than {MAX_SCHEMA_BYTES} bytes")]
    TooLarge,
    /// It has more than [`MAX_PATTERNS`].
    #[error("the schema has more than {MAX_PATTERNS} patterns")]
    TooManyPatterns,
    /// It is not JSON.
    #[error("the schema is not JSON")]
    NotJson,
    /// It refers to something other than a part of itself by JSON pointer.
    #[error("the schema uses {0}; only references of the form \"#/…\" are supported")]
    Reference(String),
    /// It is a schema of itself without end, or costs more than any answer may.
    #[error("the schema refers to itself in a way that takes too long to check")]
    TooCostly,
    /// It breaks the rules of JSON Schema, or has a pattern with look-around or back references.
    #[error("not a JSON schema: {0}")]
    Invalid(String),
}

/// A JSON schema, ready to be used many times: keep it by the schema's text.
#[derive(Debug)]
pub struct Schema {
    validator: Validator,
    costs: Costs,
}

impl Schema {
    /// Of its text. The draft is the one that `$schema` names, 2020-12 unless it names one.
    pub fn compile(text: &str) -> Result<Self, SchemaError> {
        if text.len() > MAX_SCHEMA_BYTES {
            return Err(SchemaError::TooLarge);
        }
        let schema: Value = serde_json::from_str(text).map_err(|_| SchemaError::NotJson)?;
        if keywords::patterns(&schema) > MAX_PATTERNS {
            return Err(SchemaError::TooManyPatterns);
        }
        // Before it is compiled: a schema that is itself without end would not come to one here either.
        let costs = Costs::of(&schema, BUDGET)?;
        let patterns = PatternOptions::regex()
            .size_limit(PATTERN_BYTES)
            .dfa_size_limit(PATTERN_BYTES);
        let validator = jsonschema::options()
            .offline()
            .with_pattern_options(patterns)
            .build(&schema)
            // The message quotes the schema, and may quote all of it.
            .map_err(|error| SchemaError::Invalid(error.to_string().chars().take(300).collect()))?;
        Ok(Schema { validator, costs })
    }

    /// Whether a text is a JSON value that the schema accepts. `None` when it is JSON beyond what is
    /// looked at: over [`MAX_ANSWER_BYTES`], nested deeper than 127, or over the schema's budget.
    pub fn accepts(&self, json: &str) -> Option<bool> {
        let readable = json.len() <= MAX_ANSWER_BYTES;
        let answer = readable.then(|| serde_json::from_str::<Value>(json).ok());
        let Some(answer) = answer.flatten() else {
            // Too long, too deep or malformed: only the last is wrong.
            return serde_json::from_str::<IgnoredAny>(json)
                .is_err()
                .then_some(false);
        };
        let extent = Extent::of(&answer);
        let cost = self.costs.at_depth(extent.depth)?;
        let units = extent.values + (json.len() / BYTES_A_UNIT) as u64;
        let affordable = cost.saturating_mul(units) <= BUDGET;
        affordable.then(|| self.validator.is_valid(&answer))
    }
}

/// How much there is of a value.
struct Extent {
    values: u64,
    depth: usize,
}

impl Extent {
    fn of(value: &Value) -> Self {
        let within = |extents: &mut dyn Iterator<Item = Extent>| {
            let alone = Extent {
                values: 1,
                depth: 0,
            };
            extents.fold(alone, |all, inner| Extent {
                values: all.values + inner.values,
                depth: all.depth.max(inner.depth + 1),
            })
        };
        match value {
            Value::Array(items) => within(&mut items.iter().map(Extent::of)),
            Value::Object(members) => within(&mut members.values().map(Extent::of)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                within(&mut std::iter::empty())
            }
        }
    }
}

#[cfg(test)]
mod tests;
