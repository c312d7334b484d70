//! Tokens that the tokenizer did not know, or bytes that it could not put together.

use std::sync::LazyLock;

use memchr::{memchr, memchr3};

use crate::quality::phrases::Phrases;

/// From this many in a row on, unknown tokens are a finding.
pub const SUSPICIOUS_RUN: u64 = 5;

/// U+FFFD itself, U+FFFD escaped in JSON, and what tokenizers write.
const UNKNOWN: [&str; 5] = ["\u{fffd}", "\\ufffd", "<unk>", "[unk]", "<|unk|>"];

static UNKNOWN_TOKENS: LazyLock<Phrases> = LazyLock::new(|| Phrases::longest(UNKNOWN));

/// Most unknown tokens in a row, with nothing but white space or `▁` (a space to `SentencePiece`) between.
/// 0 when there are none.
pub fn longest_run(text: &str) -> u64 {
    // Each of them begins with one of four bytes, which most answers do not have.
    let bytes = text.as_bytes();
    if memchr3(0xef, b'<', b'[', bytes).is_none() && memchr(b'\\', bytes).is_none() {
        return 0;
    }
    let mut longest = 0;
    let mut run = 0;
    let mut end = 0;
    for token in UNKNOWN_TOKENS.find(text) {
        let between = &text[end..token.start()];
        let follows = between.chars().all(|c| c.is_whitespace() || c == '▁');
        run = if follows { run + 1 } else { 1 };
        longest = longest.max(run);
        end = token.end();
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unknown_token_begins_with_a_byte_that_is_looked_for() {
        for token in UNKNOWN {
            assert_eq!(longest_run(&token.repeat(7)), 7, "{token}");
        }
    }

    #[test]
    fn the_longest_run_counts() {
        assert_eq!(
            longest_run("a \u{fffd}\u{fffd} b \u{fffd}\u{fffd}\u{fffd} c \u{fffd}"),
            3
        );
        assert_eq!(longest_run("你好������世界"), 6);
        assert_eq!(
            longest_run("▁<unk>▁<unk> <unk><UNK>\n[UNK]"),
            SUSPICIOUS_RUN
        );
        assert_eq!(longest_run(r#"{"text": "\ufffd\uFFFD"}"#), 2);
    }

    #[test]
    fn ordinary_text_has_none() {
        assert_eq!(longest_run("unknown tokens are called unk. 未知"), 0);
        assert_eq!(longest_run(""), 0);
    }
}
