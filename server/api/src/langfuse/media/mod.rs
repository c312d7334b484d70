//! Attachments: announced, reported and shown here. Their bytes come and go by signed addresses, which
//! are in [`crate::media`].

mod create;
mod draft;
mod show;
mod update;

pub(crate) use create::create_media;
pub(crate) use show::show_media;
pub(crate) use update::update_media;

use domain::Fault;
use domain::media::MediaId;

use super::error::Result;

/// An id that is none is the id of no attachment.
fn existing_id(text: &str) -> Result<MediaId> {
    let missing = || Fault::not_found("Media asset not found or not uploaded yet");
    Ok(MediaId::from_text(text).ok_or_else(missing)?)
}
