//! Slices of long lists.

use serde::Serialize;

use crate::fault::Fault;
use crate::time::Timestamp;

/// How many rows a page holds: 1 to [`Limit::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(u32);

impl Limit {
    /// The most rows of one page.
    pub const MAX: u32 = 1000;

    /// From a number as a client gave it.
    ///
    /// # Errors
    /// `invalid` outside 1–1000.
    pub fn new(rows: u32) -> Result<Self, Fault> {
        if (1..=Self::MAX).contains(&rows) {
            Ok(Limit(rows))
        } else {
            Err(Fault::invalid(format!(
                "limit must be 1 to {}, got {rows}",
                Self::MAX
            )))
        }
    }

    /// Rows of a page.
    pub fn rows(self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Limit(50)
    }
}

/// A part of a list by number. Whatever stands before it must be read as well: it ends within
/// [`Slice::REACH`] rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    skip: u64,
    rows: u32,
}

impl Slice {
    /// The last row that can be reached by number.
    pub const REACH: u64 = 100_000;
    /// The first row alone.
    pub const FIRST: Slice = Slice { skip: 0, rows: 1 };

    /// So many rows after so many others.
    ///
    /// # Errors
    /// `invalid` on `page` beyond [`Slice::REACH`].
    pub fn new(skip: u64, rows: u32) -> Result<Self, Fault> {
        if skip.saturating_add(u64::from(rows)) > Self::REACH {
            let message = format!(
                "pages reach as far as row {}; narrow the list by time to see what lies beyond",
                Self::REACH
            );
            return Err(Fault::invalid(message).on_field("page"));
        }
        Ok(Slice { skip, rows })
    }

    /// Rows before it.
    pub fn skip(self) -> u64 {
        self.skip
    }

    /// Rows of it at most.
    pub fn rows(self) -> u32 {
        self.rows
    }
}

/// The place in a list, newest first, after which the next page begins. Rows that arrive meanwhile
/// do not move it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Start of the last row given.
    pub start: Timestamp,
    /// Its id, which settles ties.
    pub id: String,
}

impl Cursor {
    /// As a list of that name gives it: a list of another name does not take it.
    pub fn written(&self, list: &str) -> String {
        format!("{list}~{self}")
    }

    /// From what [`Cursor::written`] makes for a list of that name.
    ///
    /// # Errors
    /// `invalid` for any other text, and for cursors of other lists.
    pub fn read(list: &str, text: &str) -> Result<Self, Fault> {
        match text.split_once('~') {
            Some((of, place)) if of == list => Self::parse(place),
            _ => Err(not_ours()),
        }
    }

    /// From the text that [`std::fmt::Display`] makes, where it does not come from a reader.
    ///
    /// # Errors
    /// `invalid` for any other text.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = not_ours;
        let (nanos, id) = text.split_once('.').ok_or_else(wrong)?;
        let nanos = u64::from_str_radix(nanos, 16).map_err(|_| wrong())?;
        let start = Timestamp::from_unix_nanos(nanos).ok_or_else(wrong)?;
        Ok(Cursor {
            start,
            id: id.to_owned(),
        })
    }
}

fn not_ours() -> Fault {
    Fault::invalid("cursor is not one that this list gave").on_field("cursor")
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:x}.{}", self.start.unix_nanos(), self.id)
    }
}

/// One slice of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page<T> {
    /// Rows in order.
    pub data: Vec<T>,
    /// Where the next slice begins; `None` at the end.
    #[serde(serialize_with = "serialize_cursor")]
    pub next_cursor: Option<Cursor>,
}

fn serialize_cursor<S: serde::Serializer>(
    cursor: &Option<Cursor>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    cursor
        .as_ref()
        .map(ToString::to_string)
        .serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_its_text_whatever_the_id() {
        let start = Timestamp::from_unix_nanos(1_750_000_000_123_456_789).unwrap();
        let cursor = Cursor {
            start,
            id: "a.b/c d".to_owned(),
        };
        assert_eq!(Cursor::parse(&cursor.to_string()).unwrap(), cursor);
        assert!(Cursor::parse("nonsense").is_err());
    }

    #[test]
    fn a_cursor_of_another_list_is_none() {
        let start = Timestamp::from_unix_nanos(1_750_000_000_123_456_789).unwrap();
        let id = "a~b".to_owned();
        let cursor = Cursor { start, id };
        let text = cursor.written("traces");
        assert_eq!(Cursor::read("traces", &text).unwrap(), cursor);
        assert!(Cursor::read("spans", &text).is_err());
        assert!(Cursor::read("traces", &cursor.to_string()).is_err());
    }

    #[test]
    fn a_slice_does_not_reach_for_ever() {
        assert_eq!(Slice::new(Slice::REACH - 50, 50).unwrap().rows(), 50);
        assert!(Slice::new(Slice::REACH - 49, 50).is_err());
        assert!(Slice::new(u64::MAX, 50).is_err());
    }

    #[test]
    fn limits_outside_one_to_a_thousand_are_refused() {
        assert!(Limit::new(0).is_err() && Limit::new(1001).is_err());
        assert_eq!(Limit::new(1000).unwrap().rows(), 1000);
    }
}
