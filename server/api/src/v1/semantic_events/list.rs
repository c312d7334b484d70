//! `GET /api/v1/semantic-events`

use axum::extract::State;
use axum::response::Response;
use domain::Fault;
use domain::page::{Cursor, Page};
use domain::semantic::{EventType, Rule, SemanticEvent};
use serde::Serialize;
use service::semantic_events::{Place, Wanted, range};
use service::{App, semantic_events};

use crate::error::Result;
use crate::extract::{Caller, Listing, Params, wrong};
use crate::v1::page;

/// Name of the list in its cursors.
const LIST: &str = "semantic-events";

/// Events, the newest first.
pub(crate) async fn list_semantic_events(
    State(app): State<App>,
    Caller(scope): Caller,
    listing: Listing,
    params: Params,
) -> Result<Response> {
    let cursor = listing.cursor(LIST)?;
    let Listing {
        mut filter, limit, ..
    } = listing;
    let (from, to) = range(&app, (filter.from.take(), filter.to.take()))?;
    let wanted = Wanted {
        from,
        to,
        types: named(&params, "type", EventType::from_name)?,
        rules: named(&params, "rule", Rule::from_name)?,
        trace_id: params.one("trace_id")?.map(str::to_owned),
        filter,
        after: cursor.as_ref().map(place).transpose()?,
    };
    let rows = limit.rows();
    let mut data = semantic_events::list(&app, &scope, wanted, rows.saturating_add(1)).await?;
    let goes_on = data.len() > rows as usize;
    data.truncate(rows as usize);
    let next_cursor = data.last().filter(|_| goes_on).map(after);
    page((LIST, &Page { data, next_cursor }), EventRow::from)
}

/// Values of a parameter that may be given several times.
fn named<T>(
    params: &Params,
    parameter: &str,
    from_name: impl Fn(&str) -> Option<T>,
) -> std::result::Result<Vec<T>, Fault> {
    let one = |name: &str| {
        let why = format!("there is none that is called {}", name.escape_debug());
        from_name(name).ok_or_else(|| wrong(parameter, &why))
    };
    params.all(parameter).map(one).collect()
}

fn after(event: &SemanticEvent) -> Cursor {
    let id = |id: Option<&str>| id.unwrap_or_default().to_owned();
    let parts = [
        event.event_type.as_str().to_owned(),
        id(event.trace_id.as_ref().map(|id| id.as_str())),
        id(event.span_id.as_ref().map(|id| id.as_str())),
        id(event.session_id.as_deref()),
    ];
    Cursor {
        start: event.at,
        id: serde_json::to_string(&parts).unwrap_or_default(),
    }
}

fn place(cursor: &Cursor) -> std::result::Result<Place, Fault> {
    let parts: std::result::Result<[String; 4], _> = serde_json::from_str(&cursor.id);
    let [event_type, trace_id, span_id, session_id] =
        parts.map_err(|_| wrong("cursor", "cursor is not one that this list gave"))?;
    Ok(Place {
        at: cursor.start,
        event_type,
        trace_id,
        span_id,
        session_id,
    })
}

#[derive(Serialize)]
struct EventRow {
    event_type: EventType,
    at: String,
    trace_id: Option<String>,
    span_id: Option<String>,
    session_id: Option<String>,
    prompt: Option<domain::span::PromptRef>,
    trigger_round: Option<u32>,
    confidence_drop: Option<f64>,
    fallback_intent: Option<String>,
    rule: Rule,
    evidence: String,
}

impl From<&SemanticEvent> for EventRow {
    fn from(event: &SemanticEvent) -> Self {
        let detail = &event.detail;
        EventRow {
            event_type: event.event_type,
            at: event.at.to_string(),
            trace_id: event.trace_id.as_ref().map(ToString::to_string),
            span_id: event.span_id.as_ref().map(ToString::to_string),
            session_id: event.session_id.clone(),
            prompt: event.prompt.clone(),
            trigger_round: detail.trigger_round,
            confidence_drop: detail.confidence_drop,
            fallback_intent: detail.fallback_intent.clone(),
            rule: detail.rule,
            evidence: detail.evidence.clone(),
        }
    }
}
