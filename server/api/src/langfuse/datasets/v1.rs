//! `GET /api/public/datasets`, `POST /api/public/datasets`, `GET /api/public/datasets/{datasetName}`: the
//! first version of these routes, which shows items and runs along with a dataset, the newest thousand
//! of each.

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::dataset::Dataset;
use service::{App, ProjectScope, datasets};

use super::list::USUAL;
use super::shape::{DatasetShape, ListingShape};
use super::{PathNames, draft};
use crate::langfuse::body::Body;
use crate::langfuse::dataset_items::ItemShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Datasets, newest first, with the ids of their items and the names of their runs.
pub(crate) async fn list_datasets(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let slice = (paging.offset(), paging.limit());
    let (found, total) = datasets::list(&app, &scope, slice).await?;
    let mut outlines = Vec::with_capacity(found.len());
    for dataset in &found {
        outlines.push(datasets::outline(&app, &scope, dataset.id).await?);
    }
    let rows = found.iter().zip(&outlines).map(|(dataset, outline)| {
        let items = outline.items.iter().map(|id| id.as_str());
        ListingShape {
            dataset: DatasetShape::from(dataset),
            items: items.collect(),
            runs: &outline.runs,
        }
    });
    let list = List {
        data: rows.collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}

/// Makes a dataset, or changes the one of that name.
pub(crate) async fn create_dataset(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let dataset = datasets::write(&app, &scope, draft::read(&body)?).await?;
    whole(&app, &scope, &dataset).await
}

/// One dataset with its items and the names of its runs.
pub(crate) async fn show_dataset(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    names: PathNames,
) -> Result<Response> {
    let dataset = datasets::show(&app, &scope, &names.dataset).await?;
    whole(&app, &scope, &dataset).await
}

async fn whole(app: &App, scope: &ProjectScope, dataset: &Dataset) -> Result<Response> {
    let outline = datasets::outline(app, scope, dataset.id).await?;
    let (items, _turn) = datasets::items_of(app, scope, dataset.id).await?;
    let shape = ListingShape {
        dataset: DatasetShape::from(dataset),
        items: ItemShape::of(app, scope, &items).await?,
        runs: &outline.runs,
    };
    Ok(Json(shape).into_response())
}
