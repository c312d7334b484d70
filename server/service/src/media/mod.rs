//! Attachments of the scope's project: announced by a client, sent to a signed address, named in contents
//! by a reference, fetched from a signed address, deleted with the last trace that names them.
//!
//! Rows are in Postgres, bytes in a folder; [`files`] is all that knows of the folder.

/// The folder with the bytes.
mod files;
/// Uploads take turns.
mod places;
/// The bytes on their way in.
mod receive;
/// Signed addresses.
mod token;

use std::path::PathBuf;

use domain::dataset::DatasetItemId;
use domain::media::{Checksum, Media, MediaDraft, MediaId, MediaOwner};
use domain::tenancy::Permission;
use domain::{Code, DatasetId, Fault, Nanos, ProjectId, Timestamp, TraceId};
use rand::Rng;
pub use receive::receive;
use store_postgres::datasets::{self, Last};
pub use store_postgres::media::Report;
use store_postgres::{Postgres, Transaction, media, server_secrets};
pub use token::{Grant, Purpose};
use tokio::fs::File;

use crate::app::App;
use crate::clock::Clock;
use crate::public_links;
use crate::scope::ProjectScope;
use files::Files;
use places::Places;
use token::{BRIEF_LIFETIME, LIFETIME, Signer};

/// Longest error that a client may report, in bytes; the rest is cut off.
const MAX_ERROR_BYTES: usize = 2_000;

/// How much is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one attachment.
    pub attachment_bytes: u64,
    /// Bytes of all attachments of a project.
    pub project_bytes: u64,
}

/// What keeps attachments.
pub struct Storage {
    files: Files,
    places: Places,
    signer: Signer,
    limits: Limits,
}

/// What becomes of an announced attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// Its id.
    pub id: MediaId,
    /// The token with which to send its bytes; `None` where they are there already.
    pub token: Option<String>,
}

/// An attachment that can be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetchable {
    /// The attachment.
    pub media: Media,
    /// The token with which to fetch its bytes.
    pub token: String,
    /// Until when the token holds.
    pub until: Timestamp,
}

impl Storage {
    /// Opens the folder and finds the secret by which addresses are signed.
    ///
    /// # Errors
    /// `invalid` when the folder cannot be used; `unavailable` without Postgres.
    pub async fn open(postgres: &Postgres, folder: PathBuf, limits: Limits) -> Result<Self, Fault> {
        let name = folder.display().to_string();
        let files = Files::open(folder).await.map_err(|error| {
            Fault::invalid(format!("cannot use the folder {name}: {error}")).because(error)
        })?;
        let offered: [u8; 32] = rand::rng().random();
        let secret = server_secrets::ensure(postgres, "media", &offered, Clock.now()).await?;
        let signer = Signer::new(&secret);
        Ok(Storage {
            files,
            places: Places::default(),
            signer: signer.ok_or_else(|| Fault::internal("the secret cannot be used"))?,
            limits,
        })
    }
}

/// Notes an attachment that is to be sent, and what names it; needs `Annotate`.
///
/// # Errors
/// `forbidden`; `not_found` when there is no such dataset; `invalid` on a field; `too_large` when the project has no room for it; or `unavailable`
/// without Postgres.
pub async fn announce(
    app: &App,
    scope: &ProjectScope,
    draft: &MediaDraft,
) -> Result<Announced, Fault> {
    scope.require(Permission::Annotate)?;
    let storage = app.media();
    draft.check(storage.limits.attachment_bytes)?;
    let (project, now) = (scope.project_id(), app.clock().now());
    let mut tx = app.postgres().begin().await?;
    if let MediaOwner::DatasetItem {
        dataset_id,
        item_id,
    } = &draft.owner
    {
        check_item(&mut tx, project, (*dataset_id, item_id)).await?;
    }
    let (checksum, known) = media::announce(&mut tx, project, draft, now).await?;
    if checksum != draft.checksum {
        let message = "another attachment has this id";
        return Err(Fault::invalid(message).on_field("sha256Hash"));
    }
    tx.commit().await?;
    let id = draft.id();
    let is_same = known.is_some_and(|known| known.media_type == draft.media_type);
    // A folder that was lost is filled again.
    if is_same && storage.files.has(project, &checksum).await {
        return Ok(Announced { id, token: None });
    }
    within_quota(app, project, draft.bytes).await?;
    let token = storage.signer.sign(&Grant {
        purpose: Purpose::Send,
        project,
        checksum,
        media_type: draft.media_type,
        bytes: draft.bytes,
        until: now.plus(LIFETIME).whole_seconds(),
        public_trace: None,
    });
    Ok(Announced {
        id,
        token: Some(token),
    })
}

