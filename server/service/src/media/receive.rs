//! The bytes of an attachment on their way in: counted and hashed while they are written, so that memory
//! does not depend on their number.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use domain::media::{Checksum, Media, MediaId};
use domain::{Code, Fault};
use futures_util::{Stream, StreamExt};
use sha2::{Digest, Sha256};
use store_postgres::media;
use tokio::time::timeout;

use super::files::Incoming;
use super::token::Grant;
use super::within_quota;
use crate::app::App;

/// How long a client may send nothing.
const PATIENCE: Duration = Duration::from_secs(30);

/// Takes the bytes that a grant is for. Once this returns they are durable and can be fetched.
///
/// # Errors
/// `invalid` when they are not those bytes; `not_found` when the attachment was deleted meanwhile;
/// `too_large` when the project has no room for them; `unavailable` when the disk or Postgres refuses.
pub async fn receive(
    app: &App,
    grant: &Grant,
    body: impl Stream<Item = io::Result<Bytes>> + Unpin,
) -> Result<(), Fault> {
    let inner = app.media();
    let _place = inner.places.take(grant.project).await?;
    within_quota(app, grant.project, grant.bytes).await?;
    let mut incoming = inner.files.receive().await.map_err(disk)?;
    write_checked(&mut incoming, grant, body).await?;
    let id = MediaId::of(&grant.checksum);
    let mut tx = app.postgres().begin().await?;
    if !media::lock(&mut tx, grant.project, &id).await? {
        let message = "the attachment was deleted meanwhile; announce it again";
        return Err(Fault::not_found(message));
    }
    let kept = inner.files.keep(incoming, grant.project, &grant.checksum);
    kept.await.map_err(disk)?;
    let stored = Media {
        checksum: grant.checksum,
        media_type: grant.media_type,
        bytes: grant.bytes,
        stored_at: app.clock().now(),
    };
    media::store(&mut tx, grant.project, &stored).await?;
    tx.commit().await?;
    Ok(())
}

async fn write_checked(
    incoming: &mut Incoming,
    grant: &Grant,
    mut body: impl Stream<Item = io::Result<Bytes>> + Unpin,
) -> Result<(), Fault> {
    let (mut hasher, mut length) = (Sha256::new(), 0_u64);
    loop {
        let piece = timeout(PATIENCE, body.next()).await;
        let piece = piece.map_err(|_| Fault::invalid("the body did not come to its end"))?;
        let Some(piece) = piece else { break };
        let piece = piece.map_err(|error| Fault::invalid("the body broke off").because(error))?;
        length += piece.len() as u64;
        if length > grant.bytes {
            return Err(wrong_length(grant.bytes));
        }
        hasher.update(&piece);
        incoming.write(&piece).await.map_err(disk)?;
    }
    if length != grant.bytes {
        return Err(wrong_length(grant.bytes));
    }
    if Checksum::new(hasher.finalize().into()) != grant.checksum {
        return Err(Fault::invalid(
            "the bytes do not have the SHA-256 hash that was announced",
        ));
    }
    incoming.flush().await.map_err(disk)
}

fn wrong_length(bytes: u64) -> Fault {
    Fault::invalid(format!(
        "the body does not have the {bytes} bytes that were announced"
    ))
}

/// A disk that is full may have room again.
pub(super) fn disk(error: io::Error) -> Fault {
    let full = matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    );
    if full {
        return Fault::unavailable("there is no room for attachments").because(error);
    }
    Fault::new(Code::Internal, "something went wrong on our side").because(error)
}
