use std::collections::BTreeMap;

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::{now, tokens, usd, used};
use crate::cost::{Bucket, Consumption, Price, PriceBook, Priced, ServiceLevel, Unpriced, compute};
use crate::money::Usd;

fn price(model: &str) -> Price {
    let book = PriceBook::built_in();
    let price = book.find(None, model, now());
    price.unwrap_or_else(|| panic!("{model}")).clone()
}

fn cost<const N: usize>(model: &str, usage: [(&str, u64); N]) -> String {
    let usage = tokens(usage);
    let priced = compute(&price(model), &used(&usage)).unwrap();
    priced.cost.total.unwrap().to_string()
}

fn at_level<const N: usize>(model: &str, level: &str, usage: [(&str, u64); N]) -> Priced {
    let usage = tokens(usage);
    let used = Consumption {
        service_tier: Some(level),
        ..used(&usage)
    };
    compute(&price(model), &used).unwrap()
}

fn of_units<const N: usize>(
    model: &str,
    usage: &BTreeMap<String, u64>,
    units: [(&str, &str); N],
) -> Result<String, Unpriced> {
    let units = units
        .map(|(name, count)| (name.to_owned(), usd(count)))
        .into();
    let used = Consumption {
        units: &units,
        ..used(usage)
    };
    compute(&price(model), &used).map(|priced| priced.cost.total.unwrap().to_string())
}

#[test]
fn every_kind_has_its_rate() {
    let usage = [
        ("input", 1000),
        ("cache_read", 10_000),
        ("cache_write_5m", 1000),
        ("cache_write_1h", 1000),
        ("output", 100),
        ("reasoning", 100),
    ];
    // (1000×4 + 10000×0.2 + 1000×5 + 1000×8 + 200×20) / 10⁶
    assert_eq!(cost("claude-opus-5-5", usage), "0.023");
    assert_eq!(cost("gpt-4o", [("input", 3), ("output", 0)]), "0.0000075");
    assert_eq!(
        cost("gemini/gemini-2.5-flash", [("input_audio", 1000)]),
        "0.001"
    );
}

#[test]
fn a_missing_rate_is_the_text_rate_and_a_free_one_is_free() {
    assert_eq!(cost("gpt-5.5-pro", [("cache_read", 1000)]), "0.03");
    assert_eq!(cost("deepseek/deepseek-chat", [("cache_write", 1000)]), "0");
    assert_eq!(
        cost("deepseek/deepseek-v3.2", [("cache_write", 1000)]),
        "0.00028"
    );
    assert_eq!(cost("gpt-4o", [("input_image", 1000)]), "0.0025");
    assert_eq!(
        cost("gpt-4o", [("input_strange", 1000), ("total", 9000)]),
        "0.0025"
    );
    assert_eq!(
        cost("gpt-4o", [("output_strange", 1000), ("strange", 9)]),
        "0.01"
    );
}

#[test]
fn an_hour_of_cache_costs_twice_the_input_at_anthropic_only() {
    assert_eq!(
        cost(
            "anthropic.claude-3-5-haiku-20241022-v1:0",
            [("cache_write_1h", 1000)]
        ),
        "0.0016"
    );
    assert_eq!(cost("gpt-5.6", [("cache_write_1h", 1000)]), "0.005");
}

#[test]
fn a_tier_is_all_or_nothing_by_the_whole_input() {
    let model = "gemini/gemini-2.5-pro";
    let at_the_bound = [("input", 150_000), ("cache_read", 50_000), ("output", 1000)];
    assert_eq!(cost(model, at_the_bound), "0.20375");
    let above = [("input", 150_001), ("cache_read", 50_000), ("output", 1000)];
    assert_eq!(cost(model, above), "0.4025025");
    let usage = tokens(above);
    let priced = compute(&price(model), &used(&usage)).unwrap();
    assert_eq!(priced.terms.tier, Some(200_000));
    assert_eq!(
        cost("dashscope/qwen3-coder-plus", [("input", 300_000)]),
        "1.8"
    );
}

