//! Usage in Langfuse's own form: disjoint kinds, as callers count them, under any name.

use std::collections::BTreeMap;

use domain::cost::Bucket;
use domain::span::{Usage, UsageRule, UsageSource};
use domain::usage_record::{self, TOTAL};
use serde_json::{Map, Value as Json};

/// Counts of a side.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    /// What its clients count to it: kinds with the word `input` or `output` in their name.
    named: Option<u64>,
    text: u64,
    /// Special tokens.
    parts: u64,
}

impl Side {
    fn all(self) -> u64 {
        self.text.saturating_add(self.parts)
    }

    fn tokens(self, includes: bool) -> Option<u64> {
        if includes {
            Some(self.text)
        } else {
            self.named
        }
    }
}

/// Tokens and things; `None` when nothing was counted.
pub(super) fn usage(object: &Map<String, Json>) -> Option<Usage> {
    let counts = usage_record::usage(object);
    if counts.is_empty() {
        return None;
    }
    let whole = usage_record::whole(&counts);
    let mut details: BTreeMap<String, u64> = BTreeMap::new();
    for (name, count) in counts.iter().filter(|(name, _)| *name != TOTAL) {
        let known = Bucket::known(name).map_or(name.as_str(), |bucket| bucket.as_str());
        let sum = details.entry(known.to_owned()).or_default();
        *sum = sum.saturating_add(*count);
    }
    let (input, output) = (
        side(&counts, &details, Bucket::Input),
        side(&counts, &details, Bucket::Output),
    );
    let (input_includes, output_includes) = including(counts.get(TOTAL).copied(), input, output);
    for (name, includes, side) in [
        ("input", input_includes, input),
        ("output", output_includes, output),
    ] {
        if includes {
            details.insert(name.to_owned(), side.text.saturating_sub(side.parts));
        }
    }
    details.retain(|_, count| *count > 0);
    if counts.keys().all(|name| name == TOTAL) && whole > 0 {
        details.insert(TOTAL.to_owned(), whole);
    }
    Some(Usage {
        input_tokens: input.tokens(input_includes),
        output_tokens: output.tokens(output_includes),
        total_tokens: Some(whole),
        details,
        source: UsageSource::Reported,
        rule: match input_includes || output_includes {
            true => UsageRule::Total,
            false => UsageRule::Plain,
        },
    })
}

/// A side, by the kind that is its text.
fn side(counts: &BTreeMap<String, u64>, details: &BTreeMap<String, u64>, text: Bucket) -> Side {
    let is_named = |name: &str| name.contains(text.as_str()) || Bucket::known(name) == Some(text);
    let add = |sum: Option<u64>, count: &u64| Some(sum.unwrap_or(0).saturating_add(*count));
    let named = counts.iter().filter(|(name, _)| is_named(name));
    let is_part = |name: &str| {
        let bucket = Bucket::from_usage(name).filter(|_| name != text.as_str());
        bucket.is_some_and(|bucket| bucket.is_input() == text.is_input())
    };
    let parts = details.iter().filter(|(name, _)| is_part(name));
    Side {
        named: named.fold(None, |sum, (_, count)| add(sum, count)),
        text: details.get(text.as_str()).copied().unwrap_or(0),
        parts: parts.fold(0, |sum, (_, count)| sum.saturating_add(*count)),
    }
}

