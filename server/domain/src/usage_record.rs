//! Usage and costs in Langfuse's own form: one object of counts or amounts by kind.
//!
//! Kinds are disjoint, as callers count them, and may have any name. The two forms that `OpenAI` answers
//! in are recognised by having their keys and no others; there the details are parts of the whole.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::money::Usd;
use crate::usage::MAX_COUNT;

/// The kind that is the whole.
pub const TOTAL: &str = "total";
/// Most kinds of one call that are kept.
const MAX_KINDS: usize = 100;
/// Longest name of a kind, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// Keys of the usage of `OpenAI`'s interfaces for chat and for responses: input, output, the whole, and
/// the details of the first two.
const PROVIDERS: [[&str; 5]; 2] = [
    [
        "prompt_tokens",
        "completion_tokens",
        "total_tokens",
        "prompt_tokens_details",
        "completion_tokens_details",
    ],
    [
        "input_tokens",
        "output_tokens",
        "total_tokens",
        "input_tokens_details",
        "output_tokens_details",
    ],
];

/// Counts by kind: whole numbers from 0 to [`MAX_COUNT`], also where they came as text. Everything else
/// is left out.
pub fn usage(object: &Map<String, Json>) -> BTreeMap<String, u64> {
    let found = PROVIDERS.iter().find_map(|keys| of_provider(object, keys));
    found.unwrap_or_else(|| kept(object, count))
}

/// Amounts by kind, as far as they are plausible ([`Usd::is_plausible`]).
pub fn costs(object: &Map<String, Json>) -> BTreeMap<String, Usd> {
    kept(object, amount)
}

/// All tokens and things: the given total, else the sum of all kinds.
pub fn whole(usage: &BTreeMap<String, u64>) -> u64 {
    let sum = || usage.values().fold(0, |sum: u64, n| sum.saturating_add(*n));
    usage.get(TOTAL).copied().unwrap_or_else(sum)
}

/// The whole amount: the given total, else input and output where there is nothing else. Of other kinds
/// nobody knows whether they are parts of those or stand beside them.
pub fn whole_cost(costs: &BTreeMap<String, Usd>) -> Option<Usd> {
    let given = costs.get(TOTAL).copied();
    let is_side = |kind: &String| kind == "input" || kind == "output";
    given
        .or_else(|| {
            let are_sides = !costs.is_empty() && costs.keys().all(is_side);
            are_sides.then(|| costs.values().copied().sum())
        })
        .filter(Usd::is_plausible)
}

fn kept<N>(object: &Map<String, Json>, read: fn(&Json) -> Option<N>) -> BTreeMap<String, N> {
    let is_name = |name: &str| {
        (1..=MAX_NAME_BYTES).contains(&name.len()) && !name.chars().any(char::is_control)
    };
    let known = object.iter().filter(|(name, _)| is_name(name));
    known
        .filter_map(|(name, value)| Some((name.clone(), read(value)?)))
        .take(MAX_KINDS)
        .collect()
}

fn of_provider(object: &Map<String, Json>, keys: &[&str; 5]) -> Option<BTreeMap<String, u64>> {
    if !object.keys().all(|key| keys.contains(&key.as_str())) {
        return None;
    }
    let [input, output, total, input_details, output_details] = keys;
    let mut usage = BTreeMap::from([(TOTAL.to_owned(), count(object.get(*total)?)?)]);
    for (side, whole, details) in [
        ("input", input, input_details),
        ("output", output, output_details),
    ] {
        let mut rest = count(object.get(*whole)?)?;
        let parts = object.get(*details).and_then(Json::as_object);
        for (name, tokens) in parts.map(|parts| kept(parts, count)).unwrap_or_default() {
            rest = rest.saturating_sub(tokens);
            usage.insert(format!("{side}_{name}"), tokens);
        }
        usage.insert(side.to_owned(), rest);
    }
    Some(usage)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a whole number within the bound"
)]
fn count(value: &Json) -> Option<u64> {
    let number = match value {
        Json::String(text) => text.trim().parse().ok(),
        Json::Number(number) => number.as_u64().or_else(|| {
            // Some serialisers write whole numbers with a point.
            let number = number.as_f64()?;
            let is_whole = number.fract() == 0.0 && (0.0..=MAX_COUNT as f64).contains(&number);
            is_whole.then_some(number as u64)
        }),
        _ => None,
    };
    number.filter(|number| *number <= MAX_COUNT)
}

