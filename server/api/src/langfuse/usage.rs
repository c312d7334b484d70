//! Usage and costs in the words of this API.

use std::collections::BTreeMap;

use domain::Span;
use domain::attr::langfuse as attr;
use domain::cost::long_name;
use domain::span::{CostSource, UsageRule};
use domain::usage_record::{self, TOTAL};
use serde_json::{Map, Value as Json};

use crate::langfuse::content::dollars;

/// Counts by kind, with their total: as the client of Langfuse counted them, where one did, and where
/// nothing was counted twice.
pub(crate) fn usage_details(span: &Span) -> BTreeMap<String, u64> {
    let Some(usage) = &span.usage else {
        return BTreeMap::new();
    };
    let sent =
        sent(span, attr::OBSERVATION_USAGE_DETAILS).filter(|_| usage.rule != UsageRule::Total);
    let sent = sent.map(|sent| usage_record::usage(&sent));
    if let Some(mut details) = sent.filter(|details| !details.is_empty()) {
        let whole = usage_record::whole(&details);
        details.insert(TOTAL.to_owned(), whole);
        return details;
    }
    let known = usage.details.iter();
    let mut details: BTreeMap<String, u64> = known
        .map(|(kind, tokens)| (long_name(kind).to_owned(), *tokens))
        .collect();
    if details.is_empty() {
        let sides = [
            ("input", usage.input_tokens),
            ("output", usage.output_tokens),
        ];
        let sides = sides.into_iter();
        details.extend(sides.filter_map(|(side, tokens)| Some((side.to_owned(), tokens?))));
    }
    let whole = || usage_record::whole(&details);
    let whole = usage.total_tokens.unwrap_or_else(whole);
    details.insert(TOTAL.to_owned(), whole);
    details
}

/// Dollars by kind: as the client said, where it did; with their total, where it is known.
pub(crate) fn cost_details(span: &Span) -> BTreeMap<String, f64> {
    let Some(cost) = &span.cost else {
        return BTreeMap::new();
    };
    let sent = sent(span, attr::OBSERVATION_COST_DETAILS);
    let sent = sent.filter(|_| cost.source == CostSource::Client);
    let mut amounts = sent
        .map(|sent| usage_record::costs(&sent))
        .unwrap_or_default();
    if amounts.is_empty() {
        let known = cost.details.iter();
        amounts = known
            .map(|(kind, amount)| (long_name(kind).to_owned(), *amount))
            .collect();
    }
    amounts.extend(cost.total.map(|total| (TOTAL.to_owned(), total)));
    let amounts = amounts.into_iter();
    amounts
        .filter_map(|(kind, amount)| Some((kind, dollars(amount)?)))
        .collect()
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

fn sent(span: &Span, key: &str) -> Option<Map<String, Json>> {
    serde_json::from_str(span.text_attribute(key)?).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::span::{Cost, Usage};
    use domain::{SpanId, Timestamp, TraceId, Value};

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
            total: None,
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
