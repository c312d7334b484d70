//! Runs: linked, listed, deleted.

use domain::dataset::{
    DatasetItem, DatasetItemId, DatasetName, DatasetRun, DatasetRunItem, ItemStatus, RunDraft,
    RunId, RunName,
};
use domain::page::Slice;
use domain::tenancy::Permission;
use domain::{DatasetId, Fault, SpanId, Timestamp, TraceId};
use store_clickhouse::spans;
use store_postgres::Transaction;
use store_postgres::datasets::{self, Last};
use uuid::Uuid;

use super::items::no_such_item;
use super::{find, told};
use crate::app::App;
use crate::scope::ProjectScope;

/// Links of a run that are shown with it.
const SHOWN: u32 = 10_000;

/// What is linked.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The item.
    pub item_id: DatasetItemId,
    /// What the run made of it.
    pub made: Linked,
    /// When; now, where nothing is said.
    pub created_at: Option<Timestamp>,
}

/// What a run made of an item.
#[derive(Clone, Debug, PartialEq)]
pub enum Linked {
    /// A trace, or an observation of it. It need not have come.
    Trace(TraceId, Option<SpanId>),
    /// An observation whose trace is to be looked for.
    Observation(SpanId),
}

/// Links an item to what a run made of it; needs `ChangeDatasets`. The run is made with its first link,
/// and keeps what was said of it first. `version_text` is the dataset's version as its metadata shows it.
///
/// # Errors
/// `forbidden`; `not_found` when there is no such active item, or no such observation; `invalid` on a
/// field; `unavailable` without a store.
pub async fn link(
    app: &App,
    scope: &ProjectScope,
    (run, version_text): (&RunDraft, Option<String>),
    link: Link,
) -> Result<DatasetRunItem, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    run.check()?;
    let (trace_id, observation_id) = place(app, scope, link.made).await?;
    let project = scope.project_id();
    let now = link.created_at.unwrap_or_else(|| app.clock().now());
    let mut tx = app.postgres().begin().await?;
    let item = active_item(&mut tx, scope, &link.item_id, run.dataset_version).await?;
    let made = DatasetRun {
        id: RunId::of(project, item.dataset_id, &run.name),
        dataset_id: item.dataset_id,
        dataset_name: item.dataset_name,
        name: run.name.clone(),
        description: run.description.clone(),
        metadata: run.metadata(version_text),
        created_at: now,
        updated_at: now,
    };
    let made = datasets::start_run(&mut tx, project, &made).await?;
    let new = DatasetRunItem {
        id: Uuid::now_v7(),
        run_id: made.id,
        run_name: made.name,
        item_id: item.id,
        trace_id,
        observation_id,
        created_at: now,
        updated_at: now,
    };
    let linked = datasets::link(&mut tx, project, &new).await?;
    tx.commit().await?;
    Ok(linked)
}

async fn place(
    app: &App,
    scope: &ProjectScope,
    made: Linked,
) -> Result<(TraceId, Option<SpanId>), Fault> {
    match made {
        Linked::Trace(trace, observation) => Ok((trace, observation)),
        Linked::Observation(id) => {
            let trace = spans::locate(app.clickhouse(), scope.project_id(), &id).await?;
            let missing = || Fault::not_found(format!("Observation not found: '{id}'"));
            Ok((trace.ok_or_else(missing)?, Some(id)))
        }
    }
}

async fn active_item(
    tx: &mut Transaction,
    scope: &ProjectScope,
    id: &DatasetItemId,
    version: Option<Timestamp>,
) -> Result<DatasetItem, Fault> {
    let project = scope.project_id();
    let item = match version {
        Some(version) => datasets::item_at(tx, project, id, version).await?,
        None => match datasets::last(tx, project, id).await? {
            Last::Item(item) => Some(*item),
            Last::Deleted(_) | Last::Never => None,
        },
    };
    let active = item.filter(|item| item.status == ItemStatus::Active);
    active.ok_or_else(|| no_such_item(id))
}

