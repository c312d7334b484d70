//! Tokens and money, as the sender reported them.
//!
//! Totals are inclusive (cached tokens are input, reasoning tokens are output) and the details are
//! disjoint parts of them. Senders disagree about the first; the numbers themselves tell, and where
//! they do not, inclusive is what most mean (shared conventions §4.2).

use std::collections::BTreeMap;

use domain::Usd;
use domain::span::{Cost, CostSource, Usage, UsageSource};
use serde_json::{Map, Value as Json};

use super::field::Field;
use super::found::Found;
use super::read;

/// Numbers as they came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reported {
    input: Option<u64>,
    output: Option<u64>,
    total: Option<u64>,
    cache_read: u64,
    cache_write: u64,
    reasoning: u64,
    input_audio: u64,
    output_audio: u64,
}

/// Tokens; `None` when nobody counted.
pub(super) fn usage(found: &Found<'_>) -> Option<Usage> {
    let details = found.value(Field::UsageDetails).and_then(read::object);
    let reported = match details {
        Some(object) => from_object(&object),
        None => from_fields(found),
    };
    reported.into_usage()
}

/// What it cost, if the sender said so.
pub(super) fn cost(found: &Found<'_>) -> Option<Cost> {
    let details = found
        .value(Field::CostDetails)
        .and_then(read::object)
        .map(|object| {
            let amounts = object
                .iter()
                .filter_map(|(name, amount)| Some((name.clone(), read::json_dollars(amount)?)));
            amounts.collect::<BTreeMap<_, _>>()
        });
    if let Some(mut details) = details.filter(|details| !details.is_empty()) {
        let total = details.remove("total");
        let total = total.unwrap_or_else(|| details.values().copied().sum::<Usd>());
        return Some(Cost {
            total,
            details,
            source: CostSource::Client,
            terms: None,
        });
    }
    let total = found.value(Field::CostTotal).and_then(read::dollars)?;
    Some(Cost {
        total,
        details: BTreeMap::new(),
        source: CostSource::Client,
        terms: None,
    })
}

fn from_fields(found: &Found<'_>) -> Reported {
    let part = |field| found.count(field).unwrap_or(0);
    Reported {
        input: found.count(Field::InputTokens),
        output: found.count(Field::OutputTokens),
        total: found.count(Field::TotalTokens),
        cache_read: part(Field::CacheRead),
        cache_write: part(Field::CacheWrite),
        reasoning: part(Field::Reasoning),
        input_audio: part(Field::InputAudio),
        output_audio: part(Field::OutputAudio),
    }
}

/// One object with free names, as Langfuse and `MLflow` have it.
fn from_object(object: &Map<String, Json>) -> Reported {
    let count = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| object.get(*name).and_then(read::json_count))
    };
    let part = |names: &[&str]| count(names).unwrap_or(0);
    Reported {
        input: count(&[
            "input",
            "input_tokens",
            "prompt_tokens",
            "inputTokens",
            "promptTokens",
        ]),
        output: count(&[
            "output",
            "output_tokens",
            "completion_tokens",
            "outputTokens",
            "completionTokens",
        ]),
        total: count(&["total", "total_tokens", "totalTokens"]),
        cache_read: part(&[
            "input_cached_tokens",
            "input_cache_read",
            "cache_read_input_tokens",
            "cached_tokens",
            "cache_read_tokens",
        ]),
        cache_write: part(&[
            "input_cache_creation",
            "cache_creation_input_tokens",
            "cache_write_input_tokens",
            "cache_write_tokens",
        ]),
        reasoning: part(&["output_reasoning_tokens", "reasoning_tokens"]),
        input_audio: part(&["input_audio_tokens", "input_audio"]),
        output_audio: part(&["output_audio_tokens", "output_audio"]),
    }
}

