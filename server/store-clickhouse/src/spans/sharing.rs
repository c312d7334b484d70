//! Each text once: an attribute that repeats the input or output of its span, whole or in part, is
//! stored as a place in it.
//!
//! Bridges write a conversation several times: as one list of messages, as numbered keys, as "the
//! output". The pieces stand in the list as JSON text, with its escapes, so that a piece is looked
//! for as it is and as the two common ways to escape it.

use domain::Span;
use domain::value::Value;
use memchr::memmem;

/// Texts shorter than that are not worth looking for.
const WORTH_SHARING: usize = 48;
/// Bytes that are searched for the attributes of one span: many attributes beside a large input must
/// not take a time that grows with their product.
const MOST_SEARCHED: usize = 8 << 20;

/// Where the text of an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shared {
    /// It is the whole content.
    Whole(Side),
    /// It is that part of the content.
    Part(Side, Place),
    /// It is what that part says, read as the inside of a JSON string.
    Escaped(Side, Place),
}

/// One of the two contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// What went in.
    Input,
    /// What came out.
    Output,
}

/// Bytes of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    begin: usize,
    length: usize,
}

impl Shared {
    /// The letter that stands for it among the types of attributes.
    pub(crate) fn letter(self) -> u8 {
        match self {
            Shared::Whole(Side::Input) => b'<',
            Shared::Whole(Side::Output) => b'>',
            Shared::Part(Side::Input, _) => b'(',
            Shared::Part(Side::Output, _) => b')',
            Shared::Escaped(Side::Input, _) => b'[',
            Shared::Escaped(Side::Output, _) => b']',
        }
    }

    /// What is stored in place of the text: nothing, or `begin,length`.
    pub(crate) fn text(self) -> String {
        match self {
            Shared::Whole(_) => String::new(),
            Shared::Part(_, place) | Shared::Escaped(_, place) => {
                format!("{},{}", place.begin, place.length)
            }
        }
    }

    /// From its letter and text; `None` when the letter means a type.
    pub(crate) fn read(letter: u8, text: &str) -> Option<Self> {
        let side = match letter {
            b'<' | b'(' | b'[' => Side::Input,
            b'>' | b')' | b']' => Side::Output,
            _ => return None,
        };
        if matches!(letter, b'<' | b'>') {
            return Some(Shared::Whole(side));
        }
        let place = text
            .split_once(',')
            .and_then(|(begin, length)| {
                Some(Place {
                    begin: begin.parse().ok()?,
                    length: length.parse().ok()?,
                })
            })
            .unwrap_or(Place {
                begin: 0,
                length: 0,
            });
        Some(match letter {
            b'(' | b')' => Shared::Part(side, place),
            _ => Shared::Escaped(side, place),
        })
    }

    /// The side that it is of.
    pub(crate) fn side(self) -> Side {
        match self {
            Shared::Whole(side) | Shared::Part(side, _) | Shared::Escaped(side, _) => side,
        }
    }

    /// The text that it stands for, out of the content of its side.
    pub(crate) fn resolve(self, content: &str) -> String {
        let part = |place: Place| {
            content
                .get(place.begin..place.begin.saturating_add(place.length))
                .unwrap_or_default()
        };
        match self {
            Shared::Whole(_) => content.to_owned(),
            Shared::Part(_, place) => part(place).to_owned(),
            Shared::Escaped(_, place) => serde_json::from_str(&format!("\"{}\"", part(place)))
                .unwrap_or_else(|_| part(place).to_owned()),
        }
    }
}

/// For each attribute of a span where its text stands already, if it does.
pub(crate) fn find_shared(span: &Span) -> Vec<Option<Shared>> {
    let text_of = |content: &'_ Option<domain::span::Content>| -> Option<std::sync::Arc<str>> {
        content.as_ref().map(|content| content.text.clone())
    };
    let (input, output) = (text_of(&span.input), text_of(&span.output));
    let mut search = Search {
        contents: [
            (Side::Input, input.as_deref().unwrap_or_default(), 0),
            (Side::Output, output.as_deref().unwrap_or_default(), 0),
        ],
        left: MOST_SEARCHED,
    };
    let shared_of = |(_, value): &(_, Value)| {
        let text = value.as_str().filter(|text| text.len() >= WORTH_SHARING)?;
        search.find(text)
    };
    span.attributes.iter().map(shared_of).collect()
}

struct Search<'c> {
    /// Each content, with where the last piece of it ended: pieces come in order.
    contents: [(Side, &'c str, usize); 2],
    left: usize,
}

impl Search<'_> {
    fn find(&mut self, text: &str) -> Option<Shared> {
        let mut whole = self.contents.iter();
        if let Some((side, ..)) = whole.find(|(_, content, _)| *content == text) {
            return Some(Shared::Whole(*side));
        }
        if let Some((side, place)) = self.place_of(text) {
            return Some(Shared::Part(side, place));
        }
        // A text without quotes and line ends is its own plain escape, but not its ASCII one.
        [false, true].into_iter().find_map(|ascii_only| {
            if ascii_only && text.is_ascii() {
                return None;
            }
            let (side, place) = self.place_of(&escape(text, ascii_only)?)?;
            Some(Shared::Escaped(side, place))
        })
    }

    fn place_of(&mut self, needle: &str) -> Option<(Side, Place)> {
        for (side, content, seen) in &mut self.contents {
            if content.len() < needle.len() || content.len() > self.left {
                continue;
            }
            let (before, after) = content.as_bytes().split_at(*seen);
            self.left -= after.len();
            let behind = find(after, needle.as_bytes()).map(|at| at + before.len());
            let begin = behind.or_else(|| {
                let ahead = (before.len() + needle.len()).min(content.len());
                self.left = self.left.saturating_sub(ahead);
                find(&content.as_bytes()[..ahead], needle.as_bytes())
            });
            if let Some(begin) = begin {
                *seen = begin + needle.len();
                let length = needle.len();
                return Some((*side, Place { begin, length }));
            }
        }
        None
    }
}

