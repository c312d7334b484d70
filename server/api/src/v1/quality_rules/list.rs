//! `GET /api/v1/quality-rules`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::{App, quality_rules};

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::QualityRuleRow;
use crate::v1::page;

/// Rules in the order in which they are asked: few enough for one page.
pub(crate) async fn list_quality_rules(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let all = Page {
        data: quality_rules::list(&app, &scope).await?,
        next_cursor: None,
    };
    page(("quality_rules", &all), QualityRuleRow::from)
}
