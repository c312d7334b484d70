//! Files that items refer to. Their contents are texts of the form `@@@langfuseMedia:…@@@` within inputs,
//! expected outputs and metadata; clients that know the file of such a text get it told beside the item.

use std::collections::HashMap;

use domain::dataset::{Attached, DatasetItem};
use domain::media::MediaId;
use serde::Serialize;
use service::media::Fetchable;
use service::{App, ProjectScope, media};

use crate::langfuse::error::Result;
use crate::langfuse::time::Millis;
use crate::media::address;

/// One file that an item refers to.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MediaReference {
    field: &'static str,
    reference_string: String,
    json_path: String,
    media: MediaShape,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MediaShape {
    media_id: String,
    content_type: &'static str,
    content_length: u64,
    url: String,
    url_expiry: Millis,
}

/// The files of some items, those of each in its place: asked for at once for all of them.
///
/// # Errors
/// When a store is away.
pub(super) async fn references(
    app: &App,
    scope: &ProjectScope,
    items: &[DatasetItem],
) -> Result<Vec<Vec<MediaReference>>> {
    let attached: Vec<Vec<Attached>> = items.iter().map(DatasetItem::attached).collect();
    let mut ids: Vec<&MediaId> = attached.iter().flatten().map(|named| &named.id).collect();
    ids.sort();
    ids.dedup();
    let found = media::fetchable(app, scope, &ids).await?;
    let by_id = found
        .into_iter()
        .map(|found| (MediaId::of(&found.media.checksum), found));
    let by_id: HashMap<MediaId, Fetchable> = by_id.collect();
    let of_item = |attached: Vec<Attached>| -> Vec<MediaReference> {
        let known = attached.into_iter().filter_map(|named| {
            let found = by_id.get(&named.id)?;
            Some(MediaReference::new(app, named, found))
        });
        known.collect()
    };
    Ok(attached.into_iter().map(of_item).collect())
}

impl MediaReference {
    fn new(app: &App, named: Attached, found: &Fetchable) -> Self {
        MediaReference {
            field: named.field.as_str(),
            reference_string: named.reference,
            json_path: named.json_path,
            media: MediaShape {
                media_id: named.id.to_string(),
                content_type: found.media.media_type.as_str(),
                content_length: found.media.bytes,
                url: address(app, &found.token),
                url_expiry: Millis(found.until),
            },
        }
    }
}
