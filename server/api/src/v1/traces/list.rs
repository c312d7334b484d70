//! `GET /api/v1/traces`

use axum::extract::State;
use axum::response::Response;
use domain::TraceId;
use service::{App, scores, traces};

use crate::error::Result;
use crate::extract::{Caller, Listing};
use crate::shape::TraceRow;
use crate::v1::page;

/// Traces that match, newest first.
pub(crate) async fn list_traces(
    State(app): State<App>,
    Caller(scope): Caller,
    listing: Listing,
) -> Result<Response> {
    let cursor = listing.cursor("traces")?;
    let Listing { filter, limit, .. } = listing;
    let rows = traces::list(&app, &scope, &filter, limit, cursor.as_ref()).await?;
    let ids: Vec<TraceId> = rows.data.iter().map(|row| row.trace_id.clone()).collect();
    let judgements = scores::of_traces(&app, &scope, &ids).await?;
    page(("traces", &rows), |row| {
        TraceRow::from_summary(row, &judgements)
    })
}
