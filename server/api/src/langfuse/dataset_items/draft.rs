//! An item, as a body describes it.

use domain::dataset::{DatasetItemId, DatasetName, ItemDraft, ItemStatus, stripped};
use domain::{SpanId, TraceId};
use serde_json::Value;

use crate::langfuse::body::Body;
use crate::langfuse::error::{Failure, Issue, Result};

/// What a body asks for: the dataset, the item, and what is said of it. Null says nothing.
pub(super) struct Written {
    pub(super) dataset: DatasetName,
    pub(super) id: Option<DatasetItemId>,
    pub(super) draft: ItemDraft,
}

/// Reads a body.
///
/// # Errors
/// When a field is missing or of another type.
pub(super) fn read(body: &Body) -> Result<Written> {
    let dataset = DatasetName::parse(body.required_text("datasetName")?);
    let dataset = dataset.map_err(|fault| Issue::new("custom", "datasetName", fault.message))?;
    let value = |field: &str| -> Option<Value> { body.value(field).cloned().map(stripped) };
    let id = body.text("id")?.map(DatasetItemId::parse).transpose()?;
    let status = body.text("status")?.map(status).transpose()?;
    Ok(Written {
        dataset,
        id,
        draft: ItemDraft {
            status,
            input: value("input"),
            expected_output: value("expectedOutput"),
            metadata: value("metadata"),
            source_trace_id: trace_id(body, "sourceTraceId")?,
            source_observation_id: observation_id(body, "sourceObservationId")?,
            ..ItemDraft::default()
        },
    })
}

fn status(text: &str) -> Result<ItemStatus> {
    let message = "Invalid option: expected one of \"ACTIVE\"|\"ARCHIVED\"";
    let known = ItemStatus::from_name(text);
    known.ok_or_else(|| Issue::new("invalid_value", "status", message).into())
}

/// A trace's id; an empty text is none.
///
/// # Errors
/// When it is no text, too long, or holds control characters.
pub(crate) fn trace_id(body: &Body, field: &str) -> Result<Option<TraceId>> {
    let text = body.text(field)?.filter(|text| !text.is_empty());
    let id = text.map(TraceId::from_text).transpose();
    id.map_err(|error| unusable(field, &error))
}

/// An observation's id; an empty text is none.
///
/// # Errors
/// When it is no text, too long, or holds control characters.
pub(crate) fn observation_id(body: &Body, field: &str) -> Result<Option<SpanId>> {
    let text = body.text(field)?.filter(|text| !text.is_empty());
    let id = text.map(SpanId::from_text).transpose();
    id.map_err(|error| unusable(field, &error))
}

fn unusable(field: &str, error: &impl ToString) -> Failure {
    Issue::new("custom", field, error.to_string()).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(body: &Value) -> Result<Written> {
        read(&Body::parse(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn null_says_nothing_and_control_characters_go() {
        let body = json!({
            "datasetName": "d",
            "id": null,
            "input": null,
            "expectedOutput": "a\u{0}b",
            "status": "ARCHIVED",
            "sourceTraceId": "",
            "sourceObservationId": "o",
        });
        let written = written(&body).unwrap();
        assert_eq!((written.id, written.draft.input), (None, None));
        assert_eq!(written.draft.expected_output, Some(json!("ab")));
        assert_eq!(written.draft.status, Some(ItemStatus::Archived));
        assert_eq!(written.draft.source_trace_id, None);
        assert!(written.draft.source_observation_id.is_some());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in [
            json!({}),
            json!({ "datasetName": "" }),
            json!({ "datasetName": "d", "id": "" }),
            json!({ "datasetName": "d", "id": "x".repeat(256) }),
            json!({ "datasetName": "d", "id": 1 }),
            json!({ "datasetName": "d", "id": "a\u{0}" }),
            json!({ "datasetName": "d", "status": "GONE" }),
            json!({ "datasetName": "d", "sourceTraceId": "x".repeat(256) }),
            json!({ "datasetName": "d", "sourceObservationId": "a\u{0}" }),
        ] {
            assert!(written(&wrong).is_err(), "{wrong}");
        }
    }
}
