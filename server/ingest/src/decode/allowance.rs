//! What one request and one record may hold at most, and the texts made within that.

use std::sync::Arc;

use super::Undecodable;

/// Levels of lists and maps within a value; what lies deeper is left out and the span marked.
pub const MAX_DEPTH: u32 = 64;
/// Attributes of one span, log record, event or resource; the rest is counted as dropped and the span marked.
pub const MAX_ATTRIBUTES: usize = 10_000;
/// Events of one span, and links of one span; the rest is counted as dropped.
pub const MAX_EVENTS: usize = 10_000;
/// Bytes of text within one span or log record; longer texts are cut and the span marked.
pub const MAX_TEXT_BYTES: usize = 16 * 1024 * 1024;
/// Spans or log records in one request.
pub const MAX_RECORDS: usize = 200_000;
/// Attributes, list elements, events and links in one request. A value takes two bytes on the
/// wire and some forty in memory: without this a small body could fill the memory.
pub const MAX_VALUES: usize = 4_000_000;

/// Bytes of text of one resource, and of one scope; longer texts are cut.
pub const MAX_SHARED_TEXT_BYTES: usize = 256 * 1024;
/// Attributes of one scope.
pub const MAX_SCOPE_ATTRIBUTES: usize = 16;
/// Bytes that resources and scopes come to when each span carries its own copy, as in the store.
pub const MAX_SHARED_TOTAL_BYTES: usize = 256 * 1024 * 1024;

/// Stands where a value was nested too deeply.
pub const TOO_DEEP: &str = "[left out: nested deeper than 64 levels]";

/// Entries of the cache of keys; a power of two.
const KEY_SLOTS: usize = 1024;

/// What is left of the limits while a request is decoded.
pub(super) struct Allowance {
    records_left: usize,
    values_left: usize,
    text_left: usize,
    shared_left: usize,
    pub(super) marks: Marks,
    keys: Vec<Option<Arc<str>>>,
}

/// What happened to the texts since the marks were last taken.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    pub(super) cut: bool,
    pub(super) invalid_utf8: bool,
}

impl Marks {
    pub(super) fn or(self, other: Marks) -> Marks {
        Marks {
            cut: self.cut | other.cut,
            invalid_utf8: self.invalid_utf8 | other.invalid_utf8,
        }
    }
}

impl Allowance {
    pub(super) fn new() -> Self {
        Allowance {
            records_left: MAX_RECORDS,
            values_left: MAX_VALUES,
            text_left: MAX_TEXT_BYTES,
            shared_left: MAX_SHARED_TOTAL_BYTES,
            marks: Marks::default(),
            keys: vec![None; KEY_SLOTS],
        }
    }

    /// One more span or log record: its texts are counted from zero.
    pub(super) fn begin_record(&mut self) -> Result<(), Undecodable> {
        let Some(left) = self.records_left.checked_sub(1) else {
            return Err(Undecodable::TooMuch("more than 200,000 records"));
        };
        self.records_left = left;
        self.text_left = MAX_TEXT_BYTES;
        self.marks = Marks::default();
        Ok(())
    }

    /// A resource or a scope follows.
    pub(super) fn begin_shared(&mut self) {
        self.text_left = MAX_SHARED_TEXT_BYTES;
        self.marks = Marks::default();
    }

    /// Bytes of text since [`Allowance::begin_shared`].
    pub(super) fn shared_bytes(&self) -> usize {
        MAX_SHARED_TEXT_BYTES.saturating_sub(self.text_left)
    }

    /// That many bytes are carried by each of that many spans.
    pub(super) fn share(&mut self, bytes: usize, spans: usize) -> Result<(), Undecodable> {
        let Some(left) = self.shared_left.checked_sub(bytes.saturating_mul(spans)) else {
            return Err(Undecodable::TooMuch(
                "resource attributes too long for so many records",
            ));
        };
        self.shared_left = left;
        Ok(())
    }

    /// One more attribute, element, event or link.
    pub(super) fn value(&mut self) -> Result<(), Undecodable> {
        let Some(left) = self.values_left.checked_sub(1) else {
            return Err(Undecodable::TooMuch(
                "more than 4,000,000 attributes and values",
            ));
        };
        self.values_left = left;
        Ok(())
    }

    /// A key. Keys come again and again, so one text serves them all.
    pub(super) fn key(&mut self, bytes: &[u8]) -> Arc<str> {
        let slot = key_slot(bytes);
        if let Some(known) = &self.keys[slot]
            && known.as_bytes() == bytes
        {
            return Arc::clone(known);
        }
        let key = self.text(bytes);
        self.keys[slot] = Some(Arc::clone(&key));
        key
    }

    /// A text of a span: invalid UTF-8 replaced, cut at what is left.
    pub(super) fn text(&mut self, bytes: &[u8]) -> Arc<str> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.cut(text).into(),
            Err(_) => {
                self.marks.invalid_utf8 = true;
                self.cut(&String::from_utf8_lossy(bytes)).into()
            }
        }
    }

    /// As [`Allowance::text`], to be owned by the span alone.
    pub(super) fn string(&mut self, bytes: &[u8]) -> String {
        self.text(bytes).as_ref().to_owned()
    }

    /// Raw bytes of a span, cut at what is left.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Vec<u8> {
        let kept = bytes.len().min(self.text_left);
        self.marks.cut |= kept < bytes.len();
        self.text_left -= kept;
        bytes[..kept].to_vec()
    }

    fn cut<'t>(&mut self, text: &'t str) -> &'t str {
        let kept = text.floor_char_boundary(self.text_left);
        self.marks.cut |= kept < text.len();
        self.text_left -= kept;
        &text[..kept]
    }
}

/// Length and both ends tell keys apart well enough for a cache.
fn key_slot(bytes: &[u8]) -> usize {
    let mut hash = bytes.len() as u64;
    let mut mix = |part: &[u8]| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        hash = (hash ^ u64::from_le_bytes(word))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(23);
    };
    mix(&bytes[..bytes.len().min(8)]);
    mix(&bytes[bytes.len().saturating_sub(8)..]);
    mix(&bytes[bytes.len() / 2..(bytes.len() / 2 + 8).min(bytes.len())]);
    usize::try_from(hash % KEY_SLOTS as u64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters_and_marked() {
        let mut allowance = Allowance::new();
        let text = "é".repeat(MAX_TEXT_BYTES / 2);
        assert_eq!(allowance.text(b"x").len(), 1);
        assert_eq!(allowance.text(text.as_bytes()).len(), MAX_TEXT_BYTES - 2);
        assert!(allowance.marks.cut);
        allowance.begin_record().unwrap();
        assert!(!allowance.marks.cut);
    }

    #[test]
    fn equal_keys_share_one_text() {
        let mut allowance = Allowance::new();
        let (one, two) = (
            allowance.key(b"gen_ai.system"),
            allowance.key(b"gen_ai.system"),
        );
        assert!(Arc::ptr_eq(&one, &two));
    }
}
