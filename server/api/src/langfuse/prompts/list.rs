//! `GET /api/public/v2/prompts`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use service::prompts::{self, Wanted};
use service::{App, ProjectScope};

use super::MAX_VERSION;
use super::shape::SummaryShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Meta, Paging};
use crate::langfuse::query::Query;

/// Names on a page where the query does not say.
const USUAL: u32 = 10;

/// Old clients look for the numbers under another name.
#[derive(Serialize)]
struct Answer<T> {
    #[serde(flatten)]
    list: List<T>,
    pagination: Meta,
}

/// Names with their versions summed up.
pub(crate) async fn list_prompts(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let text = |name: &str| Ok::<_, super::Failure>(query.text(name)?.map(str::to_owned));
    let wanted = Wanted {
        name: text("name")?,
        version: query.number("version", 1..=MAX_VERSION)?,
        label: text("label")?,
        tag: text("tag")?,
        updated_from: query.time("fromUpdatedAt")?,
        updated_before: query.time("toUpdatedAt")?,
        ..Wanted::default()
    };
    let slice = (paging.offset(), paging.limit());
    let (summaries, total) = prompts::list(&app, &scope, &wanted, slice).await?;
    let meta = paging.of(total);
    let answer = Answer {
        list: List {
            data: summaries.iter().map(SummaryShape::from).collect(),
            meta,
        },
        pagination: meta,
    };
    Ok(Json(answer).into_response())
}
