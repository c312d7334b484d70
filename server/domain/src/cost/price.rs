//! What one model costs at one provider.

use rust_decimal::Decimal;

use super::compute::Consumption;
use super::rate::{Rate, Rates};
use super::tiers::ConditionalPrice;
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// How fast and how surely a vendor promised to answer.
    ServiceLevel, default Standard {
        /// As usual.
        Standard = "standard",
        /// Within a day, at a discount.
        Batch = "batch",
        /// When there is room, at a discount.
        Flex = "flex",
        /// First in line, at a surcharge.
        Priority = "priority",
        /// Between flex and standard.
        Balanced = "balanced",
        /// On reserved fast hardware.
        Ultrafast = "ultrafast",
    }
);

impl ServiceLevel {
    /// Levels that have prices of their own.
    pub(super) const SPECIAL: [ServiceLevel; 5] = [
        ServiceLevel::Batch,
        ServiceLevel::Flex,
        ServiceLevel::Priority,
        ServiceLevel::Balanced,
        ServiceLevel::Ultrafast,
    ];

    /// From what a response says (`service_tier`; Google writes `ON_DEMAND_PRIORITY`). `default`,
    /// `auto`, `scale` and words unknown are [`ServiceLevel::Standard`].
    pub fn from_reported(text: &str) -> Self {
        let lower = text.trim().to_ascii_lowercase();
        let name = lower.strip_prefix("on_demand_").unwrap_or(&lower);
        Self::from_name(name).unwrap_or_default()
    }
}

named_enum!(
    /// Who set a price.
    Origin, default BuiltIn {
        /// The table that comes with the product.
        BuiltIn = "built_in",
        /// The project.
        Project = "project",
    }
);

/// Amounts by name.
pub(super) type Named = Box<[(Box<str>, Decimal)]>;

/// Rates that hold for every token of a request whose whole input is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The tier holds when the request has strictly more input tokens than this.
    pub above: u64,
    /// Its rates; one that is missing keeps the rate below.
    pub rates: Rates,
}

/// Rates of one service level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tariff {
    /// Rates of requests below every tier.
    pub rates: Rates,
    /// Rates of longer requests, ascending.
    pub tiers: Box<[Tier]>,
}

impl Tariff {
    /// The rate of a request with `whole_input` input tokens, cached ones included.
    pub fn rate(&self, rate: Rate, whole_input: u64) -> Option<Decimal> {
        self.reached(whole_input)
            .find_map(|tier| tier.rates.get(rate))
            .or_else(|| self.rates.get(rate))
    }

    /// The highest tier that such a request reaches: its bound, in tokens.
    pub fn tier(&self, whole_input: u64) -> Option<u64> {
        self.reached(whole_input).next().map(|tier| tier.above)
    }

    /// Tiers that hold, the highest first.
    fn reached(&self, whole_input: u64) -> impl Iterator<Item = &Tier> {
        self.tiers
            .iter()
            .rev()
            .filter(move |tier| whole_input > tier.above)
    }
}

/// What one model costs at one provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// Its key in the table, or the name that the project gave.
    pub model: Box<str>,
    /// Who serves it, in the table's words (`bedrock_converse`); empty for a project's own price.
    pub provider: Box<str>,
    /// Rates as usual.
    pub base: Tariff,
    /// Rates of other service levels, as far as they differ.
    pub levels: Box<[(ServiceLevel, Tariff)]>,
    /// USD per thing other than a token, under the source's name (`web_search_per_query`).
    pub per_unit: Named,
    /// Factors on every rate, by region (`us`) or speed (`fast`).
    pub multipliers: Named,
    /// First instant that it holds; `None` = ever since.
    pub valid_from: Option<Timestamp>,
    /// First instant that it holds no more; `None` = still.
    pub valid_to: Option<Timestamp>,
    /// Who set it.
    pub origin: Origin,
    /// Its name among the prices of the model, where they have names.
    pub tier_name: Option<Box<str>>,
    /// Prices that go before it for some calls, in the order in which they are tried.
    pub conditional: Box<[ConditionalPrice]>,
}

impl Price {
    /// What a price of the table is known by, in each edition.
    pub fn key(&self) -> String {
        format!("{}/{}/{}", self.origin.as_str(), self.provider, self.model)
    }

    /// Whether it holds at `at`.
    pub fn holds_at(&self, at: Timestamp) -> bool {
        self.valid_from.is_none_or(|from| from <= at) && self.valid_to.is_none_or(|to| at < to)
    }

    /// The price of a call among the conditional ones, else this one.
    pub(super) fn for_call(&self, used: &Consumption<'_>) -> &Price {
        let mut conditional = self.conditional.iter();
        conditional
            .find_map(|price| price.for_call(used))
            .unwrap_or(self)
    }

    /// The rates of a service level, `None` when the vendor has none of their own for it.
    pub fn level(&self, level: ServiceLevel) -> Option<&Tariff> {
        self.levels
            .iter()
            .find(|(name, _)| *name == level)
            .map(|(_, tariff)| tariff)
    }

    /// USD per one of `unit`.
    pub fn unit(&self, unit: &str) -> Option<Decimal> {
        named(&self.per_unit, unit)
    }

    /// The factor of a region or a speed, 1 when it makes no difference.
    pub fn factor(&self, name: &str) -> Decimal {
        named(&self.multipliers, name).unwrap_or(Decimal::ONE)
    }

    /// Whether the model is Anthropic's, wherever it runs: an hour of cache costs twice the input.
    pub(super) fn is_claude(&self) -> bool {
        &*self.provider == "anthropic" || self.model.contains("claude")
    }

    /// Every tariff it has, the usual one first.
    pub fn tariffs(&self) -> impl Iterator<Item = (ServiceLevel, &Tariff)> {
        std::iter::once((ServiceLevel::Standard, &self.base))
            .chain(self.levels.iter().map(|(level, tariff)| (*level, tariff)))
    }
}

fn named(list: &[(Box<str>, Decimal)], name: &str) -> Option<Decimal> {
    list.iter()
        .find(|(candidate, _)| **candidate == *name)
        .map(|(_, value)| *value)
}