/// Notes how a client says that its upload went; needs `Annotate`. Whether the bytes are there is known
/// without it.
///
/// # Errors
/// `forbidden`, `not_found`, `invalid`, or `unavailable` without Postgres.
pub async fn report(
    app: &App,
    scope: &ProjectScope,
    id: &MediaId,
    mut report: Report,
) -> Result<(), Fault> {
    scope.require(Permission::Annotate)?;
    if let Some(error) = &mut report.error {
        error.retain(|c| c != '\0');
        error.truncate(error.floor_char_boundary(MAX_ERROR_BYTES));
    }
    if media::report(app.postgres(), scope.project_id(), id, &report).await? {
        return Ok(());
    }
    Err(missing(id.as_str()))
}

/// An attachment that is there, with a token to fetch it.
///
/// # Errors
/// `not_found` when it was not announced or has not come; `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope, id: &MediaId) -> Result<Fetchable, Fault> {
    let mut found = fetchable(app, scope, &[id]).await?;
    found.pop().ok_or_else(|| missing(id.as_str()))
}

/// Those of some attachments that are there, each with a token to fetch it, in no order.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn fetchable(
    app: &App,
    scope: &ProjectScope,
    ids: &[&MediaId],
) -> Result<Vec<Fetchable>, Fault> {
    let found = some(app, scope, ids).await?;
    let signed = found.into_iter();
    let signed = signed.map(|media| signed_for(app, (scope.project_id(), None), media, LIFETIME));
    Ok(signed.collect())
}

/// One with a token that ends soon, and before that with what makes its trace public: for whoever may see it as long as
/// somebody else wants it so.
pub(crate) fn briefly(
    app: &App,
    (project, trace_id): (ProjectId, &TraceId),
    media: Media,
) -> Fetchable {
    let place = (project, Some(trace_id.clone()));
    signed_for(app, place, media, BRIEF_LIFETIME)
}

fn signed_for(
    app: &App,
    (project, public_trace): (ProjectId, Option<TraceId>),
    media: Media,
    lifetime: Nanos,
) -> Fetchable {
    let until = app.clock().now().plus(lifetime).whole_seconds();
    Fetchable {
        token: app.media().signer.sign(&Grant {
            purpose: Purpose::Fetch,
            project,
            checksum: media.checksum,
            media_type: media.media_type,
            bytes: media.bytes,
            until,
            public_trace,
        }),
        media,
        until,
    }
}

/// Those of some attachments that are there, in no order.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn some(app: &App, scope: &ProjectScope, ids: &[&MediaId]) -> Result<Vec<Media>, Fault> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(media::some(app.postgres(), scope.project_id(), ids).await?)
}

/// What a token allows.
///
/// # Errors
/// `forbidden` when it was not made here, is for something else, or has ended.
pub fn grant(app: &App, token: &str, purpose: Purpose) -> Result<Grant, Fault> {
    let grant = app.media().signer.read(token, app.clock().now());
    let grant = grant.filter(|grant| grant.purpose == purpose);
    grant.ok_or_else(|| {
        let message = "this address was altered, is for something else, or has ended";
        Fault::new(Code::Forbidden, message)
    })
}

