//! Texts that clients choose.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::fault::Fault;

/// Most characters; an index of the store takes no more.
const MAX_CHARS: usize = 500;

/// The name of a dataset. A `/` within it makes folders; nothing else has a meaning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DatasetName(Arc<str>);

/// The name of a run over a dataset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunName(Arc<str>);

impl DatasetName {
    /// From text.
    ///
    /// # Errors
    /// `invalid` on the field `name` for an empty or too long one, and for control characters.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        check("name", text)?;
        Ok(DatasetName(text.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl RunName {
    /// From text.
    ///
    /// # Errors
    /// `invalid` on the field `runName` for an empty or too long one, and for control characters.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        check("runName", text)?;
        Ok(RunName(text.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DatasetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn check(field: &str, text: &str) -> Result<(), Fault> {
    let wrong = |why: &str| Err(Fault::invalid(format!("{field} {why}")).on_field(field));
    if text.trim().is_empty() {
        return wrong("must not be empty");
    }
    if text.chars().count() > MAX_CHARS {
        return wrong("must have at most 500 characters");
    }
    if text.chars().any(char::is_control) {
        return wrong("must not hold control characters");
    }
    Ok(())
}

/// JSON without control characters in its texts and keys, but for tabs and ends of lines: what came out
/// of a terminal or a scanner is still of use without them.
pub fn stripped(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(strip(text)),
        Value::Array(items) => items.into_iter().map(stripped).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            Value::Object(
                fields
                    .map(|(key, value)| (strip(key), stripped(value)))
                    .collect(),
            )
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn strip(text: String) -> String {
    if text.chars().any(goes) {
        text.chars().filter(|&char| !goes(char)).collect()
    } else {
        text
    }
}

fn goes(char: char) -> bool {
    char.is_control() && !matches!(char, '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_may_be_anything_that_can_be_read() {
        let long = "é".repeat(500);
        for good in ["a", "team/qa set/1", "/a/", "100%", "a%2Fb", "問", &long] {
            assert_eq!(DatasetName::parse(good).unwrap().as_str(), good);
            assert_eq!(RunName::parse(good).unwrap().as_str(), good);
        }
        let long = "é".repeat(501);
        for wrong in ["", "  ", "a\0b", "a\nb", &long] {
            let fault = DatasetName::parse(wrong).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("name"), "{wrong:?}");
            let fault = RunName::parse(wrong).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("runName"), "{wrong:?}");
        }
    }

    #[test]
    fn control_characters_go_and_lines_stay() {
        let value = json!({ "a\u{0}": ["x\u{7}y\n\t\r", 1, null, { "b": "\u{1b}[0m\u{9f}é" }] });
        let expected = json!({ "a": ["xy\n\t\r", 1, null, { "b": "[0mé" }] });
        assert_eq!(stripped(value), expected);
    }
}
