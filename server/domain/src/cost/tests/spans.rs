use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{now, tokens, usd};
use crate::cost::{ModelMatch, OwnPrice, Price, PriceBook, Pricer, ServiceLevel, Table};
use crate::span::{CallRole, Cost, SpanKind, Usage};
use crate::time::Timestamp;
use crate::{Span, SpanId, TraceId, Usd};

fn call<const N: usize>(model: &str, counts: [(&str, u64); N]) -> Span {
    let (trace, id) = (TraceId::from_text("t"), SpanId::from_text("s"));
    let mut span = Span::bare(trace.unwrap(), id.unwrap(), now());
    span.kind = SpanKind::Generation;
    span.request_model = Some(model.to_owned());
    span.usage = Some(Usage {
        details: tokens(counts),
        ..Usage::default()
    });
    span
}

fn built_in() -> Pricer {
    Pricer::new(PriceBook::built_in())
}

fn cost(pricer: &Pricer, span: &Span) -> Option<Cost> {
    pricer.cost_of(span).and_then(Result::ok)
}

#[test]
fn a_call_is_priced_and_says_by_what() {
    let span = call("gpt-4o-2024-08-06", [("input", 1000), ("output", 100)]);
    let cost = cost(&built_in(), &span).unwrap();
    assert_eq!(cost.total.unwrap().to_string(), "0.0035");
    assert_eq!(cost.details["output"].to_string(), "0.001");
    assert_eq!(cost.terms.unwrap().model, "gpt-4o-2024-08-06");
}

#[test]
fn parameters_tell_the_service_level_and_the_region() {
    let pricer = built_in();
    let mut span = call("gpt-5", [("input", 1_000_000)]);
    span.parameters = BTreeMap::from([("service_tier".to_owned(), r#""priority""#.to_owned())]);
    let fast = cost(&pricer, &span).unwrap();
    assert_eq!(fast.total.unwrap().to_string(), "2.5");
    assert_eq!(fast.terms.unwrap().service_level, ServiceLevel::Priority);
    let mut span = call("claude-opus-4-8", [("input", 1_000_000)]);
    span.parameters = BTreeMap::from([("inference_geo".to_owned(), r#""us""#.to_owned())]);
    assert_eq!(
        cost(&pricer, &span).unwrap().total.unwrap().to_string(),
        "5.5"
    );
}

#[test]
fn only_calls_of_their_own_that_counted_something_are_priced() {
    let pricer = built_in();
    let good = call("gpt-4o", [("input", 1)]);
    assert!(cost(&pricer, &good).is_some());
    let kind = |kind| Span {
        kind,
        ..good.clone()
    };
    for other in [SpanKind::Agent, SpanKind::Chain, SpanKind::Tool] {
        assert!(pricer.cost_of(&kind(other)).is_none(), "{other}");
    }
    assert!(pricer.cost_of(&kind(SpanKind::Embedding)).is_some());
    let mut repeated = good.clone();
    repeated.call_role = CallRole::Repeat;
    assert!(pricer.cost_of(&repeated).is_none());
    let mut uncounted = good.clone();
    uncounted.usage = None;
    assert!(pricer.cost_of(&uncounted).is_none());
    let unknown = call("nobody/knows-7b", [("input", 1)]);
    assert!(pricer.cost_of(&unknown).unwrap().is_err());
    let endless = call(&"gpt-4o".repeat(100), [("input", 1)]);
    assert!(pricer.cost_of(&endless).unwrap().is_err());
}

#[test]
fn what_is_remembered_keeps_its_dates() {
    let day = |text| Timestamp::parse(text).ok();
    let own = |input, valid_from| {
        let prices = BTreeMap::from([("input".to_owned(), usd(input))]);
        let price = Price::of_project("m1", &prices).unwrap();
        OwnPrice {
            models: ModelMatch::name("m1"),
            price: Price {
                valid_from,
                ..price
            },
        }
    };
    let book = PriceBook::new(
        vec![Table::built_in().unwrap()],
        vec![own("1", None), own("2", day("2026-06-01T00:00:00Z"))],
    );
    let pricer = Pricer::new(book);
    for _ in 0..2 {
        for (start, total) in [("2026-05-31T23:59:59Z", "1"), ("2026-06-01T00:00:00Z", "2")] {
            let mut span = call("M1", [("input", 1)]);
            span.start = day(start).unwrap();
            let cost = cost(&pricer, &span).unwrap();
            assert_eq!(cost.total.unwrap().to_string(), total, "{start}");
        }
    }
}

proptest! {
    #[test]
    fn the_parts_add_up_to_the_total(
        counts in proptest::array::uniform4(0u64..u64::MAX / 4),
        tier in proptest::option::of("batch|flex|priority|x"),
        model in "gpt-5|gpt-4o|claude-opus-4-8|gemini-2.5-pro|text-embedding-3-small",
    ) {
        let [input, cached, output, thought] = counts;
        let counts = [("input", input), ("cache_read", cached), ("output", output), ("reasoning", thought)];
        let mut span = call(&model, counts);
        if let Some(tier) = tier {
            span.parameters.insert("service_tier".to_owned(), format!("\"{tier}\""));
        }
        let pricer = built_in();
        if let Some(cost) = cost(&pricer, &span) {
            let sum: Usd = cost.details.values().copied().sum();
            prop_assert_eq!(Some(sum), cost.total);
            prop_assert!(cost.details.values().all(|part| *part == part.rounded()));
            prop_assert_eq!(self::cost(&pricer, &span), Some(cost));
        }
    }
}
