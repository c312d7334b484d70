//! What caches save: the prompt cache of a provider, and a cache of whole answers.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::book::PriceBook;
use super::bucket::Bucket;
use super::price::Price;
use super::rate::Rate;
use crate::money::Usd;
use crate::time::Timestamp;

/// Tokens that a model read from the provider's cache and put into it, over some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CachedTokens {
    /// Read from the cache.
    pub read: u64,
    /// Put into it.
    pub written: u64,
}

/// What that came to in money, by the price of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSaving {
    /// Reading: tokens × (price of input − price of a cache read), US dollars.
    pub reads: Usd,
    /// Putting: tokens × (price of a cache write − price of input), US dollars; what the cache costs on top.
    pub writes: Usd,
}

impl CacheSaving {
    /// What is left of what reads save after what writes cost on top; below zero where the cache cost more.
    pub fn net(self) -> Usd {
        Usd(self.reads.0 - self.writes.0)
    }
}

/// What the cache of a model's provider saved, by the price that holds at an instant: that of short
/// requests of the usual service level. `None` where the price list has no price of input, or none of a
/// cache read though tokens were read.
pub fn cache_saving(
    book: &PriceBook,
    (provider, model): (Option<&str>, &str),
    at: Timestamp,
    tokens: CachedTokens,
) -> Option<CacheSaving> {
    let price = book.find(provider, model, at)?;
    let input = rate(price, Rate::Input)?;
    let read = match tokens.read {
        0 => input,
        _ => rate(price, Rate::CacheRead)?,
    };
    // A provider that lists no price of writing asks for it no more than for any other input.
    let write = rate(price, Rate::CacheWrite).unwrap_or(input);
    Some(CacheSaving {
        reads: Usd((input - read) * Decimal::from(tokens.read)),
        writes: Usd((write - input) * Decimal::from(tokens.written)),
    })
}

/// What answers from a cache would have cost: tokens and other things of calls that no model served, by the price
/// that holds at an instant, of short requests of the usual service level. `None` without a price for all of it.
pub fn answers_saving(
    book: &PriceBook,
    (provider, model): (Option<&str>, &str),
    at: Timestamp,
    used: &BTreeMap<String, u64>,
) -> Option<Usd> {
    let price = book.find(provider, model, at)?;
    let mut total = None;
    for (kind, &count) in used {
        // Kinds that no rate is for cost nothing by their nature.
        let Some(bucket) = Bucket::from_usage(kind).filter(|_| count > 0) else {
            continue;
        };
        let mut rates = bucket.rates().iter();
        let rate = rates.find_map(|listed| rate(price, *listed))?;
        *total.get_or_insert(Decimal::ZERO) += rate * Decimal::from(count);
    }
    total.map(Usd)
}

fn rate(price: &Price, rate: Rate) -> Option<Decimal> {
    price.base.rates.get(rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saving(model: &str, read: u64, written: u64) -> Option<CacheSaving> {
        let now = Timestamp::parse("2026-11-30T00:00:00Z").unwrap();
        let tokens = CachedTokens { read, written };
        cache_saving(&PriceBook::built_in(), (None, model), now, tokens)
    }

    #[test]
    fn reads_save_the_difference_to_input_and_writes_cost_it() {
        let book = PriceBook::built_in();
        let now = Timestamp::parse("2026-11-30T00:00:00Z").unwrap();
        let model = "claude-sonnet-4-5";
        let rates = &book.find(None, model, now).unwrap().base.rates;
        let (input, read, write) = (
            rates.get(Rate::Input).unwrap(),
            rates.get(Rate::CacheRead).unwrap(),
            rates.get(Rate::CacheWrite).unwrap(),
        );
        assert!(read < input && input < write);
        let found = saving(model, 1_000_000, 10_000).unwrap();
        assert_eq!(found.reads.0, (input - read) * Decimal::from(1_000_000));
        assert_eq!(found.writes.0, (write - input) * Decimal::from(10_000));
        assert_eq!(found.net().0, found.reads.0 - found.writes.0);
    }

    #[test]
    fn an_answer_from_a_cache_saves_what_its_tokens_cost() {
        let now = Timestamp::parse("2026-11-30T00:00:00Z").unwrap();
        let book = PriceBook::built_in();
        let of = |model: &str, counts: &[(&str, u64)]| {
            let used = counts
                .iter()
                .map(|(kind, count)| ((*kind).to_owned(), *count));
            answers_saving(&book, (None, model), now, &used.collect())
        };
        let model = "claude-sonnet-4-5";
        let rates = &book.find(None, model, now).unwrap().base.rates;
        let rate = |rate| rates.get(rate).unwrap();
        let counts = [
            ("input", 1_000),
            ("cache_read", 500),
            ("output", 10),
            ("seconds", 7),
        ];
        let whole = rate(Rate::Input) * Decimal::from(1_000)
            + rate(Rate::CacheRead) * Decimal::from(500)
            + rate(Rate::Output) * Decimal::from(10);
        assert_eq!(of(model, &counts), Some(Usd(whole)));
        assert_eq!(of(model, &[("seconds", 7)]), None);
        assert_eq!(of("no-such-model-at-all", &counts), None);
    }

    #[test]
    fn without_a_price_nothing_is_claimed() {
        assert_eq!(saving("no-such-model-at-all", 10, 10), None);
    }
}
