//! Many blocks strung together as one insert in ClickHouse's Native format.

use std::collections::HashMap;

use bytes::Bytes;

use super::column::{Layout, Part};
use super::out::push_varint;
use super::pieces::Pieces;
use super::{BadBlock, Columns, Format, Header, decode};

/// Blocks of one format, ready to be inserted.
pub(crate) struct Batch {
    format: Format,
    rows: u64,
    blocks: Vec<Columns>,
}

impl Batch {
    /// Reads blocks; all of them must have the format of the first.
    pub(crate) fn read<'b>(blocks: impl IntoIterator<Item = &'b Bytes>) -> Result<Self, BadBlock> {
        let blocks: Vec<Columns> = blocks.into_iter().map(decode).collect::<Result<_, _>>()?;
        let format = blocks.first().ok_or(BadBlock::Malformed)?.header.format;
        if let Some(other) = blocks.iter().find(|block| block.header.format != format) {
            return Err(BadBlock::UnknownFormat(other.header.format.number));
        }
        let rows = blocks
            .iter()
            .map(|block| u64::from(block.header.rows))
            .sum();
        Ok(Batch {
            format,
            rows,
            blocks,
        })
    }

    pub(crate) fn headers(&self) -> impl Iterator<Item = &Header> {
        self.blocks.iter().map(|block| &block.header)
    }

    pub(crate) fn blocks(&self) -> &[Columns] {
        &self.blocks
    }

    /// `INSERT INTO <table> (…) FORMAT Native`.
    pub(crate) fn statement(&self) -> String {
        let layouts = self.format.layouts();
        let names: Vec<&str> = layouts.iter().map(|column| column.name).collect();
        format!(
            "INSERT INTO {} (project_id, {}) FORMAT Native",
            self.format.table.name(),
            names.join(", ")
        )
    }

    /// The data of the insert: one block of columns.
    pub(crate) fn to_native(&self) -> Vec<Bytes> {
        let columns: Vec<Layout> = self.format.layouts();
        let mut native = Pieces::default();
        push_varint(native.open(), columns.len() as u64 + 1);
        push_varint(native.open(), self.rows);
        self.push_project_ids(native.open());
        let mut number = 0;
        for column in columns {
            push_name(native.open(), column.name, column.wire_type);
            let parts = column.shape.parts();
            if self.rows > 0 && parts.contains(&Part::Names) {
                native
                    .open()
                    .extend_from_slice(&NAMES_VERSION.to_le_bytes());
            }
            for part in parts {
                match part {
                    Part::Ends => self.push_ends(native.open(), number),
                    // Goes with the indexes, which come next.
                    Part::Names => {}
                    Part::Indexes => self.push_names(native.open(), number - 1),
                    Part::Marks | Part::Values => self.push_part(&mut native, number),
                }
                number += 1;
            }
        }
        native.finish()
    }

    fn push_project_ids(&self, native: &mut Vec<u8>) {
        push_name(native, "project_id", "UUID");
        for block in &self.blocks {
            let (high, low) = block.header.project_id.as_uuid().as_u64_pair();
            for _ in 0..block.header.rows {
                native.extend_from_slice(&high.to_le_bytes());
                native.extend_from_slice(&low.to_le_bytes());
            }
        }
    }

    fn push_part(&self, native: &mut Pieces, number: usize) {
        for block in &self.blocks {
            native.part(&block.bytes, block.part(number));
        }
    }

    /// The names of all blocks, each once, and which of them each item is: a `LowCardinality` column.
    fn push_names(&self, native: &mut Vec<u8>, number: usize) {
        let items: usize = self
            .blocks
            .iter()
            .map(|block| block.part(number + 1).len() / 4)
            .sum();
        if items == 0 {
            return;
        }
        let mut places: HashMap<&[u8], u32> = HashMap::new();
        let mut names: Vec<&[u8]> = Vec::new();
        let mut indexes: Vec<u32> = Vec::with_capacity(items);
        for block in &self.blocks {
            let own: Vec<u32> = split_texts(block.part(number))
                .map(|name| {
                    *places.entry(name).or_insert_with(|| {
                        names.push(name);
                        as_u32(names.len() - 1)
                    })
                })
                .collect();
            let (chunks, _) = block.part(number + 1).as_chunks::<4>();
            let place = |index: &[u8; 4]| own.get(u32::from_le_bytes(*index) as usize).copied();
            indexes.extend(chunks.iter().map(|index| place(index).unwrap_or(0)));
        }
        let width = IndexWidth::of(names.len());
        native.extend_from_slice(&(width as u64 | HAS_NAMES).to_le_bytes());
        native.extend_from_slice(&(names.len() as u64).to_le_bytes());
        for name in names {
            push_varint(native, name.len() as u64);
            native.extend_from_slice(name);
        }
        native.extend_from_slice(&(items as u64).to_le_bytes());
        width.push_all(native, &indexes);
    }

    /// Running ends go on where those of the block before stopped.
    fn push_ends(&self, native: &mut Vec<u8>, number: usize) {
        let mut base = 0u64;
        for block in &self.blocks {
            let mut last = 0u64;
            for end in block.part(number).as_chunks::<8>().0 {
                last = u64::from_le_bytes(*end);
                native.extend_from_slice(&(base + last).to_le_bytes());
            }
            base += last;
        }
    }
}

