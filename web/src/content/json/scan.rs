//! Reads JSON token by token. Numbers stay as they were written; escapes are read on demand.

/// Whether a text is one JSON value, checked without recursion.
pub(super) fn is_json(text: &str) -> bool {
    let mut scanner = Scanner { text, at: 0 };
    let mut open: Vec<u8> = Vec::new();
    loop {
        scanner.skip_space();
        match scanner.peek() {
            Some(bracket @ (b'{' | b'[')) => {
                scanner.at += 1;
                scanner.skip_space();
                let closing = if bracket == b'{' { b'}' } else { b']' };
                if scanner.peek() == Some(closing) {
                    scanner.at += 1;
                } else {
                    open.push(bracket);
                    if bracket == b'{' && !scanner.skip_key() {
                        return false;
                    }
                    continue;
                }
            }
            Some(b'"') => {
                if scanner.skip_string().is_none() {
                    return false;
                }
            }
            Some(_) if scanner.skip_word().is_some() => {}
            _ => return false,
        }
        // A value has ended: close what ends with it, or go on to the next one.
        loop {
            scanner.skip_space();
            let Some(&bracket) = open.last() else {
                return scanner.at == text.len();
            };
            let next = scanner.peek();
            scanner.at += 1;
            match (bracket, next) {
                (b'{', Some(b'}')) | (b'[', Some(b']')) => {
                    open.pop();
                }
                (b'[', Some(b',')) => break,
                (b'{', Some(b',')) if scanner.skip_key() => break,
                _ => return false,
            }
        }
    }
}

/// A place in a text.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Past `"key" :`; whether it was there.
    fn skip_key(&mut self) -> bool {
        self.skip_space();
        if self.peek() != Some(b'"') || self.skip_string().is_none() {
            return false;
        }
        self.skip_space();
        let colon = self.peek() == Some(b':');
        self.at += 1;
        colon
    }

    /// Past a text in quotes; gives it with its quotes.
    pub(super) fn skip_string(&mut self) -> Option<&'a str> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(&self.text[start..self.at]);
                }
                b'\\' => {
                    let rest = self.text.get(self.at..)?;
                    self.at += escape(rest)?.1;
                }
                0..0x20 => return None,
                _ => self.at += 1,
            }
        }
    }

    /// Past a number, `true`, `false` or `null`.
    pub(super) fn skip_word(&mut self) -> Option<&'a str> {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
        {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let known = matches!(word, "true" | "false" | "null") || is_number(word);
        known.then_some(word)
    }
}

/// Follows the grammar of JSON numbers to the letter.
fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

/// The character of the escape at the start of a text, and the length of the escape.
pub(super) fn escape(text: &str) -> Option<(char, usize)> {
    let simple = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode_escape(text),
        _ => return None,
    };
    Some((simple, 2))
}

fn unicode_escape(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4)?;
        let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
        hex.then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let first = unit(2)?;
    if (0xd800..0xdc00).contains(&first)
        && text.get(6..8) == Some("\\u")
        && let Some(second) = unit(8)
        && (0xdc00..0xe000).contains(&second)
    {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return Some((char::from_u32(code)?, 12));
    }
    // Half of a pair stands for nothing.
    Some((char::from_u32(first).unwrap_or('\u{fffd}'), 6))
}

/// A text with its quotes, where escapes of visible characters are read and the others (quotes,
/// backslashes, control characters) stay, so that it is still JSON.
pub(super) fn readable_string(source: &str) -> String {
    let mut read = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find('\\') {
        read.push_str(&rest[..at]);
        rest = &rest[at..];
        let (character, length) = escape(rest).unwrap_or(('\\', 1));
        let stays = character.is_control() || matches!(character, '"' | '\\' | '\u{fffd}');
        if stays {
            read.push_str(&rest[..length]);
        } else {
            read.push(character);
        }
        rest = &rest[length..];
    }
    read + rest
}
