use serde::Serialize;
use serde_json::Value as Json;

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Words.
    Text {
        /// The words.
        content: String,
    },
    /// Thoughts before the answer.
    Reasoning {
        /// The thoughts.
        content: String,
    },
    /// A wish to run a tool.
    ToolCall {
        /// Ties the result to the call.
        id: Option<String>,
        /// Name of the tool.
        name: String,
        /// Its arguments: JSON, or text where they are none.
        arguments: Json,
    },
    /// What a tool gave back.
    ToolResult {
        /// The call that it answers.
        id: Option<String>,
        /// Name of the tool, where it was sent along.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// What it gave: JSON, or text where it is none.
        result: Json,
    },
    /// A picture, sound, film or document.
    Media(Media),
    /// Anything else, as sent.
    Other {
        /// Its JSON.
        value: Json,
    },
}

/// A picture, sound, film or document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Media {
    /// What kind of thing it is.
    pub modality: Modality,
    /// Its media type, where known.
    pub mime_type: Option<String>,
    /// Where its bytes are.
    #[serde(flatten)]
    pub reference: Reference,
}

/// Kinds of media.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    /// A still picture.
    Image,
    /// A film.
    Video,
    /// Sound.
    Audio,
    /// Anything to be read.
    Document,
}

/// Where the bytes of media are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Reference {
    /// In the message, as base64; never to be indexed as text.
    #[serde(rename = "data")]
    Inline(String),
    /// At an address, or under a reference of media storage.
    #[serde(rename = "uri")]
    Uri(String),
    /// With the provider, under this id.
    #[serde(rename = "file_id")]
    FileId(String),
}

impl Part {
    /// Words.
    pub(super) fn text(content: impl Into<String>) -> Self {
        Part::Text {
            content: content.into(),
        }
    }

    /// Thoughts.
    pub(super) fn reasoning(content: impl Into<String>) -> Self {
        Part::Reasoning {
            content: content.into(),
        }
    }

    /// Bytes within the message.
    pub(super) fn inline(modality: Modality, mime_type: Option<&str>, data: &str) -> Self {
        Part::Media(Media {
            modality: mime_type.and_then(Modality::from_mime).unwrap_or(modality),
            mime_type: mime_type.map(str::to_owned),
            reference: Reference::Inline(data.to_owned()),
        })
    }

    /// A file that the provider keeps.
    pub(super) fn file(modality: Modality, mime_type: Option<&str>, id: &str) -> Self {
        Part::Media(Media {
            modality: mime_type.and_then(Modality::from_mime).unwrap_or(modality),
            mime_type: mime_type.map(str::to_owned),
            reference: Reference::FileId(id.to_owned()),
        })
    }

    /// What an address points to. A `data:` address holds its bytes itself.
    pub(super) fn at(modality: Modality, mime_type: Option<&str>, uri: &str) -> Self {
        let inline = uri.strip_prefix("data:").and_then(|rest| {
            let (head, data) = rest.split_once(',')?;
            Some((head.strip_suffix(";base64")?, data))
        });
        if let Some((mime, data)) = inline {
            let mime = Some(mime).filter(|mime| !mime.is_empty());
            return Part::inline(modality, mime.or(mime_type), data);
        }
        // Langfuse replaces inline bytes by `@@@langfuseMedia:type=image/png|id=…|source=…@@@`.
        let stored = uri
            .strip_prefix("@@@langfuseMedia:type=")
            .and_then(|rest| rest.split('|').next());
        let mime = stored.or(mime_type);
        Part::Media(Media {
            modality: mime.and_then(Modality::from_mime).unwrap_or(modality),
            mime_type: mime.map(str::to_owned),
            reference: Reference::Uri(uri.to_owned()),
        })
    }
}

impl Modality {
    /// The kind of a word, `None` for other words.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word {
            "image" => Some(Modality::Image),
            "video" => Some(Modality::Video),
            "audio" => Some(Modality::Audio),
            "document" => Some(Modality::Document),
            _ => None,
        }
    }

    /// The kind of a media type, `None` for an unknown one.
    pub(super) fn from_mime(mime: &str) -> Option<Self> {
        match mime.split('/').next()? {
            "text" | "application" => Some(Modality::Document),
            first => Modality::from_word(first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_serialise_to_the_form_of_the_interface() {
        let call = Part::ToolCall {
            id: Some("c1".to_owned()),
            name: "find".to_owned(),
            arguments: json!({"q": 1}),
        };
        assert_eq!(
            json!([Part::text("hi"), call]),
            json!([
                {"type": "text", "content": "hi"},
                {"type": "tool_call", "id": "c1", "name": "find", "arguments": {"q": 1}},
            ])
        );
        assert_eq!(
            json!(Part::at(
                Modality::Image,
                None,
                "data:image/png;base64,AAAA"
            )),
            json!({"type": "media", "modality": "image", "mime_type": "image/png", "data": "AAAA"})
        );
    }

    #[test]
    fn a_reference_to_media_storage_tells_its_media_type() {
        let uri = "@@@langfuseMedia:type=audio/wav|id=a3|source=base64_data_uri@@@";
        let Part::Media(media) = Part::at(Modality::Image, None, uri) else {
            panic!("no media")
        };
        assert_eq!(media.modality, Modality::Audio);
        assert_eq!(media.reference, Reference::Uri(uri.to_owned()));
    }
}
