//! `GET /api/public/observations`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, models, numbered, spans};

use super::columns;
use super::priced::Pricing;
use super::shape::ObservationShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Observations on a page where the query does not say.
const USUAL: u32 = 50;

/// Observations that match, the newest first.
pub(crate) async fn list_observations(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let filter = models::with_price_keys(&app, &scope, columns::filter(&query)?).await?;
    let _turn = spans::turn(&app, &scope, paging.rows()?).await?;
    let (spans, total) = numbered::spans(&app, &scope, &filter, paging.slice()?).await?;
    let project = scope.project_id();
    let mut pricing = Pricing::new(models::known_prices(&app, &scope, &spans).await?);
    let rows = spans.iter();
    let list = List {
        data: rows
            .map(|span| ObservationShape::new(project, span, pricing.of(span)))
            .collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