impl Columns {
    /// The part of that number, counted over all columns; empty when there is none.
    pub(crate) fn part(&self, number: usize) -> &[u8] {
        let end = self.ends.get(number).copied().unwrap_or(0);
        // Four bytes of length stand before each part.
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]) + 4;
        self.bytes.get(begin..end).unwrap_or_default()
    }
}

/// What comes before every `LowCardinality` column: the form in which its names follow.
const NAMES_VERSION: u64 = 1;
/// Bits that say that the names come with the block (additional keys, and the dictionary is theirs).
const HAS_NAMES: u64 = 1 << 9 | 1 << 10;

/// How an index is written; the numbers are those of the Native format.
#[derive(Clone, Copy)]
enum IndexWidth {
    One = 0,
    Two = 1,
    Four = 2,
}

impl IndexWidth {
    fn of(names: usize) -> Self {
        match names {
            0..=0x100 => IndexWidth::One,
            0x101..=0x1_0000 => IndexWidth::Two,
            _ => IndexWidth::Four,
        }
    }

    fn push_all(self, native: &mut Vec<u8>, indexes: &[u32]) {
        match self {
            IndexWidth::One => native.extend(indexes.iter().map(|index| *index as u8)),
            IndexWidth::Two => {
                native.extend(
                    indexes
                        .iter()
                        .flat_map(|index| (*index as u16).to_le_bytes()),
                );
            }
            IndexWidth::Four => native.extend(indexes.iter().flat_map(|index| index.to_le_bytes())),
        }
    }
}

/// Texts that lie one after the other, each after its length.
pub(crate) fn split_texts(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let mut length = 0usize;
        for shift in (0..35).step_by(7) {
            let (&byte, rest) = bytes.split_first()?;
            bytes = rest;
            length |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let (text, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        Some(text)
    })
}

/// A block has less than four thousand million names.
fn as_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn push_name(native: &mut Vec<u8>, name: &str, wire_type: &str) {
    for text in [name, wire_type] {
        push_varint(native, text.len() as u64);
        native.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use domain::ProjectId;
    use proptest::prelude::*;

    use super::*;
    use crate::block::compress;
    use crate::spans::encode;
    use crate::spans::samples::any_spans;

    fn native(parts: &[&[domain::Span]]) -> Vec<u8> {
        let project = ProjectId(uuid::Uuid::from_u128(7));
        let blocks: Vec<Bytes> = parts
            .iter()
            .map(|part| encode(project, part).unwrap().into())
            .collect();
        Batch::read(&blocks).unwrap().to_native().concat()
    }

    proptest! {
        #[test]
        fn blocks_of_any_split_strung_together_are_the_block_of_the_whole(
            spans in any_spans(),
            cut in any::<prop::sample::Index>(),
        ) {
            let (head, tail) = spans.split_at(cut.index(spans.len() + 1));
            prop_assert_eq!(native(&[head, tail]), native(&[&spans]));
        }

        #[test]
        fn a_changed_byte_is_noticed(spans in any_spans(), at in any::<prop::sample::Index>()) {
            let mut block = encode(ProjectId(uuid::Uuid::from_u128(7)), &spans).unwrap();
            let at = at.index(block.len());
            block[at] ^= 0x20;
            prop_assert!(decode(&block.into()).is_err());
        }

        #[test]
        fn a_compressed_block_says_the_same(spans in any_spans()) {
            let plain = encode(ProjectId(uuid::Uuid::from_u128(7)), &spans).unwrap();
            let compressed = compress(plain.clone()).unwrap();
            prop_assert_eq!(compress(compressed.clone()).unwrap(), compressed.clone());
            let native = |block: Vec<u8>| {
                let block = Bytes::from(block);
                Batch::read(&[block]).unwrap().to_native().concat()
            };
            prop_assert_eq!(native(compressed), native(plain));
        }
    }

    #[test]
    fn a_block_that_is_cut_anywhere_is_refused() {
        let spans = [crate::spans::samples::span("a", "b", 1)];
        let block = encode(ProjectId(uuid::Uuid::from_u128(7)), &spans).unwrap();
        for block in [block.clone(), compress(block).unwrap()] {
            let block = Bytes::from(block);
            for length in 0..block.len() {
                let cut = decode(&block.slice(..length));
                assert!(cut.is_err(), "{length} bytes");
            }
        }
    }
}