fn amount(value: &Json) -> Option<Usd> {
    let amount: Option<Usd> = match value {
        Json::Number(number) => number.to_string().parse().ok(),
        Json::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    amount.filter(Usd::is_plausible).map(Usd::rounded)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn counted(json: &Json) -> Json {
        json!(usage(json.as_object().unwrap()))
    }

    #[test]
    fn counts_of_any_kind_are_kept_and_nonsense_is_left_out() {
        for (sent, kept) in [
            (json!({"seconds": 7}), json!({"seconds": 7})),
            (
                json!({"a": 1.5, "b": "7", "d": 2, "e": -1, "f": null, "g": {"h": 1}, "": 1}),
                json!({"b": 7, "d": 2}),
            ),
            (json!({"input": 10.0}), json!({"input": 10})),
            (
                json!({"input": 1_000_000_000_000_u64, "output": 1_000_000_000_001_u64, "x": 1e17}),
                json!({"input": 1_000_000_000_000_u64}),
            ),
            (json!({}), json!({})),
        ] {
            assert_eq!(counted(&sent), kept, "{sent}");
        }
        let many: Map<_, _> = (0..300).map(|n| (format!("k{n}"), json!(1))).collect();
        assert_eq!(usage(&many).len(), MAX_KINDS);
        let long = Map::from_iter([("x".repeat(MAX_NAME_BYTES + 1), json!(1))]);
        assert_eq!(usage(&long).len(), 0);
    }

    #[test]
    fn details_of_a_provider_are_parts_and_one_more_key_makes_it_another_form() {
        let chat = json!({
            "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 60, "audio_tokens": null},
            "completion_tokens_details": {"reasoning_tokens": 25},
        });
        let unfolded = json!({
            "input": 40, "input_cached_tokens": 60, "output": 0, "output_reasoning_tokens": 25,
            "total": 120,
        });
        assert_eq!(counted(&chat), unfolded);
        let responses = json!({"input_tokens": 3, "output_tokens": 4, "total_tokens": 7});
        assert_eq!(
            counted(&responses),
            json!({"input": 3, "output": 4, "total": 7})
        );
        let mut more = chat.clone();
        more["foo"] = json!(1);
        let raw =
            json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, "foo": 1});
        assert_eq!(counted(&more), raw);
        assert_eq!(whole(&usage(more.as_object().unwrap())), 241);
    }

    #[test]
    fn the_whole_is_the_given_total_or_what_adds_up_to_it() {
        for (sent, total) in [
            (json!({"input": 60, "input_mine": 50, "output": 10}), 120),
            (json!({"input": 60, "total": 9}), 9),
            (json!({"b": "7", "d": 2}), 9),
        ] {
            assert_eq!(whole(&usage(sent.as_object().unwrap())), total, "{sent}");
        }
        for (sent, total) in [
            (json!({"input": 1, "output": "2.5"}), Some("3.5")),
            (json!({"output": 2}), Some("2")),
            (json!({"input": 1, "x": 2}), None),
            (json!({"input": 1, "x": 2, "total": 7}), Some("7")),
            (json!({"input": 1e12, "output": 1e12}), None),
            (json!({"input": 1e13, "output": -1}), None),
        ] {
            let whole = whole_cost(&costs(sent.as_object().unwrap()));
            let whole = whole.map(|usd| usd.to_string());
            assert_eq!(whole.as_deref(), total, "{sent}");
        }
    }
}
