//! A dataset, as a body describes it.

use domain::dataset::{DatasetDraft, DatasetName, stripped};

use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// What a body asks for. Null takes a schema away, and of the rest it leaves what there is.
///
/// # Errors
/// When a field is missing or of another type.
pub(super) fn read(body: &Body) -> Result<DatasetDraft> {
    let schema = |field: &str| {
        let given = body.given(field)?;
        Some(Some(given.clone()).filter(|schema| !schema.is_null()))
    };
    Ok(DatasetDraft {
        name: DatasetName::parse(body.required_text("name")?)?,
        description: body.text("description")?.map(str::to_owned),
        metadata: body.value("metadata").cloned().map(stripped),
        input_schema: schema("inputSchema"),
        expected_output_schema: schema("expectedOutputSchema"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn draft(body: &Value) -> Result<DatasetDraft> {
        read(&Body::parse(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn null_is_no_schema_and_what_is_left_out_stays() {
        let all = json!({
            "name": "a/b",
            "description": null,
            "metadata": { "k": "x\u{0}y" },
            "inputSchema": null,
            "expectedOutputSchema": { "type": "object" },
        });
        let read = draft(&all).unwrap();
        assert_eq!((read.name.as_str(), read.description), ("a/b", None));
        assert_eq!(read.metadata, Some(json!({ "k": "xy" })));
        assert_eq!(read.input_schema, Some(None));
        assert_eq!(
            read.expected_output_schema,
            Some(Some(json!({ "type": "object" })))
        );
        let least = draft(&json!({ "name": "a" })).unwrap();
        assert_eq!(
            (least.input_schema, least.expected_output_schema),
            (None, None)
        );
    }

    #[test]
    fn what_is_of_another_type_is_refused() {
        for wrong in [
            json!({}),
            json!({ "name": 1 }),
            json!({ "name": "" }),
            json!({ "name": "a\u{0}" }),
            json!({ "name": "a", "description": 1 }),
        ] {
            assert!(draft(&wrong).is_err(), "{wrong}");
        }
    }
}
