use serde_json::Value as Json;

use crate::message::json::{self, Map};
use crate::message::{Media, Modality, Part, Reference};

/// Parts that no other dialect has; text, reasoning and calls are OpenTelemetry's.
pub(super) fn part(map: &Map) -> Option<Part> {
    match json::kind(map) {
        "tool_result" => Some(Part::ToolResult {
            id: json::owned(map, &["id"]),
            name: json::owned(map, &["name"]),
            result: json::unwrapped(map.get("result")?),
        }),
        "media" => media(map).map(Part::Media),
        "other" => map
            .get("value")
            .filter(|_| map.len() == 2)
            .map(|value: &Json| Part::Other {
                value: value.clone(),
            }),
        _ => None,
    }
}

fn media(map: &Map) -> Option<Media> {
    let text = |key| json::owned(map, &[key]);
    let reference = (text("data").map(Reference::Inline))
        .or_else(|| text("uri").map(Reference::Uri))
        .or_else(|| text("file_id").map(Reference::FileId))?;
    Some(Media {
        modality: json::text(map, &["modality"]).and_then(Modality::from_word)?,
        mime_type: text("mime_type"),
        reference,
    })
}
