//! `POST /api/v1/business-events`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::business_event::{BusinessEvent, Wrong, read};
use domain::{Code, Fault};
use serde_json::{Value, json};
use service::business_events::MOST;
use service::{App, business_events};

use crate::error::{Result, invalid};
use crate::extract::{Caller, List};

/// Takes a list of events: all of them, or none where one is wrong. It answers when they are stored.
pub(crate) async fn create_business_events(
    State(app): State<App>,
    Caller(scope): Caller,
    List(sent): List,
) -> Result<Response> {
    if sent.len() > MOST {
        let message = format!("a request has at most {MOST} events");
        return Err(Fault::new(Code::TooLarge, message).into());
    }
    let (events, errors) = parsed(&sent);
    if !errors.is_empty() {
        return Ok(invalid(&errors));
    }
    let taken = business_events::create(&app, &scope, events).await?;
    let body = json!({
        "accepted": taken.ids.len(),
        "stored": taken.stored,
        "ids": taken.ids,
    });
    Ok(Json(body).into_response())
}

/// Events, and what is wrong with the others: path and why.
fn parsed(sent: &[Value]) -> (Vec<BusinessEvent>, Vec<(String, String)>) {
    let (mut events, mut errors) = (Vec::with_capacity(sent.len()), Vec::new());
    for (at, event) in sent.iter().enumerate() {
        match read(event) {
            Ok(event) => events.push(event),
            Err(Wrong { field: "", why }) => errors.push((format!("[{at}]"), why)),
            Err(Wrong { field, why }) => errors.push((format!("[{at}].{field}"), why)),
        }
    }
    (events, errors)
}
