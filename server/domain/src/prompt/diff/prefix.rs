//! How far the tokens of a version follow those of another: as far as that, a cache of prefixes serves both.

use super::super::content::Content;
use super::super::tokens::{Piece, Tokenizer, pieces};

/// How far a version follows another, in tokens of its own text: what is filled in when it is used is not counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prefix {
    /// What was counted with.
    pub tokenizer: Tokenizer,
    /// Whether that is the model's own; else counts are some percent off.
    pub is_exact: bool,
    /// Tokens that both begin with.
    pub common_tokens: u64,
    /// Tokens of the old version.
    pub old_tokens: u64,
    /// Tokens of the new one.
    pub new_tokens: u64,
    /// Tokens of the old version before anything is filled in: what its requests share with each other for certain.
    pub old_shared_tokens: u64,
    /// The same of the new one.
    pub new_shared_tokens: u64,
    /// Number of the first token of the new version, from 0, that differs; `None`: the two are the same to a model.
    pub diverges_at_token: Option<u64>,
    /// Share of the new version's tokens, in [0, 1], that a cache has from requests of the old one for certain: what both
    /// begin with, up to where something is filled in. `None` where it has none.
    pub expected_reuse: Option<f64>,
}

/// How far `new` follows `old`, as a model reads them.
pub fn prefix(old: &Content, new: &Content, model: Option<&str>) -> Prefix {
    let (tokenizer, is_exact) = Tokenizer::of_model(model);
    let (old, new) = (pieces(old, tokenizer), pieces(new, tokenizer));
    let pairs = old.iter().zip(&new);
    let common = pairs.take_while(|(one, other)| one == other).count();
    let (common_tokens, new_tokens) = (count(&new[..common]), count(&new));
    let new_shared_tokens = shared(&new);
    let is_same = common == old.len() && common == new.len();
    Prefix {
        tokenizer,
        is_exact,
        common_tokens,
        old_tokens: count(&old),
        new_tokens,
        old_shared_tokens: shared(&old),
        new_shared_tokens,
        diverges_at_token: (!is_same).then_some(common_tokens),
        expected_reuse: ratio(common_tokens.min(new_shared_tokens), new_tokens),
    }
}

fn is_token(piece: &Piece<'_>) -> bool {
    !matches!(piece, Piece::Slot(_))
}

fn count(pieces: &[Piece<'_>]) -> u64 {
    pieces.iter().filter(|piece| is_token(piece)).count() as u64
}

/// Tokens before the first thing that is filled in.
fn shared(pieces: &[Piece<'_>]) -> u64 {
    pieces.iter().take_while(|piece| is_token(piece)).count() as u64
}

#[expect(clippy::cast_precision_loss, reason = "no prompt has 2^53 tokens")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(old: &str, new: &str) -> Prefix {
        let text = |text: &str| Content::Text(text.to_owned());
        prefix(&text(old), &text(new), Some("gpt-4o"))
    }

    #[test]
    fn what_is_put_first_leaves_nothing_to_reuse() {
        let rules = "You are a patient assistant. Answer in JSON. ";
        let long = rules.repeat(20) + "Question: {{question}}";
        let found = of(&long, &format!("It is {{{{now}}}}. {long}"));
        assert_eq!((found.common_tokens, found.diverges_at_token), (0, Some(0)));
        assert_eq!(found.expected_reuse, Some(0.0));
        assert!(found.old_shared_tokens > 150 && found.new_shared_tokens < 5);
        assert!(found.is_exact);
        let behind = of(&long, &format!("{long} It is {{{{now}}}}."));
        assert_eq!(behind.common_tokens, behind.old_tokens);
        assert_eq!(behind.diverges_at_token, Some(behind.old_tokens));
        assert_eq!(behind.new_shared_tokens, behind.old_shared_tokens);
        assert!(behind.expected_reuse.unwrap() > 0.9);
    }

    #[test]
    fn the_same_diverges_nowhere_and_another_variable_does() {
        let same = of("Hi {{name}}!", "Hi {{ name }}!");
        assert_eq!(same.diverges_at_token, None);
        assert_eq!(same.old_tokens, same.new_tokens);
        let other = of("Hi {{name}}!", "Hi {{user}}!");
        assert_eq!(other.diverges_at_token, Some(other.common_tokens));
        assert!(other.common_tokens < other.new_tokens);
        let empty = of("", "");
        assert_eq!(
            (empty.expected_reuse, empty.diverges_at_token),
            (None, None)
        );
    }
}
