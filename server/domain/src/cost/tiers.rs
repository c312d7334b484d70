//! Prices of a project that hold for some calls of a model only.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::compute::Consumption;
use super::long_name::long_name;
use super::own::InvalidPrice;
use super::price::Price;
use crate::comparison::Compare;
use crate::money::Usd;
use crate::span::named_enum;

/// Bytes that a compiled pattern may take: patterns come from users.
const PATTERN_LIMIT: usize = 64 * 1024;

named_enum!(
    /// Where a rule looks for a value.
    AttributeSource, default Parameters {
        /// Among the parameters of the call.
        Parameters = "model_parameters",
        /// In the metadata of the span.
        Metadata = "metadata",
    }
);

/// Something that must hold for a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum TierCondition {
    /// The sum of the usage whose name, in Langfuse's words, a regular expression finds.
    Usage {
        /// The expression.
        pattern: String,
        /// How the sum compares.
        compare: Compare,
        /// With what.
        value: Decimal,
        /// Whether the case of letters makes a difference.
        is_case_sensitive: bool,
    },
    /// A value is one of some.
    Attribute {
        /// Where it stands.
        source: AttributeSource,
        /// Under which key.
        key: String,
        /// What it may be.
        values: Vec<String>,
    },
}

/// A price for those calls for which all conditions hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierDraft {
    /// Its name.
    pub name: String,
    /// The lower, the sooner it is tried.
    pub priority: u32,
    /// What must hold.
    pub conditions: Vec<TierCondition>,
    /// USD per token or thing, by usage name.
    pub prices: BTreeMap<String, Usd>,
}

/// A tier, ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalPrice {
    conditions: Box<[Rule]>,
    price: Price,
}

#[derive(Clone, Debug)]
enum Rule {
    Usage(Box<Regex>, Compare, Decimal),
    Attribute(AttributeSource, Box<str>, Box<[String]>),
}

impl TierDraft {
    /// As the price of a model takes it.
    ///
    /// # Errors
    /// [`InvalidPrice`] when a pattern is none or an amount is negative.
    pub(super) fn to_price(&self, model: &str) -> Result<ConditionalPrice, InvalidPrice> {
        let rules = self.conditions.iter().map(Rule::of);
        let prices = self.prices.iter();
        let prices = prices.map(|(usage, usd)| (usage.clone(), usd.0)).collect();
        let mut price = Price::of_project(model, &prices)?;
        price.tier_name = Some(self.name.as_str().into());
        Ok(ConditionalPrice {
            conditions: rules.collect::<Result<_, _>>()?,
            price,
        })
    }
}

impl ConditionalPrice {
    /// Gives it the dates of the price before which it goes.
    pub(super) fn holds_as(&mut self, usual: &Price) {
        self.price.valid_from = usual.valid_from;
        self.price.valid_to = usual.valid_to;
    }

    /// The price, where its conditions hold.
    pub(super) fn for_call(&self, used: &Consumption<'_>) -> Option<&Price> {
        let mut rules = self.conditions.iter();
        rules.all(|rule| rule.holds(used)).then_some(&self.price)
    }
}

impl Rule {
    fn of(condition: &TierCondition) -> Result<Self, InvalidPrice> {
        match condition {
            TierCondition::Usage {
                pattern,
                compare,
                value,
                is_case_sensitive,
            } => RegexBuilder::new(pattern)
                .case_insensitive(!is_case_sensitive)
                .size_limit(PATTERN_LIMIT)
                .build()
                .map(|regex| Rule::Usage(Box::new(regex), *compare, *value))
                .map_err(|error| InvalidPrice::Pattern(Box::new(error))),
            TierCondition::Attribute {
                source,
                key,
                values,
            } => Ok(Rule::Attribute(
                *source,
                key.as_str().into(),
                values.clone().into(),
            )),
        }
    }

    fn holds(&self, used: &Consumption<'_>) -> bool {
        match self {
            Rule::Usage(regex, compare, value) => {
                let those = used.tokens.iter();
                let those = those.filter(|(kind, _)| regex.is_match(long_name(kind)));
                let sum = those.fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
                compare.holds(&Decimal::from(sum), value)
            }
            Rule::Attribute(source, key, values) => {
                let texts = match source {
                    AttributeSource::Parameters => used.parameters,
                    AttributeSource::Metadata => used.metadata,
                };
                // Each is JSON text.
                let text = texts.get(&**key).map(|text| text.trim_matches('"'));
                text.is_some_and(|text| values.iter().any(|value| value == text))
            }
        }
    }
}

/// Two rules are the same where they were written so.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Rule::Usage(a, by, value), Rule::Usage(b, other_by, other_value)) => {
                (a.as_str(), by, value) == (b.as_str(), other_by, other_value)
            }
            (Rule::Attribute(a, key, values), Rule::Attribute(b, other_key, other_values)) => {
                (a, key, values) == (b, other_key, other_values)
            }
            _ => false,
        }
    }
}

impl Eq for Rule {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::compute;

    fn tokens(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
        let counts = counts.iter();
        counts
            .map(|(kind, count)| ((*kind).to_owned(), *count))
            .collect()
    }

    fn price() -> Price {
        let usd = |text: &str| -> Usd { text.parse().unwrap() };
        let prices = |input: &str| BTreeMap::from([("input".to_owned(), usd(input))]);
        let long = TierDraft {
            name: "long".to_owned(),
            priority: 1,
            conditions: vec![TierCondition::Usage {
                pattern: "INPUT".to_owned(),
                compare: Compare::Greater,
                value: Decimal::from(100),
                is_case_sensitive: false,
            }],
            prices: prices("3"),
        };
        let fast = TierDraft {
            name: "fast".to_owned(),
            priority: 2,
            conditions: vec![TierCondition::Attribute {
                source: AttributeSource::Parameters,
                key: "speed".to_owned(),
                values: vec!["fast".to_owned()],
            }],
            prices: prices("2"),
        };
        let usual = BTreeMap::from([("input".to_owned(), Decimal::ONE)]);
        let mut price = Price::of_project("m", &usual).unwrap();
        price.tier_name = Some("Standard".into());
        price.conditional = [long, fast]
            .iter()
            .map(|it| it.to_price("m").unwrap())
            .collect();
        price
    }

    #[test]
    fn the_first_tier_whose_conditions_hold_goes_before_the_usual_price() {
        let (none, fast) = (
            BTreeMap::new(),
            BTreeMap::from([("speed".to_owned(), "\"fast\"".to_owned())]),
        );
        let units = BTreeMap::new();
        for (counts, parameters, cost, tier) in [
            (tokens(&[("input", 100)]), &none, "100", "Standard"),
            (tokens(&[("input", 100)]), &fast, "200", "fast"),
            (
                tokens(&[("input", 60), ("cache_read", 41)]),
                &fast,
                "303",
                "long",
            ),
        ] {
            let used = Consumption {
                tokens: &counts,
                units: &units,
                service_tier: None,
                geography: None,
                speed: None,
                parameters,
                metadata: &none,
            };
            let priced = compute(&price(), &used).unwrap();
            assert_eq!(priced.cost.total.unwrap().to_string(), cost);
            assert_eq!(priced.terms.named_tier.as_deref(), Some(tier));
        }
    }
}