impl Reported {
    fn into_usage(self) -> Option<Usage> {
        if self.input.is_none() && self.output.is_none() && self.total.is_none() {
            return None;
        }
        let cached = self.cache_read.saturating_add(self.cache_write);
        let excluded = self.parts_are_outside(cached);
        let outside = |count: Option<u64>, parts: u64| match count {
            Some(count) if excluded => Some(count.saturating_add(parts)),
            other => other,
        };
        let input_tokens = outside(self.input, cached.saturating_add(self.input_audio));
        let output_tokens = outside(
            self.output,
            self.reasoning.saturating_add(self.output_audio),
        );
        // A total stands in for a side that is missing.
        let rest = |other: Option<u64>| self.total?.checked_sub(other?);
        let input_tokens = input_tokens.or_else(|| rest(output_tokens));
        let output_tokens = output_tokens.or_else(|| rest(input_tokens));
        let sum = input_tokens
            .unwrap_or(0)
            .saturating_add(output_tokens.unwrap_or(0));
        let both_unknown = input_tokens.is_none() && output_tokens.is_none();
        let mut details = BTreeMap::new();
        let mut add_part = |name: &str, count: u64| {
            if count > 0 {
                details.insert(name.to_owned(), count);
            }
        };
        add_part("cache_read", self.cache_read);
        add_part("cache_write", self.cache_write);
        add_part("input_audio", self.input_audio);
        add_part("reasoning", self.reasoning);
        add_part("output_audio", self.output_audio);
        add_part(
            "input",
            left(input_tokens, cached.saturating_add(self.input_audio)),
        );
        add_part(
            "output",
            left(
                output_tokens,
                self.reasoning.saturating_add(self.output_audio),
            ),
        );
        Some(Usage {
            input_tokens,
            output_tokens,
            total_tokens: if both_unknown { self.total } else { Some(sum) },
            details,
            source: UsageSource::Reported,
            rule: domain::span::UsageRule::Usual,
        })
    }

    /// Whether the parts stand beside input and output instead of within them.
    fn parts_are_outside(&self, cached: u64) -> bool {
        let (Some(input), output) = (self.input, self.output.unwrap_or(0)) else {
            return false;
        };
        let parts = [cached, self.input_audio, self.reasoning, self.output_audio];
        let parts = parts.into_iter().fold(0, u64::saturating_add);
        match self.total {
            Some(total) if parts > 0 && total == input.saturating_add(output) => false,
            Some(total)
                if parts > 0 && total == input.saturating_add(output).saturating_add(parts) =>
            {
                true
            }
            // A part cannot be larger than the whole.
            _ => cached > input,
        }
    }
}

fn left(whole: Option<u64>, parts: u64) -> u64 {
    whole.unwrap_or(0).saturating_sub(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage_of(json: &str) -> Option<Usage> {
        let Json::Object(object) = serde_json::from_str(json).unwrap() else {
            unreachable!()
        };
        from_object(&object).into_usage()
    }

    #[test]
    fn parts_within_the_total_are_taken_out_of_the_details_only() {
        let usage =
            usage_of(r#"{"input":100,"output":20,"total":120,"cached_tokens":60}"#).unwrap();
        assert_eq!(
            (usage.input_tokens, usage.total_tokens),
            (Some(100), Some(120))
        );
        assert_eq!(usage.details["input"], 40);
        assert_eq!(usage.details["cache_read"], 60);
    }

    #[test]
    fn parts_beside_the_total_are_added() {
        let usage =
            usage_of(r#"{"input":10,"output":5,"input_cache_read":90,"input_cache_creation":5}"#)
                .unwrap();
        assert_eq!(
            (usage.input_tokens, usage.output_tokens),
            (Some(105), Some(5))
        );
        assert_eq!(usage.details["input"], 10);
        let usage =
            usage_of(r#"{"input":80,"output":5,"input_cached_tokens":20,"total":105}"#).unwrap();
        assert_eq!(usage.input_tokens, Some(100));
    }

    #[test]
    fn odd_values_cost_only_themselves() {
        let usage = usage_of(r#"{"input":"10","output":null}"#).unwrap();
        assert_eq!((usage.input_tokens, usage.output_tokens), (Some(10), None));
        let usage = usage_of(r#"{"input":-3,"output":5}"#).unwrap();
        assert_eq!((usage.input_tokens, usage.output_tokens), (None, Some(5)));
        assert_eq!(usage_of(r#"{"input":10.5}"#), None);
        assert_eq!(usage_of("{}"), None);
    }
}
