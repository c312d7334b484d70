//! Neither too short nor too long, in characters or in tokens.

use crate::quality::Expectation;

/// Least and greatest length, both still allowed; `None` is without a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LengthRange {
    /// Least length.
    pub min: Option<u64>,
    /// Greatest length.
    pub max: Option<u64>,
}

impl LengthRange {
    /// Whether a length lies in it.
    pub fn contains(&self, length: u64) -> bool {
        self.min.is_none_or(|min| length >= min) && self.max.is_none_or(|max| length <= max)
    }
}

/// Whether an answer lies in every range that was asked for. `None` when none was asked for, and when
/// a length that is asked for is unknown while all others are in their range.
pub fn in_range(
    text: Option<&str>,
    output_tokens: Option<u64>,
    expectation: &Expectation,
) -> Option<bool> {
    let characters = || text.map(|text| text.chars().count() as u64);
    let verdicts = [
        expectation
            .characters
            .map(|range| characters().map(|length| range.contains(length))),
        expectation
            .tokens
            .map(|range| output_tokens.map(|length| range.contains(length))),
    ];
    let asked_for = || verdicts.iter().flatten();
    if asked_for().any(|&verdict| verdict == Some(false)) {
        return Some(false);
    }
    let all_known = asked_for().all(Option::is_some);
    (all_known && asked_for().next().is_some()).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP_TO_FOUR: Option<LengthRange> = Some(LengthRange {
        min: Some(1),
        max: Some(4),
    });

    #[test]
    fn characters_are_counted_not_bytes() {
        let expectation = Expectation {
            characters: UP_TO_FOUR,
            ..Expectation::default()
        };
        assert_eq!(in_range(Some("你好世界"), None, &expectation), Some(true));
        assert_eq!(in_range(Some("hello"), None, &expectation), Some(false));
        assert_eq!(in_range(Some(""), None, &expectation), Some(false));
        assert_eq!(in_range(None, None, &expectation), None);
    }

    #[test]
    fn without_a_range_there_is_no_verdict() {
        assert_eq!(
            in_range(Some("text"), Some(1), &Expectation::default()),
            None
        );
    }

    #[test]
    fn one_range_missed_is_enough_but_one_length_unknown_is_not_a_pass() {
        let expectation = Expectation {
            characters: UP_TO_FOUR,
            tokens: UP_TO_FOUR,
            ..Expectation::default()
        };
        assert_eq!(in_range(Some("four"), Some(4), &expectation), Some(true));
        assert_eq!(in_range(Some("four"), Some(5), &expectation), Some(false));
        assert_eq!(in_range(Some("four"), None, &expectation), None);
        assert_eq!(in_range(Some("fiver"), None, &expectation), Some(false));
    }
}
