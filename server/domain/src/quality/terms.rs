/// 2⁶⁴ divided by the golden ratio, made odd: multiplied by it, close numbers come to lie far apart
/// (Knuth).
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of each term of a text, in order: a word in lower case, or one character of a script that
/// puts no spaces between words, or one symbol (`😂`). Punctuation and spaces only separate.
pub(super) fn hashes(text: &str) -> Vec<u64> {
    let mut terms = Vec::with_capacity(text.len() / 5);
    let mut word = None;
    for character in text.chars() {
        match Class::of(character) {
            Class::Word => {
                let begun = word.unwrap_or(MULTIPLIER);
                word = Some(step(begun, u64::from(lower(character))));
            }
            Class::Alone => {
                terms.extend(word.take());
                terms.push(step(MULTIPLIER, u64::from(u32::from(character))));
            }
            Class::Separator => terms.extend(word.take()),
        }
    }
    terms.extend(word);
    terms
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

fn lower(character: char) -> u32 {
    if character.is_ascii() {
        return u32::from(character.to_ascii_lowercase());
    }
    character
        .to_lowercase()
        .next()
        .map_or(u32::from(character), u32::from)
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
    fn order_counts_when_terms_are_joined() {
        assert_ne!(join(&[1, 2]), join(&[2, 1]));
    }
}
