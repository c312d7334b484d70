//! `GET /api/v1/spans`

use axum::extract::State;
use axum::response::Response;
use service::{App, spans};

use crate::error::Result;
use crate::extract::{Caller, Fields, Listing};
use crate::shape::SpanShape;
use crate::v1::page;

/// Spans that match, newest first.
pub(crate) async fn list_spans(
    State(app): State<App>,
    Caller(scope): Caller,
    fields: Fields,
    listing: Listing,
) -> Result<Response> {
    let Listing {
        filter,
        limit,
        cursor,
    } = listing;
    let rows = spans::list(&app, &scope, &filter, limit, cursor.as_ref()).await?;
    page(&rows, |span| SpanShape::from_span(span, fields))
}
