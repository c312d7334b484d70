use rust_decimal::Decimal;

use super::{now, usd};
use crate::cost::{Price, PriceBook, Rate, Rates, ServiceLevel, Table, Tariff};

#[test]
fn the_file_in_the_binary_is_whole() {
    let table = Table::built_in().unwrap();
    assert_eq!(table.source_version(), "1.110.2");
    assert_eq!(table.prices().len() + table.left_out().len(), 5080);
}

#[test]
fn only_rows_with_prices_per_million_are_left_out() {
    let table = Table::built_in().unwrap();
    assert_eq!(table.left_out().len(), 9, "{:?}", table.left_out());
    let all_of_one_host = table.left_out().iter().all(|key| key.starts_with("wandb/"));
    assert!(all_of_one_host, "{:?}", table.left_out());
}

#[test]
fn every_tariff_keeps_the_rules() {
    let table = Table::built_in().unwrap();
    for price in table.prices() {
        for (level, tariff) in price.tariffs() {
            let place = format!("{} {level}", price.model);
            let steps = std::iter::once(&tariff.rates).chain(tariff.tiers.iter().map(|t| &t.rates));
            for rates in steps {
                let negative = rates.iter().find(|(_, usd)| *usd < Decimal::ZERO);
                assert_eq!(negative, None, "{place}");
                assert!(
                    at_most(rates, Rate::CacheRead, rates, Rate::Input),
                    "{place}"
                );
            }
            let ascending = tariff.tiers.is_sorted_by(|a, b| a.above < b.above);
            assert!(ascending, "{place}: tiers");
        }
        for level in [ServiceLevel::Batch, ServiceLevel::Flex] {
            let cheaper = price.level(level).is_none_or(|tariff| {
                Rate::ALL
                    .iter()
                    .all(|rate| at_most(&tariff.rates, *rate, &price.base.rates, *rate))
            });
            assert!(cheaper, "{} {level}", price.model);
        }
    }
}

/// Whether one rate is at most the other, where both are given.
fn at_most(less: &Rates, rate: Rate, more: &Rates, than: Rate) -> bool {
    let pair = less.get(rate).zip(more.get(than));
    pair.is_none_or(|(less, more)| less <= more)
}

#[test]
fn numbers_are_read_exactly() {
    let json = r#"{"header": {"source_version": "1"}, "models": [
        {"model": "a", "provider": "p", "mode": "chat", "input": 1.5e-07, "output": 0.30000000000000004}
    ]}"#;
    let error = Table::read(json, None).unwrap();
    assert_eq!(error.left_out(), ["a"], "dearer than anything sold");
    let json = json.replace("0.30000000000000004", "2.9999970000000003e-05");
    let table = Table::read(&json, None).unwrap();
    let rates = &table.prices()[0].base.rates;
    assert_eq!(rates.get(Rate::Input), Some(usd("0.00000015")));
    assert_eq!(
        rates.get(Rate::Output),
        Some(usd("0.000029999970000000003"))
    );
}

