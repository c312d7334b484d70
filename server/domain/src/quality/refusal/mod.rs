//! An answer that declines to answer, in English or Chinese.
//!
//! A refusal opens the answer, in the model's own voice. So only the opening is looked at, and a phrase
//! counts only where a clause begins: not behind a quotation mark, and not inside a sentence about
//! someone who refuses. Phrases are whole acts (`I can't help with`), never single words (`can't`).

use std::sync::LazyLock;

use crate::quality::phrases::Phrases;
use crate::quality::stop_reason::{self, FinishReason};

/// The opening of an answer, made plain to compare.
mod opening;
/// The phrases that we know.
mod phrasebook;

use opening::Opening;

/// Phrases that a project may add.
pub const MAX_PHRASES: usize = 1_000;
/// Bytes of one added phrase; longer ones are left out, because they cannot stand in the opening.
pub const MAX_PHRASE_BYTES: usize = 200;

static BUILT_IN: LazyLock<Phrases> = LazyLock::new(|| Phrases::all(phrasebook::phrases()));
/// Few enough to be found at a byte a cycle: most answers have none of them and need no closer look.
static HEADS: LazyLock<Phrases> = LazyLock::new(|| Phrases::all(phrasebook::heads()));

/// A project's own phrases of refusal, compiled: keep it with the project, do not make it anew.
#[derive(Clone, Debug)]
pub struct RefusalPhrases(Phrases);

impl RefusalPhrases {
    /// Of plain phrases; letter case, kind of apostrophe and traditional or simplified characters make
    /// no difference. Blank ones are left out, and so are those beyond [`MAX_PHRASES`].
    pub fn new<'a>(phrases: impl IntoIterator<Item = &'a str>) -> Self {
        let plain = phrases
            .into_iter()
            .filter(|phrase| phrase.len() <= MAX_PHRASE_BYTES)
            .map(opening::plain)
            .filter(|phrase| !phrase.is_empty());
        RefusalPhrases(Phrases::all(plain.take(MAX_PHRASES)))
    }
}

impl Default for RefusalPhrases {
    fn default() -> Self {
        RefusalPhrases::new([])
    }
}

/// Whether the model declined: it or a filter says so as the finish reason, or the answer opens with a
/// phrase of refusal. `None` when there is no text and no such reason.
pub fn refused(
    text: Option<&str>,
    finish_reasons: &[String],
    added: &RefusalPhrases,
) -> Option<bool> {
    let filtered = |raw: &String| stop_reason::fold(raw) == FinishReason::ContentFilter;
    if finish_reasons.iter().any(filtered) {
        return Some(true);
    }
    let opening = Opening::of(text?);
    let built_in = || opening.has_any(&HEADS) && opening.has_clause_of(&BUILT_IN);
    Some(built_in() || opening.has_clause_of(&added.0))
}

#[cfg(test)]
mod tests;
