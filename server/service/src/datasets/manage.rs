//! Datasets as people manage them: made under a new name, changed under their id, put away.

use domain::dataset::{Dataset, DatasetDraft, DatasetKind, DatasetName, Shelf};
use domain::tenancy::Permission;
use domain::{Code, DatasetId, Fault, Timestamp};
use serde_json::Value;
use store_postgres::datasets;
use uuid::Uuid;

use super::{followed, have_other_schemas};
use crate::app::App;
use crate::scope::ProjectScope;

/// Makes a dataset of a kind, which it keeps; needs `ChangeDatasets`.
///
/// # Errors
/// `forbidden`; `conflict` on the field `name` when there is one of that name; `invalid` on a field;
/// `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    kind: DatasetKind,
    draft: DatasetDraft,
) -> Result<Dataset, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    draft.check()?;
    let now = app.clock().now();
    let mut dataset = Dataset {
        id: DatasetId(Uuid::now_v7()),
        project_id: scope.project_id(),
        name: draft.name.clone(),
        kind,
        description: None,
        metadata: Value::Null,
        input_schema: None,
        expected_output_schema: None,
        archived_at: None,
        created_at: now,
        updated_at: now,
    };
    draft.change(&mut dataset);
    dataset.schemas()?;
    let mut tx = app.postgres().begin().await?;
    if !datasets::create(&mut tx, &dataset).await? {
        return Err(taken(&dataset.name));
    }
    tx.commit().await?;
    Ok(dataset)
}

/// Changes a dataset, its name as well; needs `ChangeDatasets`. Runs and items stay with it; programs that know it by
/// the name before make another one.
///
/// # Errors
/// As [`create`]; `not_found`; `invalid` when items do not follow a schema that is new.
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    id: DatasetId,
    draft: DatasetDraft,
) -> Result<Dataset, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    draft.check()?;
    let project = scope.project_id();
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let before = datasets::lock_by_id(&mut tx, project, id).await?;
    let before = before.ok_or_else(no_such_dataset)?;
    let mut dataset = before.clone();
    dataset.name = draft.name.clone();
    draft.change(&mut dataset);
    dataset.updated_at = now;
    if have_other_schemas(&before, &dataset) {
        followed::check_since(&mut tx, &dataset, Timestamp::EPOCH).await?;
    }
    let updated = datasets::update(&mut tx, &dataset).await;
    updated.map_err(|error| error.on_constraint(datasets::NAME_KEY, || taken(&dataset.name)))?;
    tx.commit().await?;
    Ok(dataset)
}

/// Archives a dataset, or brings it back; needs `ChangeDatasets`. Programs that name it go on as before.
///
/// # Errors
/// `forbidden`, `not_found`, `unavailable` without Postgres.
pub async fn put(
    app: &App,
    scope: &ProjectScope,
    id: DatasetId,
    shelf: Shelf,
) -> Result<(), Fault> {
    scope.require(Permission::ChangeDatasets)?;
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let dataset = datasets::lock_by_id(&mut tx, scope.project_id(), id).await?;
    let mut dataset = dataset.ok_or_else(no_such_dataset)?;
    dataset.archived_at = (shelf == Shelf::Archived).then(|| dataset.archived_at.unwrap_or(now));
    datasets::update(&mut tx, &dataset).await?;
    tx.commit().await?;
    Ok(())
}

fn taken(name: &DatasetName) -> Fault {
    Fault::new(
        Code::Conflict,
        format!("there is a dataset of the name {name} already"),
    )
    .on_field("name")
}

pub(super) fn no_such_dataset() -> Fault {
    Fault::not_found("there is no such dataset in this project")
}
