//! Models as a price list has them: those that come with the product, and a project's own.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use twox_hash::XxHash3_64;

use super::compute::Terms;
use super::price::{Price, ServiceLevel};
use super::project_price::{MatchKind, ProjectPrice};
use super::rate::Rate;
use super::tiers::TierCondition;
use crate::comparison::Compare;
use crate::money::Usd;
use crate::time::Timestamp;

/// What a price is called that holds where no tier does.
const USUAL_TIER: &str = "Standard";

/// A model with its prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedModel {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Regular expression that finds it.
    pub pattern: String,
    /// First instant that its prices hold; `None` = ever since.
    pub valid_from: Option<Timestamp>,
    /// What usage is counted in.
    pub unit: Option<String>,
    /// How text is cut into tokens.
    pub tokenizer: Option<String>,
    /// Its settings, JSON.
    pub tokenizer_config: Option<String>,
    /// Whether it comes with the product.
    pub is_built_in: bool,
    /// When it was made; 1970 for what comes with the product.
    pub created_at: Timestamp,
    /// Its prices, the usual one first.
    pub tiers: Vec<ListedTier>,
}

/// Prices of a model for some calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTier {
    /// Its name.
    pub name: String,
    /// The lower, the sooner it is tried; 0 for the usual one, which is tried last.
    pub priority: u32,
    /// What must hold; nothing for the usual one.
    pub conditions: Vec<TierCondition>,
    /// USD per token or thing, by usage name.
    pub prices: BTreeMap<String, Usd>,
}

impl ListedModel {
    /// A price of a project.
    pub fn of_project(price: &ProjectPrice) -> Self {
        let draft = &price.draft;
        let listing = draft.listing.clone().unwrap_or_default();
        let or = |text: String, otherwise: &str| match text.is_empty() {
            true => otherwise.to_owned(),
            false => text,
        };
        let usual = ListedTier {
            name: or(listing.usual_tier, USUAL_TIER),
            priority: 0,
            conditions: Vec::new(),
            prices: draft.prices.clone(),
        };
        let tiers = listing.tiers.into_iter().map(|tier| ListedTier {
            name: tier.name,
            priority: tier.priority,
            conditions: tier.conditions,
            prices: tier.prices,
        });
        ListedModel {
            id: price.id.to_string(),
            name: or(listing.name, &draft.model),
            pattern: match draft.match_kind {
                MatchKind::Exact => pattern_of(&draft.model),
                MatchKind::Pattern => draft.model.clone(),
            },
            valid_from: draft.valid_from,
            unit: listing.unit,
            tokenizer: listing.tokenizer,
            tokenizer_config: listing.tokenizer_config,
            is_built_in: false,
            created_at: price.created_at,
            tiers: std::iter::once(usual).chain(tiers).collect(),
        }
    }

    /// Id of one of its tiers.
    pub fn tier_id(&self, tier: &ListedTier) -> String {
        format!("{}-{}", self.id, tier.priority)
    }

    /// The tier by which a cost was computed; `None` where the list has none for it, as for service levels
    /// with prices of their own.
    pub fn tier_of(&self, terms: &Terms) -> Option<&ListedTier> {
        let above = terms.tier.map(Decimal::from);
        let is_of_bound = |tier: &&ListedTier| {
            let bound = tier.conditions.first();
            matches!(bound, Some(TierCondition::Usage { value, .. }) if Some(*value) == above)
        };
        match terms.named_tier.as_deref().filter(|name| !name.is_empty()) {
            Some(name) => self.tiers.iter().find(|tier| tier.name == name),
            None if terms.service_level != ServiceLevel::Standard => None,
            None if above.is_some() => self.tiers.iter().find(is_of_bound),
            None => self.tiers.first(),
        }
    }

    /// Id of a price of the table: the same for the same model and provider, whatever the edition.
    pub fn built_in_id(price: &Price) -> String {
        let key = format!("{}/{}", price.provider, price.model);
        format!("built-in-{:016x}", XxHash3_64::oneshot(key.as_bytes()))
    }

