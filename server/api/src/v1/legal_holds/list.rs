//! `GET /api/v1/legal-holds`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::App;
use service::deletions::holds;

use super::Shape;
use crate::error::Result;
use crate::extract::Caller;
use crate::v1::page;

/// Holds, the newest first.
pub(crate) async fn list_legal_holds(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let data = holds::list(&app, &scope).await?;
    let all = Page {
        data,
        next_cursor: None,
    };
    page(("legal-holds", &all), Shape::from)
}
