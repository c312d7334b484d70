//! JSON text, read in place and in one pass.
//!
//! Telemetry needs what general readers refuse: half surrogate pairs, bytes that are not UTF-8,
//! twenty thousand levels in one value, and numbers with every digit. Passing over a value takes
//! no stack, so depth costs nothing where nobody looks.

use std::borrow::Cow;

use super::Undecodable;

/// Levels that are passed over; deeper text is refused.
const MAX_SKIPPED_DEPTH: usize = 1_000_000;

/// The rest of a JSON text.
pub(super) struct Json<'a> {
    text: &'a [u8],
    at: usize,
    /// Some text was not valid Unicode and has U+FFFD in it.
    pub(super) replaced: bool,
}

/// What the next value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    String,
    Number,
    Bool,
    Null,
}

type Result<T> = std::result::Result<T, Undecodable>;

impl<'a> Json<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Json {
            text,
            at: 0,
            replaced: false,
        }
    }

    /// Kind of the next value.
    pub(super) fn peek(&mut self) -> Result<Kind> {
        self.skip_space();
        match self.byte() {
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'"') => Ok(Kind::String),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'n') => Ok(Kind::Null),
            _ => Err(self.malformed("a value is missing")),
        }
    }

    /// Reads an object; `each` must read or pass over exactly one value.
    pub(super) fn object(
        &mut self,
        mut each: impl FnMut(&mut Self, &str) -> Result<()>,
    ) -> Result<()> {
        self.take(b'{', "an object is needed")?;
        if self.ends_with(b'}') {
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.take(b':', "a colon is missing")?;
            each(self, &key)?;
            if self.ends_with(b'}') {
                return Ok(());
            }
            self.take(b',', "a comma is missing")?;
        }
    }

    /// Reads an array; `each` must read or pass over exactly one value.
    pub(super) fn array(&mut self, mut each: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.take(b'[', "an array is needed")?;
        if self.ends_with(b']') {
            return Ok(());
        }
        loop {
            each(self)?;
            if self.ends_with(b']') {
                return Ok(());
            }
            self.take(b',', "a comma is missing")?;
        }
    }

    /// Reads a string.
    pub(super) fn string(&mut self) -> Result<Cow<'a, str>> {
        self.take(b'"', "a string is needed")?;
        let begin = self.at;
        self.skip_run();
        if self.byte() == Some(b'"') {
            let run = &self.text[begin..self.at];
            self.at += 1;
            return Ok(self.unicode(run));
        }
        let mut bytes = self.text[begin..self.at].to_vec();
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(match String::from_utf8(bytes) {
                        Ok(text) => text,
                        Err(error) => {
                            self.replaced = true;
                            String::from_utf8_lossy(error.as_bytes()).into_owned()
                        }
                    }));
                }
                Some(b'\\') => {
                    let character = self.escape()?;
                    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return Err(self.malformed("a string does not end")),
            }
            let begin = self.at;
            self.skip_run();
            bytes.extend_from_slice(&self.text[begin..self.at]);
        }
    }

    /// Reads a number, `true`, `false` or `null` as it is written.
    pub(super) fn word(&mut self) -> Result<&'a str> {
        self.skip_space();
        let begin = self.at;
        while let Some(b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') = self.byte() {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.text[begin..self.at]).unwrap_or_default();
        let is_number = word.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            && word.parse::<f64>().is_ok();
        if is_number || matches!(word, "true" | "false" | "null") {
            Ok(word)
        } else {
            self.at = begin;
            Err(self.malformed("a value is missing"))
        }
    }

    /// Passes over a value and gives its text.
    pub(super) fn skip(&mut self) -> Result<&'a [u8]> {
        self.skip_space();
        let begin = self.at;
        let mut open = Vec::new();
        loop {
            match self.peek()? {
                kind @ (Kind::Object | Kind::Array) => {
                    self.at += 1;
                    let close = if kind == Kind::Object { b'}' } else { b']' };
                    if !self.ends_with(close) {
                        if open.len() == MAX_SKIPPED_DEPTH {
                            return Err(self.malformed("nested deeper than a million levels"));
                        }
                        open.push(close);
                        self.skip_key(close)?;
                        continue;
                    }
                }
                Kind::String => self.skip_string()?,
                Kind::Number | Kind::Bool | Kind::Null => {
                    self.word()?;
                }
            }
            while let Some(&close) = open.last() {
                if !self.ends_with(close) {
                    self.take(b',', "a comma is missing")?;
                    self.skip_key(close)?;
                    break;
                }
                open.pop();
            }
            if open.is_empty() {
                return Ok(&self.text[begin..self.at]);
            }
        }
    }

    /// Nothing but space may follow the outermost value.
    pub(super) fn end(&mut self) -> Result<()> {
        self.skip_space();
        if self.at == self.text.len() {
            Ok(())
        } else {
            Err(self.malformed("text follows the end"))
        }
    }

    pub(super) fn malformed(&self, why: &str) -> Undecodable {
        Undecodable::Malformed(format!("JSON: {why} at byte {}", self.at))
    }

    fn skip_key(&mut self, close: u8) -> Result<()> {
        if close == b'}' {
            self.skip_space();
            self.skip_string()?;
            self.take(b':', "a colon is missing")?;
        }
        Ok(())
    }

    fn skip_string(&mut self) -> Result<()> {
        self.take(b'"', "a string is needed")?;
        loop {
            self.skip_run();
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') if self.at + 1 < self.text.len() => self.at += 2,
                _ => return Err(self.malformed("a string does not end")),
            }
        }
    }

    fn skip_run(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest
            .iter()
            .position(|&b| b == b'"' || b == b'\\')
            .unwrap_or(rest.len());
    }

    fn unicode(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        let text = String::from_utf8_lossy(bytes);
        // Lossy reading borrows exactly when nothing had to be replaced.
        self.replaced |= matches!(text, Cow::Owned(_));
        text
    }

    fn escape(&mut self) -> Result<char> {
        let character = match self.text.get(self.at + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => return self.unicode_escape(),
            Some(&other @ (b'"' | b'\\' | b'/')) => char::from(other),
            _ => return Err(self.malformed("an escape is unknown")),
        };
        self.at += 2;
        Ok(character)
    }

    /// `\uXXXX`, or two of them for characters beyond U+FFFF; half of such a pair is U+FFFD.
    fn unicode_escape(&mut self) -> Result<char> {
        let Some(first) = self.unit() else {
            return Err(self.malformed("an escape is unknown"));
        };
        if !(0xd800..0xdc00).contains(&first) {
            let character = char::from_u32(first);
            self.replaced |= character.is_none();
            return Ok(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let after_first = self.at;
        if let Some(second) = self.unit().filter(|unit| (0xdc00..0xe000).contains(unit)) {
            let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at = after_first;
        self.replaced = true;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn unit(&mut self) -> Option<u32> {
        let escape = self.text.get(self.at..self.at + 6)?;
        let hex = escape.strip_prefix(b"\\u")?;
        if !hex.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        self.at += 6;
        u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
    }

    fn take(&mut self, byte: u8, otherwise: &str) -> Result<()> {
        self.skip_space();
        if self.byte() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.malformed(otherwise))
        }
    }

    fn ends_with(&mut self, byte: u8) -> bool {
        self.skip_space();
        let ends = self.byte() == Some(byte);
        self.at += usize::from(ends);
        ends
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.byte() {
            self.at += 1;
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn string(json: &str) -> String {
        Json::new(json.as_bytes()).string().unwrap().into_owned()
    }

    #[test]
    fn half_an_emoji_becomes_one_replacement_character() {
        assert_eq!(string(r#""ok \ud83d""#), "ok \u{fffd}");
        assert_eq!(string(r#""\ud83d\ude00""#), "😀");
        assert_eq!(
            string(r#""\ude00x\ud83dA\ud83d\n""#),
            "\u{fffd}x\u{fffd}A\u{fffd}\n"
        );
    }

    #[test]
    fn depth_takes_no_stack() {
        let levels = 900_000;
        let text = format!("{}{} ", "[".repeat(levels), "]".repeat(levels));
        let mut json = Json::new(text.as_bytes());
        assert_eq!(json.skip().unwrap().len(), 2 * levels);
        json.end().unwrap();
    }

    #[test]
    fn broken_text_is_refused_with_its_place() {
        for broken in [
            "",
            "{",
            "[1,",
            r#"{"a"}"#,
            r#"{"a":1,}"#,
            "[1 2]",
            "\"abc",
            "nul",
            "[}",
            "-",
        ] {
            let mut json = Json::new(broken.as_bytes());
            assert!(json.skip().is_err(), "{broken}");
        }
    }

    proptest! {
        #[test]
        fn passing_over_agrees_with_a_strict_reader(value in json_value()) {
            let text = serde_json::to_string_pretty(&value).unwrap();
            let mut json = Json::new(text.as_bytes());
            prop_assert_eq!(json.skip().unwrap(), text.as_bytes());
            prop_assert!(json.end().is_ok());
        }

        #[test]
        fn strings_agree_with_a_strict_reader(text in any::<String>()) {
            prop_assert_eq!(string(&serde_json::to_string(&text).unwrap()), text);
        }

        #[test]
        fn nothing_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let mut json = Json::new(&bytes);
            let _ = json.skip();
            let _ = Json::new(&bytes).string();
        }
    }

    fn json_value() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::hash_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| map.into_iter().collect()),
            ]
        })
    }
}
