//! Compressed bodies: LZ4 frames (`Content-Encoding: lz4`) and ClickHouse's own blocks
//! (`compress=1`, `decompress=1`): CityHash128, a method byte, two lengths, data.

use std::io::Write;

use bytes::{Buf, Bytes, BytesMut};
use lz4_flex::block;
use lz4_flex::frame::FrameEncoder;

const CHECKSUM_BYTES: usize = 16;
const HEADER_BYTES: usize = 9;
const METHOD_LZ4: u8 = 0x82;
const METHOD_NONE: u8 = 0x02;
/// Over this a block is an attack, not data: clients send a quarter of a megabyte.
const LARGEST_BLOCK_BYTES: usize = 256 << 20;
/// Results are cut to blocks of this size.
const RESULT_BLOCK_BYTES: usize = 1 << 20;

/// How a result is sent.
pub(super) enum Encoder {
    /// As it is.
    Plain,
    /// One LZ4 frame over the whole body.
    Frame(Box<FrameEncoder<Vec<u8>>>),
    /// ClickHouse's blocks.
    Blocks,
}

impl Encoder {
    /// An LZ4 frame.
    pub(super) fn frame() -> Self {
        Encoder::Frame(Box::new(FrameEncoder::new(Vec::new())))
    }

    /// Encodes one chunk so that the receiver can decode all of it at once.
    pub(super) fn encode(&mut self, chunk: Bytes) -> std::io::Result<Bytes> {
        match self {
            Encoder::Plain => Ok(chunk),
            Encoder::Frame(encoder) => {
                encoder.write_all(&chunk)?;
                encoder.flush()?;
                Ok(Bytes::from(std::mem::take(encoder.get_mut())))
            }
            Encoder::Blocks => {
                let mut encoded = Vec::new();
                for part in chunk.chunks(RESULT_BLOCK_BYTES) {
                    append_block(&mut encoded, part);
                }
                Ok(Bytes::from(encoded))
            }
        }
    }

    /// What ends the body.
    pub(super) fn finish(&mut self) -> std::io::Result<Bytes> {
        match self {
            Encoder::Frame(encoder) => {
                encoder.try_finish()?;
                Ok(Bytes::from(std::mem::take(encoder.get_mut())))
            }
            Encoder::Plain | Encoder::Blocks => Ok(Bytes::new()),
        }
    }
}

fn append_block(encoded: &mut Vec<u8>, data: &[u8]) {
    let compressed = block::compress(data);
    let mut body = Vec::with_capacity(HEADER_BYTES + compressed.len());
    body.push(METHOD_LZ4);
    let sizes = [HEADER_BYTES + compressed.len(), data.len()];
    for size in sizes {
        body.extend_from_slice(&u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
    }
    body.extend_from_slice(&compressed);
    encoded.extend_from_slice(&checksum(&body));
    encoded.extend_from_slice(&body);
}

fn checksum(body: &[u8]) -> [u8; CHECKSUM_BYTES] {
    cityhash_rs::cityhash_102_128(body)
        .rotate_right(64)
        .to_le_bytes()
}

/// Takes ClickHouse's blocks apart as they arrive.
#[derive(Default)]
pub(super) struct BlockDecoder {
    pending: BytesMut,
}

impl BlockDecoder {
    /// Adds what arrived.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.pending.extend_from_slice(chunk);
    }

    /// The next whole block's data; `None` until more arrives.
    pub(super) fn next(&mut self) -> Result<Option<Bytes>, String> {
        let start = CHECKSUM_BYTES + HEADER_BYTES;
        if self.pending.len() < start {
            return Ok(None);
        }
        let method = self.pending[CHECKSUM_BYTES];
        let compressed = self.length_at(CHECKSUM_BYTES + 1);
        let plain = self.length_at(CHECKSUM_BYTES + 5);
        if compressed < HEADER_BYTES || compressed.max(plain) > LARGEST_BLOCK_BYTES {
            return Err("a compressed block has impossible sizes".to_owned());
        }
        if self.pending.len() < CHECKSUM_BYTES + compressed {
            self.pending
                .reserve(CHECKSUM_BYTES + compressed - self.pending.len());
            return Ok(None);
        }
        let expected = self.pending.split_to(CHECKSUM_BYTES);
        let mut body = self.pending.split_to(compressed).freeze();
        if checksum(&body) != *expected {
            return Err("a compressed block's checksum does not match".to_owned());
        }
        body.advance(HEADER_BYTES);
        match method {
            METHOD_LZ4 => {
                let data = block::decompress(&body, plain).map_err(|error| error.to_string())?;
                Ok(Some(Bytes::from(data)))
            }
            METHOD_NONE => Ok(Some(body)),
            other => Err(format!(
                "blocks of compression method {other:#x} are not supported"
            )),
        }
    }

    /// Whether the body ended between blocks.
    pub(super) fn is_complete(&self) -> bool {
        self.pending.is_empty()
    }

    fn length_at(&self, at: usize) -> usize {
        let bytes: [u8; 4] = std::array::from_fn(|index| self.pending[at + index]);
        u32::from_le_bytes(bytes) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_however_they_are_cut() {
        let data: Vec<u8> = (0..3_000_000_u32)
            .flat_map(|n| (n / 7).to_le_bytes())
            .collect();
        let encoded = Encoder::Blocks.encode(Bytes::from(data.clone())).unwrap();
        let mut decoder = BlockDecoder::default();
        let mut decoded = Vec::new();
        for part in encoded.chunks(70_001) {
            decoder.push(part);
            while let Some(block) = decoder.next().unwrap() {
                decoded.extend_from_slice(&block);
            }
        }
        assert!(decoder.is_complete() && decoded == data);
    }

    #[test]
    fn a_changed_block_is_refused() {
        let mut encoded = Encoder::Blocks
            .encode(Bytes::from_static(b"hello"))
            .unwrap()
            .to_vec();
        *encoded.last_mut().unwrap() ^= 1;
        let mut decoder = BlockDecoder::default();
        decoder.push(&encoded);
        assert!(decoder.next().is_err());
    }
}
