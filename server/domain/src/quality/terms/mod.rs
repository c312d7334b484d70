//! Words and ideographs as hashes.

/// Blocks of ASCII, byte by byte at once.
mod ascii;

use ascii::BLOCK;

/// 2⁶⁴ divided by the golden ratio, made odd: multiplied by it, close numbers come to lie far apart
/// (Knuth).
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of each term of a text, in order: a word in lower case, or one character of a script that
/// puts no spaces between words, or one symbol (`😂`). Punctuation and spaces only separate.
pub(super) fn hashes(text: &str) -> Vec<u64> {
    let mut terms = Terms {
        done: Vec::with_capacity(text.len() / 4),
        word: Word::default(),
    };
    let mut rest = text;
    while !rest.is_empty() {
        rest = match rest.as_bytes().first_chunk::<BLOCK>() {
            Some(block) if block.is_ascii() => {
                terms.read_ascii(block);
                &rest[BLOCK..]
            }
            _ => {
                let (head, tail) = rest.split_at(rest.ceil_char_boundary(BLOCK));
                terms.read(head);
                tail
            }
        };
    }
    terms.end_word();
    terms.done
}

/// Terms read so far.
struct Terms {
    done: Vec<u64>,
    word: Word,
}

impl Terms {
    fn read(&mut self, text: &str) {
        for character in text.chars() {
            match Class::of(character) {
                Class::Word => self.word.push_character(lower(character)),
                Class::Alone => {
                    self.end_word();
                    self.word.push_character(character);
                    self.end_word();
                }
                Class::Separator => self.end_word(),
            }
        }
    }

    /// The same for a block of ASCII, which nearly all text is: a step for each word, not for each
    /// character, because the ends of words are what a processor cannot foresee.
    fn read_ascii(&mut self, block: &[u8; BLOCK]) {
        let block = ascii::lower(block);
        let mut letters = ascii::letters(&block);
        let mut end = 0;
        while letters != 0 {
            let begin = letters.trailing_zeros() as usize;
            if begin > 0 {
                self.end_word();
            }
            end = begin + (letters >> begin).trailing_ones() as usize;
            self.word.push_ascii(&block, begin, end);
            letters &= u64::MAX.checked_shl(end as u32).unwrap_or(0);
        }
        if end < BLOCK {
            self.end_word();
        }
    }

    fn end_word(&mut self) {
        if self.word.bytes > 0 {
            self.done.push(std::mem::take(&mut self.word).hash());
        }
    }
}

/// A term while it is read: its UTF-8 bytes, hashed eight at a time.
#[derive(Default)]
struct Word {
    hash: u64,
    /// The bytes that are not yet in `hash`, the first one lowest.
    pending: u64,
    bytes: u32,
}

impl Word {
    /// The bytes from `begin` to `end` of a block.
    fn push_ascii(&mut self, block: &ascii::Lowered, begin: usize, end: usize) {
        let length = end - begin;
        // Most words are short and begin within the block: that they go this way is measurable.
        if self.bytes == 0 && length < 8 {
            self.pending = ascii::eight(block, begin) & ((1 << (8 * length)) - 1);
            self.bytes = length as u32;
            return;
        }
        for begin in (begin..end).step_by(8) {
            let count = (end - begin).min(8) as u32;
            let bytes = ascii::eight(block, begin) & (u64::MAX >> (64 - 8 * count));
            self.push(bytes, count);
        }
    }

    fn push_character(&mut self, character: char) {
        let mut bytes = [0; 8];
        let count = character.encode_utf8(&mut bytes).len() as u32;
        self.push(u64::from_le_bytes(bytes), count);
    }

    /// The next one to eight bytes, the first one lowest and zeros behind them.
    fn push(&mut self, bytes: u64, count: u32) {
        let place = self.bytes % 8;
        self.pending |= bytes << (8 * place);
        self.bytes = self.bytes.wrapping_add(count);
        if place + count >= 8 {
            self.hash = step(self.hash, self.pending);
            // What found no place any more; all of it did at the first.
            self.pending = bytes.checked_shr(64 - 8 * place).unwrap_or(0);
        }
    }

