//! The parts of one column while rows are written to it.

use std::collections::{BTreeMap, HashMap};

use twox_hash::XxHash3_64;

use crate::block::column::Part;

/// The parts of one column while rows are written to it, and the hash of the row that is written.
#[derive(Default)]
pub(crate) struct Out {
    ends: Vec<u8>,
    names: Names,
    indexes: Vec<u8>,
    marks: Vec<u8>,
    values: Vec<u8>,
    items: u64,
    /// Grows with everything that is written, so that in the end it stands for a row's content.
    pub(crate) hash: u64,
}

impl Out {
    /// Makes it ready for the next column.
    pub(crate) fn clear(&mut self) {
        for bytes in [
            &mut self.ends,
            &mut self.indexes,
            &mut self.marks,
            &mut self.values,
        ] {
            bytes.clear();
        }
        self.names.clear();
        self.items = 0;
    }

    /// What was written of a part.
    pub(crate) fn part(&self, part: Part) -> &[u8] {
        match part {
            Part::Ends => &self.ends,
            Part::Names => &self.names.bytes,
            Part::Indexes => &self.indexes,
            Part::Marks => &self.marks,
            Part::Values => &self.values,
        }
    }

    /// A value of fixed size.
    pub(crate) fn fixed(&mut self, bytes: &[u8]) {
        self.mix(XxHash3_64::oneshot(bytes));
        self.values.extend_from_slice(bytes);
    }

    /// A text.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// A text, empty when there is none.
    pub(crate) fn maybe(&mut self, text: Option<&str>) {
        self.text(text.unwrap_or_default());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.mix(XxHash3_64::oneshot(bytes));
        push_text(&mut self.values, bytes);
    }

    /// One of few different texts.
    pub(crate) fn name(&mut self, name: &str) {
        let (index, hash) = self.names.index(name);
        self.mix(hash);
        self.indexes.extend_from_slice(&index.to_le_bytes());
    }

    /// The same, empty when there is none.
    pub(crate) fn maybe_name(&mut self, name: Option<&str>) {
        self.name(name.unwrap_or_default());
    }

    pub(crate) fn optional<const N: usize>(&mut self, value: Option<[u8; N]>) {
        self.mark(value.is_none());
        self.fixed(&value.unwrap_or([0; N]));
    }

    pub(crate) fn optional_text(&mut self, text: Option<&str>) {
        self.mark(text.is_none());
        self.maybe(text);
    }

    pub(crate) fn names(&mut self, names: &[String]) {
        for name in names {
            self.name(name);
        }
        self.end_list(names.len());
    }

    pub(crate) fn text_map(&mut self, map: &BTreeMap<String, String>) {
        for (key, text) in map {
            self.name(key);
            self.text(text);
        }
        self.end_list(map.len());
    }

    /// A list whose items were written one by one.
    pub(crate) fn end_list(&mut self, items: usize) {
        self.mix(items as u64);
        self.items += items as u64;
        self.ends.extend_from_slice(&self.items.to_le_bytes());
    }

    pub(crate) fn map<'t, const N: usize>(
        &mut self,
        pairs: impl Iterator<Item = (&'t str, [u8; N])>,
    ) {
        let mut count = 0;
        for (key, value) in pairs {
            self.name(key);
            self.fixed(&value);
            count += 1;
        }
        self.end_list(count);
    }

    fn mark(&mut self, is_null: bool) {
        self.mix(u64::from(is_null));
        self.marks.push(u8::from(is_null));
    }

    fn mix(&mut self, hash: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.hash = (self.hash.rotate_left(23) ^ hash).wrapping_mul(ODD);
    }
}

/// Different texts, each once.
#[derive(Default)]
struct Names {
    /// Length and text, one after the other.
    bytes: Vec<u8>,
    known: Vec<Name>,
    by_hash: HashMap<u64, u32>,
    last: u32,
}

struct Name {
    begin: usize,
    length: usize,
    hash: u64,
    /// What came after it the last time: columns repeat themselves, and so do the keys of maps.
    next: u32,
}

impl Names {
    fn clear(&mut self) {
        self.bytes.clear();
        self.known.clear();
        self.by_hash.clear();
        self.last = 0;
    }

    /// The place of a text among the different ones, and its hash.
    fn index(&mut self, text: &str) -> (u32, u64) {
        let expected = self
            .known
            .get(self.last as usize)
            .map_or(0, |last| last.next);
        if let Some(name) = self.known.get(expected as usize)
            && self.text_of(name) == text.as_bytes()
        {
            self.last = expected;
            return (expected, name.hash);
        }
        let hash = XxHash3_64::oneshot(text.as_bytes());
        let index = match self.by_hash.get(&hash) {
            Some(&index) if self.text_of(&self.known[index as usize]) == text.as_bytes() => index,
            // Of two texts with one hash the second stands here as often as it comes.
            _ => self.add(text, hash),
        };
        if let Some(last) = self.known.get_mut(self.last as usize) {
            last.next = index;
        }
        self.last = index;
        (index, hash)
    }

    fn add(&mut self, text: &str, hash: u64) -> u32 {
        let index = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        push_text(&mut self.bytes, text.as_bytes());
        let begin = self.bytes.len() - text.len();
        self.known.push(Name {
            begin,
            length: text.len(),
            hash,
            next: index,
        });
        self.by_hash.insert(hash, index);
        index
    }

    fn text_of(&self, name: &Name) -> &[u8] {
        &self.bytes[name.begin..name.begin + name.length]
    }
}

fn push_text(stream: &mut Vec<u8>, text: &[u8]) {
    push_varint(stream, text.len() as u64);
    stream.extend_from_slice(text);
}

/// A number in seven-bit groups, as the Native format has it.
pub(crate) fn push_varint(stream: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        stream.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    stream.push(number as u8);
}
