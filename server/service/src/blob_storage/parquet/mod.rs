//! Parquet, written as rows come: columns of a group of rows, one page each, and at the end of the file what
//! lies where. Why not by a library or by ClickHouse: `docs/decisions/0016-parquet.md`.

mod column;
mod thrift;

use std::io;

use tokio::task::spawn_blocking;

use self::column::{Column, invalid};
use self::thrift::{BINARY, INT32, STRUCT};
use super::record::{ColumnKind, Record};

/// Bytes of values of a group, before compression: what is in memory at once.
const GROUP_BYTES: usize = 16 << 20;
/// What a file begins and ends with.
const MAGIC: &[u8; 4] = b"PAR1";
/// Who wrote it, in the form that readers look for.
const CREATED_BY: &str = concat!("triaxis version ", env!("CARGO_PKG_VERSION"));
/// Level of zstd.
const LEVEL: i32 = 3;

/// Numbers of the format: values one behind the other, and runs of levels.
const PLAIN: i32 = 0;
const RUNS: i32 = 3;
/// How pages are compressed.
const UNCOMPRESSED: i32 = 0;
const ZSTD: i32 = 6;

/// A table that is being written.
pub(super) struct Table {
    kind: fn(&str) -> ColumnKind,
    is_compressed: bool,
    /// As the first row has them.
    columns: Vec<Column>,
    /// Rows of the group that is not written yet.
    rows: u64,
    groups: Vec<Group>,
    /// Bytes of the file so far.
    written: u64,
}

/// Rows that are written.
struct Group {
    rows: u64,
    chunks: Vec<Chunk>,
}

/// A column of them.
struct Chunk {
    begin: u64,
    /// With the head of its page, before compression and after.
    plain: u64,
    stored: u64,
}

impl Table {
    /// One whose columns are of kinds by their names.
    pub(super) fn new(kind: fn(&str) -> ColumnKind, is_compressed: bool) -> Self {
        Table {
            kind,
            is_compressed,
            columns: Vec::new(),
            rows: 0,
            groups: Vec::new(),
            written: 0,
        }
    }

    /// Adds a row; how many bytes its values have.
    ///
    /// # Errors
    /// When it has other columns than the first one, or a value of another kind.
    pub(super) fn add(&mut self, record: &Record) -> io::Result<usize> {
        if self.columns.is_empty() {
            let column = |(name, _)| Column::new(name, (self.kind)(name));
            self.columns = record.columns().map(column).collect();
        }
        let before = self.bytes();
        let mut columns = self.columns.iter_mut();
        for (name, value) in record.columns() {
            let column = columns.next().filter(|column| column.name() == name);
            let column = column.ok_or_else(|| invalid(format!("{name} is another column")))?;
            column.add(value)?;
        }
        if let Some(missing) = columns.next() {
            return Err(invalid(format!("{} is missing", missing.name())));
        }
        self.rows += 1;
        Ok(self.bytes() - before)
    }

    /// Whether there is enough for a group.
    pub(super) fn is_full(&self) -> bool {
        self.bytes() >= GROUP_BYTES
    }

    fn bytes(&self) -> usize {
        self.columns.iter().map(Column::bytes).sum()
    }

    /// What comes next in the file: the rows that were added, as a group. It is made where it holds up nobody.
    ///
    /// # Errors
    /// When they are too large for the format.
    pub(super) async fn group(&mut self) -> io::Result<Vec<u8>> {
        let empty = Table::new(self.kind, self.is_compressed);
        let mut full = std::mem::replace(self, empty);
        let made = spawn_blocking(move || {
            let bytes = full.encode()?;
            io::Result::Ok((full, bytes))
        });
        let (full, bytes) = made.await??;
        *self = full;
        Ok(bytes)
    }

    fn encode(&mut self) -> io::Result<Vec<u8>> {
        let mut to = Vec::new();
        if self.written == 0 {
            to.extend_from_slice(MAGIC);
        }
        if self.rows == 0 {
            return Ok(to);
        }
        let mut chunks = Vec::with_capacity(self.columns.len());
        for column in &mut self.columns {
            let begin = to.len();
            let page = column.take_page()?;
            let stored = if self.is_compressed {
                &zstd::bulk::compress(&page, LEVEL)?
            } else {
                &page
            };
            let sizes = (size(&page)?, size(stored)?);
            page_head(&mut to, self.rows, sizes)?;
            let head = to.len() - begin;
            to.extend_from_slice(stored);
            chunks.push(Chunk {
                begin: self.written + begin as u64,
                plain: (head + page.len()) as u64,
                stored: (head + stored.len()) as u64,
            });
        }
        let rows = std::mem::take(&mut self.rows);
        self.groups.push(Group { rows, chunks });
        self.written += to.len() as u64;
        Ok(to)
    }

