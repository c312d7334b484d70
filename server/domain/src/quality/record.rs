//! Quality as a span carries it: a value with its source for each name.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::attr::triaxis::QUALITY_PREFIX;
use crate::quality::Checks;
use crate::span::named_enum;
use crate::value::{Attributes, Value};

/// Names of our own checks, the same in stores, JSON and pages.
pub mod names {
    /// The answer has the format that was asked for.
    pub const FORMAT_VALID: &str = "format_valid";
    /// The answer is JSON that ends too early.
    pub const TRUNCATED_JSON: &str = "truncated_json";
    /// The answer is as long as it should be.
    pub const LENGTH_IN_RANGE: &str = "length_in_range";
    /// The model declined to answer.
    pub const REFUSED: &str = "refused";
    /// Every choice ended as it should.
    pub const STOP_REASON_VALID: &str = "stop_reason_valid";
    /// Share of n-grams that occurred before, 0 to 1.
    pub const REPEATED_NGRAM_RATIO: &str = "repeated_ngram_ratio";
    /// Control tokens that stand in the answer again and again, counted.
    pub const REPEATED_INSTRUCTION_TOKENS: &str = "repeated_instruction_tokens";
    /// Longest run of unknown tokens.
    pub const UNKNOWN_TOKEN_RUN: &str = "unknown_token_run";
}

named_enum!(
    /// Who judged.
    Source, default Check {
        /// The client reported it (`llm.quality.*`); it wins over every other.
        Client = "client",
        /// One of our checks at ingest.
        Check = "check",
        /// A score, by a person or an evaluator.
        Score = "score",
    }
);

/// A judgement: yes or no, or a finite number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Verdict {
    /// Yes or no.
    Bool(bool),
    /// A number, never NaN or infinite.
    Number(f64),
}

/// A judgement with its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The judgement.
    pub value: Verdict,
    /// Who made it.
    pub source: Source,
}

/// All judgements on one span, by name; what is unknown is not in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Quality(BTreeMap<Cow<'static, str>, Judged>);

impl Quality {
    /// What the checks found and what the client reported in its attributes, the client's word first.
    pub fn from_checks(checks: &Checks, attributes: &Attributes) -> Self {
        let mut quality = Quality::default();
        for (name, verdict) in reported(attributes) {
            quality.record(name.to_owned(), verdict, Source::Client);
        }
        for (name, verdict) in checks.verdicts() {
            quality.record(name, verdict, Source::Check);
        }
        quality
    }

    /// Adds a judgement or renews it. The client's stays unless the client renews it itself; numbers
    /// that are not finite are no judgement.
    pub fn record(&mut self, name: impl Into<Cow<'static, str>>, value: Verdict, source: Source) {
        let name = name.into();
        let finite = !matches!(value, Verdict::Number(number) if !number.is_finite());
        let known = self.0.get(&name);
        let outranked =
            source != Source::Client && known.is_some_and(|judged| judged.source == Source::Client);
        if finite && !outranked {
            self.0.insert(name, Judged { value, source });
        }
    }

    /// The judgement of that name, `None` while unknown.
    pub fn get(&self, name: &str) -> Option<Judged> {
        self.0.get(name).copied()
    }

    /// Every judgement, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Judged)> {
        self.0.iter().map(|(name, &judged)| (name.as_ref(), judged))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Checks {
    /// What was found, by its name; without what is unknown.
    fn verdicts(&self) -> impl Iterator<Item = (&'static str, Verdict)> {
        let flag = |value: Option<bool>| value.map(Verdict::Bool);
        let count = |value: Option<u64>| value.map(|count| Verdict::Number(count as f64));
        [
            (names::FORMAT_VALID, flag(self.format_valid)),
            (names::TRUNCATED_JSON, flag(self.truncated_json)),
            (names::LENGTH_IN_RANGE, flag(self.length_in_range)),
            (names::REFUSED, flag(self.refused)),
            (names::STOP_REASON_VALID, flag(self.stop_reason_valid)),
            (
                names::REPEATED_NGRAM_RATIO,
                self.repeated_ngram_ratio.map(Verdict::Number),
            ),
            (
                names::REPEATED_INSTRUCTION_TOKENS,
                count(self.repeated_instruction_tokens),
            ),
            (names::UNKNOWN_TOKEN_RUN, count(self.unknown_token_run)),
        ]
        .into_iter()
        .filter_map(|(name, verdict)| Some((name, verdict?)))
    }
}

/// What the client reported under `llm.quality.`; other types than booleans and numbers are left out.
fn reported(attributes: &Attributes) -> impl Iterator<Item = (&str, Verdict)> {
    attributes.iter().filter_map(|(key, value)| {
        let name = key
            .strip_prefix(QUALITY_PREFIX)
            .filter(|name| !name.is_empty())?;
        let verdict = match value {
            Value::Bool(flag) => Verdict::Bool(*flag),
            Value::Double(number) => Verdict::Number(*number),
            Value::Int(number) => Verdict::Number(*number as f64),
            Value::Str(_) | Value::Bytes(_) | Value::Array(_) | Value::Map(_) | Value::Null => {
                return None;
            }
        };
        Some((name, verdict))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_is_believed_and_marked() {
        let attributes: Attributes = vec![
            ("llm.quality.format_valid".into(), Value::Bool(false)),
            ("llm.quality.relevance".into(), Value::Double(0.75)),
            ("llm.quality.odd".into(), Value::Double(f64::NAN)),
            ("llm.quality.".into(), Value::Bool(true)),
        ];
        let checks = Checks {
            format_valid: Some(true),
            unknown_token_run: Some(6),
            ..Checks::default()
        };
        let quality = Quality::from_checks(&checks, &attributes);
        let expected = serde_json::json!({
            "format_valid": {"value": false, "source": "client"},
            "relevance": {"value": 0.75, "source": "client"},
            "unknown_token_run": {"value": 6.0, "source": "check"},
        });
        assert_eq!(serde_json::to_value(&quality).unwrap(), expected);
        assert_eq!(
            serde_json::from_value::<Quality>(expected).unwrap(),
            quality
        );
    }

    #[test]
    fn later_judgements_renew_earlier_ones_but_not_the_clients() {
        let mut quality = Quality::default();
        quality.record("refused", Verdict::Bool(false), Source::Check);
        quality.record("refused", Verdict::Bool(true), Source::Score);
        assert_eq!(quality.get("refused").unwrap().value, Verdict::Bool(true));
        quality.record("refused", Verdict::Bool(false), Source::Client);
        quality.record("refused", Verdict::Bool(true), Source::Score);
        assert_eq!(quality.get("refused").unwrap().value, Verdict::Bool(false));
    }
}
