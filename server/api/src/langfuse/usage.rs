//! Usage and costs in the words of this API.

use std::collections::BTreeMap;

use domain::Span;
use domain::attr::langfuse as attr;
use domain::cost::long_name;
use domain::span::CostSource;
use serde::de::DeserializeOwned;

use crate::langfuse::content::dollars;

/// The whole.
const TOTAL: &str = "total";

/// Tokens by kind, with their total: as the client of Langfuse counted them, where one did.
pub(crate) fn usage_details(span: &Span) -> BTreeMap<String, u64> {
    let Some(usage) = &span.usage else {
        return BTreeMap::new();
    };
    let sent = as_sent::<u64>(span, attr::OBSERVATION_USAGE_DETAILS);
    // Raw counts of a provider count some tokens twice.
    let sent = sent.filter(|sent| !sent.keys().any(|kind| kind.ends_with("_tokens_details")));
    let plain = sent.filter(|sent| sent.contains_key("input") || sent.contains_key("output"));
    let mut details = plain.unwrap_or_else(|| {
        let known = usage.details.iter();
        let mut named: BTreeMap<String, u64> = known
            .map(|(kind, tokens)| (long_name(kind).to_owned(), *tokens))
            .collect();
        if named.is_empty() {
            named.extend(
                usage
                    .input_tokens
                    .map(|tokens| ("input".to_owned(), tokens)),
            );
            named.extend(
                usage
                    .output_tokens
                    .map(|tokens| ("output".to_owned(), tokens)),
            );
        }
        named
    });
    if !details.contains_key(TOTAL) {
        let sum = details
            .values()
            .fold(0, |sum: u64, tokens| sum.saturating_add(*tokens));
        let total = usage.total_tokens.unwrap_or(sum);
        details.insert(TOTAL.to_owned(), total);
    }
    details
}

/// Dollars by kind: as the client said, where it did; else with their total.
pub(crate) fn cost_details(span: &Span) -> BTreeMap<String, f64> {
    let Some(cost) = &span.cost else {
        return BTreeMap::new();
    };
    if cost.source == CostSource::Client
        && let Some(sent) = as_sent::<f64>(span, attr::OBSERVATION_COST_DETAILS)
    {
        return sent;
    }
    let known = cost.details.iter();
    let mut details: BTreeMap<String, f64> = known
        .filter_map(|(kind, amount)| Some((long_name(kind).to_owned(), dollars(*amount)?)))
        .collect();
    details.extend(dollars(cost.total).map(|total| (TOTAL.to_owned(), total)));
    details
}

/// The sum of the kinds whose name has a word in it.
pub(crate) fn sum_of<N: Copy + std::iter::Sum>(
    details: &BTreeMap<String, N>,
    word: &str,
) -> Option<N> {
    let mut those = details
        .iter()
        .filter(|(kind, _)| kind.contains(word))
        .peekable();
    those.peek()?;
    Some(those.map(|(_, amount)| *amount).sum())
}

fn as_sent<N: DeserializeOwned>(span: &Span, key: &str) -> Option<BTreeMap<String, N>> {
    serde_json::from_str(span.text_attribute(key)?).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::span::{Cost, Usage};
    use domain::{SpanId, Timestamp, TraceId, Usd, Value};

    use super::*;

    fn span() -> Span {
        let (trace, id) = (
            TraceId::from_text("t").unwrap(),
            SpanId::from_text("s").unwrap(),
        );
        Span::bare(trace, id, Timestamp::EPOCH)
    }

    fn counted(details: &[(&str, u64)]) -> Span {
        let details = details
            .iter()
            .map(|(kind, tokens)| ((*kind).to_owned(), *tokens));
        Span {
            usage: Some(Usage {
                details: details.collect(),
                ..Usage::default()
            }),
            ..span()
        }
    }

    #[test]
    fn kinds_have_the_names_of_this_api_and_a_total() {
        let details = usage_details(&counted(&[("input", 6), ("cache_read", 4), ("output", 5)]));
        let expected = [
            ("input", 6),
            ("input_cached_tokens", 4),
            ("output", 5),
            ("total", 15),
        ];
        assert_eq!(details, expected.map(|(k, v)| (k.to_owned(), v)).into());
        assert_eq!(sum_of(&details, "input"), Some(10));
        assert_eq!(sum_of(&details, "audio"), None);
        assert_eq!(usage_details(&span()), BTreeMap::new());
    }

    #[test]
    fn what_a_client_sent_comes_back_as_it_was() {
        let mut span = counted(&[("input", 1)]);
        let sent = |key: &'static str, text: &str| (Arc::from(key), Value::from(text));
        let usage = r#"{"input":3,"input_mine":4,"total":9}"#;
        span.attributes
            .push(sent(attr::OBSERVATION_USAGE_DETAILS, usage));
        assert_eq!(usage_details(&span)["input_mine"], 4);
        assert_eq!(usage_details(&span)["total"], 9);
        span.cost = Some(Cost {
            total: Usd::default(),
            details: BTreeMap::new(),
            source: CostSource::Client,
            terms: None,
        });
        span.attributes.push(sent(
            attr::OBSERVATION_COST_DETAILS,
            r#"{"input":1,"other":2}"#,
        ));
        assert_eq!(cost_details(&span).get("total"), None);
        assert_eq!(cost_details(&span)["other"], 2.0);
    }
}
