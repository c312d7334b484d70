//! References to attachments in contents, shown as what they stand for: a picture, a sound, a film, a
//! file to be saved. One whose bytes are not here stays the text that it is.

use std::collections::HashMap;

use domain::media::reference::references;
use domain::media::{Media, MediaId, Shown};
use domain::{ProjectId, Span, TraceId};

use super::json::Token;
use super::messages::Part;
use crate::format;
use crate::urls;

/// Attachments of one span that are shown.
const MAX: usize = 100;

/// The attachments that a span names and whose bytes are here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attachments {
    project: Option<ProjectId>,
    /// The public trace that names them, where somebody unknown looks at it.
    public_trace: Option<TraceId>,
    known: HashMap<MediaId, Media>,
}

/// An attachment as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attachment {
    /// How.
    pub(crate) shown: Shown,
    /// Where its bytes are.
    pub(crate) url: String,
    /// Media type and size.
    pub(crate) about: String,
    /// The name of the file that it is saved as.
    pub(crate) file: String,
}

/// The attachments that a span names, each once.
pub(crate) fn named(span: &Span) -> Vec<MediaId> {
    let texts = [&span.input, &span.output].into_iter().flatten();
    let mut ids: Vec<MediaId> = texts
        .flat_map(|content| references(&content.text))
        .map(|reference| reference.id)
        .take(MAX)
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

impl Attachments {
    /// Those of a project that are here.
    pub(crate) fn new(project: ProjectId, here: Vec<Media>) -> Self {
        let by_id = here
            .into_iter()
            .map(|media| (MediaId::of(&media.checksum), media));
        Attachments {
            project: Some(project),
            public_trace: None,
            known: by_id.collect(),
        }
    }

    /// The same at the addresses of a public trace.
    pub(crate) fn of_public(mut self, trace_id: &TraceId) -> Self {
        self.public_trace = Some(trace_id.clone());
        self
    }

    /// Parts with the attachments that they name: in the place of a reference among words, after what is
    /// anything else.
    pub(crate) fn within(&self, parts: Vec<Part>) -> Vec<Part> {
        if self.known.is_empty() {
            return parts;
        }
        parts
            .into_iter()
            .flat_map(|part| self.within_part(part))
            .collect()
    }

    fn within_part(&self, part: Part) -> Vec<Part> {
        match &part {
            Part::Text(text) => self.split(text).unwrap_or_else(|| vec![part]),
            Part::Media { place, .. } => self.split(place).unwrap_or_else(|| vec![part]),
            Part::Call {
                arguments: tokens, ..
            }
            | Part::Result { result: tokens, .. }
            | Part::Other(tokens) => {
                let mut after = self.of_tokens(tokens);
                after.insert(0, part);
                after
            }
            Part::Reasoning(_) | Part::Attachment(_) => vec![part],
        }
    }

    /// Words and attachments in turn; `None` where no attachment is named.
    fn split(&self, text: &str) -> Option<Vec<Part>> {
        let (mut parts, mut from) = (Vec::new(), 0);
        for reference in references(text) {
            let Some(attachment) = self.shown(&reference.id) else {
                continue;
            };
            add_words(&mut parts, &text[from..reference.place.start]);
            parts.push(Part::Attachment(attachment));
            from = reference.place.end;
        }
        if parts.is_empty() {
            return None;
        }
        add_words(&mut parts, &text[from..]);
        Some(parts)
    }

    fn of_tokens(&self, tokens: &[Token]) -> Vec<Part> {
        let named = tokens.iter().flat_map(|token| references(&token.text));
        let mut ids = Vec::new();
        for reference in named {
            if !ids.contains(&reference.id) {
                ids.push(reference.id);
            }
        }
        let shown = ids.iter().filter_map(|id| self.shown(id));
        shown.map(Part::Attachment).collect()
    }

    fn shown(&self, id: &MediaId) -> Option<Attachment> {
        let (project, media) = (self.project?, self.known.get(id)?);
        let size = usize::try_from(media.bytes).unwrap_or(usize::MAX);
        Some(Attachment {
            shown: media.media_type.shown(),
            url: match &self.public_trace {
                Some(trace_id) => urls::public_media(project, trace_id, id),
                None => urls::media(project, id),
            },
            about: format!("{} · {}", media.media_type.as_str(), format::bytes(size)),
            file: format!("{id}.{}", media.media_type.extension()),
        })
    }
}

fn add_words(parts: &mut Vec<Part>, words: &str) {
    if !words.trim().is_empty() {
        parts.push(Part::Text(words.trim().to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use domain::media::{Checksum, MediaType};
    use uuid::Uuid;

    use super::*;

    fn attachments() -> (Attachments, String) {
        let media = Media {
            checksum: Checksum::new([1; 32]),
            media_type: MediaType::from_name("image/png").unwrap(),
            bytes: 2_048,
            stored_at: Timestamp::EPOCH,
        };
        let id = MediaId::of(&media.checksum);
        let reference = format!("@@@langfuseMedia:type=image/png|id={id}|source=bytes@@@");
        (
            Attachments::new(ProjectId(Uuid::nil()), vec![media]),
            reference,
        )
    }

    #[test]
    fn words_stay_around_an_attachment() {
        let (attachments, reference) = attachments();
        let parts = attachments.within(vec![Part::Text(format!("Look: {reference} Nice?"))]);
        let [
            Part::Text(before),
            Part::Attachment(image),
            Part::Text(after),
        ] = parts.as_slice()
        else {
            panic!("{parts:?}")
        };
        assert_eq!((before.as_str(), after.as_str()), ("Look:", "Nice?"));
        assert_eq!(image.shown, Shown::Image);
        assert!(image.url.starts_with("/p/") && image.file.ends_with(".png"));
    }

    #[test]
    fn json_keeps_its_text_and_has_its_attachments_once_after_it() {
        let (attachments, reference) = attachments();
        let token = Token {
            class: "s",
            text: format!("\"{reference}{reference}\""),
        };
        let parts = attachments.within(vec![Part::Other(vec![token])]);
        assert!(matches!(
            parts.as_slice(),
            [Part::Other(_), Part::Attachment(_)]
        ));
    }

    #[test]
    fn what_is_not_here_stays_text() {
        let (attachments, reference) = attachments();
        let other = reference.replace("AQEB", "BBBB");
        assert_ne!(other, reference);
        let text = vec![Part::Text(other)];
        assert_eq!(attachments.within(text.clone()), text);
        let text = vec![Part::Text(reference)];
        assert_eq!(Attachments::default().within(text.clone()), text);
    }
}