    fn hash(self) -> u64 {
        step(step(self.hash, self.pending), u64::from(self.bytes))
    }
}

/// One hash for terms in this order.
pub(super) fn join(terms: &[u64]) -> u64 {
    mix(terms.iter().fold(0, |hash, &term| step(hash, term)))
}

fn step(hash: u64, next: u64) -> u64 {
    (hash.rotate_left(5) ^ next).wrapping_mul(MULTIPLIER)
}

/// Spreads every bit over all of them (finaliser of `SplitMix64`).
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

fn lower(character: char) -> char {
    character.to_lowercase().next().unwrap_or(character)
}

/// What a character does to the term that it stands in.
enum Class {
    Word,
    Alone,
    Separator,
}

impl Class {
    fn of(character: char) -> Self {
        match character {
            '0'..='9' | 'A'..='Z' | 'a'..='z' => Class::Word,
            // The rest of ASCII; general, CJK and full-width punctuation.
            '\0'..='\u{7f}'
            | '\u{2000}'..='\u{206f}'
            | '\u{3000}'..='\u{303f}'
            | '\u{ff01}'..='\u{ff0f}'
            | '\u{ff1a}'..='\u{ff20}'
            | '\u{ff3b}'..='\u{ff40}'
            | '\u{ff5b}'..='\u{ff65}' => Class::Separator,
            // Thai to Burmese, Khmer, kana, ideographs: no spaces between words.
            '\u{0e00}'..='\u{0eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}' => Class::Alone,
            other if other.is_alphanumeric() => Class::Word,
            other if other.is_whitespace() => Class::Separator,
            _ => Class::Alone,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_terms_whatever_their_case_and_punctuation() {
        assert_eq!(hashes("The cat, the hat."), hashes("the CAT the   hat"));
        assert_eq!(hashes("The cat, the hat.").len(), 4);
    }

    #[test]
    fn each_ideograph_and_each_symbol_is_a_term() {
        assert_eq!(hashes("你好，world!再见😂😂").len(), 2 + 1 + 2 + 2);
    }

    #[test]
    fn a_word_of_any_length_and_script_differs_from_those_near_it() {
        let words = [
            "a",
            "b",
            "ab",
            "aa",
            "straße",
            "strasse",
            "Öl",
            "ol",
            "привет",
            "internationally",
        ];
        let text = words.join(" ");
        let mut seen = hashes(&text);
        assert_eq!(seen.len(), words.len());
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), words.len());
        assert_eq!(hashes("ÖL Привет STRASSE"), hashes("öl привет strasse"));
        assert_ne!(hashes("abcdefgh"), hashes("abcdefghi"));
    }

    proptest! {
        #[test]
        fn blocks_and_characters_give_the_same_terms(text in "[a-zA-Z0-9 ,.'\\-äßж你😂]{0,300}") {
            let mut slow = Terms { done: Vec::new(), word: Word::default() };
            slow.read(&text);
            slow.end_word();
            prop_assert_eq!(hashes(&text), slow.done);
        }
    }

    /// As it is defined: eight bytes at a time, what is left of them, how many there were.
    fn by_definition(word: &str) -> u64 {
        let (eights, rest) = word.as_bytes().as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let eights = eights.iter().chain([&last]);
        let hash = eights.fold(0, |hash, eight| step(hash, u64::from_le_bytes(*eight)));
        step(hash, word.len() as u64)
    }

    proptest! {
        #[test]
        fn words_of_any_length_are_hashed_as_defined_wherever_they_stand(
            words in proptest::collection::vec("[a-z0-9]{1,90}|[a-zäж]{1,20}", 0..20)
        ) {
            let defined: Vec<u64> = words.iter().map(|word| by_definition(word)).collect();
            prop_assert_eq!(hashes(&words.join(" ")), defined);
        }
    }

    #[test]
    fn order_counts_when_terms_are_joined() {
        assert_ne!(join(&[1, 2]), join(&[2, 1]));
    }
}
