//! An attachment, as a body announces it.

use domain::dataset::DatasetItemId;
use domain::media::{Checksum, MediaDraft, MediaField, MediaOwner, MediaType};
use domain::{Fault, SpanId, TraceId};

use crate::langfuse::body::Body;
use crate::langfuse::error::{Failure, Issue, Result};

/// What a body announces.
///
/// # Errors
/// When a field is missing or of another type.
pub(super) fn read(body: &Body) -> Result<MediaDraft> {
    let types: Vec<&str> = MediaType::names().collect();
    body.required_text("contentType")?;
    let media_type = body.word("contentType", MediaType::from_name, &types)?;
    let missing = |field| move || Issue::of_type(field, "string, received undefined");
    let hash = body.required_text("sha256Hash")?;
    let checksum = Checksum::from_base64(hash).ok_or_else(|| {
        let message = "must be the base64 of a SHA-256 hash, 44 characters";
        Issue::new("custom", "sha256Hash", message)
    });
    let bytes = body.whole("contentLength", 1)?;
    let fields: Vec<&str> = MediaField::ALL.iter().map(|field| field.as_str()).collect();
    body.required_text("field")?;
    let field = body.word("field", MediaField::from_name, &fields)?;
    Ok(MediaDraft {
        checksum: checksum?,
        media_type: media_type.ok_or_else(missing("contentType"))?,
        bytes: bytes
            .ok_or_else(|| Issue::of_type("contentLength", "number, received undefined"))?,
        owner: owner(body)?,
        field: field.ok_or_else(missing("field"))?,
    })
}

/// Either a trace with or without an observation, or an item of a dataset.
fn owner(body: &Body) -> Result<MediaOwner> {
    let texts = (
        body.text("traceId")?,
        body.text("observationId")?,
        body.text("datasetId")?,
        body.text("datasetItemId")?,
    );
    let wrong = |field: &'static str| {
        move |error: domain::ids::InvalidId| {
            Failure::from(Issue::new("custom", field, error.to_string()))
        }
    };
    match texts {
        (Some(trace), observation, None, None) => {
            let observation = observation.map(SpanId::from_text).transpose();
            Ok(MediaOwner::Trace {
                trace_id: TraceId::from_text(trace).map_err(wrong("traceId"))?,
                observation_id: observation.map_err(wrong("observationId"))?,
            })
        }
        (None, None, Some(dataset), Some(item)) => {
            // What is no id is the id of no dataset.
            let missing = || Fault::not_found("Dataset not found");
            let item = DatasetItemId::parse(item);
            Ok(MediaOwner::DatasetItem {
                dataset_id: dataset.parse().map_err(|_| missing())?,
                item_id: item
                    .map_err(|fault| Issue::new("custom", "datasetItemId", fault.message))?,
            })
        }
        _ => {
            let message = "give traceId, with or without observationId, or datasetId and \
                           datasetItemId";
            Err(Issue::new("custom", "traceId", message).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn announced(changes: &Value) -> Result<MediaDraft> {
        let mut body = json!({
            "contentType": "image/png", "contentLength": 3, "field": "input", "traceId": "t",
            "sha256Hash": "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
        });
        for (field, value) in changes.as_object().unwrap() {
            body[field] = value.clone();
        }
        read(&Body::parse(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(announced(&json!({})).is_ok());
        assert!(announced(&json!({ "observationId": "o", "datasetId": null })).is_ok());
        let dataset = "0198f000-0000-7000-8000-000000000000";
        let item = json!({ "traceId": null, "datasetId": dataset, "datasetItemId": "i" });
        assert!(matches!(
            announced(&item).unwrap().owner,
            MediaOwner::DatasetItem { .. }
        ));
        for wrong in [
            json!({ "contentType": "text/x-shellscript" }),
            json!({ "contentType": null }),
            json!({ "contentLength": 0 }),
            json!({ "contentLength": 1.5 }),
            json!({ "contentLength": "3" }),
            json!({ "field": "file" }),
            json!({ "sha256Hash": "abc" }),
            json!({ "sha256Hash": null }),
            json!({ "traceId": null }),
            json!({ "traceId": "a\u{0}b" }),
            json!({ "datasetId": "d", "datasetItemId": "i" }),
            json!({ "traceId": null, "datasetId": "d" }),
            json!({ "traceId": null, "datasetId": "d", "datasetItemId": "i" }),
            json!({ "traceId": null, "observationId": "o" }),
        ] {
            assert!(announced(&wrong).is_err(), "{wrong}");
        }
    }
}
