//! `GET /api/v1/objectives`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::{App, objectives};

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::ObjectiveRow;
use crate::v1::page;

/// Objectives: few enough for one page.
pub(crate) async fn list_objectives(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let all = Page {
        data: objectives::list(&app, &scope).await?,
        next_cursor: None,
    };
    page(("objectives", &all), ObjectiveRow::from)
}
