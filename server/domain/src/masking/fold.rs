//! A view of a text in which every character is what a reader takes it for, with the place of each in the text.

use std::borrow::Cow;

/// A text as it is read.
pub(super) struct Folded<'t> {
    /// What detectors look at.
    pub(super) text: Cow<'t, str>,
    /// Where each byte of it comes from, and one more for the end; `None` where both are the same.
    places: Option<Vec<u32>>,
    raw_len: usize,
}

impl<'t> Folded<'t> {
    pub(super) fn of(raw: &'t str) -> Self {
        let plain = |byte: u8| byte.is_ascii() && !matches!(byte, b'\\' | b'%' | b'&');
        if raw.bytes().all(plain) || u32::try_from(raw.len()).is_err() {
            return Folded {
                text: Cow::Borrowed(raw),
                places: None,
                raw_len: raw.len(),
            };
        }
        let mut text = String::with_capacity(raw.len());
        let mut places = Vec::with_capacity(raw.len() + 1);
        let mut at = 0;
        while let Some((read, len)) = read(&raw[at..]) {
            if let Some(character) = read {
                text.push(character);
                places.resize(text.len(), at as u32);
            }
            at += len;
        }
        places.push(raw.len() as u32);
        Folded {
            text: Cow::Owned(text),
            places: Some(places),
            raw_len: raw.len(),
        }
    }

    /// The part of the text that a part of the view comes from.
    pub(super) fn raw_range(&self, start: usize, end: usize) -> (usize, usize) {
        let Some(places) = &self.places else {
            return (start, end);
        };
        let place = |at: usize| places.get(at).map_or(self.raw_len, |place| *place as usize);
        (place(start), place(end))
    }
}

/// The next character with the bytes that it takes; no character where there is nothing to see.
fn read(rest: &str) -> Option<(Option<char>, usize)> {
    let first = rest.chars().next()?;
    let escaped = match first {
        '\\' => backslash(rest.as_bytes()),
        '%' => percent(rest.as_bytes()),
        '&' => entity(rest),
        _ => None,
    };
    if let Some((character, len)) = escaped {
        return Some((fold(character), len));
    }
    Some((fold(first), first.len_utf8()))
}

/// `\u0040`, `\x40`, `\n`, with one backslash or, where texts stand in texts, several.
fn backslash(rest: &[u8]) -> Option<(char, usize)> {
    let slashes = rest
        .iter()
        .take(16)
        .take_while(|&&byte| byte == b'\\')
        .count();
    let digits = |from: usize, count: usize| {
        let text = std::str::from_utf8(rest.get(from..from + count)?).ok()?;
        let hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = u32::from_str_radix(text, 16).ok().filter(|_| hex)?;
        Some((char::from_u32(code)?, from + count))
    };
    match rest.get(slashes)? {
        b'u' => digits(slashes + 1, 4),
        b'x' => digits(slashes + 1, 2),
        b'n' | b'r' | b't' => Some(('\n', slashes + 1)),
        _ => None,
    }
}

/// `%40`, of those characters alone that matter.
fn percent(rest: &[u8]) -> Option<(char, usize)> {
    match (rest.get(1)?, rest.get(2)?) {
        (b'4', b'0') => Some(('@', 3)),
        (b'2', b'B' | b'b') => Some(('+', 3)),
        (b'2', b'0') => Some((' ', 3)),
        (b'3', b'A' | b'a') => Some((':', 3)),
        _ => None,
    }
}

/// `&#64;` and `&#x40;`.
fn entity(rest: &str) -> Option<(char, usize)> {
    let head = rest.as_bytes().get(..rest.len().min(12))?;
    let end = head.iter().position(|&byte| byte == b';')?;
    let number = rest.get(..end)?.strip_prefix("&#")?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    Some((char::from_u32(code)?, end + 1))
}

/// One character as it is read: `None` where it cannot be seen.
fn fold(character: char) -> Option<char> {
    let code = u32::from(character);
    let ascii = |code: u32| char::from_u32(code);
    match code {
        0..=0x7f => Some(character),
        // Invisible: soft hyphen, zero width, direction, variation, tags.
        0xad
        | 0x34f
        | 0x61c
        | 0x180b..=0x180e
        | 0x200b..=0x200f
        | 0x202a..=0x202e
        | 0x2060..=0x206f
        | 0xfe00..=0xfe0f
        | 0xfeff
        | 0xe0000..=0xe01ef => None,
        // Blanks of other widths.
        0xa0 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000 => Some(' '),
        // Dashes.
        0x2010..=0x2015 | 0x2212 | 0xfe58 | 0xfe63 => Some('-'),
        // Full-width forms, small at-sign, digits for mathematics, other scripts' digits.
        0xff01..=0xff5e => ascii(code - 0xff01 + 0x21),
        0xfe6b => Some('@'),
        0xfe52 => Some('.'),
        0xfe55 => Some(':'),
        0x1d7ce..=0x1d7ff => ascii((code - 0x1d7ce) % 10 + 0x30),
        0x660..=0x669 => ascii(code - 0x660 + 0x30),
        0x6f0..=0x6f9 => ascii(code - 0x6f0 + 0x30),
        0x966..=0x96f => ascii(code - 0x966 + 0x30),
        0x2460..=0x2468 => ascii(code - 0x2460 + 0x31),
        0x24ea => Some('0'),
        0x2080..=0x2089 => ascii(code - 0x2080 + 0x30),
        0x2074..=0x2079 => ascii(code - 0x2074 + 0x34),
        0x2070 => Some('0'),
        _ => Some(character),
    }
}
