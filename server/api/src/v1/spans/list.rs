//! `GET /api/v1/spans`

use axum::extract::State;
use axum::response::Response;
use domain::billing::{Call, counted};
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
    // A list shows spans without those around them: each speaks for itself.
    page(&rows, |span| {
        let counts = counted(&[Call::from(span)]).first() != Some(&false);
        SpanShape::from_span(span, fields, counts)
    })
}