/// Whether the given total says that special tokens are in the input, and whether in the output: some
/// integrations pass on what the provider counted.
fn including(total: Option<u64>, input: Side, output: Side) -> (bool, bool) {
    let sum = |side: Side, includes: bool| if includes { side.text } else { side.all() };
    let can_include = |side: Side| side.parts > 0 && side.parts <= side.text;
    // The first is the usual one: there the total says nothing else.
    let readings = [(false, false), (true, true), (true, false), (false, true)];
    let fits = |(of_input, of_output): &(bool, bool)| {
        let can = (!of_input || can_include(input)) && (!of_output || can_include(output));
        can && total == Some(sum(input, *of_input).saturating_add(sum(output, *of_output)))
    };
    readings.into_iter().find(fits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Input, output, total; the details; whether parts were in the whole.
    fn read(json: &Json) -> (Option<u64>, Option<u64>, Option<u64>, Json, UsageRule) {
        let usage = usage(json.as_object().unwrap()).unwrap();
        let details = json!(usage.details);
        let (input, output) = (usage.input_tokens, usage.output_tokens);
        (input, output, usage.total_tokens, details, usage.rule)
    }

    #[test]
    fn kinds_stand_beside_each_other_with_and_without_a_total() {
        for (cached, kind) in [
            ("input_cached_tokens", "cache_read"),
            ("input_cache_read", "cache_read"),
            ("cache_read_input_tokens", "cache_read"),
            ("input_cache_creation_1h", "cache_write_1h"),
            ("input_audio_tokens", "input_audio"),
            ("input_mine", "input_mine"),
        ] {
            let mut sent = json!({"input": 60, cached: 50, "output": 10});
            let details = json!({"input": 60, kind: 50, "output": 10});
            let expected = (Some(110), Some(10), Some(120), details, UsageRule::Plain);
            assert_eq!(read(&sent), expected);
            sent["total"] = json!(120);
            assert_eq!(read(&sent), expected);
        }
        let thoughts = read(&json!({"input": 60, "output": 10, "output_reasoning_tokens": 30}));
        let details = json!({"input": 60, "output": 10, "reasoning": 30});
        let expected = (Some(60), Some(40), Some(100), details, UsageRule::Plain);
        assert_eq!(thoughts, expected);
    }

    #[test]
    fn a_total_of_input_and_output_alone_says_that_the_parts_are_in_them() {
        let sent = json!({
            "input": 100, "cache_read_input_tokens": 60, "output": 20, "reasoning_tokens": 5,
            "total": 120,
        });
        let details = json!({"input": 40, "cache_read": 60, "output": 15, "reasoning": 5});
        let expected = (Some(100), Some(20), Some(120), details, UsageRule::Total);
        assert_eq!(read(&sent), expected);
        let sent = json!({
            "input": 100, "input_cached_tokens": 60, "output": 20, "output_reasoning_tokens": 30,
            "total": 150,
        });
        let details = json!({"input": 40, "cache_read": 60, "output": 20, "reasoning": 30});
        let expected = (Some(100), Some(50), Some(150), details, UsageRule::Total);
        assert_eq!(read(&sent), expected);
        // What is larger than the whole is no part of it.
        let sent = json!({"input": 10, "input_cached_tokens": 60, "output": 20, "total": 30});
        assert_eq!(read(&sent).0, Some(70));
    }

    #[test]
    fn things_of_ones_own_and_a_total_alone_are_usage() {
        let things = read(&json!({"seconds": 7, "foo": "3", "half": 0.5, "none": 0}));
        let details = json!({"seconds": 7, "foo": 3});
        assert_eq!(things, (None, None, Some(10), details, UsageRule::Plain));
        let total = read(&json!({"total": 50}));
        let details = json!({"total": 50});
        assert_eq!(total, (None, None, Some(50), details, UsageRule::Plain));
        let raw = read(&json!({"prompt_tokens": 1, "completion_tokens": 1, "extra": 5}));
        let details = json!({"input": 1, "output": 1, "extra": 5});
        assert_eq!(raw, (Some(1), Some(1), Some(7), details, UsageRule::Plain));
        // Where a name says no side, it counts to the whole alone.
        let sideless = read(&json!({"input": 11, "output": 3, "cache_read": 4}));
        let details = json!({"input": 11, "output": 3, "cache_read": 4});
        let expected = (Some(11), Some(3), Some(18), details, UsageRule::Plain);
        assert_eq!(sideless, expected);
        assert_eq!(usage(&Map::new()), None);
    }
}
