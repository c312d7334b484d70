//! The sum: usage × rates, in decimals, never rounded.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::bucket::Bucket;
use super::price::{Origin, Price, ServiceLevel, Tariff};
use super::rate::Rate;
use super::unit;
use crate::money::Usd;
use crate::span::{Cost, CostSource};
use crate::time::Timestamp;

/// What a call used.
#[derive(Clone, Copy, Debug)]
pub struct Consumption<'a> {
    /// Tokens by kind, disjoint ([`Bucket`] names).
    pub tokens: &'a BTreeMap<String, u64>,
    /// Counts of other things: `search_queries`, `images`, `seconds`, `characters`, `pages`, or a
    /// price's own name. A negative one is ignored.
    pub units: &'a BTreeMap<String, Decimal>,
    /// `service_tier` of the response.
    pub service_tier: Option<&'a str>,
    /// Where inference was kept (`us`).
    pub geography: Option<&'a str>,
    /// Speed that was asked for (`fast`).
    pub speed: Option<&'a str>,
    /// Parameters of the call; each is JSON text.
    pub parameters: &'a BTreeMap<String, String>,
    /// Metadata of the span; each is JSON text.
    pub metadata: &'a BTreeMap<String, String>,
}

/// A cost and the price it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The amount, in all and by usage name; kinds without a count are left out.
    pub cost: Cost,
    /// The price that was used.
    pub terms: Terms,
}

impl Priced {
    /// The cost with its price, in the digits that are stored: the parts are rounded, so that they
    /// still add up to the total.
    pub fn into_cost(self) -> Cost {
        let parts = self.cost.details.into_iter();
        let details: BTreeMap<String, Usd> =
            parts.map(|(usage, usd)| (usage, usd.rounded())).collect();
        Cost {
            total: Some(details.values().copied().sum()),
            details,
            source: self.cost.source,
            terms: Some(self.terms),
        }
    }
}

/// Which price was used, to be shown beside the cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Key of the price.
    pub model: String,
    /// Who serves it, in the table's words; empty for a project's own price.
    pub provider: String,
    /// Who set the price.
    pub origin: Origin,
    /// Since when it holds; `None` = ever since.
    pub valid_from: Option<Timestamp>,
    /// Bound of the tier that held, in input tokens; `None` below every tier.
    pub tier: Option<u64>,
    /// Service level whose rates held; a level without prices of its own costs as usual.
    pub service_level: ServiceLevel,
    /// Name of the tier that held, where a project has named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_tier: Option<String>,
}

/// Why a call has no cost. That is not a cost of zero.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unpriced {
    /// The call names no model.
    #[error("no model is named")]
    NoModel,
    /// No price is known for the model.
    #[error("no price is known for {model}")]
    NoPrice {
        /// The model as the call names it.
        model: String,
    },
    /// Nothing was counted that the model is sold by.
    #[error("{model} is not priced by what was counted")]
    NoCounts {
        /// Key of the price.
        model: String,
    },
    /// The amount is beyond what anything can have cost ([`Usd::is_plausible`]).
    #[error("what was counted would cost more at the price of {model} than anything can")]
    TooMuch {
        /// Key of the price.
        model: String,
    },
    /// Something was counted that the price says nothing about; a part would pass for the whole.
    #[error("{model} has no rate for {usage}")]
    NoRate {
        /// Key of the price.
        model: String,
        /// Name of the usage.
        usage: String,
    },
}

/// The cost of a call at `price`.
///
/// A tier is chosen by the whole input and holds for every token. Factors apply to tokens only. Units
/// that measure the same content as the tokens (seconds, images) count only where the tokens cost
/// nothing; searches come on top.
///
/// # Errors
/// [`Unpriced::NoCounts`], [`Unpriced::NoRate`], [`Unpriced::TooMuch`].
pub fn compute(price: &Price, used: &Consumption<'_>) -> Result<Priced, Unpriced> {
    let price = price.for_call(used);
    let schedule = Schedule::of(price, used);
    let (mut details, mut counted) = schedule.tokens(used.tokens)?;
    let content_is_billed = details.values().any(|usd| !usd.0.is_zero());
    let sold_by_unit = unit::is_sold_by_unit(price);
    let mut has_unit = false;
    for (name, count) in used.units {
        let Some(unit) = unit::price_name(price, name) else {
            continue;
        };
        let ignored = content_is_billed && !unit::is_extra(unit);
        if ignored || count.is_sign_negative() {
            continue;
        }
        has_unit |= !unit::is_extra(unit);
        counted = true;
        let usd = price.unit(unit).unwrap_or_default();
        details.insert(name.clone(), Usd(count.saturating_mul(usd)));
    }
    if !counted || (sold_by_unit && !has_unit && !content_is_billed) {
        return Err(Unpriced::NoCounts {
            model: price.model.to_string(),
        });
    }
    let total: Usd = details.values().copied().sum();
    if !total.is_plausible() {
        return Err(Unpriced::TooMuch {
            model: price.model.to_string(),
        });
    }
    Ok(Priced {
        cost: Cost {
            total: Some(total),
            details,
            source: CostSource::PriceTable,
            terms: None,
        },
        terms: schedule.terms(),
    })
}

