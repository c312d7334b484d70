//! `GET /api/public/v2/observations`: by cursor, and with those groups of fields only that are asked for.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::TraceId;
use domain::page::{Cursor, Limit, Page};
use domain::trace::TraceSummary;
use serde::Serialize;
use service::{App, ProjectScope, models, numbered, spans};

use super::columns;
use super::grouped::{GroupedShape, Wanted};
use super::priced::Pricing;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::query::Query;

/// Observations of an answer where the query does not say.
const USUAL: u32 = 50;

#[derive(Serialize)]
struct Answer<'a> {
    data: Vec<GroupedShape<'a>>,
    meta: Meta,
}

#[derive(Serialize)]
struct Meta {
    /// Left out at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

/// Observations that match, the newest first.
pub(crate) async fn list_observations(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let wanted = Wanted::read(&query)?;
    if query.flag("parseIoAsJson")? == Some(true) {
        let message = "inputs and outputs come as they were sent; only false is allowed";
        return Err(Issue::new("custom", "parseIoAsJson", message).into());
    }
    let limit = query.number("limit", 0..=Limit::MAX)?.unwrap_or(USUAL);
    let cursor = query.text("cursor")?.map(Cursor::parse).transpose();
    let cursor = cursor.map_err(|fault| fault.on_field("cursor"))?;
    let filter = models::with_price_keys(&app, &scope, columns::filter(&query)?).await?;
    let mut page = Page {
        data: Vec::new(),
        next_cursor: None,
    };
    let mut _turn = None;
    if limit > 0 {
        let limit = Limit::new(limit)?;
        _turn = Some(spans::turn(&app, &scope, limit).await?);
        (page, _) = spans::list(&app, &scope, &filter, limit, cursor.as_ref()).await?;
    }
    let traces = if wanted.of_trace() {
        numbered::summaries(&app, &scope, &page.data).await?
    } else {
        Vec::new()
    };
    let mut pricing = Pricing::new(models::known_prices(&app, &scope, &page.data).await?);
    let project = scope.project_id();
    let traces: HashMap<&TraceId, &TraceSummary> = traces
        .iter()
        .map(|trace| (&trace.trace_id, trace))
        .collect();
    let rows = page.data.iter().map(|span| {
        let trace = traces.get(&span.trace_id).copied();
        GroupedShape::new(project, (span, pricing.of(span)), trace, &wanted)
    });
    let answer = Answer {
        data: rows.collect(),
        meta: Meta {
            cursor: page.next_cursor.as_ref().map(ToString::to_string),
        },
    };
    Ok(Json(answer).into_response())
}