#[test]
fn a_service_level_has_its_own_rates() {
    let usage = [("input", 1000), ("output", 1000)];
    let batch = at_level("gpt-5.4", "batch", usage);
    assert_eq!(batch.cost.total.unwrap().to_string(), "0.00875");
    assert_eq!(batch.terms.service_level, ServiceLevel::Batch);
    let priority = at_level("gpt-5.4", "priority", usage);
    assert_eq!(priority.cost.total.unwrap().to_string(), "0.035");
    let google = at_level("gemini/gemini-2.5-pro", "ON_DEMAND_PRIORITY", usage);
    assert_eq!(google.cost.total.unwrap().to_string(), "0.02025");
    for usual in ["default", "auto", "standard", "scale", "", "no such level"] {
        let priced = at_level("gpt-5.4", usual, usage);
        assert_eq!(priced.cost.total.unwrap().to_string(), "0.0175", "{usual}");
        assert_eq!(priced.terms.service_level, ServiceLevel::Standard);
    }
    let none_of_its_own = at_level("deepseek/deepseek-chat", "batch", usage);
    assert_eq!(none_of_its_own.terms.service_level, ServiceLevel::Standard);
}

#[test]
fn rates_that_a_level_does_not_list_move_with_its_text_rates() {
    let hour = at_level("claude-opus-5-5", "batch", [("cache_write_1h", 1000)]);
    assert_eq!(hour.cost.total.unwrap().to_string(), "0.004");
    let thoughts = at_level("gemini/gemini-3.5-flash", "batch", [("reasoning", 1000)]);
    assert_eq!(thoughts.cost.total.unwrap().to_string(), "0.0045");
    let long = at_level("xai/grok-4.7", "batch", [("input", 200_001), ("output", 1)]);
    assert_eq!(long.terms.tier, Some(200_000));
    assert_eq!(long.cost.total.unwrap().to_string(), "0.6400128");
}

#[test]
fn region_and_speed_multiply() {
    let usage = tokens([("input", 1000)]);
    let used = Consumption {
        geography: Some("US"),
        speed: Some("fast"),
        ..used(&usage)
    };
    let priced = compute(&price("claude-opus-5-5"), &used).unwrap();
    assert_eq!(priced.cost.total.unwrap().to_string(), "0.0088");
    let nowhere = Consumption {
        geography: Some("eu"),
        speed: Some("standard"),
        ..used
    };
    let priced = compute(&price("claude-opus-5-5"), &nowhere).unwrap();
    assert_eq!(priced.cost.total.unwrap().to_string(), "0.004");
}

#[test]
fn searches_come_on_top_of_tokens() {
    let usage = tokens([("input", 1000)]);
    let searched = of_units("claude-opus-5-5", &usage, [("search_queries", "2")]);
    assert_eq!(searched.unwrap(), "0.024");
    let unknown = of_units(
        "claude-opus-5-5",
        &usage,
        [("moons", "2"), ("images", "-1")],
    );
    assert_eq!(unknown.unwrap(), "0.004");
}

#[test]
fn seconds_count_only_where_tokens_do_not() {
    let none = tokens([]);
    let whisper = of_units("whisper-1", &none, [("seconds", "12.5")]);
    assert_eq!(whisper.unwrap(), "0.00125");
    let counted = tokens([("input_audio", 1000)]);
    let transcribed = of_units("gpt-4o-transcribe", &counted, [("seconds", "60")]);
    assert_eq!(transcribed.unwrap(), "0.0025");
}

#[test]
fn what_was_not_counted_has_no_cost() {
    let no_counts = |model: &str| {
        Err(Unpriced::NoCounts {
            model: model.to_owned(),
        })
    };
    let some = tokens([("input", 1000), ("output", 10)]);
    assert_eq!(of_units("whisper-1", &some, []), no_counts("whisper-1"));
    assert_eq!(of_units("rerank-v3.5", &some, []), no_counts("rerank-v3.5"));
    assert_eq!(of_units("gpt-4o", &tokens([]), []), no_counts("gpt-4o"));
    assert_eq!(
        of_units("gpt-4o", &tokens([("total", 9)]), []),
        no_counts("gpt-4o")
    );
    assert_eq!(
        of_units("rerank-v3.5", &some, [("queries", "1")]).unwrap(),
        "0.002"
    );
    assert_eq!(
        of_units("gpt-4o", &tokens([("input", 0)]), []).unwrap(),
        "0"
    );
    assert_eq!(
        of_units("azure/gpt-image-1", &tokens([("output", 5)]), []),
        Err(Unpriced::NoRate {
            model: "azure/gpt-image-1".to_owned(),
            usage: "output".to_owned(),
        })
    );
}

#[test]
fn embeddings_answer_for_free() {
    let usage = [("input", 1_000_000), ("output", 5)];
    assert_eq!(cost("text-embedding-3-small", usage), "0.02");
    let usage = tokens(usage);
    let unlisted = of_units("azure/eu/text-embedding-3-small", &usage, []);
    assert!(unlisted.is_ok(), "{unlisted:?}");
}

