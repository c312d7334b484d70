//! A reader of JSON that keeps the source: numbers stay as they were written, keys stay in their
//! order, and depth costs no stack when a text is only indented.

/// A piece of indented JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is: `k` a key, `s` a text, `n` a number or word, empty for the rest. These are the
    /// classes of the style sheet.
    pub(crate) class: &'static str,
    /// The text to show.
    pub(crate) text: String,
}

/// A value with the text that it was written as.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node<'a> {
    /// As it was written.
    pub(crate) source: &'a str,
    /// What it is.
    pub(crate) value: Json<'a>,
}

/// What a JSON value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json<'a> {
    /// Text, its escapes read.
    Text(String),
    /// A number, `true`, `false` or `null`, as written.
    Word(&'a str),
    /// A list.
    List(Vec<Node<'a>>),
    /// Keys with values in order.
    Object(Vec<(String, Node<'a>)>),
}

impl<'a> Node<'a> {
    /// The value of a key; the last one where it came twice.
    pub(crate) fn get(&self, key: &str) -> Option<&Node<'a>> {
        match &self.value {
            Json::Object(pairs) => pairs.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text of a text value.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The entries of a list.
    pub(crate) fn list(&self) -> Option<&[Node<'a>]> {
        match &self.value {
            Json::List(nodes) => Some(nodes),
            _ => None,
        }
    }
}

/// Deeper than this, a text is indented but not searched for messages.
const MAX_TREE_DEPTH: u32 = 64;
/// Deeper than this, indentation does not grow.
const MAX_INDENT: usize = 40;

/// A whole JSON list or object as a tree; `None` when the text is anything else, or too deep.
pub(crate) fn parse(text: &str) -> Option<Node<'_>> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut scanner = Scanner { text, at: 0 };
    let node = scanner.node(0)?;
    scanner.skip_space();
    (scanner.at == text.len()).then_some(node)
}

/// A whole JSON list or object, indented by two, until `budget` bytes are spent; with whether it
/// was cut. `None` when the text is anything else.
pub(crate) fn pretty(text: &str, budget: usize) -> Option<(Vec<Token>, bool)> {
    if !text.trim_start().starts_with(['{', '[']) || !is_json(text) {
        return None;
    }
    let mut writer = Writer {
        tokens: Vec::new(),
        spent: 0,
        budget,
        truncated: false,
    };
    let mut scanner = Scanner { text, at: 0 };
    let mut open: Vec<u8> = Vec::new();
    let mut expects_key = false;
    while !writer.full() {
        scanner.skip_space();
        let Some(byte) = scanner.peek() else { break };
        match byte {
            b'{' | b'[' => {
                scanner.at += 1;
                scanner.skip_space();
                let closing = if byte == b'{' { b'}' } else { b']' };
                if scanner.peek() == Some(closing) {
                    scanner.at += 1;
                    writer.plain(if byte == b'{' { "{}" } else { "[]" });
                } else {
                    open.push(byte);
                    writer.plain(if byte == b'{' { "{" } else { "[" });
                    writer.line(open.len());
                }
                expects_key = open.last() == Some(&b'{');
            }
            b'}' | b']' => {
                scanner.at += 1;
                open.pop();
                writer.line(open.len());
                writer.plain(if byte == b'}' { "}" } else { "]" });
            }
            b',' => {
                scanner.at += 1;
                writer.plain(",");
                writer.line(open.len());
                expects_key = open.last() == Some(&b'{');
            }
            b':' => {
                scanner.at += 1;
                writer.plain(": ");
                expects_key = false;
            }
            b'"' => {
                let source = scanner.skip_string()?;
                writer.push(if expects_key { "k" } else { "s" }, readable_string(source));
            }
            _ => {
                let word = scanner.skip_word()?;
                writer.push("n", word.to_owned());
            }
        }
    }
    let cut = writer.truncated || (writer.full() && scanner.at < text.trim_end().len());
    Some((writer.tokens, cut))
}

/// The same on one line, where it is short enough for one; else indented.
pub(crate) fn compact(text: &str, budget: usize) -> Option<(Vec<Token>, bool)> {
    const LINE: usize = 72;
    let (mut tokens, cut) = pretty(text, budget)?;
    if text.len() > LINE || cut {
        return Some((tokens, cut));
    }
    for token in tokens.iter_mut().filter(|token| token.class.is_empty()) {
        let mut line = String::new();
        for piece in token.text.split('\n') {
            let piece = piece.trim_start_matches(' ');
            if line.ends_with(',') {
                line.push(' ');
            }
            line.push_str(piece);
        }
        token.text = line;
    }
    Some((tokens, cut))
}

/// Reads `\u4f60` and the like in a text that may be cut anywhere; other escapes of white space
/// become spaces.
pub(crate) fn read_escapes(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        read.push_str(&rest[..at]);
        rest = &rest[at..];
        let (character, length) = match escape(rest) {
            Some((c, length)) if !c.is_control() => (c, length),
            Some((_, length)) => (' ', length),
            None => ('\\', 1),
        };
        read.push(character);
        rest = &rest[length.min(rest.len())..];
    }
    read + rest
}

struct Writer {
    tokens: Vec<Token>,
    spent: usize,
    budget: usize,
    truncated: bool,
}

impl Writer {
    fn full(&self) -> bool {
        self.spent >= self.budget
    }

    fn push(&mut self, class: &'static str, mut text: String) {
        let room = self.budget.saturating_sub(self.spent);
        self.spent += text.len().max(1);
        if text.len() > room {
            text.truncate(text.floor_char_boundary(room));
            self.truncated = true;
        }
        self.tokens.push(Token { class, text });
    }

    /// Plain text joins the plain text before it, so that a page does not drown in elements.
    fn plain(&mut self, text: &str) {
        self.spent += text.len();
        match self.tokens.last_mut() {
            Some(last) if last.class.is_empty() => last.text.push_str(text),
            _ => self.tokens.push(Token {
                class: "",
                text: text.to_owned(),
            }),
        }
    }

    fn line(&mut self, depth: usize) {
        self.plain(&format!("\n{}", "  ".repeat(depth.min(MAX_INDENT))));
    }
}

/// Whether a text is one JSON value, checked without recursion.
fn is_json(text: &str) -> bool {
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

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
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
    fn skip_string(&mut self) -> Option<&'a str> {
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
    fn skip_word(&mut self) -> Option<&'a str> {
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

    fn node(&mut self, depth: u32) -> Option<Node<'a>> {
        if depth > MAX_TREE_DEPTH {
            return None;
        }
        self.skip_space();
        let start = self.at;
        let value = match self.peek()? {
            b'{' => Json::Object(self.object(depth)?),
            b'[' => Json::List(self.array(depth)?),
            b'"' => Json::Text(unquoted(self.skip_string()?)),
            _ => Json::Word(self.skip_word()?),
        };
        Some(Node {
            source: &self.text[start..self.at],
            value,
        })
    }

    fn array(&mut self, depth: u32) -> Option<Vec<Node<'a>>> {
        let mut nodes = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(nodes);
        }
        loop {
            nodes.push(self.node(depth + 1)?);
            if !self.goes_on(b']')? {
                return Some(nodes);
            }
        }
    }

    fn object(&mut self, depth: u32) -> Option<Vec<(String, Node<'a>)>> {
        let mut pairs = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(pairs);
        }
        loop {
            self.skip_space();
            let key_start = self.at;
            if !self.skip_key() {
                return None;
            }
            let key = self.text[key_start..self.at - 1].trim_end();
            pairs.push((unquoted(key), self.node(depth + 1)?));
            if !self.goes_on(b'}')? {
                return Some(pairs);
            }
        }
    }

    /// Past a comma (true) or the closing bracket (false).
    fn goes_on(&mut self, closing: u8) -> Option<bool> {
        self.skip_space();
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b',' => Some(true),
            _ if byte == closing => Some(false),
            _ => None,
        }
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
fn escape(text: &str) -> Option<(char, usize)> {
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

/// The text within the quotes, its escapes read.
fn unquoted(source: &str) -> String {
    let inner = source
        .get(1..source.len().saturating_sub(1))
        .unwrap_or_default();
    if !inner.contains('\\') {
        return inner.to_owned();
    }
    let mut read = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        read.push_str(&rest[..at]);
        rest = &rest[at..];
        let (character, length) = escape(rest).unwrap_or(('\\', 1));
        read.push(character);
        rest = &rest[length..];
    }
    read + rest
}

