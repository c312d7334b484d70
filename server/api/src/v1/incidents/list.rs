//! `GET /api/v1/incidents`

use axum::extract::State;
use axum::response::Response;
use domain::alert::incident::IncidentState;
use domain::alert::notice::shape;
use domain::page::{Cursor, Page};
use service::incidents::Wanted;
use service::{App, incidents};

use crate::error::Result;
use crate::extract::{Caller, Params, wrong};
use crate::v1::page;

/// Incidents, the newest first.
pub(crate) async fn list_incidents(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let state = params.one("state")?.map(|name| {
        let state = IncidentState::from_name(name);
        state.ok_or_else(|| wrong("state", "give open, acknowledged or resolved"))
    });
    let after = params.cursor("incidents")?.map(|cursor| {
        let id = cursor.id.parse();
        let id = id.map_err(|_| wrong("cursor", "cursor is not one that this list gave"))?;
        Ok::<_, domain::Fault>((cursor.start, id))
    });
    let limit = params.limit()?.rows();
    let wanted = Wanted {
        state: state.transpose()?,
        suppressed: params.flag("suppressed")?,
        suppressed_by: None,
        after: after.transpose()?,
    };
    let mut data = incidents::list(&app, &scope, &wanted, limit.saturating_add(1)).await?;
    let goes_on = data.len() > limit as usize;
    data.truncate(limit as usize);
    let last = data.last().filter(|_| goes_on);
    let next_cursor = last.map(|incident| Cursor {
        start: incident.fired_at,
        id: incident.id.to_string(),
    });
    page(("incidents", &Page { data, next_cursor }), shape)
}