    /// A price of the table.
    pub fn built_in(price: &Price) -> Self {
        let usual = ListedTier {
            name: USUAL_TIER.to_owned(),
            priority: 0,
            conditions: Vec::new(),
            prices: prices(price, 0),
        };
        let tiers = (1..)
            .zip(&price.base.tiers)
            .map(|(priority, tier)| ListedTier {
                name: format!("Above {} input tokens", tier.above),
                priority,
                conditions: vec![TierCondition::Usage {
                    pattern: "input".to_owned(),
                    compare: Compare::Greater,
                    value: Decimal::from(tier.above),
                    is_case_sensitive: false,
                }],
                prices: prices(price, tier.above.saturating_add(1)),
            });
        let mut tiers: Vec<ListedTier> = tiers.collect();
        // The first that holds is the one: the highest bound is tried first.
        let count = u32::try_from(tiers.len()).unwrap_or(u32::MAX);
        for tier in &mut tiers {
            tier.priority = count + 1 - tier.priority;
        }
        ListedModel {
            id: Self::built_in_id(price),
            name: price.model.to_string(),
            pattern: pattern_of(&price.model),
            valid_from: price.valid_from,
            unit: Some("TOKENS".to_owned()),
            tokenizer: None,
            tokenizer_config: None,
            is_built_in: true,
            created_at: Timestamp::EPOCH,
            tiers: std::iter::once(usual).chain(tiers).collect(),
        }
    }
}

fn pattern_of(name: &str) -> String {
    format!("(?i)^{}$", regex::escape(name))
}

/// Rates of requests of so many input tokens, by Langfuse's names.
fn prices(price: &Price, whole_input: u64) -> BTreeMap<String, Usd> {
    let rates = Rate::ALL.iter().filter_map(|rate| {
        let usd = price.base.rate(*rate, whole_input)?;
        Some((usage_of(*rate).to_owned(), Usd(usd)))
    });
    let units = price.per_unit.iter();
    let units = units.map(|(name, usd)| (name.to_string(), Usd(*usd)));
    rates.chain(units).collect()
}

fn usage_of(rate: Rate) -> &'static str {
    match rate {
        Rate::Input => "input",
        Rate::Output => "output",
        Rate::CacheRead => "input_cached_tokens",
        Rate::CacheWrite => "input_cache_creation",
        Rate::CacheWrite1h => "input_cache_creation_1h",
        Rate::CacheWrite12h => "input_cache_creation_12h",
        Rate::Reasoning => "output_reasoning_tokens",
        Rate::AudioInput => "input_audio_tokens",
        Rate::AudioOutput => "output_audio_tokens",
        Rate::AudioCacheRead => "input_audio_cached",
        Rate::AudioCacheWrite => "input_audio_cache_creation",
        Rate::ImageInput => "input_image_tokens",
        Rate::ImageOutput => "output_image_tokens",
        Rate::ImageCacheRead => "input_image_cached",
        Rate::VideoInput => "input_video_tokens",
        Rate::VideoOutput => "output_video_tokens",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::cost::Table;

    #[test]
    fn each_model_of_the_table_has_an_id_of_its_own_and_tiers_with_the_same_prices() {
        let table = Table::built_in().unwrap();
        let models: Vec<ListedModel> = table.prices().iter().map(ListedModel::built_in).collect();
        let ids: HashSet<&String> = models.iter().map(|model| &model.id).collect();
        assert_eq!(ids.len(), models.len());
        let tiered = models.iter().filter(|model| model.tiers.len() > 1);
        assert!(tiered.clone().count() > 10);
        for model in tiered {
            let usual: HashSet<&String> = model.tiers[0].prices.keys().collect();
            for tier in &model.tiers {
                let keys: HashSet<&String> = tier.prices.keys().collect();
                assert!(keys.is_superset(&usual), "{}", model.name);
            }
        }
    }
}