/// Where a long needle stands: its head is looked for, because making a searcher for the whole of it
/// costs more than the search.
fn find(content: &[u8], needle: &[u8]) -> Option<usize> {
    const HEAD: usize = 24;
    /// Heads that turn out to be of something else, before it is given up.
    const FALSE_STARTS: usize = 32;
    let (head, _) = needle.split_at_checked(HEAD)?;
    memmem::find_iter(content, head)
        .take(FALSE_STARTS)
        .find(|&at| content[at..].starts_with(needle))
}

/// The text as the inside of a JSON string; `None` when that is the text itself and `ascii_only` asks
/// for nothing more.
fn escape(text: &str, ascii_only: bool) -> Option<String> {
    let special = |byte: u8| byte < 0x20 || matches!(byte, b'"' | b'\\');
    if !ascii_only && !text.bytes().any(special) {
        return None;
    }
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for char in text.chars() {
        match char {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\u{8}' => escaped.push_str("\\b"),
            '\u{c}' => escaped.push_str("\\f"),
            char if u32::from(char) < 0x20 || (ascii_only && !char.is_ascii()) => {
                let mut units = [0; 2];
                for unit in char.encode_utf16(&mut units) {
                    escaped.push_str(&format!("\\u{unit:04x}"));
                }
            }
            char => escaped.push(char),
        }
    }
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use domain::span::Content;
    use domain::{SpanId, Timestamp, TraceId};
    use proptest::prelude::*;

    use super::*;

    fn span(input: &str, attributes: &[&str]) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH);
        span.input = Some(Content {
            text: input.into(),
            attribute: None,
        });
        span.attributes = attributes
            .iter()
            .enumerate()
            .map(|(n, text)| (format!("k{n}").into(), (*text).into()))
            .collect();
        span
    }

    fn letters(span: &Span) -> String {
        let letter = |shared: Option<Shared>| shared.map_or('s', |shared| shared.letter().into());
        find_shared(span).into_iter().map(letter).collect()
    }

    const LONG: &str = "a text that is long enough to be worth looking for, and plain";
    const LINES: &str = "a \"quoted\" text on two lines\nthat is long enough to be looked for";
    const CHINESE: &str = "一段足够长的文字,值得寻找,\n并且有两行,所以要转义,对不对?";

    #[test]
    fn pieces_of_messages_are_found_however_they_are_escaped() {
        let messages =
            serde_json::json!([{"content": LONG}, {"content": LINES}, {"content": CHINESE}]);
        let found = letters(&span(
            &messages.to_string(),
            &[CHINESE, LINES, LONG, "short"],
        ));
        assert_eq!(found, "[[(s");
        let as_python = escape(CHINESE, true).unwrap();
        let python = format!("[{{\"content\": \"{as_python}\"}}]");
        assert_eq!(letters(&span(&python, &[CHINESE, LONG])), "[s");
        let plain = "一段足够长的文字，值得寻找，没有引号，也没有换行，对不对？";
        let python = format!("[\"{}\"]", escape(plain, true).unwrap());
        assert_eq!(letters(&span(&python, &[plain])), "[");
        assert_eq!(letters(&span(LONG, &[LONG])), "<");
    }

    #[test]
    fn a_large_input_beside_many_attributes_is_searched_within_bounds() {
        let input = "x".repeat(4 << 20);
        let odd: Vec<String> = (0..64).map(|n| format!("{n}{LONG}")).collect();
        let odd: Vec<&str> = odd.iter().map(String::as_str).collect();
        assert_eq!(letters(&span(&input, &odd)), "s".repeat(64));
    }

    proptest! {
        #[test]
        fn what_is_shared_is_given_back_exactly(
            pieces in proptest::collection::vec("(?s)[ -~\\n\\t\\\\\"äß中🙂\\x00-\\x1f]{40,90}", 1..5),
            ascii in any::<bool>(),
        ) {
            let listed: Vec<String> = pieces
                .iter()
                .map(|piece| format!("\"{}\"", escape(piece, ascii).unwrap_or_else(|| piece.clone())))
                .collect();
            let input = format!("[{}]", listed.join(","));
            let texts: Vec<&str> = pieces.iter().map(String::as_str).collect();
            let span = span(&input, &texts);
            for (shared, piece) in find_shared(&span).into_iter().zip(&pieces) {
                prop_assert_eq!(shared.is_some(), piece.len() >= WORTH_SHARING);
                let Some(shared) = shared else { continue };
                let read = Shared::read(shared.letter(), &shared.text());
                prop_assert_eq!(read, Some(shared));
                prop_assert_eq!(&shared.resolve(&input), piece);
            }
        }
    }
}
