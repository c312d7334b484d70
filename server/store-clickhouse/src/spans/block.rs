//! Spans of one project as one block of columns: what the spool keeps.
//!
//! The columns lie as ClickHouse's Native format wants them, so that the writer only strings the
//! columns of many blocks together. A block is compressed and carries a checksum and the number of its
//! format.

use domain::{ProjectId, Span, Timestamp};
use twox_hash::XxHash3_64;
use uuid::Uuid;

use crate::spans::columns::{COLUMNS, FORMATS};
use crate::spans::encode::{Resources, Row};
use crate::spans::out::Out;
use crate::spans::sharing::find_shared;

const MAGIC: [u8; 4] = *b"TXSB";
const HEADER_BYTES: usize = 4 + 2 + 4 + 16 + 8 + 8;

/// What a span takes up as a rule, so that most blocks are written without moving them about.
const USUAL_SPAN_BYTES: usize = 4096;

/// Version columns differ in these bits by content only, and by how often the cost was computed anew.
const CONTENT_BITS: u32 = 48;
/// Of these, the ones that count how often.
const REPRICED_BITS: u32 = 16;

/// A block that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBlock {
    /// Not made by [`encode`], or cut.
    #[error("block is cut or something else")]
    Malformed,
    /// Made by a newer version of the program.
    #[error("block has format {0}, which this version does not know")]
    UnknownFormat(u16),
    /// Its bytes have changed since it was made.
    #[error("block has a wrong checksum")]
    Checksum,
    /// More than 4,294,967,295 spans.
    #[error("too many spans for one block")]
    TooManySpans,
}

/// What a block says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Project of all its spans.
    pub project_id: ProjectId,
    /// Number of its spans.
    pub rows: u32,
    /// Newest start among them.
    pub newest: Timestamp,
    /// Bytes of its columns once they are decompressed.
    pub decoded_bytes: u32,
    pub(crate) format: u16,
    checksum: u64,
}

/// A block's columns.
pub(crate) struct Columns {
    pub(crate) header: Header,
    pub(crate) bytes: Vec<u8>,
    /// End of each part within `bytes`.
    pub(crate) ends: Vec<usize>,
}

/// Encodes spans of one project.
///
/// # Errors
/// [`BadBlock::TooManySpans`], which no request is large enough for.
pub fn encode(project: ProjectId, spans: &[Span]) -> Result<Vec<u8>, BadBlock> {
    let rows = u32::try_from(spans.len()).map_err(|_| BadBlock::TooManySpans)?;
    let newest = spans
        .iter()
        .map(|span| span.start)
        .max()
        .unwrap_or(Timestamp::EPOCH);
    let body = lz4_flex::block::compress_prepend_size(&body_of(spans));
    let mut block = Vec::with_capacity(HEADER_BYTES + body.len());
    block.extend_from_slice(&MAGIC);
    block.extend_from_slice(&newest_format().to_le_bytes());
    block.extend_from_slice(&rows.to_le_bytes());
    block.extend_from_slice(project.as_uuid().as_bytes());
    block.extend_from_slice(&newest.unix_nanos().to_le_bytes());
    let checksum = checksum(&block, &body);
    block.extend_from_slice(&checksum.to_le_bytes());
    block.extend_from_slice(&body);
    Ok(block)
}

/// Reads the header only; cheap.
///
/// # Errors
/// When it is no block, or one of an unknown format.
pub fn header(block: &[u8]) -> Result<Header, BadBlock> {
    let mut rest = block;
    if take::<4>(&mut rest)? != MAGIC {
        return Err(BadBlock::Malformed);
    }
    let format = u16::from_le_bytes(take(&mut rest)?);
    if format == 0 || format > newest_format() {
        return Err(BadBlock::UnknownFormat(format));
    }
    let rows = u32::from_le_bytes(take(&mut rest)?);
    let project_id = ProjectId(Uuid::from_bytes(take(&mut rest)?));
    let newest = u64::from_le_bytes(take(&mut rest)?);
    let newest = Timestamp::from_unix_nanos(newest).ok_or(BadBlock::Malformed)?;
    let checksum = u64::from_le_bytes(take(&mut rest)?);
    let decoded_bytes = u32::from_le_bytes(take(&mut rest)?);
    Ok(Header {
        decoded_bytes,
        project_id,
        rows,
        newest,
        format,
        checksum,
    })
}

