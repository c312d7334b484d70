//! Many blocks strung together as one insert in ClickHouse's Native format.

use bytes::Bytes;

use crate::spans::block::{BadBlock, Columns, Header, columns_of, decode};
use crate::spans::encode::push_varint;

/// Blocks of one format, ready to be inserted.
pub(crate) struct Batch {
    format: u16,
    rows: u64,
    blocks: Vec<Columns>,
}

impl Batch {
    /// Reads blocks; all of them must have the format of the first.
    pub(crate) fn read<'b>(blocks: impl IntoIterator<Item = &'b Bytes>) -> Result<Self, BadBlock> {
        let blocks: Vec<Columns> = blocks
            .into_iter()
            .map(|block| decode(block))
            .collect::<Result<_, _>>()?;
        let format = blocks.first().map_or(0, |block| block.header.format);
        if let Some(other) = blocks.iter().find(|block| block.header.format != format) {
            return Err(BadBlock::UnknownFormat(other.header.format));
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

    /// `INSERT INTO spans (…) FORMAT Native`.
    pub(crate) fn statement(&self) -> String {
        let names: Vec<&str> = columns_of(self.format)
            .iter()
            .map(|column| column.name)
            .collect();
        format!(
            "INSERT INTO spans (project_id, {}) FORMAT Native",
            names.join(", ")
        )
    }

    /// The data of the insert: one block of columns.
    pub(crate) fn to_native(&self) -> Vec<u8> {
        let columns = columns_of(self.format);
        let size: usize = self.blocks.iter().map(|block| block.bytes.len()).sum();
        let mut native = Vec::with_capacity(size + 16 * self.rows as usize + 64 * columns.len());
        push_varint(&mut native, columns.len() as u64 + 1);
        push_varint(&mut native, self.rows);
        self.push_project_ids(&mut native);
        let mut stream = 0;
        for column in columns {
            push_name(&mut native, column.name, column.wire_type);
            for part in 0..column.shape.streams() {
                if part == 0 && column.shape.has_ends() {
                    self.push_ends(&mut native, stream);
                } else {
                    self.push_stream(&mut native, stream);
                }
                stream += 1;
            }
        }
        native
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

    fn push_stream(&self, native: &mut Vec<u8>, stream: usize) {
        for block in &self.blocks {
            native.extend_from_slice(block.stream(stream));
        }
    }

    /// Running ends go on where those of the block before stopped.
    fn push_ends(&self, native: &mut Vec<u8>, stream: usize) {
        let mut base = 0u64;
        for block in &self.blocks {
            let mut last = 0u64;
            for end in block.stream(stream).as_chunks::<8>().0 {
                last = u64::from_le_bytes(*end);
                native.extend_from_slice(&(base + last).to_le_bytes());
            }
            base += last;
        }
    }
}

impl Columns {
    fn stream(&self, number: usize) -> &[u8] {
        let end = self.ends.get(number).copied().unwrap_or(0);
        // Four bytes of length stand before each stream.
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]) + 4;
        self.bytes.get(begin..end).unwrap_or_default()
    }
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
    use crate::spans::block::encode;
    use crate::spans::samples::any_spans;

    fn native(parts: &[&[domain::Span]]) -> Vec<u8> {
        let project = ProjectId(uuid::Uuid::from_u128(7));
        let blocks: Vec<Bytes> = parts
            .iter()
            .map(|part| encode(project, part).unwrap().into())
            .collect();
        Batch::read(&blocks).unwrap().to_native()
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
            prop_assert!(decode(&block).is_err());
        }
    }

    #[test]
    fn a_block_that_is_cut_anywhere_is_refused() {
        let spans = [crate::spans::samples::span("a", "b", 1)];
        let block = encode(ProjectId(uuid::Uuid::from_u128(7)), &spans).unwrap();
        for length in 0..block.len() {
            assert!(decode(&block[..length]).is_err(), "{length} bytes");
        }
    }
}
