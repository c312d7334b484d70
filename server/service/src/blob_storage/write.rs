//! Files: written to a place without a name, then read from there while they are sent.

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::pin::Pin;

use async_compression::tokio::write::GzipEncoder;
use domain::blob_storage::{ExportSettings, FileType};
use domain::spreadsheet::harmless;
use tokio::io::{AsyncWrite, AsyncWriteExt, BufWriter};

use super::parquet::Table;
use super::record::{ColumnKind, Record};

/// A file that is being written.
pub(super) struct FileWriter {
    file: File,
    sink: Pin<Box<dyn AsyncWrite + Send>>,
    form: Form,
    rows: u64,
    bytes: u64,
}

/// How things are written.
enum Form {
    /// One behind the other, each through this buffer.
    Rows(Rows, Vec<u8>),
    /// By columns.
    Table(Table),
}

#[derive(Clone, Copy)]
enum Rows {
    List,
    Lines,
    Csv,
}

/// A file that is whole, from its beginning.
pub(super) struct Finished {
    pub(super) file: tokio::fs::File,
    pub(super) bytes: u64,
}

impl FileWriter {
    /// In a folder that exists.
    ///
    /// # Errors
    /// When the disk refuses; so for all of this.
    pub(super) fn create(
        folder: &Path,
        settings: &ExportSettings,
        kind: fn(&str) -> ColumnKind,
    ) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        let plain = BufWriter::new(tokio::fs::File::from_std(file.try_clone()?));
        let sink: Pin<Box<dyn AsyncWrite + Send>> = if settings.is_gzipped() {
            Box::pin(GzipEncoder::new(plain))
        } else {
            Box::pin(plain)
        };
        let form = match settings.file_type {
            FileType::Json => Form::Rows(Rows::List, Vec::new()),
            FileType::Jsonl => Form::Rows(Rows::Lines, Vec::new()),
            FileType::Csv => Form::Rows(Rows::Csv, Vec::new()),
            FileType::Parquet => Form::Table(Table::new(kind, settings.is_compressed)),
        };
        Ok(FileWriter {
            file,
            sink,
            form,
            rows: 0,
            bytes: 0,
        })
    }

    /// Adds a thing.
    pub(super) async fn write(&mut self, record: &Record) -> io::Result<()> {
        let is_first = self.rows == 0;
        self.rows += 1;
        match &mut self.form {
            Form::Rows(rows, row) => {
                row.clear();
                encode(*rows, (is_first, record), row)?;
                self.bytes += row.len() as u64;
                self.sink.write_all(row).await
            }
            Form::Table(table) => {
                self.bytes += table.add(record)? as u64;
                if table.is_full() {
                    let group = table.group().await?;
                    self.sink.write_all(&group).await?;
                }
                Ok(())
            }
        }
    }

    /// Bytes so far, before compression.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The file; `None` when nothing was written.
    pub(super) async fn finish(mut self) -> io::Result<Option<Finished>> {
        if self.rows == 0 {
            return Ok(None);
        }
        match self.form {
            Form::Rows(Rows::List, _) => self.sink.write_all(b"\n]\n").await?,
            Form::Rows(..) => {}
            Form::Table(table) => self.sink.write_all(&table.finish().await?).await?,
        }
        self.sink.shutdown().await?;
        // Both handles stand at the same place.
        self.file.rewind()?;
        let bytes = self.file.metadata()?.len();
        Ok(Some(Finished {
            file: tokio::fs::File::from_std(self.file),
            bytes,
        }))
    }
}

/// Writes a thing, with what stands before it.
fn encode(rows: Rows, (is_first, record): (bool, &Record), to: &mut Vec<u8>) -> io::Result<()> {
    match rows {
        Rows::List => {
            to.extend_from_slice(if is_first { b"[\n" } else { b",\n" });
            object(record, to)
        }
        Rows::Lines => {
            object(record, to)?;
            to.push(b'\n');
            Ok(())
        }
        Rows::Csv => {
            if is_first {
                row(record.columns().map(|(name, _)| name), to);
            }
            let cells: Vec<String> = record.columns().map(|(_, value)| cell(value)).collect();
            row(cells.iter().map(String::as_str), to);
            Ok(())
        }
    }
}

fn object(record: &Record, to: &mut Vec<u8>) -> io::Result<()> {
    for (at, (name, value)) in record.columns().enumerate() {
        to.push(if at == 0 { b'{' } else { b',' });
        serde_json::to_writer(&mut *to, name)?;
        to.push(b':');
        // A value may have been sent over several lines.
        to.extend(
            value
                .bytes()
                .filter(|byte| *byte != b'\n' && *byte != b'\r'),
        );
    }
    to.push(b'}');
    Ok(())
}

/// A row of RFC 4180.
fn row<'c>(cells: impl Iterator<Item = &'c str>, to: &mut Vec<u8>) {
    for (at, text) in cells.enumerate() {
        if at > 0 {
            to.push(b',');
        }
        if text.contains(['"', ',', '\n', '\r']) {
            to.push(b'"');
            to.extend_from_slice(text.replace('"', "\"\"").as_bytes());
            to.push(b'"');
        } else {
            to.extend_from_slice(text.as_bytes());
        }
    }
    to.extend_from_slice(b"\r\n");
}

/// A value in a cell: a text without its quotes, such as no spreadsheet takes for a formula; nothing for null, else JSON.
fn cell(json: &str) -> String {
    match json {
        "null" => String::new(),
        text if text.starts_with('"') => {
            let words: String = serde_json::from_str(text).unwrap_or_else(|_| text.to_owned());
            harmless(&words).into_owned()
        }
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(rows: Rows) -> String {
        let mut bytes = Vec::new();
        for (at, json) in [
            r#"{"id":"a,\"b\"\nc","n":1.50,"o":{"x": [1,
 2]},"none":null}"#,
            r#"{"id":"d","n":2,"o":{},"none":null}"#,
        ]
        .into_iter()
        .enumerate()
        {
            let record = serde_json::from_str(json).unwrap();
            encode(rows, (at == 0, &record), &mut bytes).unwrap();
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn texts_are_no_formulas_and_numbers_stay_numbers() {
        assert_eq!(cell("\"=1+1\""), "'=1+1");
        assert_eq!(cell("\"\\t=1\""), "'\t=1");
        assert_eq!(cell("-0.5"), "-0.5");
    }

    #[test]
    fn each_type_of_file_has_its_form() {
        let first = r#"{"id":"a,\"b\"\nc","n":1.50,"o":{"x": [1, 2]},"none":null}"#;
        let second = r#"{"id":"d","n":2,"o":{},"none":null}"#;
        assert_eq!(written(Rows::Lines), format!("{first}\n{second}\n"));
        assert_eq!(written(Rows::List), format!("[\n{first},\n{second}"));
        assert_eq!(
            written(Rows::Csv),
            "id,n,o,none\r\n\"a,\"\"b\"\"\nc\",1.50,\"{\"\"x\"\": [1,\n 2]}\",\r\nd,2,{},\r\n"
        );
    }
}