    /// The rest of the file: the last group, and what lies where.
    ///
    /// # Errors
    /// When it is too large for the format.
    pub(super) async fn finish(mut self) -> io::Result<Vec<u8>> {
        let mut to = self.group().await?;
        let begin = to.len();
        thrift::structure(&mut to, |file| {
            file.int32(1, 1);
            file.list(2, (STRUCT, self.columns.len() + 1), |to| self.schema(to));
            file.int64(3, self.groups.iter().map(|group| group.rows).sum());
            file.list(4, (STRUCT, self.groups.len()), |to| {
                self.groups
                    .iter()
                    .for_each(|group| self.describe(group, to));
            });
            file.text(6, CREATED_BY);
        });
        let length = u32::try_from(to.len() - begin).map_err(invalid)?;
        to.extend(length.to_le_bytes());
        to.extend_from_slice(MAGIC);
        Ok(to)
    }

    /// The row as a whole, then its columns.
    fn schema(&self, to: &mut Vec<u8>) {
        thrift::structure(to, |root| {
            root.text(4, "row");
            root.int32(5, i32::try_from(self.columns.len()).unwrap_or(i32::MAX));
        });
        for column in &self.columns {
            thrift::structure(to, |element| column.describe(element));
        }
    }

    fn describe(&self, group: &Group, to: &mut Vec<u8>) {
        let codec = if self.is_compressed {
            ZSTD
        } else {
            UNCOMPRESSED
        };
        let chunks = self.columns.iter().zip(&group.chunks);
        let chunk = |to: &mut Vec<u8>, (column, chunk): (&Column, &Chunk)| {
            thrift::structure(to, |it| {
                it.int64(2, chunk.begin);
                it.structure(3, |about| {
                    about.int32(1, column.physical());
                    about.list(2, (INT32, 2), |to| {
                        thrift::int32(to, PLAIN);
                        thrift::int32(to, RUNS);
                    });
                    about.list(3, (BINARY, 1), |to| thrift::text(to, column.name()));
                    about.int32(4, codec);
                    about.int64(5, group.rows);
                    about.int64(6, chunk.plain);
                    about.int64(7, chunk.stored);
                    about.int64(9, chunk.begin);
                });
            });
        };
        thrift::structure(to, |it| {
            it.list(1, (STRUCT, group.chunks.len()), |to| {
                chunks.for_each(|of| chunk(to, of));
            });
            it.int64(2, group.chunks.iter().map(|chunk| chunk.plain).sum());
            it.int64(3, group.rows);
        });
    }
}

/// What stands before a page: its sizes before compression and after.
fn page_head(to: &mut Vec<u8>, rows: u64, (plain, stored): (i32, i32)) -> io::Result<()> {
    const DATA_PAGE: i32 = 0;
    let rows = i32::try_from(rows).map_err(invalid)?;
    thrift::structure(to, |head| {
        head.int32(1, DATA_PAGE);
        head.int32(2, plain);
        head.int32(3, stored);
        head.structure(5, |page| {
            page.int32(1, rows);
            page.int32(2, PLAIN);
            page.int32(3, RUNS);
            page.int32(4, RUNS);
        });
    });
    Ok(())
}

fn size(bytes: &[u8]) -> io::Result<i32> {
    i32::try_from(bytes.len()).map_err(invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let kind = |name: &str| match name {
            "n" => ColumnKind::Number,
            _ => ColumnKind::Text,
        };
        Table::new(kind, false)
    }

    fn record(json: &str) -> Record {
        serde_json::from_str(json).unwrap()
    }

    #[tokio::test]
    async fn a_file_says_where_its_groups_are() {
        let mut table = table();
        assert_eq!(table.add(&record(r#"{"id":"a","n":1}"#)).unwrap(), 5 + 8);
        assert!(!table.is_full());
        let mut file = table.group().await.unwrap();
        let second = file.len();
        table.add(&record(r#"{"id":"b","n":null}"#)).unwrap();
        let described = table.groups[0].chunks.iter();
        let described: u64 = described.map(|chunk| chunk.stored).sum();
        assert_eq!(described as usize, second - MAGIC.len());
        file.extend(table.finish().await.unwrap());
        assert!(file.starts_with(MAGIC) && file.ends_with(MAGIC));
        let length = &file[file.len() - 8..file.len() - 4];
        let length = u32::from_le_bytes(length.try_into().unwrap()) as usize;
        let footer = file.len() - 8 - length;
        // The last page has no number, and before it stands the text.
        assert_eq!(file[footer - 6..footer], [2, 0, 0, 0, 2, 0]);
        let by = CREATED_BY.as_bytes();
        assert!(file[footer..].windows(by.len()).any(|part| part == by));
    }

    #[test]
    fn a_row_of_other_columns_is_refused() {
        for other in [
            r#"{"n":1,"id":"b"}"#,
            r#"{"id":"b"}"#,
            r#"{"id":"b","n":2,"more":3}"#,
        ] {
            let mut table = table();
            table.add(&record(r#"{"id":"a","n":1}"#)).unwrap();
            assert!(table.add(&record(other)).is_err(), "{other}");
        }
    }
}
