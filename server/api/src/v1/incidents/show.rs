//! `GET /api/v1/incidents/{incident_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::alert::incident::Moment;
use domain::alert::notice::shape;
use serde_json::{Value, json};
use service::incidents::{Attached, Delivery};
use service::{App, incidents};

use crate::error::Result;
use crate::extract::{Caller, PathIncident};

/// An incident with its time line, how messages about it stand, what it kept silent, and what it comes from.
pub(crate) async fn show_incident(
    State(app): State<App>,
    Caller(scope): Caller,
    PathIncident(id): PathIncident,
) -> Result<Response> {
    let whole = incidents::show(&app, &scope, id).await?;
    let moment = |moment: &Moment| json!({ "at": moment.at.to_string(), "what": moment.what, "detail": moment.detail });
    let delivery = |delivery: &Delivery| {
        json!({
            "id": delivery.id.to_string(),
            "channel": delivery.channel,
            "occasion": delivery.occasion,
            "state": delivery.state,
            "tries": delivery.tries,
            "last_status": delivery.last_status,
            "last_error": delivery.last_error,
        })
    };
    let mut body = shape(&whole.incident);
    body["timeline"] = whole
        .moments
        .iter()
        .map(moment)
        .collect::<Vec<Value>>()
        .into();
    body["notifications"] = whole
        .deliveries
        .iter()
        .map(delivery)
        .collect::<Vec<Value>>()
        .into();
    body["suppressed"] = whole
        .suppressed
        .iter()
        .map(shape)
        .collect::<Vec<Value>>()
        .into();
    let attribution = whole.attribution.as_ref();
    body["attribution"] = attribution
        .and_then(|attached| attached.answer.clone())
        .unwrap_or_default();
    body["attribution_status"] = attribution.map_or(Value::Null, status);
    Ok(Json(body).into_response())
}

/// How the attribution stands.
fn status(attached: &Attached) -> Value {
    json!({
        "state": attached.state,
        "tries": attached.tries,
        "attached_at": attached.attached_at.map(|at| at.to_string()),
        "last_error": attached.last_error,
    })
}
