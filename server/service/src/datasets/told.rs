//! Runs that only spans tell of: newer clients write the run into the spans of each item and link nothing.

use domain::attr::langfuse as attr;
use domain::dataset::{Dataset, DatasetItemId, DatasetRun, DatasetRunItem, RunId, RunName};
use domain::experiment::{ExperimentItem, Identity};
use domain::filter::{Column, Condition, Operator};
use domain::page::Limit;
use domain::{Fault, SpanId, Timestamp};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store_clickhouse::experiments::{self, Extract, Wanted};
use uuid::Uuid;

use crate::app::App;
use crate::scope::ProjectScope;

/// Runs over a dataset, and items of one, that are looked at: the newest.
const MOST: u32 = Limit::MAX;

/// Runs over a dataset that spans tell of, newest first, without those of some ids.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; so for all reads here.
pub(super) async fn runs(
    app: &App,
    scope: &ProjectScope,
    dataset: &Dataset,
    without: Vec<String>,
) -> Result<Vec<DatasetRun>, Fault> {
    let conditions = vec![
        of_dataset(dataset),
        condition(attr::EXPERIMENT_ID, Operator::NoneOf, without),
    ];
    find(app, scope, dataset, conditions).await
}

/// The run over a dataset that has one of some names, and none of some ids; the newest of them.
///
/// # Errors
/// As [`runs`].
pub(super) async fn run(
    app: &App,
    scope: &ProjectScope,
    dataset: &Dataset,
    (names, without): (&[RunName], Vec<String>),
) -> Result<Option<DatasetRun>, Fault> {
    let names: Vec<String> = names.iter().map(RunName::to_string).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let conditions = vec![
        of_dataset(dataset),
        condition(attr::EXPERIMENT_NAME, Operator::AnyOf, names),
        condition(attr::EXPERIMENT_ID, Operator::NoneOf, without),
    ];
    let found = find(app, scope, dataset, conditions).await?;
    Ok(found.into_iter().next())
}

/// What a run made of items, newest first.
///
/// # Errors
/// As [`runs`].
pub(super) async fn links(
    app: &App,
    scope: &ProjectScope,
    run: &DatasetRun,
) -> Result<Vec<DatasetRunItem>, Fault> {
    let project = scope.project_id();
    let _turn = app.reads().turn(project, u64::from(MOST)).await?;
    let wanted = Wanted {
        from: Timestamp::EPOCH,
        to: Timestamp::MAX,
        ids: vec![run.id.to_string()],
        conditions: Vec::new(),
    };
    let limit = (Limit::new(MOST)?, None);
    let page = experiments::items(app.clickhouse(), project, &wanted, limit).await?;
    let items = page.data.into_iter().filter_map(ExperimentItem::of);
    Ok(items.filter_map(|item| link(run, item)).collect())
}

async fn find(
    app: &App,
    scope: &ProjectScope,
    dataset: &Dataset,
    conditions: Vec<Condition>,
) -> Result<Vec<DatasetRun>, Fault> {
    let wanted = Wanted {
        from: Timestamp::EPOCH,
        to: Timestamp::MAX,
        ids: Vec::new(),
        conditions,
    };
    let project = scope.project_id();
    let found = experiments::list(app.clickhouse(), project, &wanted, (None, MOST)).await?;
    let runs = found.iter().filter_map(|extract| told(dataset, extract));
    Ok(runs.collect())
}

/// A run as its spans tell of it; `None` where its name cannot be that of a run.
fn told(dataset: &Dataset, extract: &Extract) -> Option<DatasetRun> {
    let said = Identity::of(&extract.speaker)?;
    Some(DatasetRun {
        id: RunId::from_stored(&extract.id),
        dataset_id: dataset.id,
        dataset_name: dataset.name.clone(),
        name: RunName::parse(&said.name).ok()?,
        description: said.description,
        metadata: said.metadata.map_or(Value::Null, Value::Object),
        created_at: extract.start,
        updated_at: extract.end,
    })
}

/// `None` where the item's id cannot be that of an item.
fn link(run: &DatasetRun, item: ExperimentItem) -> Option<DatasetRunItem> {
    // The same span is the same link, however often it is read.
    let hash = Sha256::digest(format!("{} {} {}", run.id, item.trace_id, item.id));
    Some(DatasetRunItem {
        id: Uuid::from_slice(hash.get(..16)?).ok()?,
        run_id: run.id.clone(),
        run_name: run.name.clone(),
        item_id: DatasetItemId::parse(&item.item_id).ok()?,
        observation_id: SpanId::from_text(&item.id).ok(),
        trace_id: item.trace_id,
        created_at: item.start,
        updated_at: item.start,
    })
}

fn of_dataset(dataset: &Dataset) -> Condition {
    let id = vec![dataset.id.to_string()];
    condition(attr::EXPERIMENT_DATASET_ID, Operator::AnyOf, id)
}

fn condition(key: &str, operator: Operator, values: Vec<String>) -> Condition {
    Condition {
        column: Column::Attribute(key.to_owned()),
        operator,
        values,
    }
}