/// A text with its quotes, where escapes of visible characters are read and the others (quotes,
/// backslashes, control characters) stay, so that it is still JSON.
fn readable_string(source: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let (tokens, _) = pretty(text, usize::MAX)?;
        Some(tokens.into_iter().map(|token| token.text).collect())
    }

    #[test]
    fn digits_order_and_repeated_keys_stay() {
        let text = r#"{"id":107505301260286111,"n":18446744073709551615,"f":0.10,"f":1e999,"e":[],"o":{}}"#;
        let expected = "{\n  \"id\": 107505301260286111,\n  \"n\": 18446744073709551615,\n  \"f\": 0.10,\n  \"f\": 1e999,\n  \"e\": [],\n  \"o\": {}\n}";
        assert_eq!(shown(text).unwrap(), expected);
    }

    #[test]
    fn escapes_of_visible_characters_are_read_and_others_stay() {
        let text = r#"{"q":"\u4f60\u597d \ud83d\ude00 \"x\" \n \u0000 \ud83d"}"#;
        let expected = "{\n  \"q\": \"你好 😀 \\\"x\\\" \\n \\u0000 \\ud83d\"\n}";
        assert_eq!(shown(text).unwrap(), expected);
        assert_eq!(
            parse(text).unwrap().get("q").unwrap().text().unwrap(),
            "你好 😀 \"x\" \n \0 \u{fffd}"
        );
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            "12",
            "\"a\"",
            "{",
            "[1,2",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "[01]",
            "[NaN]",
            "[1] tail",
            "[\"a\nb\"]",
            "[\"\\x\"]",
            "{\"a\":1,}",
            "[1}",
            "[.5]",
            "[1.]",
            "[--1]",
        ] {
            assert!(
                pretty(text, usize::MAX).is_none() && parse(text).is_none(),
                "{text}"
            );
        }
    }

    #[test]
    fn short_json_stays_on_one_line() {
        let (tokens, _) = compact(r#"{"a":[1,{"b":"x, y"}],"c":{}}"#, usize::MAX).unwrap();
        let line: String = tokens.into_iter().map(|token| token.text).collect();
        assert_eq!(line, r#"{"a": [1, {"b": "x, y"}], "c": {}}"#);
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(parse(&deep).is_none());
        let (tokens, cut) = pretty(&deep, 10_000).unwrap();
        assert!(cut && tokens.len() == 1);
    }

    #[test]
    fn a_budget_cuts_within_a_text() {
        let text = format!("[\"{}\"]", "é".repeat(1000));
        let (tokens, cut) = pretty(&text, 100).unwrap();
        let bytes: usize = tokens.iter().map(|token| token.text.len()).sum();
        assert!(cut && bytes <= 104, "{bytes}");
    }

    #[test]
    fn a_cut_text_has_its_escapes_read_as_far_as_it_goes() {
        assert_eq!(read_escapes(r#"{"a":"\u4f60\n\u59"#), r#"{"a":"你 \u59"#);
    }
}
