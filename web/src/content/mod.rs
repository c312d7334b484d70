//! Input and output of spans, made readable without changing what was said: numbers keep their
//! digits, escapes become the characters that they stand for, and what only looks like JSON is
//! shown as sent.

/// References to attachments.
pub(crate) mod attachments;
/// A reader of JSON that keeps the source.
pub(crate) mod json;
/// Conversations: messages with roles, parts and tool calls.
pub(crate) mod messages;
/// What a person said, from the head of a conversation.
mod said;

use domain::message::Conversation;

use self::json::Token;
use self::messages::{Message, from_conversation};

/// Bytes of content that a page shows before "show all".
pub(crate) const HEAD_BYTES: usize = 20_000;

/// How much of a content is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// The first [`HEAD_BYTES`].
    Head,
    /// Everything.
    Whole,
}

impl Amount {
    fn budget(self) -> usize {
        match self {
            Amount::Head => HEAD_BYTES,
            Amount::Whole => usize::MAX,
        }
    }
}

/// A content in the form that reads best.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Readable {
    /// A conversation.
    Messages(Vec<Message>),
    /// JSON, indented.
    Json(Vec<Token>),
    /// Anything else, as sent.
    Text(String),
}

/// A content with what is missing from it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    /// What is shown.
    pub(crate) readable: Readable,
    /// Whether there is more.
    pub(crate) cut: bool,
    /// Size of the whole, in bytes.
    pub(crate) bytes: usize,
}

/// A content as the conversation that it is, else as JSON or text.
pub(crate) fn read(text: &str, conversation: Option<Conversation>, amount: Amount) -> Shown {
    let messages = conversation.and_then(|said| from_conversation(said, amount.budget()));
    if let Some((messages, cut)) = messages {
        return Shown {
            readable: Readable::Messages(messages),
            cut,
            bytes: text.len(),
        };
    }
    raw(text, amount)
}

/// Reads a content as indented JSON where it is JSON, else as text.
pub(crate) fn raw(text: &str, amount: Amount) -> Shown {
    if let Some((tokens, cut)) = json::pretty(text, amount.budget()) {
        return Shown {
            readable: Readable::Json(tokens),
            cut,
            bytes: text.len(),
        };
    }
    let head = head(text, amount.budget());
    Shown {
        readable: Readable::Text(head.to_owned()),
        cut: head.len() < text.len(),
        bytes: text.len(),
    }
}

/// The same, with short JSON on one line.
pub(crate) fn line(text: &str) -> Shown {
    match json::compact(text, HEAD_BYTES) {
        Some((tokens, cut)) => Shown {
            readable: Readable::Json(tokens),
            cut,
            bytes: text.len(),
        },
        None => raw(text, Amount::Head),
    }
}

/// At most `bytes` of a text, cut between characters.
pub(crate) fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// One line for a list: the last thing that a person said where it is a conversation, else the
/// text with its escapes read and its white space folded.
pub(crate) fn preview(text: &str) -> String {
    let text = without_cut_escape(text);
    let said = said::said_in(text);
    let line = said.unwrap_or_else(|| match text.trim_start().as_bytes().first() {
        Some(b'{' | b'[' | b'"') => json::read_escapes(text),
        _ => text.to_owned(),
    });
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text without the beginning of an escape at its end, where it was cut.
fn without_cut_escape(text: &str) -> &str {
    let Some((whole, rest)) = text.rsplit_once('\\') else {
        return text;
    };
    let digits = rest.strip_prefix('u');
    let is_cut = match digits {
        Some(digits) => digits.len() < 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => rest.is_empty(),
    };
    if is_cut { whole } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_only_looks_like_json_is_shown_as_sent() {
        for text in [
            "12 apples",
            "{\"unfinished\": ",
            "[1,2",
            "\"quoted\" tail",
            "NaN",
            "",
        ] {
            let shown = read(text, None, Amount::Head);
            assert_eq!(shown.readable, Readable::Text(text.to_owned()), "{text}");
            assert!(!shown.cut);
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let text = "你".repeat(10_000);
        let shown = read(&text, None, Amount::Head);
        let Readable::Text(head) = shown.readable else {
            panic!("not text")
        };
        assert!(shown.cut && head.chars().all(|c| c == '你') && head.len() <= HEAD_BYTES);
        assert!(!read(&text, None, Amount::Whole).cut);
    }

    #[test]
    fn a_preview_is_what_the_person_said() {
        let conversation = r#"[{"role":"system","content":"Be kind."},{"role":"user","content":"Where is\n my bag?"}"#;
        assert_eq!(preview(conversation), "Where is my bag?");
        assert_eq!(preview(r#"{"q":"\u4f60\u597d"}"#), r#"{"q":"你好"}"#);
        assert_eq!(preview("plain \\u4f60  text"), "plain \\u4f60 text");
    }

    #[test]
    fn a_preview_is_cut_between_characters() {
        let text = format!(r#"{{"q":"{}"}}"#, r"\u4f60\u597d".repeat(420));
        for end in 190..204 {
            let shown = preview(&text[..end]);
            assert!(shown.contains("你好") && !shown.contains('\\'), "{shown}");
        }
    }
}
