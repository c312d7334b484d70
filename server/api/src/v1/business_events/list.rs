//! `GET /api/v1/business-events`

use axum::extract::State;
use axum::response::Response;
use domain::business_event::{BusinessEvent, BusinessKind};
use domain::page::{Cursor, Page};
use serde::Serialize;
use serde_json::{Map, Value};
use service::business_events::{Wanted, range};
use service::{App, business_events};

use crate::error::Result;
use crate::extract::{Caller, Params, wrong};
use crate::v1::page;

/// Name of the list in its cursors.
const LIST: &str = "business-events";

/// Events, the newest first.
pub(crate) async fn list_business_events(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let kind = params.one("type")?.map(|name| {
        let kind = BusinessKind::from_name(name);
        kind.ok_or_else(|| wrong("type", "give ticket, conversion, sla_breach or custom"))
    });
    let (from, to) = range(&app, (params.time("from")?, params.time("to")?))?;
    let text = |name| Ok::<_, domain::Fault>(params.one(name)?.map(str::to_owned));
    let limit = params.limit()?.rows();
    let wanted = Wanted {
        from,
        to,
        kind: kind.transpose()?,
        name: text("name")?,
        trace_id: text("trace_id")?,
        user_id: text("user_id")?,
        session_id: text("session_id")?,
        ab_group: text("ab_group")?,
        after: params.cursor(LIST)?.map(|cursor| (cursor.start, cursor.id)),
    };
    let mut data = business_events::list(&app, &scope, &wanted, limit.saturating_add(1)).await?;
    let goes_on = data.len() > limit as usize;
    data.truncate(limit as usize);
    let last = data.last().filter(|_| goes_on);
    let next_cursor = last.map(|event| Cursor {
        start: event.at,
        id: event.id.clone(),
    });
    page((LIST, &Page { data, next_cursor }), EventRow::from)
}

#[derive(Serialize)]
struct EventRow<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: BusinessKind,
    name: Option<&'a str>,
    at: String,
    trace_id: Option<&'a str>,
    user_id: Option<&'a str>,
    session_id: Option<&'a str>,
    ab_group: Option<&'a str>,
    value: Option<f64>,
    attributes: &'a Map<String, Value>,
}

impl<'a> From<&'a BusinessEvent> for EventRow<'a> {
    fn from(event: &'a BusinessEvent) -> Self {
        EventRow {
            id: &event.id,
            kind: event.kind,
            name: event.name.as_deref(),
            at: event.at.to_string(),
            trace_id: event.trace_id.as_deref(),
            user_id: event.user_id.as_deref(),
            session_id: event.session_id.as_deref(),
            ab_group: event.ab_group.as_deref(),
            value: event.value,
            attributes: &event.attributes,
        }
    }
}
