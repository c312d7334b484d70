//! References to attachments in contents, as Langfuse's clients write them:
//! `@@@langfuseMedia:type=image/png|id=…|source=bytes@@@`.

use std::ops::Range;

use memchr::memmem;

use super::MediaId;

const HEAD: &str = "@@@langfuseMedia:";
const TAIL: &str = "@@@";
/// Longest text between both.
const MAX_BYTES: usize = 400;

/// A reference with its place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Which attachment.
    pub id: MediaId,
    /// Its media type, as the client says.
    pub media_type: String,
    /// Where it stands, in bytes.
    pub place: Range<usize>,
}

/// What a text is as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// A reference and nothing else.
    Reference(Reference),
    /// It begins and ends as a reference does, and cannot be read.
    Broken,
    /// Anything else.
    Other,
}

/// What a text is as a whole.
pub fn whole(text: &str) -> Whole {
    let inner = text.strip_prefix(HEAD).map(|rest| rest.strip_suffix(TAIL));
    if inner.flatten().is_none() {
        return Whole::Other;
    }
    match at(text, 0) {
        Some(reference) if reference.place.end == text.len() => Whole::Reference(reference),
        // Words between two references.
        Some(_) => Whole::Other,
        None => Whole::Broken,
    }
}

/// The references of a text, in order. What only looks like one is passed over.
pub fn references(text: &str) -> impl Iterator<Item = Reference> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + memmem::find(&text.as_bytes()[from..], HEAD.as_bytes())?;
            from = start + HEAD.len();
            if let Some(reference) = at(text, start) {
                from = reference.place.end;
                return Some(reference);
            }
        }
    })
}

/// The reference that begins there, if one does.
fn at(text: &str, start: usize) -> Option<Reference> {
    let rest = &text[start + HEAD.len()..];
    let rest = &rest[..rest.floor_char_boundary(MAX_BYTES + TAIL.len())];
    let (inner, _) = rest.split_once(TAIL)?;
    let field = |name: &str| {
        let mut fields = inner.split('|');
        fields.find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
    };
    Some(Reference {
        id: MediaId::from_text(field("id")?)?,
        // In JSON a slash may be escaped.
        media_type: field("type")?.replace("\\/", "/"),
        place: start..start + HEAD.len() + inner.len() + TAIL.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "ungWv48Bz-pBQUDeXa4iI7";

    fn reference(media_type: &str) -> String {
        format!("@@@langfuseMedia:type={media_type}|id={ID}|source=bytes@@@")
    }

    #[test]
    fn references_are_found_with_their_places() {
        let text = format!(
            r#"{{"a":"{}","b":"é{}"}}"#,
            reference("image/png"),
            reference(r"audio\/wav")
        );
        let found: Vec<Reference> = references(&text).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].id.as_str(), ID);
        assert_eq!(&text[found[0].place.clone()], reference("image/png"));
        assert_eq!(found[1].media_type, "audio/wav");
    }

    #[test]
    fn what_only_looks_like_one_is_passed_over() {
        let good = reference("image/png");
        for text in [
            "@@@langfuseMedia:",
            "@@@langfuseMedia:@@@",
            "@@@langfuseMedia:type=image/png|id=short|source=bytes@@@",
            "@@@langfuseMedia:type=image/png|id=../../../../etc/passwd|source=x@@@",
            &format!("@@@langfuseMedia:id={ID}@@@"),
            &format!("@@@langfuseMedia:type=image/png|id={ID}"),
            &format!("@@@langfuseMedia:{}@@@", "é".repeat(300)),
        ] {
            assert_eq!(references(text).count(), 0, "{text}");
            assert_eq!(
                references(&format!("{text} {good}"))
                    .last()
                    .unwrap()
                    .id
                    .as_str(),
                ID
            );
        }
    }
}
