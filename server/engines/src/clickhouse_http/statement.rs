//! Reading just enough of a statement: what kind it is, which format it names, where data begins.

/// What a statement needs from us.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A query whose result can be streamed.
    Select,
    /// An insert whose data follows the statement.
    InsertData {
        /// End of the part that the engine is given.
        statement_end: usize,
        /// Format of the data.
        format: String,
        /// Where the data begins.
        data_start: usize,
    },
    /// Anything else.
    Other,
}

/// A statement seen from outside.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) kind: Kind,
    /// Format named by a trailing `FORMAT` clause of something that is not an insert.
    pub(super) format: Option<String>,
    /// The statement changes its session (`SET`, `USE`, temporary tables), which must not be reused.
    pub(super) changes_session: bool,
}

/// Reads a statement; of an insert, only what comes before its data.
pub(super) fn outline(sql: &[u8]) -> Outline {
    let mut words = Words {
        sql,
        at: 0,
        depth: 0,
    };
    let first = words.next().map(|word| word.upper()).unwrap_or_default();
    match first.as_str() {
        "INSERT" => outline_insert(sql, &mut words),
        _ => {
            let streams = matches!(first.as_str(), "SELECT" | "WITH" | "FROM")
                || (first.is_empty() && sql.get(skip_blank(sql, 0)) == Some(&b'('));
            let second = words
                .clone()
                .next()
                .map(|word| word.upper())
                .unwrap_or_default();
            Outline {
                kind: if streams { Kind::Select } else { Kind::Other },
                format: trailing_format(&mut words),
                changes_session: matches!(first.as_str(), "SET" | "USE" | "BEGIN")
                    || matches!(second.as_str(), "TEMPORARY" | "TEMP"),
            }
        }
    }
}

fn outline_insert(sql: &[u8], words: &mut Words<'_>) -> Outline {
    let other = |kind| Outline {
        kind,
        format: None,
        changes_session: false,
    };
    let mut position = 0;
    while let Some(word) = words.next() {
        position += 1;
        // The table's name may be any word; so may what stands after a dot.
        let after_dot = word.start > 0 && sql[word.start - 1] == b'.';
        if position < 3 || after_dot {
            continue;
        }
        match word.upper().as_str() {
            "SELECT" | "WITH" | "INFILE" | "WATCH" => return other(Kind::Other),
            "VALUES" => {
                return other(Kind::InsertData {
                    statement_end: word.start,
                    format: "Values".to_owned(),
                    data_start: word.end,
                });
            }
            "FORMAT" => {
                let Some(format) = words.next() else {
                    return other(Kind::Other);
                };
                return other(Kind::InsertData {
                    statement_end: word.start,
                    format: format.text(),
                    data_start: after_format(sql, format.end),
                });
            }
            _ => {}
        }
    }
    other(Kind::Other)
}

/// Blanks, one semicolon and one line end may stand between the format's name and the data.
fn after_format(sql: &[u8], mut at: usize) -> usize {
    let blank = |at: usize| matches!(sql.get(at), Some(b' ' | b'\t' | b'\r'));
    while blank(at) {
        at += 1;
    }
    if sql.get(at) == Some(&b';') {
        at += 1;
    }
    while blank(at) {
        at += 1;
    }
    if sql.get(at) == Some(&b'\n') {
        at + 1
    } else {
        at
    }
}

fn trailing_format(words: &mut Words<'_>) -> Option<String> {
    let mut format = None;
    while let Some(word) = words.next() {
        if word.depth == 0 && word.upper() == "FORMAT" {
            let mut ahead = words.clone();
            format = ahead.next().map(|name| name.text());
        }
    }
    format
}

#[derive(Clone)]
struct Words<'a> {
    sql: &'a [u8],
    at: usize,
    depth: i32,
}

struct Word<'a> {
    sql: &'a [u8],
    start: usize,
    end: usize,
    depth: i32,
}

impl Word<'_> {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.sql[self.start..self.end]).into_owned()
    }

    fn upper(&self) -> String {
        self.text().to_ascii_uppercase()
    }
}

