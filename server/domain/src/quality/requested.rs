//! The format that a request asked for, in any of the ways in which providers let it be asked for.

use serde_json::{Map, Value};

use crate::quality::schema::MAX_SCHEMA_BYTES;

/// A format as it was asked for, its schema not compiled yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requested {
    /// Any text.
    Text,
    /// Any JSON value.
    Json,
    /// JSON of this schema: its text, by which the compiled one can be kept.
    JsonSchema(String),
}

impl Requested {
    /// Reads `gen_ai.output.type`, `response_format`, `text.format` of the Responses API, or a bare
    /// schema. `None` for anything else (an image, speech), and for what is far larger than a schema.
    pub fn from_response_format(text: &str) -> Option<Self> {
        if text.len() > 2 * MAX_SCHEMA_BYTES {
            return None;
        }
        match serde_json::from_str(text) {
            Ok(Value::String(word)) => Requested::from_word(&word),
            Ok(Value::Object(members)) => {
                let inner = members.get("format").filter(|format| format.is_object());
                inner.map_or_else(
                    || Requested::from_object(&members),
                    |format| Requested::from_object(format.as_object()?),
                )
            }
            Ok(_) => None,
            Err(_) => Requested::from_word(text),
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        match word.trim() {
            "text" => Some(Requested::Text),
            "json" | "json_object" | "json_schema" => Some(Requested::Json),
            _ => None,
        }
    }

    fn from_object(members: &Map<String, Value>) -> Option<Self> {
        let kind = members.get("type").and_then(Value::as_str);
        if kind == Some("json_schema") {
            let named = members.get("json_schema").unwrap_or(&Value::Null);
            let schema = named.get("schema").or_else(|| members.get("schema"));
            return Some(schema.map_or(Requested::Json, |schema| {
                Requested::JsonSchema(schema.to_string())
            }));
        }
        kind.and_then(Requested::from_word)
            .or_else(|| is_schema(members).then(|| Requested::JsonSchema(text_of(members))))
    }
}

/// Whether an object is a schema itself: it says the type of a value, or what a value is made of.
fn is_schema(members: &Map<String, Value>) -> bool {
    const TYPES: [&str; 7] = [
        "object", "array", "string", "number", "integer", "boolean", "null",
    ];
    let kind = members.get("type").and_then(Value::as_str);
    kind.is_some_and(|kind| TYPES.contains(&kind))
        || [
            "$ref",
            "$schema",
            "properties",
            "anyOf",
            "oneOf",
            "allOf",
            "enum",
        ]
        .iter()
        .any(|&keyword| members.contains_key(keyword))
}

fn text_of(members: &Map<String, Value>) -> String {
    Value::Object(members.clone()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Requested> {
        Requested::from_response_format(text)
    }

    #[test]
    fn words_and_modes_are_read() {
        assert_eq!(read("json"), Some(Requested::Json));
        assert_eq!(read("\"text\""), Some(Requested::Text));
        assert_eq!(read(r#"{"type": "json_object"}"#), Some(Requested::Json));
        assert_eq!(
            read(r#"{"format": {"type": "text"}}"#),
            Some(Requested::Text)
        );
        assert_eq!(read(r#"{"type": "json_schema"}"#), Some(Requested::Json));
    }

    #[test]
    fn a_schema_is_found_wherever_the_provider_puts_it() {
        let schema = r#"{"type":"object","properties":{"city":{"type":"string"}}}"#;
        for text in [
            schema.to_owned(),
            format!(
                r#"{{"type": "json_schema", "json_schema": {{"name": "x", "schema": {schema}}}}}"#
            ),
            format!(r#"{{"type": "json_schema", "name": "x", "schema": {schema}}}"#),
            format!(r#"{{"format": {{"type": "json_schema", "schema": {schema}}}}}"#),
        ] {
            assert_eq!(
                read(&text),
                Some(Requested::JsonSchema(schema.to_owned())),
                "{text}"
            );
        }
    }

    #[test]
    fn other_formats_are_no_expectation() {
        for text in [
            "image",
            "",
            "7",
            "[]",
            "{}",
            "{'type': 'json_object'}",
            r#"{"type": "speech"}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&" ".repeat(1_000_000)), None);
    }
}
