//! A price that the project has set, and a model that lacks one.

use std::collections::BTreeMap;

use domain::cost::{ProjectPrice, UnpricedModel};
use serde::Serialize;

/// A price, ready to be written.
#[derive(Serialize)]
pub(crate) struct PriceRow<'a> {
    id: String,
    #[serde(rename = "match")]
    match_kind: &'static str,
    model: &'a str,
    prices: BTreeMap<&'a str, String>,
    valid_from: Option<String>,
    valid_to: Option<String>,
    created_at: String,
    updated_at: String,
}

impl<'a> From<&'a ProjectPrice> for PriceRow<'a> {
    fn from(price: &'a ProjectPrice) -> Self {
        let draft = &price.draft;
        let prices = draft.prices.iter();
        PriceRow {
            id: price.id.to_string(),
            match_kind: draft.match_kind.as_str(),
            model: &draft.model,
            prices: prices
                .map(|(usage, usd)| (usage.as_str(), usd.to_string()))
                .collect(),
            valid_from: draft.valid_from.map(|from| from.to_string()),
            valid_to: draft.valid_to.map(|to| to.to_string()),
            created_at: price.created_at.to_string(),
            updated_at: price.updated_at.to_string(),
        }
    }
}

/// A model without a price, ready to be written.
#[derive(Serialize)]
pub(crate) struct UnpricedRow<'a> {
    model: Option<&'a str>,
    provider: Option<&'a str>,
    calls: u64,
    last_call: String,
}

impl<'a> From<&'a UnpricedModel> for UnpricedRow<'a> {
    fn from(unpriced: &'a UnpricedModel) -> Self {
        UnpricedRow {
            model: unpriced.model.as_deref(),
            provider: unpriced.provider.as_deref(),
            calls: unpriced.calls,
            last_call: unpriced.last_call.to_string(),
        }
    }
}
