//! What items of a dataset follow.

use serde_json::Value;

use super::DatasetItem;
use crate::fault::Fault;
use crate::quality::Schema;

/// The compiled schemas of a dataset.
#[derive(Debug, Default)]
pub struct Schemas {
    input: Option<Schema>,
    expected_output: Option<Schema>,
}

/// How an item does not follow its dataset: the field, and words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// `input` or `expectedOutput`.
    pub field: &'static str,
    /// Why.
    pub why: &'static str,
}

impl Schemas {
    /// Compiles them.
    ///
    /// # Errors
    /// `invalid` on `inputSchema` or `expectedOutputSchema`.
    pub fn compile(input: Option<&Value>, expected_output: Option<&Value>) -> Result<Self, Fault> {
        Ok(Schemas {
            input: compile("inputSchema", input)?,
            expected_output: compile("expectedOutputSchema", expected_output)?,
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.input.is_none() && self.expected_output.is_none()
    }

    /// What an item does not follow; nothing said counts as null.
    pub fn violations(&self, item: &DatasetItem) -> Vec<Violation> {
        let fields = [
            ("input", &self.input, &item.input),
            (
                "expectedOutput",
                &self.expected_output,
                &item.expected_output,
            ),
        ];
        let violation = |(field, schema, value): (_, &Option<Schema>, &Value)| {
            let why = match schema.as_ref()?.accepts(&value.to_string()) {
                Some(true) => return None,
                Some(false) => "does not follow the schema of the dataset",
                None => "is too large or too deep to be held against the schema of the dataset",
            };
            Some(Violation { field, why })
        };
        fields.into_iter().filter_map(violation).collect()
    }
}

fn compile(field: &str, schema: Option<&Value>) -> Result<Option<Schema>, Fault> {
    let Some(schema) = schema else {
        return Ok(None);
    };
    if !schema.is_object() {
        return Err(Fault::invalid(format!("{field} must be an object")).on_field(field));
    }
    let compiled = Schema::compile(&schema.to_string());
    let wrong = |error: crate::quality::SchemaError| {
        Fault::invalid(format!("{field}: {error}")).on_field(field)
    };
    compiled.map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::dataset::{DatasetItemId, DatasetName};
    use crate::ids::DatasetId;
    use crate::time::Timestamp;

    #[test]
    fn each_side_is_held_against_its_own() {
        let object = json!({ "type": "object", "required": ["q"] });
        let text = json!({ "type": "string" });
        let schemas = Schemas::compile(Some(&object), Some(&text)).unwrap();
        let place = (
            DatasetId(Uuid::from_u128(1)),
            DatasetName::parse("d").unwrap(),
        );
        let id = DatasetItemId::parse("i").unwrap();
        let mut item = DatasetItem::empty(id, place, Timestamp::EPOCH);
        let fields = |item: &DatasetItem| -> Vec<&str> {
            let all = schemas.violations(item);
            all.iter().map(|violation| violation.field).collect()
        };
        assert_eq!(fields(&item), ["input", "expectedOutput"]);
        item.input = json!({ "q": 1 });
        assert_eq!(fields(&item), ["expectedOutput"]);
        item.expected_output = json!("a");
        assert_eq!(fields(&item), [""; 0]);
        assert!(Schemas::default().is_empty() && !schemas.is_empty());
    }

    #[test]
    fn what_is_no_schema_is_refused_by_its_field() {
        for wrong in [json!(1), json!("x"), json!({ "type": "colour" })] {
            let fault = Schemas::compile(None, Some(&wrong)).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("expectedOutputSchema"));
        }
        let remote = json!({ "$ref": "https://example.com/schema" });
        assert!(Schemas::compile(Some(&remote), None).is_err());
    }
}
