//! The table, the matching and the sum together.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::book::PriceBook;
use super::compute::Consumption;
use crate::time::Timestamp;

/// What project's own prices and editions do.
mod book;
/// The file keeps its own rules, and the vendors' lists.
mod file;
/// Real names find their rows, and no others.
mod matching;
/// Spans take their prices.
mod spans;
/// Sums.
mod sums;

fn usd(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn tokens<const N: usize>(counts: [(&str, u64); N]) -> BTreeMap<String, u64> {
    counts.map(|(name, count)| (name.to_owned(), count)).into()
}

fn now() -> Timestamp {
    Timestamp::parse("2026-11-29T00:00:00Z").unwrap()
}

static NO_UNITS: BTreeMap<String, Decimal> = BTreeMap::new();
static NO_TEXTS: BTreeMap<String, String> = BTreeMap::new();

fn used(tokens: &BTreeMap<String, u64>) -> Consumption<'_> {
    Consumption {
        tokens,
        units: &NO_UNITS,
        service_tier: None,
        geography: None,
        speed: None,
        parameters: &NO_TEXTS,
        metadata: &NO_TEXTS,
    }
}

/// The key of the row that a name finds in the built-in table.
fn row_of(provider: &str, model: &str) -> Option<String> {
    let provider = Some(provider).filter(|name| !name.is_empty());
    let book = PriceBook::built_in();
    let price = book.find(provider, model, now())?;
    Some(price.model.to_string())
}
