//! A column: what of it lies in one page, and how it is told.

use std::error::Error;
use std::io;

use domain::Timestamp;

use super::thrift::{self, Fields};
use crate::blob_storage::record::ColumnKind;

/// Values of a column, in order.
pub(super) struct Column {
    name: String,
    kind: ColumnKind,
    /// How many that are there, or that are not, follow each other.
    runs: Vec<(bool, u64)>,
    values: Vec<u8>,
    /// Flags in `values`, which are bits.
    flags: usize,
}

impl Column {
    pub(super) fn new(name: &str, kind: ColumnKind) -> Self {
        Column {
            name: name.to_owned(),
            kind,
            runs: Vec::new(),
            values: Vec::new(),
            flags: 0,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Adds a value, which is JSON.
    ///
    /// # Errors
    /// When it is none of the column's kind.
    pub(super) fn add(&mut self, json: &str) -> io::Result<()> {
        let is_there = json != "null";
        if is_there {
            self.value(json)?;
        }
        match self.runs.last_mut() {
            Some((same, count)) if *same == is_there => *count += 1,
            _ => self.runs.push((is_there, 1)),
        }
        Ok(())
    }

    fn value(&mut self, json: &str) -> io::Result<()> {
        match self.kind {
            ColumnKind::Text if json.starts_with('"') => {
                let text: String = serde_json::from_str(json)?;
                self.text(&text)?;
            }
            ColumnKind::Text => self.text(json)?,
            ColumnKind::Number => {
                let number: f64 = serde_json::from_str(json)?;
                self.values.extend(number.to_le_bytes());
            }
            ColumnKind::Whole => {
                let number: i64 = serde_json::from_str(json)?;
                self.values.extend(number.to_le_bytes());
            }
            ColumnKind::Time => {
                let text: &str = serde_json::from_str(json)?;
                let time = Timestamp::parse(text);
                let time = time.map_err(|error| invalid(format!("{}: {error}", self.name)))?;
                self.values.extend(time.unix_millis().to_le_bytes());
            }
            ColumnKind::Flag => {
                let flag: bool = serde_json::from_str(json)?;
                self.flag(flag);
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        let length = u32::try_from(text.len()).map_err(invalid)?;
        self.values.extend(length.to_le_bytes());
        self.values.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn flag(&mut self, flag: bool) {
        let bit = self.flags % 8;
        if bit == 0 {
            self.values.push(0);
        }
        if let Some(byte) = self.values.last_mut() {
            *byte |= u8::from(flag) << bit;
        }
        self.flags += 1;
    }

    /// Bytes of its values.
    pub(super) fn bytes(&self) -> usize {
        self.values.len()
    }

    /// The page of what was added, before compression; then it is empty.
    pub(super) fn take_page(&mut self) -> io::Result<Vec<u8>> {
        let mut levels = Vec::new();
        for (is_there, count) in self.runs.drain(..) {
            thrift::varint(&mut levels, count << 1);
            levels.push(u8::from(is_there));
        }
        let length = u32::try_from(levels.len()).map_err(invalid)?;
        let mut page = Vec::with_capacity(4 + levels.len() + self.values.len());
        page.extend(length.to_le_bytes());
        page.append(&mut levels);
        page.append(&mut self.values);
        self.flags = 0;
        Ok(page)
    }

    /// What it is, for whoever reads it.
    pub(super) fn describe(&self, element: &mut Fields<'_>) {
        /// A value may be missing.
        const OPTIONAL: i32 = 1;
        element.int32(1, self.physical());
        element.int32(3, OPTIONAL);
        element.text(4, &self.name);
        match self.kind {
            ColumnKind::Text => {
                element.int32(6, 0);
                element.structure(10, |logical| logical.structure(1, |_| {}));
            }
            ColumnKind::Time => {
                element.int32(6, 9);
                element.structure(10, |logical| {
                    logical.structure(8, |time| {
                        time.flag(1, true);
                        time.structure(2, |unit| unit.structure(1, |_| {}));
                    });
                });
            }
            ColumnKind::Number | ColumnKind::Whole | ColumnKind::Flag => {}
        }
    }

    /// The number of the type in which its values lie.
    pub(super) fn physical(&self) -> i32 {
        match self.kind {
            ColumnKind::Flag => 0,
            ColumnKind::Whole | ColumnKind::Time => 2,
            ColumnKind::Number => 5,
            ColumnKind::Text => 6,
        }
    }
}

/// What cannot be written.
pub(super) fn invalid(error: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(kind: ColumnKind, values: &[&str]) -> Vec<u8> {
        let mut column = Column::new("c", kind);
        for value in values {
            column.add(value).unwrap();
        }
        let page = column.take_page().unwrap();
        assert_eq!(column.take_page().unwrap(), [0; 4], "it is empty then");
        page
    }

    #[test]
    fn a_page_has_levels_and_the_values_that_are_there() {
        let texts = page(
            ColumnKind::Text,
            &[r#""a\n""#, "null", "null", r#"{"b":1}"#],
        );
        let mut expected = vec![6, 0, 0, 0, 2, 1, 4, 0, 2, 1];
        expected.extend(b"\x02\0\0\0a\n\x07\0\0\0{\"b\":1}");
        assert_eq!(texts, expected);
        let six = ["true", "false", "true", "true", "null", "true"];
        let flags = page(ColumnKind::Flag, &[&six[..], &six[..]].concat());
        assert_eq!(flags[flags.len() - 2..], [0b1011_1101, 0b11]);
        let time = page(ColumnKind::Time, &[r#""1970-01-01T00:00:01.500Z""#]);
        assert_eq!(time[6..], 1_500_i64.to_le_bytes());
        let numbers = page(ColumnKind::Number, &["1", "0.1"]);
        assert_eq!(numbers[14..], 0.1_f64.to_le_bytes());
        assert_eq!(page(ColumnKind::Whole, &["-1"])[6..], [0xFF; 8]);
    }

    #[test]
    fn a_value_of_another_kind_is_refused() {
        for (kind, value) in [
            (ColumnKind::Number, "\"1\""),
            (ColumnKind::Whole, "1.5"),
            (ColumnKind::Flag, "1"),
            (ColumnKind::Time, "\"today\""),
            (ColumnKind::Time, "{}"),
        ] {
            assert!(Column::new("c", kind).add(value).is_err(), "{value}");
        }
    }
}