#[test]
fn a_broken_file_says_where() {
    for (row, complaint) in [
        (
            r#"{"provider": "p"}"#,
            "the price of  is wrong: model is missing",
        ),
        (
            r#"{"model": "a", "provider": "p", "input": -1e-6}"#,
            "the price of a is wrong: input is -1e-6",
        ),
        (
            r#"{"model": "a", "provider": "p", "input": "free"}"#,
            r#"the price of a is wrong: input is "free""#,
        ),
        (
            r#"{"model": "a", "provider": "p", "input": 1e999}"#,
            "the price of a is wrong: input is 1e999",
        ),
        (
            r#"{"model": "a", "provider": "p", "tiers": [{"input": 1}]}"#,
            "the price of a is wrong: above is missing",
        ),
        ("[]", "the price file is not readable"),
    ] {
        let json = format!(r#"{{"header": {{"source_version": "1"}}, "models": [{row}]}}"#);
        let error = Table::read(&json, None).unwrap_err();
        assert_eq!(error.to_string(), complaint);
    }
}

/// Every row of the vendors' lists (`most_used.md`) against the file, as a bill.
#[test]
fn the_most_used_models_cost_what_their_vendors_say() {
    let rows: Vec<Vec<&str>> = include_str!("most_used.md")
        .lines()
        .filter(|line| line.contains('`'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 68);
    let book = PriceBook::built_in();
    for row in rows {
        let model = row[1].trim_matches('`');
        let price = book.find(None, model, now()).unwrap();
        assert_eq!(&*price.model, model);
        let (write, write_1h) = match row[4].split_once(" (1h ") {
            Some((write, hour)) => (write, Some(hour.trim_end_matches(')'))),
            None => (row[4], None),
        };
        let base = &price.base;
        assert_rate(price, base, 0, Rate::Input, row[2]);
        assert_rate(price, base, 0, Rate::CacheRead, row[3]);
        assert_rate(price, base, 0, Rate::CacheWrite, write);
        if let Some(hour) = write_1h {
            assert_rate(price, base, 0, Rate::CacheWrite1h, hour);
        }
        assert_rate(price, base, 0, Rate::Output, row[5]);
        assert_tiers(price, row[6]);
        assert_level(price, ServiceLevel::Batch, row[7]);
        for more in row[8].split([';', ',']).map(str::trim) {
            assert_more(price, more);
        }
    }
}

fn assert_tiers(price: &Price, text: &str) {
    for tier in text.split(';').filter(|tier| *tier != "–") {
        let (bound, rates) = tier
            .trim()
            .trim_start_matches("> ")
            .split_once("k: ")
            .unwrap();
        let above: u64 = bound.parse::<u64>().unwrap() * 1000;
        let (text_rates, cache) = match rates.split_once(" cache ") {
            Some((text_rates, cache)) => (text_rates, Some(cache)),
            None => (rates, None),
        };
        let (input, output) = text_rates.split_once('/').unwrap();
        assert_rate(price, &price.base, above + 1, Rate::Input, input);
        assert_rate(price, &price.base, above + 1, Rate::Output, output);
        if let Some(cache) = cache {
            assert_rate(price, &price.base, above + 1, Rate::CacheRead, cache);
        }
        assert_eq!(price.base.tier(above + 1), Some(above), "{}", price.model);
        assert_ne!(price.base.tier(above), Some(above), "{}", price.model);
    }
}

fn assert_level(price: &Price, level: ServiceLevel, text: &str) {
    let Some((input, output)) = text.split_once('/') else {
        assert_eq!(text, "–", "{}", price.model);
        assert_eq!(price.level(level), None, "{}", price.model);
        return;
    };
    let tariff = price.level(level).unwrap();
    assert_rate(price, tariff, 0, Rate::Input, input);
    assert_rate(price, tariff, 0, Rate::Output, output);
}

fn assert_more(price: &Price, text: &str) {
    match text.trim_start_matches('×').rsplit_once(' ') {
        Some(("priority", rates)) => assert_level(price, ServiceLevel::Priority, rates),
        Some(("reasoning", rate)) => assert_rate(price, &price.base, 0, Rate::Reasoning, rate),
        Some(("audio in", rate)) => assert_rate(price, &price.base, 0, Rate::AudioInput, rate),
        Some((name @ ("us" | "fast"), factor)) => assert_eq!(price.factor(name), usd(factor)),
        Some(other) => panic!("{other:?}"),
        None => assert!(["–", "retired"].contains(&text), "{text}"),
    }
}

/// `text` is USD per million tokens, `–` for none.
fn assert_rate(price: &Price, tariff: &Tariff, whole_input: u64, rate: Rate, text: &str) {
    let found = tariff.rate(rate, whole_input);
    let expected = (text != "–").then(|| usd(text) / Decimal::from(1_000_000));
    assert_eq!(found, expected, "{} {rate} at {whole_input}", price.model);
}
