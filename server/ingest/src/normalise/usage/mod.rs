//! Tokens and money, as the sender reported them.
//!
//! Totals are inclusive (cached tokens are input, reasoning tokens are output) and the details are
//! disjoint parts of them. Senders disagree about the first: [`rule`] tells how their numbers are
//! meant. Usage in Langfuse's own form ([`own_form`]) has disjoint kinds from the start.

/// Langfuse's own form.
mod own_form;
/// Numbers as they came.
mod reported;
/// Whether special tokens are part of the totals.
mod rule;

use std::collections::BTreeMap;

use domain::attr::langfuse;
use domain::span::{Cost, CostSource, Usage, UsageSource};
use domain::usage_record::{self, TOTAL};

use super::field::Field;
use super::found::Found;
use super::read;
use reported::Reported;
use rule::Reading;

/// Who counted, as far as it is known: what decides where the numbers themselves do not tell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counter<'a> {
    /// Name of the instrumentation library.
    pub(super) scope: &'a str,
    /// Who served the model.
    pub(super) provider: Option<&'a str>,
    /// The model.
    pub(super) model: Option<&'a str>,
}

/// Tokens; `None` when nobody counted.
pub(super) fn usage(found: &Found<'_>, counter: Counter<'_>) -> Option<Usage> {
    let details = found.get(Field::UsageDetails);
    let object = details.and_then(|(key, value)| Some((key, read::object(value)?)));
    if let Some((key, object)) = &object
        && key.name == langfuse::OBSERVATION_USAGE_DETAILS
    {
        return own_form::usage(object);
    }
    let (reported, key) = match object {
        Some((key, object)) => (Reported::from_object(&object), Some(key)),
        None => (
            Reported::from_fields(found),
            found
                .get(Field::InputTokens)
                .or_else(|| found.get(Field::OutputTokens))
                .map(|(key, _)| key),
        ),
    };
    let reading = rule::reading(&reported, key.map_or("", |key| key.name), counter);
    into_usage(&reported, reading)
}

/// What a provider's answer says of its tokens, for spans that keep the answer and nothing else.
pub(super) fn usage_of_answer(
    object: &serde_json::Map<String, serde_json::Value>,
    counter: Counter<'_>,
) -> Option<Usage> {
    let reported = Reported::from_object(object);
    into_usage(&reported, rule::reading(&reported, "", counter))
}

/// What it cost, if the sender said so.
pub(super) fn cost(found: &Found<'_>) -> Option<Cost> {
    let details = found.value(Field::CostDetails).and_then(read::object);
    let details = details.map(|object| usage_record::costs(&object));
    if let Some(mut details) = details.filter(|details| !details.is_empty()) {
        let total = usage_record::whole_cost(&details);
        details.remove(TOTAL);
        return Some(Cost {
            total,
            details,
            source: CostSource::Client,
            terms: None,
        });
    }
    let total = found.value(Field::CostTotal).and_then(read::dollars)?;
    Some(Cost {
        total: Some(total),
        details: BTreeMap::new(),
        source: CostSource::Client,
        terms: None,
    })
}

fn into_usage(reported: &Reported, reading: Reading) -> Option<Usage> {
    let Reported {
        input,
        output,
        total,
        ..
    } = *reported;
    if input.is_none() && output.is_none() && total.is_none() {
        return None;
    }
    let (input_parts, output_parts) = (reported.input_parts(), reported.output_parts());
    let whole = |count: Option<u64>, parts: u64, outside: bool| match count {
        Some(count) if outside => Some(count.saturating_add(parts)),
        other => other,
    };
    let input_tokens = whole(input, input_parts, reading.input_outside);
    let output_tokens = whole(output, output_parts, reading.output_outside);
    // A total stands in for a side that is missing.
    let rest = |other: Option<u64>| total?.checked_sub(other?);
    let input_tokens = input_tokens.or_else(|| rest(output_tokens));
    let output_tokens = output_tokens.or_else(|| rest(input_tokens));
    let sum = input_tokens
        .unwrap_or(0)
        .saturating_add(output_tokens.unwrap_or(0));
    let both_unknown = input_tokens.is_none() && output_tokens.is_none();
    let mut details: BTreeMap<String, u64> = reported
        .parts()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| (name.to_owned(), count))
        .collect();
    let sides = [
        ("input", input_tokens, input_parts),
        ("output", output_tokens, output_parts),
    ];
    for (name, whole, parts) in sides {
        let left = whole.unwrap_or(0).saturating_sub(parts);
        if left > 0 {
            details.insert(name.to_owned(), left);
        }
    }
    if let Some(total) = total.filter(|total| both_unknown && *total > 0) {
        details.insert(TOTAL.to_owned(), total);
    }
    Some(Usage {
        input_tokens,
        output_tokens,
        total_tokens: if both_unknown { total } else { Some(sum) },
        details,
        source: UsageSource::Reported,
        rule: reading.rule,
    })
}

#[cfg(test)]
mod tests;
