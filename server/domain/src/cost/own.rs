//! Prices that a project sets itself.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};
use rust_decimal::Decimal;

use super::bucket::Bucket;
use super::price::{Origin, Price, Tariff};
use super::rate::Rate;
use crate::usage_record::TOTAL;

/// Bytes that a compiled pattern may take: patterns come from users.
const PATTERN_LIMIT: usize = 256 * 1024;

/// A price that a project cannot have set.
#[derive(Debug, thiserror::Error)]
pub enum InvalidPrice {
    /// The pattern is none, or too large.
    #[error("the pattern of the model's name is not a regular expression of moderate size")]
    Pattern(#[source] Box<regex::Error>),
    /// Less than nothing.
    #[error("the price of {usage} is negative")]
    Negative {
        /// Name of the usage.
        usage: String,
    },
}

/// Which models a project's price is for.
#[derive(Clone, Debug)]
pub enum ModelMatch {
    /// The one of that name, in any case.
    Name(Box<str>),
    /// Those that the expression finds; it says itself where a name begins and ends.
    Pattern(Box<Regex>),
}

impl ModelMatch {
    /// The model of exactly that name, in any case.
    pub fn name(name: &str) -> Self {
        ModelMatch::Name(name.trim().to_ascii_lowercase().into())
    }

    /// Models whose name the regular expression finds (`(?i)^(acme/)?tiny$`).
    ///
    /// # Errors
    /// When it is none, or needs more than 256 KiB.
    pub fn pattern(pattern: &str) -> Result<Self, InvalidPrice> {
        RegexBuilder::new(pattern)
            .size_limit(PATTERN_LIMIT)
            .build()
            .map(|regex| ModelMatch::Pattern(Box::new(regex)))
            .map_err(|error| InvalidPrice::Pattern(Box::new(error)))
    }
}

/// A price that a project sets.
#[derive(Clone, Debug)]
pub struct OwnPrice {
    /// Which models it is for.
    pub models: ModelMatch,
    /// The price.
    pub price: Price,
}

impl Price {
    /// A project's price by usage name, in USD per token or thing. Names of token kinds
    /// ([`Bucket`] and Langfuse's) are rates, any other name is the price of a usage of exactly that
    /// name. `total` stands for input and output, too, where they are missing.
    ///
    /// # Errors
    /// [`InvalidPrice::Negative`].
    pub fn of_project(
        model: &str,
        prices: &BTreeMap<String, Decimal>,
    ) -> Result<Price, InvalidPrice> {
        let mut rates: BTreeMap<Rate, Decimal> = BTreeMap::new();
        let mut per_unit = Vec::new();
        for (usage, &usd) in prices {
            if usd < Decimal::ZERO {
                return Err(InvalidPrice::Negative {
                    usage: usage.clone(),
                });
            }
            let rate = Bucket::known(usage).and_then(|bucket| bucket.rates().first());
            match rate {
                Some(rate) => {
                    rates.entry(*rate).or_insert(usd);
                }
                None => per_unit.push((usage.as_str().into(), usd)),
            }
        }
        if let Some(&usd) = prices.get(TOTAL) {
            rates.entry(Rate::Input).or_insert(usd);
            rates.entry(Rate::Output).or_insert(usd);
        }
        Ok(Price {
            model: model.into(),
            base: Tariff {
                rates: rates.into_iter().collect(),
                tiers: Box::default(),
            },
            per_unit: per_unit.into(),
            origin: Origin::Project,
            ..Price::default()
        })
    }
}
