//! Datasets and their items as pages list them.

use domain::dataset::{Dataset, DatasetKind, Shelf};
use domain::page::{Cursor, Limit, Page};
use domain::{DatasetId, Fault, Timestamp};
use store_postgres::datasets;

pub use store_postgres::datasets::{ItemHead, Overview};

use crate::app::App;
use crate::scope::ProjectScope;

/// The dataset of an id.
///
/// # Errors
/// `not_found`; `unavailable` without Postgres; so for all reads here.
pub async fn find_by_id(app: &App, scope: &ProjectScope, id: DatasetId) -> Result<Dataset, Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    let found = datasets::find_by_id(&mut tx, scope.project_id(), id).await?;
    found.ok_or_else(|| Fault::not_found("there is no such dataset in this project"))
}

/// Datasets of a shelf, of a kind where one is given, newest first.
///
/// # Errors
/// As [`find_by_id`].
pub async fn overviews(
    app: &App,
    scope: &ProjectScope,
    (shelf, kind): (Shelf, Option<DatasetKind>),
    (limit, after): (Limit, Option<&Cursor>),
) -> Result<Page<Overview>, Fault> {
    let of = (scope.project_id(), shelf, kind);
    let most = (after, limit.rows() + 1);
    let found = datasets::overviews(app.postgres(), of, most).await?;
    let place = |row: &Overview| (row.created_at, row.id.to_string());
    Ok(page(found, limit, place))
}

/// Items of a dataset, archived ones too, newest first.
///
/// # Errors
/// As [`find_by_id`].
pub async fn item_heads(
    app: &App,
    scope: &ProjectScope,
    dataset: DatasetId,
    (limit, after): (Limit, Option<&Cursor>),
) -> Result<Page<ItemHead>, Fault> {
    let of = (scope.project_id(), dataset);
    let found = datasets::item_heads(app.postgres(), of, (after, limit.rows() + 1)).await?;
    let place = |row: &ItemHead| (row.created_at, row.id.to_string());
    Ok(page(found, limit, place))
}

/// Active items of a dataset, and how many of them have no expected output.
///
/// # Errors
/// As [`find_by_id`].
pub async fn count_items(
    app: &App,
    scope: &ProjectScope,
    dataset: DatasetId,
) -> Result<(u64, u64), Fault> {
    let place = (scope.project_id(), dataset);
    Ok(datasets::count_items(app.postgres(), place).await?)
}

/// A page of rows, of which there is one more where another page follows.
fn page<T>(mut rows: Vec<T>, limit: Limit, place: impl Fn(&T) -> (Timestamp, String)) -> Page<T> {
    let has_more = rows.len() > limit.rows() as usize;
    rows.truncate(limit.rows() as usize);
    let last = rows.last().filter(|_| has_more).map(place);
    Page {
        next_cursor: last.map(|(start, id)| Cursor { start, id }),
        data: rows,
    }
}
