//! A call that names attachments of every kind.

use domain::media::{Checksum, Media, MediaId, MediaType};
use domain::{ProjectId, Span};

use super::{now, text};
use crate::content::attachments::Attachments;

const TYPES: [&str; 4] = ["image/png", "audio/mpeg", "video/mp4", "application/pdf"];

fn media() -> impl Iterator<Item = Media> {
    (1_u8..).zip(TYPES).filter_map(|(number, name)| {
        Some(Media {
            checksum: Checksum::new([number; 32]),
            media_type: MediaType::from_name(name)?,
            bytes: 48_211 * u64::from(number),
            stored_at: now(),
        })
    })
}

/// What the project has.
pub(in crate::samples) fn attachments(project: ProjectId) -> Attachments {
    Attachments::new(project, media().collect())
}

/// With a question about all of them, and about one that is not there.
pub(super) fn with_attachments(mut span: Span) -> Span {
    let reference =
        |id: &str, name: &str| format!("@@@langfuseMedia:type={name}|id={id}|source=bytes@@@");
    let all: Vec<String> = media()
        .map(|media| {
            let id = MediaId::of(&media.checksum);
            reference(id.as_str(), media.media_type.as_str())
        })
        .collect();
    let question = format!("Is this the parcel? {}", all.join(" and "));
    let lost = reference("AAAAAAAAAAAAAAAAAAAAAA", "image/png");
    let messages = serde_json::json!([
        { "role": "user", "content": question },
        { "role": "user", "content": [{ "type": "image_url", "image_url": { "url": all.first() } }] },
        { "role": "user", "content": lost },
    ]);
    span.input = text(&messages.to_string());
    span
}
