//! The engine gives each chunk of a stream the format's header; a client wants it once.

/// What stands before the rows in every chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Header {
    None,
    /// So many lines; CSV may quote a line end in a name, the others escape it.
    Lines {
        lines: usize,
        quotes: bool,
    },
    /// Column count, names, and perhaps types, each with its length before it.
    Binary {
        lists: usize,
    },
}

/// Cuts the header from every chunk but the first.
#[derive(Debug)]
pub(super) struct RepeatedHeader {
    header: Header,
    first: bool,
}

impl RepeatedHeader {
    /// For a format; `None` when its chunks cannot be joined and the result must be made whole.
    pub(super) fn of(format: &str) -> Option<Self> {
        let format = format.to_ascii_lowercase();
        let (base, lists) = match format.strip_suffix("withnamesandtypes") {
            Some(base) => (base, 2),
            None => match format.strip_suffix("withnames") {
                Some(base) => (base, 1),
                None => (format.as_str(), 0),
            },
        };
        let header = match base {
            _ if lists == 0 => Header::None,
            "rowbinary" => Header::Binary { lists },
            _ => Header::Lines {
                lines: lists,
                quotes: base == "csv",
            },
        };
        let joins = matches!(
            base,
            "rowbinary"
                | "native"
                | "csv"
                | "tsv"
                | "tabseparated"
                | "tsvraw"
                | "tabseparatedraw"
                | "jsoneachrow"
                | "jsonlines"
                | "ndjson"
                | "jsoncompacteachrow"
                | "jsonstringseachrow"
                | "jsoncompactstringseachrow"
                | "lineasstring"
                | "rawblob"
                | "null"
        );
        joins.then_some(RepeatedHeader {
            header,
            first: true,
        })
    }

    /// How many bytes at the start of this chunk to leave out.
    pub(super) fn cut(&mut self, chunk: &[u8]) -> usize {
        if std::mem::take(&mut self.first) {
            return 0;
        }
        match self.header {
            Header::None => 0,
            Header::Lines { lines, quotes } => lines_length(chunk, lines, quotes),
            Header::Binary { lists } => binary_length(chunk, lists).unwrap_or(0),
        }
    }
}

fn lines_length(chunk: &[u8], lines: usize, quotes: bool) -> usize {
    let mut quoted = false;
    let mut seen = 0;
    for (at, byte) in chunk.iter().enumerate() {
        match byte {
            b'"' if quotes => quoted = !quoted,
            b'\n' if !quoted => {
                seen += 1;
                if seen == lines {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    chunk.len()
}

fn binary_length(chunk: &[u8], lists: usize) -> Option<usize> {
    let mut at = 0;
    let columns = varint(chunk, &mut at)?;
    for _ in 0..columns.checked_mul(lists)? {
        let length = varint(chunk, &mut at)?;
        at = at.checked_add(length).filter(|end| *end <= chunk.len())?;
    }
    Some(at)
}

fn varint(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut value = 0_usize;
    for shift in (0..63).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_sent_once() {
        let mut rows = RepeatedHeader::of("RowBinaryWithNamesAndTypes").unwrap();
        let chunk = b"\x01\x01a\x05UInt8\x07";
        assert_eq!((rows.cut(chunk), rows.cut(chunk)), (0, 9));
        let mut lines = RepeatedHeader::of("CSVWithNames").unwrap();
        let chunk = b"\"a\nb\",\"c\"\n1,2\n";
        assert_eq!((lines.cut(chunk), lines.cut(chunk)), (0, 10));
        let mut tsv = RepeatedHeader::of("TSV").unwrap();
        assert_eq!((tsv.cut(b"1\n"), tsv.cut(b"2\n")), (0, 0));
        assert!(RepeatedHeader::of("JSON").is_none());
    }
}