#[test]
fn no_count_is_too_large() {
    let usage: BTreeMap<String, u64> = Bucket::ALL
        .iter()
        .map(|bucket| (bucket.to_string(), u64::MAX))
        .collect();
    let used = Consumption {
        geography: Some("us"),
        ..used(&usage)
    };
    let unpriced = compute(&price("claude-opus-5-5"), &used);
    assert!(matches!(unpriced, Err(Unpriced::TooMuch { .. })));
}

fn usage() -> impl Strategy<Value = BTreeMap<String, u64>> {
    let names: Vec<&str> = Bucket::ALL.iter().map(|bucket| bucket.as_str()).collect();
    prop::collection::btree_map(
        prop::sample::select(names).prop_map(str::to_owned),
        0..30_000_u64,
        1..8,
    )
}

fn model() -> impl Strategy<Value = Price> {
    prop::sample::select(vec![
        "gpt-6-sol",
        "claude-opus-5-5",
        "claude-haiku-5-5",
        "gemini/gemini-2.5-pro",
        "dashscope/qwen3-coder-plus",
    ])
    .prop_map(price)
}

proptest! {
    #[test]
    fn the_parts_add_up_to_the_total(price in model(), usage in usage(), batch: bool) {
        let used = Consumption {
            service_tier: batch.then_some("batch"),
            ..used(&usage)
        };
        let cost = compute(&price, &used).unwrap().cost;
        prop_assert_eq!(Some(cost.details.values().copied().sum::<Usd>()), cost.total);
        prop_assert!(cost.details.values().all(|usd| usd.0 >= Decimal::ZERO));
    }

    #[test]
    fn kinds_are_priced_apart(mut price in model(), usage in usage()) {
        // Below the first tier: the tier is the one thing that kinds share.
        price.base.tiers = Box::default();
        let whole = compute(&price, &used(&usage)).unwrap().cost.total;
        let parts = usage.into_iter().map(|kind| {
            let usage = BTreeMap::from([kind]);
            compute(&price, &used(&usage)).unwrap().cost.total.unwrap()
        });
        prop_assert_eq!(Some(parts.sum::<Usd>()), whole);
    }

    #[test]
    fn more_tokens_never_cost_less(price in model(), usage in usage(), more in 0..400_000_u64) {
        let less = compute(&price, &used(&usage)).unwrap().cost.total.unwrap();
        for bucket in usage.keys() {
            let mut usage = usage.clone();
            *usage.entry(bucket.clone()).or_default() += more;
            let cost = compute(&price, &used(&usage)).unwrap().cost.total.unwrap();
            prop_assert!(cost >= less, "{} {}", price.model, bucket);
        }
    }
}

#[test]
fn a_price_of_ones_own_names_is_applied_to_counts_of_those_names() {
    let prices = |pairs: &[(&str, &str)]| -> Price {
        let pairs = pairs.iter();
        let prices = pairs.map(|(name, usd)| ((*name).to_owned(), usd.parse().unwrap()));
        Price::of_project("m", &prices.collect()).unwrap()
    };
    let cost = |price: &Price, counts: &[(&str, u64)]| {
        let tokens: BTreeMap<String, u64> = counts
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect();
        let priced = compute(price, &used(&tokens));
        priced.map(|priced| priced.cost.total.unwrap().to_string())
    };
    let units = prices(&[("input", "0.001"), ("my_units", "0.5")]);
    assert_eq!(
        cost(&units, &[("input", 60), ("my_units", 2)]).unwrap(),
        "1.06"
    );
    assert_eq!(cost(&units, &[("input", 60), ("foo", 2)]).unwrap(), "0.06");
    let total = prices(&[("total", "1")]);
    assert_eq!(cost(&total, &[("total", 50)]).unwrap(), "50");
    assert_eq!(
        cost(&total, &[("input", 60), ("output", 10)]).unwrap(),
        "70"
    );
    let free = prices(&[("total", "0")]);
    assert_eq!(cost(&free, &[("input", 60)]).unwrap(), "0");
    assert_eq!(cost(&free, &[("total", 60)]).unwrap(), "0");
    // A million million dollars is the most that is believed.
    let dear = prices(&[("input", "1"), ("output", "2")]);
    assert_eq!(
        cost(&dear, &[("input", 1_000_000_000_000)]).unwrap(),
        "1000000000000"
    );
    for counts in [
        &[("input", 1_000_000_000_000), ("output", 1)][..],
        &[
            ("input", 100_000_000_000_000_000),
            ("output", 100_000_000_000_000_000),
        ],
        &[("output", u64::MAX)],
    ] {
        assert!(matches!(cost(&dear, counts), Err(Unpriced::TooMuch { .. })));
    }
}