/// Reads a block.
///
/// # Errors
/// When it is not what [`encode`] made.
pub(crate) fn decode(block: &[u8]) -> Result<Columns, BadBlock> {
    let header = header(block)?;
    let (head, body) = block.split_at(HEADER_BYTES);
    let signed = &head[..HEADER_BYTES - 8];
    if checksum(signed, body) != header.checksum {
        return Err(BadBlock::Checksum);
    }
    let bytes =
        lz4_flex::block::decompress_size_prepended(body).map_err(|_| BadBlock::Malformed)?;
    let mut ends = Vec::new();
    let mut at = 0usize;
    for column in columns_of(header.format) {
        for _ in column.shape.parts() {
            let mut rest = bytes.get(at..).unwrap_or_default();
            let length = u32::from_le_bytes(take(&mut rest)?) as usize;
            at += 4;
            ends.push(at + length);
            at += length;
        }
    }
    if at != bytes.len() {
        return Err(BadBlock::Malformed);
    }
    Ok(Columns {
        header,
        bytes,
        ends,
    })
}

/// Columns that a block of a format has.
pub(crate) fn columns_of(format: u16) -> &'static [crate::spans::columns::Column] {
    let count = FORMATS
        .get(usize::from(format).wrapping_sub(1))
        .copied()
        .unwrap_or(0);
    &COLUMNS[..count]
}

fn checksum(head: &[u8], body: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot(head), body)
}

fn newest_format() -> u16 {
    u16::try_from(FORMATS.len()).unwrap_or(u16::MAX)
}

/// Every part with its length before it; the version column comes last, because it has the hash
/// of all others in it.
fn body_of(spans: &[Span]) -> Vec<u8> {
    let mut resources = Resources::default();
    let resources: Vec<_> = spans.iter().map(|span| resources.json(span)).collect();
    let rows: Vec<Row<'_>> = spans
        .iter()
        .zip(&resources)
        .map(|(span, resource)| Row {
            span,
            resource,
            shared: find_shared(span),
        })
        .collect();
    let mut hashes = vec![0u64; rows.len()];
    let mut body = Vec::with_capacity(spans.len() * USUAL_SPAN_BYTES);
    let mut out = Out::default();
    for column in COLUMNS {
        out.clear();
        for (row, hash) in rows.iter().zip(&mut hashes) {
            if column.name == "version" {
                out.fixed(&version(row, *hash).to_le_bytes());
                continue;
            }
            out.hash = *hash;
            (column.write)(row, &mut out);
            *hash = out.hash;
        }
        for part in column.shape.parts() {
            let bytes = out.part(*part);
            let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            body.extend_from_slice(&length.to_le_bytes());
            body.extend_from_slice(bytes);
        }
    }
    body
}

/// Which of two versions of a span counts, whatever the order in which they come: the one that ends
/// later, then the one with more in it, then one of both, always the same.
fn version(row: &Row<'_>, content_hash: u64) -> u128 {
    let end = row
        .span
        .end
        .map_or(0, |end| u64::try_from(end.unix_nanos()).unwrap_or(0));
    u128::from(end) << 64
        | u128::from(row.richness()) << CONTENT_BITS
        | u128::from(content_hash >> (64 - CONTENT_BITS + REPRICED_BITS)) << REPRICED_BITS
}

/// The version of a row that is the same but for its computed cost. It goes before the row that it
/// replaces, also when that one is sent again, and after whatever goes before that one.
pub(crate) fn versions_after(version: u128) -> u128 {
    version.saturating_add(1)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], BadBlock> {
    let (head, tail) = rest.split_first_chunk::<N>().ok_or(BadBlock::Malformed)?;
    *rest = tail;
    Ok(*head)
}
