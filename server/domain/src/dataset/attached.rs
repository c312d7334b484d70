//! Attachments that items name: texts of their contents that are a reference and nothing else, as clients
//! put them in the place of an attachment.

use serde_json::Value;

use super::{DatasetItem, ItemDraft};
use crate::fault::Fault;
use crate::media::reference::{self, Whole};
use crate::media::{MediaField, MediaId};

/// How many attachments an item may name.
pub const MAX_ATTACHED: usize = 200;

/// An attachment that an item names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// The content in which it is named.
    pub field: MediaField,
    /// The text that names it.
    pub reference: String,
    /// Where that stands within the content: `$['messages'][0]`, keys without escapes, as clients of
    /// Langfuse read it.
    pub json_path: String,
    /// The attachment.
    pub id: MediaId,
}

impl DatasetItem {
    /// The attachments that it names, in order. What only looks like a reference is passed over.
    pub fn attached(&self) -> Vec<Attached> {
        let mut walk = Walk::default();
        walk.field(MediaField::Input, &self.input);
        walk.field(MediaField::ExpectedOutput, &self.expected_output);
        walk.field(MediaField::Metadata, &self.metadata);
        walk.found
    }
}

impl ItemDraft {
    /// The attachments that what is said names, in order.
    ///
    /// # Errors
    /// `invalid` on the field with a reference that cannot be read, or with too many of them.
    pub fn attached(&self) -> Result<Vec<Attached>, Fault> {
        let mut walk = Walk::default();
        for (field, said) in [
            (MediaField::Input, &self.input),
            (MediaField::ExpectedOutput, &self.expected_output),
            (MediaField::Metadata, &self.metadata),
        ] {
            let Some(said) = said else { continue };
            walk.field(field, said);
            if let Some(place) = walk.broken.first() {
                let message = format!("Invalid media reference at {place}");
                return Err(Fault::invalid(message).on_field(field.as_str()));
            }
            if walk.found.len() > MAX_ATTACHED {
                let message = format!("an item names at most {MAX_ATTACHED} attachments");
                return Err(Fault::invalid(message).on_field(field.as_str()));
            }
        }
        Ok(walk.found)
    }
}

#[derive(Default)]
struct Walk {
    found: Vec<Attached>,
    /// Places of what cannot be read.
    broken: Vec<String>,
}

impl Walk {
    fn field(&mut self, field: MediaField, content: &Value) {
        self.value(field, content, &mut "$".to_owned());
    }

    fn value(&mut self, field: MediaField, value: &Value, path: &mut String) {
        let end = path.len();
        match value {
            Value::String(text) => self.text(field, text, path),
            Value::Array(values) => {
                for (place, value) in values.iter().enumerate() {
                    path.push_str(&format!("[{place}]"));
                    self.value(field, value, path);
                    path.truncate(end);
                }
            }
            Value::Object(fields) => {
                for (key, value) in fields {
                    path.push_str(&step(key));
                    self.value(field, value, path);
                    path.truncate(end);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&mut self, field: MediaField, text: &str, path: &str) {
        match reference::whole(text) {
            Whole::Other => {}
            Whole::Broken => self.broken.push(path.to_owned()),
            Whole::Reference(reference) => self.found.push(Attached {
                field,
                reference: text.to_owned(),
                json_path: path.to_owned(),
                id: reference.id,
            }),
        }
    }
}

/// A key as a step of a path: one of digits alone looks like a place in a list.
fn step(key: &str) -> String {
    if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("[{key}]");
    }
    format!("['{key}']")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const REFERENCE: &str =
        "@@@langfuseMedia:type=image/png|id=ungWv48Bz-pBQUDeXa4iI7|source=bytes@@@";

    fn draft(input: Value, metadata: Value) -> ItemDraft {
        ItemDraft {
            input: Some(input),
            metadata: Some(metadata),
            ..ItemDraft::default()
        }
    }

    #[test]
    fn references_are_told_with_their_places() {
        let input = json!({"it's": [1, {"7": REFERENCE}], "words": format!("see {REFERENCE}")});
        let attached = draft(input, json!(REFERENCE)).attached().unwrap();
        let places: Vec<(&str, &str)> = attached
            .iter()
            .map(|found| (found.field.as_str(), found.json_path.as_str()))
            .collect();
        assert_eq!(places, [("input", "$['it's'][1][7]"), ("metadata", "$")]);
        assert_eq!(attached[0].reference, REFERENCE);
    }

    #[test]
    fn what_cannot_be_read_and_too_many_are_refused_on_their_field() {
        let field = |draft: ItemDraft| draft.attached().unwrap_err().field.unwrap();
        let broken = json!({"a": "@@@langfuseMedia:type=image/png|id=../../etc|source=bytes@@@"});
        assert_eq!(field(draft(json!(null), broken)), "metadata");
        let many = vec![REFERENCE; MAX_ATTACHED + 1];
        assert_eq!(field(draft(json!(many), json!(null))), "input");
        assert!(draft(json!(many[1..]), json!(null)).attached().is_ok());
    }
}