impl<'a> Words<'a> {
    /// The next word outside brackets, strings and comments.
    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            self.at = skip_blank(self.sql, self.at);
            let byte = *self.sql.get(self.at)?;
            match byte {
                b'\'' => self.at = after_quote(self.sql, self.at),
                // A quoted name is a word too, but no keyword: its quotes stay with it.
                b'"' | b'`' => {
                    let start = self.at;
                    self.at = after_quote(self.sql, start);
                    if self.depth == 0 {
                        return Some(Word {
                            sql: self.sql,
                            start,
                            end: self.at,
                            depth: 0,
                        });
                    }
                }
                b'(' | b'[' | b'{' => {
                    self.depth += 1;
                    self.at += 1;
                }
                b')' | b']' | b'}' => {
                    self.depth -= 1;
                    self.at += 1;
                }
                _ if is_word(byte) => {
                    let start = self.at;
                    while self.sql.get(self.at).is_some_and(|byte| is_word(*byte)) {
                        self.at += 1;
                    }
                    let word = Word {
                        sql: self.sql,
                        start,
                        end: self.at,
                        depth: self.depth,
                    };
                    if self.depth == 0 {
                        return Some(word);
                    }
                }
                _ => self.at += 1,
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn after_quote(sql: &[u8], start: usize) -> usize {
    let quote = sql[start];
    let mut at = start + 1;
    while let Some(byte) = sql.get(at) {
        at += match byte {
            b'\\' => 2,
            byte if *byte == quote => return at + 1,
            _ => 1,
        };
    }
    sql.len()
}

fn skip_blank(sql: &[u8], mut at: usize) -> usize {
    loop {
        let rest = sql.get(at..).unwrap_or_default();
        let comment_end: &[u8] = match rest {
            [byte, ..] if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            [b'-', b'-', ..] | [b'#', b' ' | b'!', ..] => b"\n",
            [b'/', b'*', ..] => b"*/",
            _ => return at.min(sql.len()),
        };
        let found = rest
            .windows(comment_end.len())
            .position(|window| window == comment_end);
        at = found.map_or(sql.len(), |position| at + position + comment_end.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(sql: &str) -> Option<(&str, String, &str)> {
        match outline(sql.as_bytes()).kind {
            Kind::InsertData {
                statement_end,
                format,
                data_start,
            } => Some((&sql[..statement_end], format, &sql[data_start..])),
            _ => None,
        }
    }

    #[test]
    fn an_insert_is_cut_before_its_format() {
        let cut =
            insert("INSERT INTO `t FORMAT x`(format, values) SETTINGS a='FORMAT' FORMAT TSV\n1\t2");
        let statement = "INSERT INTO `t FORMAT x`(format, values) SETTINGS a='FORMAT' ";
        assert_eq!(cut, Some((statement, "TSV".to_owned(), "1\t2")));
        assert_eq!(
            insert("INSERT INTO `t`(`a`) FORMAT RowBinary\n\x01")
                .unwrap()
                .2,
            "\x01"
        );
        assert_eq!(
            insert("INSERT INTO d.values(a) FORMAT TSV\n1").unwrap().0,
            "INSERT INTO d.values(a) "
        );
        assert_eq!(insert("INSERT INTO TABLE t FORMAT TSV\n1").unwrap().2, "1");
        assert_eq!(insert("insert into t values (1)").unwrap().1, "Values");
        assert_eq!(insert("INSERT INTO db.t FORMAT RowBinary").unwrap().2, "");
        assert_eq!(insert("INSERT INTO t SELECT 1 FORMAT TSV"), None);
    }

    #[test]
    fn a_query_may_name_its_format() {
        let named =
            outline(b"-- FORMAT A\nSELECT 'FORMAT B', (SELECT 1 /* FORMAT C */) FORMAT JSON;");
        assert_eq!(named.kind, Kind::Select);
        assert_eq!(named.format.as_deref(), Some("JSON"));
        assert_eq!(outline(b"(SELECT 1)").kind, Kind::Select);
        assert_eq!(outline(b"CREATE TABLE t").kind, Kind::Other);
        assert_eq!(outline(b"").kind, Kind::Other);
        assert!(outline(b"set a = 1").changes_session);
        assert!(outline(b"CREATE TEMPORARY TABLE t").changes_session);
    }
}
