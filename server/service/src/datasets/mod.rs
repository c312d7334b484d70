//! Datasets of the scope's project: made, changed, listed, read.
//!
//! Where a name comes from a path it is given in all ways in which it may be meant, the likeliest first:
//! some clients encode it twice.

/// All items of a dataset as a file.
mod export;
/// Filters that fill datasets.
mod fill;
/// Whether the items of a dataset follow its schemas.
mod followed;
/// One item with what it was before.
mod history;
/// Files of items.
mod import;
/// Items: written, deleted, read as they are and as they were.
mod items;
/// Datasets as people manage them.
mod manage;
/// Datasets and their items as pages list them.
mod overview;
/// Runs: linked, listed, deleted.
mod runs;
/// Runs that only spans tell of.
mod told;

use domain::dataset::{
    Dataset, DatasetDraft, DatasetItem, DatasetItemId, DatasetKind, DatasetName,
};
use domain::tenancy::Permission;
use domain::{DatasetId, Fault, Timestamp};
use serde_json::Value;
use store_postgres::{Transaction, datasets};
use uuid::Uuid;

pub use export::export;
pub(crate) use fill::take_in;
pub use fill::{end_fill, set_fill, show_fill};
pub use history::{contents_of, item_versions};
pub use import::{MAX_UPLOAD_BYTES, Sheet, import, sheet, upload};
pub use items::{ItemFilter, delete_item, list_items, show_item, write_item};
pub use manage::{create, put, update};
pub use overview::{ItemHead, Overview, count_items, find_by_id, item_heads, overviews};
pub use runs::{Link, Linked, delete_run, link, list_run_items, list_runs, show_run};

use crate::app::App;
use crate::reads::Turn;
use crate::scope::ProjectScope;

/// Makes a plain dataset of a name, or changes the one that there is, which keeps its kind; needs `ChangeDatasets`. Items follow the
/// schemas from then on, and those that are there must do so already.
///
/// # Errors
/// `forbidden`; `invalid` on a field, or when items do not follow a schema; `unavailable` without
/// Postgres.
pub async fn write(app: &App, scope: &ProjectScope, draft: DatasetDraft) -> Result<Dataset, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    draft.check()?;
    let now = app.clock().now();
    let project = scope.project_id();
    // All items are looked at while others may still write them: that can take long. Those that were
    // written meanwhile are looked at again while nobody can.
    let mut tx = app.postgres().begin_reading().await?;
    let there = datasets::find(&mut tx, project, std::slice::from_ref(&draft.name)).await?;
    drop(tx);
    if let Some(before) = &there {
        let mut after = before.clone();
        draft.clone().change(&mut after);
        if have_other_schemas(before, &after) {
            followed::check_all(app, &after).await?;
        }
    }
    let new = Dataset {
        id: DatasetId(Uuid::now_v7()),
        project_id: project,
        name: draft.name.clone(),
        kind: DatasetKind::Plain,
        description: None,
        metadata: Value::Null,
        input_schema: None,
        expected_output_schema: None,
        archived_at: None,
        created_at: now,
        updated_at: now,
    };
    let mut tx = app.postgres().begin().await?;
    datasets::create(&mut tx, &new).await?;
    let before = datasets::lock(&mut tx, project, &draft.name).await?;
    let before = before.ok_or_else(|| missing(&draft.name))?;
    let mut dataset = before.clone();
    draft.change(&mut dataset);
    dataset.updated_at = now;
    if have_other_schemas(&before, &dataset) {
        let since = if there.is_some() {
            now
        } else {
            Timestamp::EPOCH
        };
        followed::check_since(&mut tx, &dataset, since).await?;
    }
    datasets::update(&mut tx, &dataset).await?;
    tx.commit().await?;
    Ok(dataset)
}

fn have_other_schemas(a: &Dataset, b: &Dataset) -> bool {
    a.input_schema != b.input_schema || a.expected_output_schema != b.expected_output_schema
}

/// Datasets, newest first, and how many there are in all.
///
/// # Errors
/// `unavailable` without Postgres; so for all reads here.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    slice: (u64, u32),
) -> Result<(Vec<Dataset>, u64), Fault> {
    Ok(datasets::list(app.postgres(), scope.project_id(), slice).await?)
}

/// The dataset of a name.
///
/// # Errors
/// `not_found`; as [`list`].
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    names: &[DatasetName],
) -> Result<Dataset, Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    find(&mut tx, scope, names).await
}

async fn find(
    tx: &mut Transaction,
    scope: &ProjectScope,
    names: &[DatasetName],
) -> Result<Dataset, Fault> {
    let found = datasets::find(tx, scope.project_id(), names).await?;
    found.ok_or_else(|| names.first().map_or_else(nameless, missing))
}

/// What a dataset holds, by name.
#[derive(Debug)]
pub struct Outline {
    /// Its newest active items.
    pub items: Vec<DatasetItemId>,
    /// The names of its newest runs.
    pub runs: Vec<String>,
}

/// Items and runs that older clients see along with a dataset.
const SHOWN: u32 = 1_000;

/// What a dataset holds, the newest thousand of each.
///
/// # Errors
/// As [`list`].
pub async fn outline(
    app: &App,
    scope: &ProjectScope,
    dataset: DatasetId,
) -> Result<Outline, Fault> {
    let place = (scope.project_id(), dataset);
    let mut tx = app.postgres().begin_reading().await?;
    let items = datasets::item_ids(&mut tx, place, SHOWN).await?;
    let (runs, _) = datasets::list_runs(&mut tx, place, (0, SHOWN)).await?;
    Ok(Outline {
        items,
        runs: runs.into_iter().map(|run| run.name.to_string()).collect(),
    })
}

/// The newest active items of a dataset, a thousand at most. The turn is to be kept as long as they are.
///
/// # Errors
/// As [`list`].
pub async fn items_of(
    app: &App,
    scope: &ProjectScope,
    dataset: DatasetId,
) -> Result<(Vec<DatasetItem>, Turn), Fault> {
    let project = scope.project_id();
    let turn = app.reads().turn(project, u64::from(SHOWN)).await?;
    let wanted = datasets::WantedItems {
        dataset: Some(dataset),
        ..datasets::WantedItems::default()
    };
    let (items, _) = datasets::list_items(app.postgres(), project, &wanted, (0, SHOWN)).await?;
    Ok((items, turn))
}

/// The clock in whole milliseconds, as clients see times.
fn whole_millis(instant: Timestamp) -> Timestamp {
    Timestamp::from_unix_millis(instant.unix_millis()).unwrap_or(instant)
}

fn missing(name: &DatasetName) -> Fault {
    Fault::not_found(format!("Dataset not found: '{name}'"))
}

/// What is no name is the name of nothing.
fn nameless() -> Fault {
    Fault::not_found("Dataset not found")
}
