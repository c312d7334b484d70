//! `PUT /api/v1/topology`

use axum::extract::State;
use axum::response::Response;
use domain::axes::Topology;
use serde_json::json;
use service::{App, topology};

use super::shape;
use crate::error::Result;
use crate::extract::{Body, Caller, wrong};

/// Sets the rules; an empty object brings back the usual ones.
pub(crate) async fn set_topology(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    // What was shown may be sent back.
    body.only(&["instances", "gpus", "is_default", "updated_at"])?;
    let rules = match (body.json("instances"), body.json("gpus")) {
        (None, None) => None,
        (Some(instances), Some(gpus)) => {
            let rules = |field: &str, text: &str| {
                serde_json::from_str::<serde_json::Value>(text)
                    .ok()
                    .filter(serde_json::Value::is_array)
                    .ok_or_else(|| wrong(field, "give a list of rules"))
            };
            let (instances, gpus) = (rules("instances", &instances)?, rules("gpus", &gpus)?);
            Some(Topology::parse(
                &json!({ "instances": instances, "gpus": gpus }).to_string(),
            )?)
        }
        (None, Some(_)) => {
            return Err(wrong("instances", "give rules for both, or for neither").into());
        }
        (Some(_), None) => return Err(wrong("gpus", "give rules for both, or for neither").into()),
    };
    Ok(shape(&topology::set(&app, &scope, rules).await?))
}
