//! Files of items: kept until somebody has said what their columns are, then imported, all rows or none.

use domain::dataset::{
    DatasetItem, DatasetItemId, DatasetName, ItemDraft, Mapping, SheetForm, Table,
};
use domain::tenancy::Permission;
use domain::{Code, DatasetId, DatasetUploadId, Fault, Nanos, Timestamp};
use store_postgres::datasets::{self, Upload};
use store_postgres::media;
use uuid::Uuid;

use super::manage::no_such_dataset;
use super::{find_by_id, whole_millis};
use crate::app::App;
use crate::scope::ProjectScope;

/// Most bytes of a file.
pub const MAX_UPLOAD_BYTES: usize = 16 << 20;
/// Most bytes of a project's files that wait at the same time.
const MAX_WAITING_BYTES: u64 = 64 << 20;
/// How long a file waits.
const WAITS: Nanos = Nanos::from_seconds(3_600);
/// Most characters of a file's name that are kept.
const NAME_CHARS: usize = 200;
/// Rows that are written at once.
const AT_ONCE: usize = 500;
/// Between two items of a file, so that lists have them in its order.
const TICK: Nanos = Nanos(1_000);

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What it was called.
    pub name: String,
    /// What is in it.
    pub table: Table,
}

/// Keeps a file for an hour; needs `ChangeDatasets`. It has been read once: it is in order.
///
/// # Errors
/// `forbidden`; `not_found`; `too_large` when too many wait; `invalid` as [`Table::read`]; `unavailable` without Postgres.
pub async fn upload(
    app: &App,
    scope: &ProjectScope,
    dataset: DatasetId,
    (name, content): (&str, Vec<u8>),
) -> Result<DatasetUploadId, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    let dataset = find_by_id(app, scope, dataset).await?;
    if content.len() > MAX_UPLOAD_BYTES {
        let message = "the file is larger than 16 MiB: cut it into several";
        return Err(Fault::new(Code::TooLarge, message));
    }
    let name: String = name
        .chars()
        .filter(|char| !char.is_control())
        .take(NAME_CHARS)
        .collect();
    let upload = Upload {
        id: DatasetUploadId(Uuid::now_v7()),
        name,
        content,
    };
    let (upload, _table) = read(upload).await?;
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let waiting = datasets::uploaded_bytes(&mut tx, scope.project_id()).await?;
    if waiting + upload.content.len() as u64 > MAX_WAITING_BYTES {
        let message = "too many files of this project wait to be imported: import one, or come back in an hour";
        return Err(Fault::new(Code::TooLarge, message));
    }
    let place = (scope.project_id(), dataset.id);
    datasets::keep_upload(&mut tx, place, &upload, (now, now.minus(WAITS))).await?;
    tx.commit().await?;
    Ok(upload.id)
}

/// A file that waits.
///
/// # Errors
/// `not_found` when it was imported or its hour is over; `unavailable` without Postgres.
pub async fn sheet(
    app: &App,
    scope: &ProjectScope,
    (dataset, id): (DatasetId, DatasetUploadId),
) -> Result<Sheet, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    let place = (scope.project_id(), dataset);
    let upload = datasets::find_upload(app.postgres(), place, id).await?;
    let (upload, table) = read(upload.ok_or_else(no_such_upload)?).await?;
    Ok(Sheet {
        name: upload.name,
        table,
    })
}

/// Makes an item of each row of a file, which is forgotten then; needs `ChangeDatasets`. How many.
///
/// # Errors
/// As [`sheet`]; `invalid` with the row that does not follow the schemas of the dataset, and nothing is imported.
pub async fn import(
    app: &App,
    scope: &ProjectScope,
    (dataset, id): (DatasetId, DatasetUploadId),
    mapping: &Mapping,
) -> Result<usize, Fault> {
    if !mapping.says_something() {
        return Err(Fault::invalid(
            "say which column is the input or the expected output",
        ));
    }
    let sheet = sheet(app, scope, (dataset, id)).await?;
    let drafts = sheet.table.drafts(mapping)?;
    let project = scope.project_id();
    let mut tx = app.postgres().begin().await?;
    if !datasets::forget_upload(&mut tx, (project, dataset), id).await? {
        return Err(no_such_upload());
    }
    let found = datasets::find_by_id(&mut tx, project, dataset).await?;
    let held = datasets::hold(&mut tx, project, &found.ok_or_else(no_such_dataset)?.name).await?;
    let dataset = held.ok_or_else(no_such_dataset)?;
    let now = app.clock().now();
    let place = (dataset.id, dataset.name.clone());
    let mut items = Vec::with_capacity(drafts.len());
    let mut made = now;
    for (at, draft) in drafts.into_iter().enumerate() {
        made = made.plus(TICK);
        let row = |fault: Fault| Fault::invalid(format!("row {}: {}", at + 1, fault.message));
        let attached = draft.attached().map_err(row)?;
        let mut item = item(draft, place.clone(), (now, made))?;
        item.changed_by = Some(super::items::author(scope));
        if !attached.is_empty() {
            let owner = (dataset.id, &item.id);
            let missing = media::name(&mut tx, project, owner, &attached, now).await?;
            if let Some(id) = missing.first() {
                let message = format!("media {id} is not found or not uploaded yet");
                return Err(row(Fault::invalid(message)));
            }
        }
        items.push(item);
    }
    let schemas = dataset.schemas()?;
    // Schemas may be slow on purpose.
    let check = tokio::task::spawn_blocking(move || {
        let first = items.iter().enumerate().find_map(|(at, item)| {
            let violation = schemas.violations(item).into_iter().next()?;
            Some(format!(
                "row {}: {} {}",
                at + 1,
                violation.field,
                violation.why
            ))
        });
        (items, first)
    });
    let (items, violation) = check.await.map_err(Fault::internal)?;
    if let Some(words) = violation {
        return Err(Fault::invalid(words));
    }
    for items in items.chunks(AT_ONCE) {
        datasets::create_items(&mut tx, (project, dataset.id), items).await?;
    }
    tx.commit().await?;
    Ok(items.len())
}

fn item(
    draft: ItemDraft,
    place: (DatasetId, DatasetName),
    (now, made): (Timestamp, Timestamp),
) -> Result<DatasetItem, Fault> {
    let id = DatasetItemId::parse(&Uuid::now_v7().to_string())?;
    let mut item = DatasetItem::empty(id, place, made);
    draft.change(&mut item);
    item.updated_at = whole_millis(now);
    Ok(item)
}

/// Reads a file where it holds nobody up.
async fn read(upload: Upload) -> Result<(Upload, Table), Fault> {
    let read = tokio::task::spawn_blocking(move || {
        let table = Table::read(form_of(&upload.name), &upload.content)?;
        Ok::<_, Fault>((upload, table))
    });
    read.await.map_err(Fault::internal)?
}

/// By the end of its name; anything else is tried as a table.
fn form_of(name: &str) -> SheetForm {
    let name = name.to_lowercase();
    let is_json = [".jsonl", ".ndjson", ".json"]
        .iter()
        .any(|end| name.ends_with(end));
    if is_json {
        SheetForm::Jsonl
    } else {
        SheetForm::Csv
    }
}

fn no_such_upload() -> Fault {
    Fault::not_found(
        "this file was imported already, or waited for more than an hour: upload it again",
    )
}
