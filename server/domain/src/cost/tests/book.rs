use std::collections::BTreeMap;
use std::sync::Arc;

use super::{now, tokens, usd, used};
use crate::cost::{
    Call, InvalidPrice, ModelMatch, Origin, OwnPrice, Price, PriceBook, Rate, Table, Unpriced,
};
use crate::time::Timestamp;

fn own(models: ModelMatch, input: &str) -> OwnPrice {
    let prices = BTreeMap::from([("input".to_owned(), usd(input))]);
    OwnPrice {
        models,
        price: Price::of_project("own", &prices).unwrap(),
    }
}

fn book(own: Vec<OwnPrice>) -> PriceBook {
    PriceBook::new(vec![Table::built_in().unwrap()], own)
}

fn input_rate(book: &PriceBook, model: &str, at: &str) -> Option<String> {
    let price = book.find(None, model, Timestamp::parse(at).unwrap())?;
    let rate = price.base.rates.get(Rate::Input)?;
    Some(rate.normalize().to_string())
}

#[test]
fn own_prices_win_by_name_then_by_pattern() {
    let book = book(vec![
        own(ModelMatch::pattern("(?i)^(acme/)?tiny$").unwrap(), "0.1"),
        own(ModelMatch::pattern("^gpt-4o").unwrap(), "0.2"),
        own(ModelMatch::name("GPT-4o-mini"), "0.3"),
    ]);
    let rate = |model| input_rate(&book, model, "2026-01-01T00:00:00Z");
    assert_eq!(rate("ACME/Tiny").as_deref(), Some("0.1"));
    assert_eq!(rate("acme/tiny-2").as_deref(), None);
    assert_eq!(rate("gpt-4o").as_deref(), Some("0.2"));
    assert_eq!(rate("gpt-4o-mini").as_deref(), Some("0.3"));
    assert_eq!(rate("o3").as_deref(), Some("0.000002"));
    let hosted = book.find(Some("vllm"), "acme/tiny", now()).unwrap();
    assert_eq!(hosted.origin, Origin::Project);
}

#[test]
fn a_call_is_priced_with_the_row_of_its_day() {
    let day = |text: &str| Some(Timestamp::parse(text).unwrap());
    let version = |input, from, to| {
        let mut own = own(ModelMatch::name("m1"), input);
        own.price.valid_from = from;
        own.price.valid_to = to;
        own
    };
    let march = day("2026-03-01T00:00:00Z");
    let book = book(vec![
        version("0.1", None, march),
        version("0.3", day("2026-06-01T00:00:00Z"), None),
        version("0.2", march, None),
    ]);
    let rate = |at| input_rate(&book, "m1", at);
    assert_eq!(rate("2026-02-28T23:59:59Z").as_deref(), Some("0.1"));
    assert_eq!(rate("2026-03-01T00:00:00Z").as_deref(), Some("0.2"));
    assert_eq!(rate("2026-05-31T23:59:59Z").as_deref(), Some("0.2"));
    assert_eq!(rate("2026-06-01T00:00:00Z").as_deref(), Some("0.3"));
}

#[test]
fn a_newer_table_holds_from_its_day_and_keeps_what_it_dropped() {
    let newer = r#"{"header": {"source_version": "2"}, "models": [
        {"model": "gpt-4o", "provider": "openai", "mode": "chat", "input": 1e-06, "output": 2e-06}
    ]}"#;
    let from = Timestamp::parse("2026-06-01T00:00:00Z").unwrap();
    let newer = Arc::new(Table::read(newer, Some(from)).unwrap());
    let book = PriceBook::new(vec![Table::built_in().unwrap(), newer], Vec::new());
    let rate = |model, at| input_rate(&book, model, at);
    assert_eq!(rate("gpt-4o", "2026-05-31T00:00:00Z").unwrap(), "0.0000025");
    assert_eq!(rate("gpt-4o", "2026-06-01T00:00:00Z").unwrap(), "0.000001");
    assert_eq!(rate("o3", "2026-06-01T00:00:00Z").unwrap(), "0.000002");
}

#[test]
fn the_model_that_answered_comes_before_the_one_asked_for() {
    let book = PriceBook::built_in();
    let usage = tokens([("input", 1)]);
    let priced = |response_model, request_model| {
        let call = Call {
            provider: None,
            response_model,
            request_model,
            start: now(),
            used: used(&usage),
        };
        book.price(&call).map(|priced| priced.terms.model)
    };
    assert_eq!(priced(Some("o3"), Some("gpt-4o")).unwrap(), "o3");
    assert_eq!(
        priced(Some("deployment-7"), Some("gpt-4o")).unwrap(),
        "gpt-4o"
    );
    assert_eq!(priced(None, None), Err(Unpriced::NoModel));
    assert_eq!(priced(Some(" "), None), Err(Unpriced::NoModel));
    let model = "nobody/knows-7b".to_owned();
    assert_eq!(
        priced(Some("nobody/knows-7b"), Some("x")),
        Err(Unpriced::NoPrice { model })
    );
}

#[test]
fn own_prices_understand_langfuse_names() {
    let prices = [
        ("input", "0.000001"),
        ("output", "0.000002"),
        ("input_cached_tokens", "0.0000001"),
        ("searches", "0.5"),
    ];
    let prices = prices
        .map(|(name, text)| (name.to_owned(), usd(text)))
        .into();
    let own = OwnPrice {
        models: ModelMatch::name("m1"),
        price: Price::of_project("m1", &prices).unwrap(),
    };
    let book = PriceBook::new(Vec::new(), vec![own]);
    let cost = |usage: &BTreeMap<String, u64>| {
        let call = Call {
            provider: None,
            response_model: Some("m1"),
            request_model: None,
            start: now(),
            used: used(usage),
        };
        book.price(&call).unwrap().cost.total.unwrap().to_string()
    };
    let cached = tokens([("input", 20), ("cache_read", 80), ("output", 10)]);
    assert_eq!(cost(&cached), "0.000048");
    assert_eq!(cost(&tokens([("searches", 3)])), "1.5");
}

#[test]
fn a_total_stands_for_both_sides() {
    let prices = BTreeMap::from([("total".to_owned(), usd("0.1"))]);
    let price = Price::of_project("m1", &prices).unwrap();
    assert_eq!(price.base.rates.get(Rate::Input), Some(usd("0.1")));
    assert_eq!(price.base.rates.get(Rate::Output), Some(usd("0.1")));
}

#[test]
fn impossible_prices_are_refused() {
    let negative = BTreeMap::from([("input".to_owned(), usd("-1"))]);
    let refused = Price::of_project("m1", &negative);
    assert!(matches!(refused, Err(InvalidPrice::Negative { .. })));
    for pattern in ["(", r"\p{L}{2000}", "(?<=a)b"] {
        let refused = ModelMatch::pattern(pattern);
        assert!(
            matches!(refused, Err(InvalidPrice::Pattern(_))),
            "{pattern}"
        );
    }
}