/// The bytes that a grant is for.
///
/// # Errors
/// `not_found` when they were deleted, or the project was, or the trace that gave them out is not public any more;
/// `unavailable` without a store.
pub async fn fetch(app: &App, grant: &Grant) -> Result<File, Fault> {
    let id = MediaId::of(&grant.checksum);
    // Files of a project that is gone follow in the background; its rows are gone at once.
    let found = match &grant.public_trace {
        None => media::some(app.postgres(), grant.project, &[&id]).await?,
        Some(trace_id) => {
            let open = public_links::enter(app, grant.project, trace_id.clone()).await?;
            open.media(app, &[&id]).await?
        }
    };
    if found.is_empty() {
        return Err(missing(id.as_str()));
    }
    let file = app.media().files.read(grant.project, &grant.checksum);
    let file = file.await.map_err(receive::disk)?;
    file.ok_or_else(|| missing(id.as_str()))
}

/// Forgets what a deleted trace names, and deletes what nothing else names.
///
/// # Errors
/// `unavailable` when Postgres or the disk refuses.
pub(crate) async fn forget_trace(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
) -> Result<(), Fault> {
    let project = scope.project_id();
    let mut tx = app.postgres().begin().await?;
    let unnamed = media::forget_trace(&mut tx, project, trace_id).await?;
    delete_files(app, project, &unnamed).await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes the bytes of all attachments of a project that is gone.
///
/// # Errors
/// `unavailable` when the disk refuses.
pub(crate) async fn forget_project(app: &App, project: ProjectId) -> Result<(), Fault> {
    let deleted = app.media().files.delete_all(project).await;
    deleted.map_err(receive::disk)
}

/// As [`forget_trace`], of an item of a dataset that is deleted in the same transaction.
///
/// # Errors
/// `unavailable` when Postgres or the disk refuses.
pub(crate) async fn forget_item(
    app: &App,
    tx: &mut Transaction,
    project: ProjectId,
    item: (DatasetId, &DatasetItemId),
) -> Result<(), Fault> {
    let unnamed = media::forget_item(tx, project, item).await?;
    delete_files(app, project, &unnamed).await
}

/// While the rows of attachments are held nobody can send one of them anew.
///
/// # Errors
/// `unavailable` when the disk refuses.
pub(crate) async fn delete_files(
    app: &App,
    project: ProjectId,
    held: &[Checksum],
) -> Result<(), Fault> {
    for checksum in held {
        let deleted = app.media().files.delete(project, checksum);
        deleted.await.map_err(receive::disk)?;
    }
    Ok(())
}

/// Whether an item may be there, or come to be there: its dataset is, and no other one has it.
async fn check_item(
    tx: &mut Transaction,
    project: ProjectId,
    (dataset, item): (DatasetId, &DatasetItemId),
) -> Result<(), Fault> {
    if datasets::find_by_id(tx, project, dataset).await?.is_none() {
        return Err(Fault::not_found("Dataset not found"));
    }
    match datasets::last(tx, project, item).await? {
        Last::Item(other) if other.dataset_id != dataset => {
            let message = "is that of an item of another dataset";
            Err(Fault::invalid(message).on_field("datasetItemId"))
        }
        Last::Item(_) | Last::Deleted(_) | Last::Never => Ok(()),
    }
}

async fn within_quota(app: &App, project: ProjectId, bytes: u64) -> Result<(), Fault> {
    let most = app.media().limits.project_bytes;
    let total = media::total(app.postgres(), project).await?;
    if total.saturating_add(bytes) <= most {
        return Ok(());
    }
    let message = format!("all attachments of a project have at most {most} bytes together");
    Err(Fault::new(Code::TooLarge, message))
}

fn missing(id: &str) -> Fault {
    Fault::not_found(format!("Media asset {id} not found or not uploaded yet"))
}