/// The rates that hold for one request.
struct Schedule<'a> {
    price: &'a Price,
    service_level: ServiceLevel,
    /// Rates of a service level other than the usual one.
    special: Option<&'a Tariff>,
    whole_input: u64,
    factor: Decimal,
}

impl<'a> Schedule<'a> {
    fn of(price: &'a Price, used: &Consumption<'_>) -> Self {
        let asked = used.service_tier.map(ServiceLevel::from_reported);
        let special = asked.and_then(|level| Some((level, price.level(level)?)));
        let factor = |name: Option<&str>| {
            name.map_or(Decimal::ONE, |name| {
                price.factor(&name.to_ascii_lowercase())
            })
        };
        Schedule {
            price,
            service_level: special.map_or(ServiceLevel::Standard, |(level, _)| level),
            special: special.map(|(_, tariff)| tariff),
            whole_input: whole_input(used.tokens),
            factor: factor(used.geography).saturating_mul(factor(used.speed)),
        }
    }

    /// Cost by usage name, and whether anything was counted that the price knows.
    fn tokens(
        &self,
        tokens: &BTreeMap<String, u64>,
    ) -> Result<(BTreeMap<String, Usd>, bool), Unpriced> {
        let mut details = BTreeMap::new();
        let mut counted = false;
        for (name, &count) in tokens {
            let Some(rate) = self.rate_of_usage(name, count)? else {
                continue;
            };
            counted = true;
            if count > 0 {
                let usd = Decimal::from(count).saturating_mul(rate);
                details.insert(name.clone(), Usd(usd));
            }
        }
        Ok((details, counted))
    }

    /// USD per token of a usage name; `None` when it costs nothing by nature or is unknown.
    fn rate_of_usage(&self, name: &str, count: u64) -> Result<Option<Decimal>, Unpriced> {
        if let Some(usd) = self.price.unit(name) {
            return Ok(Some(usd));
        }
        let Some(bucket) = Bucket::from_usage(name) else {
            return Ok(None);
        };
        if self.price.base.rates.is_empty() {
            return Ok(None);
        }
        match self.rate(bucket) {
            Some(usd) => Ok(Some(usd.saturating_mul(self.factor))),
            None if count == 0 => Ok(Some(Decimal::ZERO)),
            None => Err(Unpriced::NoRate {
                model: self.price.model.to_string(),
                usage: name.to_owned(),
            }),
        }
    }

    /// USD per token of a kind, before factors.
    fn rate(&self, bucket: Bucket) -> Option<Decimal> {
        let twice_input = || Some(self.listed(Rate::Input)?.saturating_mul(Decimal::TWO));
        if bucket == Bucket::CacheWrite1h && self.price.is_claude() {
            return self.listed(Rate::CacheWrite1h).or_else(twice_input);
        }
        bucket.rates().iter().find_map(|rate| self.listed(*rate))
    }

    /// A rate of the service level. Where the level names none, the usual one moves as the level's
    /// text rate of that side does: a batch at half price reads its cache at half price.
    fn listed(&self, rate: Rate) -> Option<Decimal> {
        let usual = self.price.base.rate(rate, self.whole_input);
        let Some(special) = self.special else {
            return usual;
        };
        special.rate(rate, self.whole_input).or_else(|| {
            let text = rate.text();
            let moved = special
                .rate(text, self.whole_input)
                .zip(self.price.base.rate(text, self.whole_input))
                .and_then(|(now, before)| usual?.checked_mul(now)?.checked_div(before));
            moved.or(usual)
        })
    }

    fn terms(&self) -> Terms {
        Terms {
            model: self.price.model.to_string(),
            provider: self.price.provider.to_string(),
            origin: self.price.origin,
            valid_from: self.price.valid_from,
            tier: self
                .special
                .unwrap_or(&self.price.base)
                .tier(self.whole_input),
            service_level: self.service_level,
            named_tier: self.price.tier_name.as_deref().map(str::to_owned),
        }
    }
}

/// Every input token of the request, cached ones included: what tiers go by.
fn whole_input(tokens: &BTreeMap<String, u64>) -> u64 {
    tokens
        .iter()
        .filter(|(name, _)| Bucket::from_usage(name).is_some_and(Bucket::is_input))
        .fold(0, |sum: u64, (_, count)| sum.saturating_add(*count))
}
