//! What kinds of datasets, and of inputs that are meant to break, are called.

use domain::dataset::{Challenge, DatasetKind};

use crate::i18n::Lang;

/// A kind of dataset.
pub(super) fn kind_word(kind: DatasetKind, lang: Lang) -> &'static str {
    match kind {
        DatasetKind::Plain => lang.t("Plain"),
        DatasetKind::Golden => lang.t("Golden"),
        DatasetKind::Rolling => lang.t("Rolling"),
        DatasetKind::Adversarial => lang.t("Adversarial"),
    }
}

/// What a kind is for.
pub(super) fn kind_hint(kind: DatasetKind, lang: Lang) -> &'static str {
    match kind {
        DatasetKind::Plain => lang.t("Whatever you use it for."),
        DatasetKind::Golden => {
            lang.t("Checked by hand: each item has an expected output, and each change a reason.")
        }
        DatasetKind::Rolling => {
            lang.t("Filled from a filter as traces come. The oldest items leave.")
        }
        DatasetKind::Adversarial => {
            lang.t("Inputs that are meant to break, by what they attack or what went wrong.")
        }
    }
}

/// What an input is meant to break.
pub(super) fn challenge_word(challenge: Challenge, lang: Lang) -> &'static str {
    match challenge {
        Challenge::PromptInjection => lang.t("Prompt injection"),
        Challenge::Jailbreak => lang.t("Jailbreak"),
        Challenge::DataLeak => lang.t("Data leak"),
        Challenge::HarmfulContent => lang.t("Harmful content"),
        Challenge::MalformedInput => lang.t("Malformed input"),
        Challenge::FailedCheck => lang.t("Failed check"),
        Challenge::Refusal => lang.t("Refusal"),
        Challenge::LowScore => lang.t("Low score"),
        Challenge::Other => lang.t("Something else"),
    }
}

/// The choices of a field: value, words, whether it is chosen. The first says nothing.
pub(super) fn challenges(
    chosen: Option<Challenge>,
    lang: Lang,
) -> Vec<(&'static str, &'static str, bool)> {
    let none = ("", lang.t("Nothing is said"), chosen.is_none());
    let all = Challenge::ALL.iter().map(|one| {
        let words = challenge_word(*one, lang);
        (one.as_str(), words, chosen == Some(*one))
    });
    std::iter::once(none).chain(all).collect()
}
