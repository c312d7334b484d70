//! A model in a loop: text said again and again, control tokens written out as text.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use memchr::memchr3;

use crate::quality::phrases::Phrases;
use crate::quality::{sample, terms};

/// Terms in an n-gram unless the project says otherwise.
pub const DEFAULT_NGRAM: usize = 4;
/// Most terms in an n-gram.
pub const MAX_NGRAM: usize = 16;

/// Share of n-grams that occurred before in the text, 0 to 1: `1 − distinct ÷ all`, which Welleck et
/// al. (2020, *Neural Text Generation with Unlikelihood Training*) call seq-rep-n. A term is a word,
/// or one character of a script without spaces, so that Chinese has a higher floor than English.
/// `None` when the text is shorter than one n-gram. Looks at the first and the last 32 KiB.
pub fn ngram_ratio(text: &str, ngram: usize) -> Option<f64> {
    let ngram = ngram.clamp(1, MAX_NGRAM);
    let parts = sample::head_and_tail(text).map(terms::hashes);
    let most = parts.iter().map(Vec::len).sum();
    let mut seen = HashSet::<u64, BuildHasherDefault<AlreadyMixed>>::with_capacity_and_hasher(
        most,
        BuildHasherDefault::default(),
    );
    let mut all = 0_u32;
    for window in parts.iter().flat_map(|terms| terms.windows(ngram)) {
        all += 1;
        seen.insert(terms::join(window));
    }
    (all > 0).then(|| 1.0 - seen.len() as f64 / f64::from(all))
}

/// Control tokens that stand in the text repeatedly, counted: each that occurs twice or more, as a
/// prompt that is echoed has them. Those that are also HTML or prose (`<s>`) count only where two or
/// more of them follow each other with nothing but white space between. 0 when there are none.
pub fn instruction_tokens(text: &str) -> u64 {
    // Each of them begins with one of three bytes, which most answers do not have.
    if memchr3(b'<', b'[', b'#', text.as_bytes()).is_none() {
        return 0;
    }
    let mut counts = [0_u64; INSTRUCTION_TOKENS.len()];
    let mut previous = None;
    let mut in_row = 0;
    let mut ambiguous = 0;
    for found in CONTROL.find(text) {
        let token = found.pattern().as_usize();
        if INSTRUCTION_TOKENS.get(token).is_some() {
            counts[token] += 1;
            previous = None;
            continue;
        }
        let follows = previous.is_some_and(|end| text[end..found.start()].trim().is_empty());
        in_row = if follows { in_row + 1 } else { 1 };
        ambiguous += match in_row {
            1 => 0,
            2 => 2,
            _ => 1,
        };
        previous = Some(found.end());
    }
    let repeated = counts.iter().filter(|&&count| count > 1);
    repeated.sum::<u64>() + ambiguous
}

/// Tokens that nothing but the chat templates of open models write.
const INSTRUCTION_TOKENS: [&str; 29] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|im_sep|>",
    "<|endoftext|>",
    "<|endofprompt|>",
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|end|>",
    "<|start|>",
    "<|channel|>",
    "<|message|>",
    "<|START_OF_TURN_TOKEN|>",
    "<|END_OF_TURN_TOKEN|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<｜begin▁of▁sentence｜>",
    "<｜end▁of▁sentence｜>",
    "### Instruction:",
    "### Response:",
];

/// Tokens that HTML, XML or prose write too.
const AMBIGUOUS_TOKENS: [&str; 5] = ["<s>", "</s>", "<pad>", "<bos>", "<eos>"];

static CONTROL: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::longest(INSTRUCTION_TOKENS.iter().chain(&AMBIGUOUS_TOKENS)));

/// Takes a hash as it is: [`terms::join`] has spread its bits.
#[derive(Default)]
struct AlreadyMixed(u64);

impl Hasher for AlreadyMixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0.rotate_left(8) ^ u64::from(byte));
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> f64 {
        ngram_ratio(text, DEFAULT_NGRAM).unwrap()
    }

    #[test]
    fn the_ratio_is_one_minus_distinct_by_all() {
        // a b c d | b c d a | c d a b | d a b c | a b c d: four of five are new.
        assert!((ratio("a b c d a b c d") - 0.2).abs() < 1e-9);
        assert!((ratio("a b c d e f g h") - 0.0).abs() < 1e-9);
    }

    #[test]
    fn a_loop_stands_out_in_either_language() {
        assert!(ratio(&"I think that this is the answer. ".repeat(50)) > 0.9);
        assert!(ratio(&"我认为这就是答案。".repeat(50)) > 0.9);
        assert!(ratio(&"😂".repeat(50)) > 0.9);
        assert!(ratio("今天天气很好，我们一起去公园散步，看到了许多盛开的花。") < 0.1);
        assert!(ratio("The quick brown fox jumps over the lazy dog and runs away at night.") < 0.1);
    }

    #[test]
    fn a_loop_that_ends_a_long_answer_is_seen() {
        let words: String = (0..60_000).map(|n| format!("w{n} ")).collect();
        assert!(ratio(&words) < 0.01);
        assert!(ratio(&format!("{words}{}", "and so on and on ".repeat(10_000))) > 0.4);
    }

    #[test]
    fn less_than_one_ngram_is_unknown() {
        assert_eq!(ngram_ratio("three words only", 4), None);
        assert_eq!(ngram_ratio("", 0), None);
        assert_eq!(ngram_ratio("--- !!! ---", 4), None);
    }

    #[test]
    fn every_control_token_begins_with_a_byte_that_is_looked_for() {
        for token in INSTRUCTION_TOKENS.iter().chain(&AMBIGUOUS_TOKENS) {
            assert_eq!(instruction_tokens(&token.repeat(3)), 3, "{token}");
        }
    }

    #[test]
    fn echoed_control_tokens_are_counted() {
        let echo = "Sure.<|im_end|>\n<|im_start|>user\nAnd?<|im_end|>\n<|im_start|>assistant";
        assert_eq!(instruction_tokens(echo), 4);
        assert_eq!(instruction_tokens("[INST] a [/INST] b [inst] c"), 2);
        assert_eq!(
            instruction_tokens("<|endoftext|><|endoftext|><|endoftext|>"),
            3
        );
        assert_eq!(
            instruction_tokens("### Instruction:\n做\n### Instruction:\n做"),
            2
        );
        assert_eq!(instruction_tokens("</s></s> </s>"), 3);
    }

    #[test]
    fn one_control_token_or_crossed_out_words_are_no_finding() {
        assert_eq!(instruction_tokens("ChatML opens with <|im_start|>."), 0);
        assert_eq!(instruction_tokens("<s>old</s> new, <s>older</s> newer"), 0);
        assert_eq!(instruction_tokens(""), 0);
    }
}
