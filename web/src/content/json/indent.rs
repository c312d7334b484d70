//! Indents JSON until a budget is spent.

use super::scan::{Scanner, is_json, readable_string};
use super::{MAX_INDENT, Token};

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
