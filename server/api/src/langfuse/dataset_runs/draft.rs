//! A link between an item and what a run made of it, as a body describes it.

use domain::Timestamp;
use domain::dataset::{DatasetItemId, RunDraft, RunName, stripped};
use service::datasets::{Link, Linked};

use crate::langfuse::body::Body;
use crate::langfuse::dataset_items::{observation_id, trace_id};
use crate::langfuse::error::{Issue, Result};

/// Fields that there are.
const FIELDS: [&str; 8] = [
    "runName",
    "runDescription",
    "metadata",
    "datasetItemId",
    "observationId",
    "traceId",
    "datasetVersion",
    "createdAt",
];

/// What a body asks for.
///
/// # Errors
/// When a field is missing, of another type, or not one of these.
pub(super) fn read(body: &Body) -> Result<(RunDraft, Link)> {
    body.only(&FIELDS)?;
    let run = RunDraft {
        name: RunName::parse(body.required_text("runName")?)?,
        description: body.text("runDescription")?.map(str::to_owned),
        metadata: body.value("metadata").cloned().map(stripped),
        dataset_version: time(body, "datasetVersion")?,
    };
    let item_id = DatasetItemId::parse(body.required_text("datasetItemId")?);
    let item_id = item_id.map_err(|fault| Issue::new("custom", "datasetItemId", fault.message))?;
    let observation = observation_id(body, "observationId")?;
    let made = match (trace_id(body, "traceId")?, observation) {
        (Some(trace), observation) => Linked::Trace(trace, observation),
        (None, Some(observation)) => Linked::Observation(observation),
        (None, None) => {
            let message = "give traceId, observationId or both";
            return Err(Issue::new("custom", "traceId", message).into());
        }
    };
    let link = Link {
        item_id,
        made,
        created_at: time(body, "createdAt")?,
    };
    Ok((run, link))
}

fn time(body: &Body, field: &str) -> Result<Option<Timestamp>> {
    let time = body.text(field)?.map(Timestamp::parse).transpose();
    Ok(time.map_err(|error| Issue::new("invalid_format", field, error.to_string()))?)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read_of(body: &Value) -> Result<(RunDraft, Link)> {
        read(&Body::parse(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn a_trace_or_an_observation_is_needed_and_nothing_else_is_known() {
        let (run, item) = ("r", "i");
        for wrong in [
            json!({ "datasetItemId": item, "traceId": "t" }),
            json!({ "runName": run, "traceId": "t" }),
            json!({ "runName": run, "datasetItemId": item }),
            json!({ "runName": run, "datasetItemId": item, "traceId": null }),
            json!({ "runName": "", "datasetItemId": item, "traceId": "t" }),
            json!({ "runName": run, "datasetItemId": item, "traceId": "t", "more": 1 }),
            json!({ "runName": run, "datasetItemId": item, "traceId": "t", "createdAt": "now" }),
        ] {
            assert!(read_of(&wrong).is_err(), "{wrong}");
        }
        let link = |body: &Value| read_of(body).unwrap().1.made;
        let only = json!({ "runName": run, "datasetItemId": item, "observationId": "o" });
        assert!(matches!(link(&only), Linked::Observation(_)));
        let both =
            json!({ "runName": run, "datasetItemId": item, "observationId": "o", "traceId": "t" });
        assert!(matches!(link(&both), Linked::Trace(_, Some(_))));
    }
}
