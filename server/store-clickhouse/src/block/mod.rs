//! Rows of one project as one block of columns: what the spool keeps.
//!
//! The columns lie as ClickHouse's Native format wants them, so that the writer only strings the
//! columns of many blocks together. A block carries a checksum, its table and the number of its
//! format. It may be compressed, which pays only where many of them wait.

/// Many blocks as one insert.
pub(crate) mod batch;
/// Columns and how their values lie.
pub(crate) mod column;
/// Tables and the forms that their blocks have had.
mod format;
/// The parts of one column while rows are written to it.
pub(crate) mod out;
/// The data of an insert.
mod pieces;

use bytes::Bytes;
use domain::{ProjectId, Timestamp};
use twox_hash::XxHash3_64;
use uuid::Uuid;

use column::{Column, Write};
use out::Out;

pub(crate) use format::Format;
pub use format::Table;

const HEADER_BYTES: usize = 4 + 2 + 4 + 16 + 8 + 8;
/// Where the format stands in the header.
const FORMAT_AT: usize = 4;
/// Bytes before the columns that say how many they are.
const SIZE_BYTES: usize = 4;
/// Set in the number of the format when the columns are not compressed.
const PLAIN: u16 = 1 << 15;

/// A block that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBlock {
    /// Not made by us, or cut.
    #[error("block is cut or something else")]
    Malformed,
    /// Made by a newer version of the program.
    #[error("block has format {0}, which this version does not know")]
    UnknownFormat(u16),
    /// Its bytes have changed since it was made.
    #[error("block has a wrong checksum")]
    Checksum,
    /// More than 4,294,967,295 rows.
    #[error("too many rows for one block")]
    TooManyRows,
}

/// What a block says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Project of all its rows.
    pub project_id: ProjectId,
    /// Number of its rows.
    pub rows: u32,
    /// Newest instant among them.
    pub newest: Timestamp,
    /// Bytes of its columns once they are decompressed.
    pub decoded_bytes: u32,
    pub(crate) format: Format,
    is_plain: bool,
    checksum: u64,
}

impl Header {
    /// The table that its rows go to.
    pub fn table(&self) -> Table {
        self.format.table
    }
}

/// A block's columns.
pub(crate) struct Columns {
    pub(crate) header: Header,
    pub(crate) bytes: Bytes,
    /// End of each part within `bytes`.
    pub(crate) ends: Vec<usize>,
}

/// What stands before the columns of a new block.
pub(crate) struct Head {
    pub(crate) table: Table,
    pub(crate) project_id: ProjectId,
    pub(crate) rows: usize,
    pub(crate) newest: Timestamp,
}

/// Makes a block of columns that [`write_columns`] wrote, not compressed.
pub(crate) fn seal(head: &Head, columns: &[u8]) -> Result<Vec<u8>, BadBlock> {
    let rows = u32::try_from(head.rows).map_err(|_| BadBlock::TooManyRows)?;
    let size = u32::try_from(columns.len()).map_err(|_| BadBlock::TooManyRows)?;
    let mut block = Vec::with_capacity(HEADER_BYTES + SIZE_BYTES + columns.len());
    block.extend_from_slice(&head.table.magic());
    block.extend_from_slice(&(Format::newest(head.table).number | PLAIN).to_le_bytes());
    block.extend_from_slice(&rows.to_le_bytes());
    block.extend_from_slice(head.project_id.as_uuid().as_bytes());
    block.extend_from_slice(&head.newest.unix_nanos().to_le_bytes());
    block.extend_from_slice(&[0; 8]);
    block.extend_from_slice(&size.to_le_bytes());
    block.extend_from_slice(columns);
    sign(&mut block);
    Ok(block)
}

/// The same block, compressed: a fraction of the size, for more work than writing it costs.
///
/// # Errors
/// When it is no block.
pub fn compress(block: Vec<u8>) -> Result<Vec<u8>, BadBlock> {
    let header = header(&block)?;
    if !header.is_plain {
        return Ok(block);
    }
    let columns = &block[HEADER_BYTES + SIZE_BYTES..];
    let most = lz4_flex::block::get_maximum_output_size(columns.len());
    let mut smaller = block[..HEADER_BYTES + SIZE_BYTES].to_vec();
    smaller[FORMAT_AT..FORMAT_AT + 2].copy_from_slice(&header.format.number.to_le_bytes());
    let begin = smaller.len();
    smaller.resize(begin + most, 0);
    let size = lz4_flex::block::compress_into(columns, &mut smaller[begin..])
        .map_err(|_| BadBlock::Malformed)?;
    smaller.truncate(begin + size);
    sign(&mut smaller);
    Ok(smaller)
}

/// Puts the checksum of all the rest into the header.
fn sign(block: &mut [u8]) {
    let (head, body) = block.split_at_mut(HEADER_BYTES);
    let (signed, place) = head.split_at_mut(HEADER_BYTES - 8);
    place.copy_from_slice(&checksum(signed, body).to_le_bytes());
}

/// Reads the header only; cheap.
///
/// # Errors
/// When it is no block, or one of an unknown format.
pub fn header(block: &[u8]) -> Result<Header, BadBlock> {
    let mut rest = block;
    let table = Table::from_magic(take(&mut rest)?).ok_or(BadBlock::Malformed)?;
    let number = u16::from_le_bytes(take(&mut rest)?);
    let (is_plain, number) = (number & PLAIN != 0, number & !PLAIN);
    let format = Format::known(table, number).ok_or(BadBlock::UnknownFormat(number))?;
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
        is_plain,
        checksum,
    })
}

/// Reads a block.
///
/// # Errors
/// When it is not what [`seal`] or [`compress`] made.
pub(crate) fn decode(block: &Bytes) -> Result<Columns, BadBlock> {
    let header = header(block)?;
    let (head, body) = block.split_at(HEADER_BYTES);
    let signed = &head[..HEADER_BYTES - 8];
    if checksum(signed, body) != header.checksum {
        return Err(BadBlock::Checksum);
    }
    let bytes = if header.is_plain {
        block.slice(HEADER_BYTES + SIZE_BYTES..)
    } else {
        lz4_flex::block::decompress_size_prepended(body)
            .map_err(|_| BadBlock::Malformed)?
            .into()
    };
    let mut ends = Vec::new();
    let mut at = 0usize;
    for layout in header.format.layouts() {
        for _ in layout.shape.parts() {
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

fn checksum(head: &[u8], body: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot(head), body)
}

/// Every part of every column with its length before it. A column that is written later can have a
/// hash of all before it in it.
pub(crate) fn write_columns<Row>(
    columns: &[Column<Write<Row>>],
    rows: &[Row],
    usual_row_bytes: usize,
) -> Vec<u8> {
    let mut hashes = vec![0u64; rows.len()];
    let mut body = Vec::with_capacity(rows.len() * usual_row_bytes);
    let mut out = Out::default();
    for column in columns {
        out.clear();
        for (row, hash) in rows.iter().zip(&mut hashes) {
            out.hash = *hash;
            (column.write)(row, &mut out);
            *hash = out.hash;
        }
        for part in column.layout.shape.parts() {
            let bytes = out.part(*part);
            let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            body.extend_from_slice(&length.to_le_bytes());
            body.extend_from_slice(bytes);
        }
    }
    body
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], BadBlock> {
    let (head, tail) = rest.split_first_chunk::<N>().ok_or(BadBlock::Malformed)?;
    *rest = tail;
    Ok(*head)
}
