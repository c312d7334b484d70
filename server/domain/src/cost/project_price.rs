//! Prices of a project, as they are set and kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::own::{InvalidPrice, ModelMatch, OwnPrice};
use super::price::{Origin, Price};
use super::tiers::TierDraft;
use crate::ids::PriceId;
use crate::money::Usd;
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// How a price finds its models.
    MatchKind, default Exact {
        /// By the whole name, in any case.
        Exact = "exact",
        /// By a regular expression.
        Pattern = "pattern",
    }
);

/// What somebody sets as a price.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriceDraft {
    /// How `model` is meant.
    pub match_kind: MatchKind,
    /// Name or regular expression.
    pub model: String,
    /// USD per token or thing, by usage name.
    pub prices: BTreeMap<String, Usd>,
    /// First instant that it holds; `None` = ever since.
    pub valid_from: Option<Timestamp>,
    /// First instant that it holds no more; `None` = still.
    pub valid_to: Option<Timestamp>,
    /// How it is listed as a model; `None` where it was set as a price alone.
    pub listing: Option<Listing>,
}

/// How a price is listed as a model, and its prices for some calls only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// Name of the model.
    pub name: String,
    /// Name of the price that holds where no tier does.
    pub usual_tier: String,
    /// What usage is counted in.
    pub unit: Option<String>,
    /// How text is cut into tokens; kept, not used: tokens are what callers count.
    pub tokenizer: Option<String>,
    /// Its settings, JSON.
    pub tokenizer_config: Option<String>,
    /// Prices for some calls only.
    pub tiers: Vec<TierDraft>,
}

/// A price that a project has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectPrice {
    /// Its id.
    pub id: PriceId,
    /// What was set.
    pub draft: PriceDraft,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A model whose calls have no cost, for want of a price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpricedModel {
    /// As calls name it; `None` where they name none.
    pub model: Option<String>,
    /// Who served it.
    pub provider: Option<String>,
    /// Calls without a cost.
    pub calls: u64,
    /// When the last of them began.
    pub last_call: Timestamp,
}

impl ProjectPrice {
    /// What the price is known by among those of its project. There may be several of one model, of which
    /// each holds from another day on.
    pub fn key(&self) -> String {
        let since = serde_json::to_string(&self.draft.valid_from).unwrap_or_default();
        format!("{}//{}/{since}", Origin::Project.as_str(), self.draft.model)
    }
}

impl PriceDraft {
    /// As the book of the project takes it.
    ///
    /// # Errors
    /// [`InvalidPrice`] when the pattern is none or an amount is negative.
    pub fn to_own(&self) -> Result<OwnPrice, InvalidPrice> {
        let models = match self.match_kind {
            MatchKind::Exact => ModelMatch::name(&self.model),
            MatchKind::Pattern => ModelMatch::pattern(&self.model)?,
        };
        let prices = self.prices.iter();
        let prices = prices.map(|(usage, usd)| (usage.clone(), usd.0)).collect();
        let mut price = Price::of_project(&self.model, &prices)?;
        price.valid_from = self.valid_from;
        price.valid_to = self.valid_to;
        if let Some(listing) = &self.listing {
            let mut tiers: Vec<&TierDraft> = listing.tiers.iter().collect();
            tiers.sort_by_key(|tier| tier.priority);
            let tiers = tiers.into_iter().map(|tier| {
                let mut tier = tier.to_price(&self.model)?;
                tier.holds_as(&price);
                Ok(tier)
            });
            price.conditional = tiers.collect::<Result<_, InvalidPrice>>()?;
            price.tier_name = Some(listing.usual_tier.as_str().into());
        }
        Ok(OwnPrice { models, price })
    }
}
