//! `GET /api/v1/evaluators`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::{App, evaluators};

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::EvaluatorRow;
use crate::v1::page;

/// Evaluators by name: few enough for one page.
pub(crate) async fn list_evaluators(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let all = Page {
        data: evaluators::list(&app, &scope).await?,
        next_cursor: None,
    };
    page(("evaluators", &all), |(evaluator, figures)| {
        EvaluatorRow::new(evaluator, figures)
    })
}
