//! `GET /api/v1/datasets`

use axum::extract::State;
use axum::response::Response;
use domain::dataset::Shelf;
use service::datasets::Overview;
use service::{App, datasets};

use super::{DatasetRow, kind, time};
use crate::error::Result;
use crate::extract::{Caller, Params};
use crate::v1::page;

/// Datasets, newest first.
pub(crate) async fn list_datasets(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let of_kind = params.one("kind")?.map(kind).transpose()?;
    let shelf = match params.flag("archived")? {
        Some(true) => Shelf::Archived,
        None | Some(false) => Shelf::InUse,
    };
    let after = params.cursor("datasets")?;
    let place = (params.limit()?, after.as_ref());
    let found = datasets::overviews(&app, &scope, (shelf, of_kind), place).await?;
    page(("datasets", &found), row)
}

fn row(overview: &Overview) -> DatasetRow<'_> {
    DatasetRow {
        id: overview.id.to_string(),
        name: overview.name.as_str(),
        kind: overview.kind.as_str(),
        description: overview.description.as_deref(),
        items: overview.items,
        runs: overview.runs,
        created_at: time(overview.created_at),
        updated_at: time(overview.updated_at),
    }
}
