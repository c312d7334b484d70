//! By which price a cost was computed.

use std::collections::HashMap;

use domain::Span;
use domain::cost::{ListedModel, Terms};
use service::models::KnownPrices;

use crate::langfuse::content::dollars;

/// What an observation says of it. Prices are those that hold where no tier does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Priced {
    pub(super) model_id: Option<String>,
    pub(super) tier_id: Option<String>,
    /// USD per token or thing.
    pub(super) input: Option<f64>,
    pub(super) output: Option<f64>,
    pub(super) total: Option<f64>,
}

/// Says it of many observations: most of them were priced alike.
#[derive(Debug, Default)]
pub(crate) struct Pricing {
    known: KnownPrices,
    models: HashMap<(String, String), Vec<(Terms, Priced)>>,
}

impl Pricing {
    /// By those prices.
    pub(crate) fn new(known: KnownPrices) -> Self {
        Pricing {
            known,
            models: HashMap::new(),
        }
    }

    /// Of a span; nothing where its cost was not computed, or its price is no longer there.
    pub(crate) fn of(&mut self, span: &Span) -> Priced {
        let terms = span.cost.as_ref().and_then(|cost| cost.terms.as_ref());
        let Some(terms) = terms else {
            return Priced::default();
        };
        let key = (terms.provider.clone(), terms.model.clone());
        let alike = self.models.entry(key).or_default();
        if let Some((_, priced)) = alike.iter().find(|(known, _)| known == terms) {
            return priced.clone();
        }
        let model = self.known.model_of(terms);
        let priced = model.map_or_else(Priced::default, |model| Priced::by(&model, terms));
        alike.push((terms.clone(), priced.clone()));
        priced
    }
}

impl Priced {
    fn by(model: &ListedModel, terms: &Terms) -> Self {
        let usual = model.tiers.first();
        let price = |usage: &str| usual?.prices.get(usage).copied().and_then(dollars);
        Priced {
            model_id: Some(model.id.clone()),
            tier_id: model.tier_of(terms).map(|tier| model.tier_id(tier)),
            input: price("input"),
            output: price("output"),
            total: price("total"),
        }
    }
}