/// Runs over a dataset, newest first, and how many there are in all: those that were linked, and the
/// newest thousand of those that only spans tell of.
///
/// # Errors
/// `not_found` when there is no such dataset; `unavailable` or `timeout` without a store; so for all
/// reads here.
pub async fn list_runs(
    app: &App,
    scope: &ProjectScope,
    names: &[DatasetName],
    (offset, limit): (u64, u32),
) -> Result<(Vec<DatasetRun>, u64), Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    let dataset = find(&mut tx, scope, names).await?;
    let place = (scope.project_id(), dataset.id);
    let linked = datasets::run_ids(&mut tx, place).await?;
    drop(tx);
    let told = told::runs(app, scope, &dataset, linked).await?;
    let mut tx = app.postgres().begin_reading().await?;
    if told.is_empty() {
        return Ok(datasets::list_runs(&mut tx, place, (offset, limit)).await?);
    }
    // What stands before the page may be of either sort.
    let reach = Slice::new(offset, limit)?.skip() + u64::from(limit);
    let reach = u32::try_from(reach).unwrap_or(u32::MAX);
    let (mut runs, total) = datasets::list_runs(&mut tx, place, (0, reach)).await?;
    let total = total + told.len() as u64;
    runs.extend(told);
    runs.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let page = runs.into_iter().skip(skip).take(limit as usize);
    Ok((page.collect(), total))
}

/// A run with its links, the newest first: ten thousand at most, a thousand where only spans tell of it.
///
/// # Errors
/// `not_found`; as [`list_runs`].
pub async fn show_run(
    app: &App,
    scope: &ProjectScope,
    (names, run): (&[DatasetName], &[RunName]),
) -> Result<(DatasetRun, Vec<DatasetRunItem>), Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    let dataset = find(&mut tx, scope, names).await?;
    let place = (scope.project_id(), dataset.id);
    if let Some(linked) = datasets::find_run(&mut tx, place, run).await? {
        let place = (scope.project_id(), &linked.id);
        let (links, _) = datasets::list_run_items(&mut tx, place, (0, SHOWN)).await?;
        return Ok((linked, links));
    }
    let known = datasets::run_ids(&mut tx, place).await?;
    drop(tx);
    let told = told::run(app, scope, &dataset, (run, known)).await?;
    let told = told.ok_or_else(|| no_such_run(run))?;
    let links = told::links(app, scope, &told).await?;
    Ok((told, links))
}

/// Links of the run of that name over a dataset, newest first, and how many there are in all; of one
/// that only spans tell of, a thousand at most.
///
/// # Errors
/// `not_found`; as [`list_runs`].
pub async fn list_run_items(
    app: &App,
    scope: &ProjectScope,
    (dataset, run): (DatasetId, &RunName),
    (offset, limit): (u64, u32),
) -> Result<(Vec<DatasetRunItem>, u64), Fault> {
    let run = std::slice::from_ref(run);
    let project = scope.project_id();
    let mut tx = app.postgres().begin_reading().await?;
    if let Some(linked) = datasets::find_run(&mut tx, (project, dataset), run).await? {
        let place = (project, &linked.id);
        return Ok(datasets::list_run_items(&mut tx, place, (offset, limit)).await?);
    }
    let known = datasets::run_ids(&mut tx, (project, dataset)).await?;
    let dataset = datasets::find_by_id(&mut tx, project, dataset).await?;
    drop(tx);
    let dataset = dataset.ok_or_else(|| no_such_run(run))?;
    let told = told::run(app, scope, &dataset, (run, known)).await?;
    let told = told.ok_or_else(|| no_such_run(run))?;
    let links = told::links(app, scope, &told).await?;
    let total = links.len() as u64;
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let page = links.into_iter().skip(skip).take(limit as usize);
    Ok((page.collect(), total))
}

/// Deletes a run with its links; needs `ChangeDatasets`. What it made stays; spans that tell of it make it
/// a run no more.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without a store.
pub async fn delete_run(
    app: &App,
    scope: &ProjectScope,
    place: (&[DatasetName], &[RunName]),
) -> Result<(), Fault> {
    scope.require(Permission::ChangeDatasets)?;
    let (run, _) = show_run(app, scope, place).await?;
    let mut tx = app.postgres().begin().await?;
    datasets::delete_run(&mut tx, scope.project_id(), &run).await?;
    tx.commit().await?;
    Ok(())
}

fn no_such_run(names: &[RunName]) -> Fault {
    let name = names.first().map(RunName::to_string).unwrap_or_default();
    Fault::not_found(format!("Dataset run not found: '{name}'"))
}
