//! A model.

use std::collections::BTreeMap;

use domain::Usd;
use domain::comparison::Compare;
use domain::cost::{ListedModel, ListedTier, TierCondition};
use rust_decimal::prelude::ToPrimitive;
use serde::Serialize;
use serde_json::Value;

use super::client::Client;
use crate::langfuse::content::dollars;
use crate::langfuse::time::Millis;

/// A model, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ModelShape<'a> {
    id: &'a str,
    model_name: &'a str,
    match_pattern: &'a str,
    start_date: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    input_price: Option<f64>,
    output_price: Option<f64>,
    total_price: Option<f64>,
    tokenizer_id: Option<&'a str>,
    tokenizer_config: Option<Value>,
    is_langfuse_managed: bool,
    created_at: Millis,
    /// Of the tier that holds where no other does.
    prices: BTreeMap<&'a str, PriceShape>,
    pricing_tiers: Vec<TierShape<'a>>,
}

#[derive(Serialize)]
struct PriceShape {
    price: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TierShape<'a> {
    id: String,
    name: &'a str,
    is_default: bool,
    priority: u32,
    conditions: Vec<ConditionShape<'a>>,
    prices: BTreeMap<&'a str, Option<f64>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ConditionShape<'a> {
    #[serde(rename_all = "camelCase")]
    Usage {
        usage_detail_pattern: &'a str,
        operator: &'static str,
        value: Option<f64>,
        case_sensitive: bool,
    },
    Attribute {
        source: &'static str,
        key: &'a str,
        operator: &'static str,
        values: &'a [String],
    },
}

impl<'a> ModelShape<'a> {
    /// Of a model, without tiers that its client could not read.
    pub(super) fn for_client(model: &'a ListedModel, client: Client) -> Self {
        let mut shape = ModelShape::new(model);
        if !client.reads_attributes {
            let is_read = |condition: &ConditionShape<'_>| {
                !matches!(condition, ConditionShape::Attribute { .. })
            };
            let tiers = &mut shape.pricing_tiers;
            tiers.retain(|tier| tier.conditions.iter().all(is_read));
        }
        shape
    }

    /// Of a model.
    pub(super) fn new(model: &'a ListedModel) -> Self {
        let usual = model.tiers.first().map(|tier| &tier.prices);
        let price = |usage: &str| usual?.get(usage).copied().and_then(dollars);
        let prices = usual.into_iter().flatten();
        let prices = prices.map(|(usage, usd)| {
            let price = dollars(*usd);
            (usage.as_str(), PriceShape { price })
        });
        let config = model.tokenizer_config.as_deref();
        ModelShape {
            id: &model.id,
            model_name: &model.name,
            match_pattern: &model.pattern,
            start_date: model.valid_from.map(Millis),
            unit: model.unit.as_deref(),
            input_price: price("input"),
            output_price: price("output"),
            total_price: price("total"),
            tokenizer_id: model.tokenizer.as_deref(),
            tokenizer_config: config.and_then(|json| serde_json::from_str(json).ok()),
            is_langfuse_managed: model.is_built_in,
            created_at: Millis(model.created_at),
            prices: prices.collect(),
            pricing_tiers: model
                .tiers
                .iter()
                .map(|tier| TierShape::new(model.tier_id(tier), tier))
                .collect(),
        }
    }
}

impl<'a> TierShape<'a> {
    fn new(id: String, tier: &'a ListedTier) -> Self {
        let price = |(usage, usd): (&'a String, &Usd)| (usage.as_str(), dollars(*usd));
        TierShape {
            id,
            name: &tier.name,
            is_default: tier.priority == 0,
            priority: tier.priority,
            conditions: tier.conditions.iter().map(ConditionShape::new).collect(),
            prices: tier.prices.iter().map(price).collect(),
        }
    }
}

impl<'a> ConditionShape<'a> {
    fn new(condition: &'a TierCondition) -> Self {
        match condition {
            TierCondition::Usage {
                pattern,
                compare,
                value,
                is_case_sensitive,
            } => ConditionShape::Usage {
                usage_detail_pattern: pattern,
                operator: word(*compare),
                value: value.to_f64(),
                case_sensitive: *is_case_sensitive,
            },
            TierCondition::Attribute {
                source,
                key,
                values,
            } => ConditionShape::Attribute {
                source: source.as_str(),
                key,
                operator: "in",
                values,
            },
        }
    }
}

/// A comparison as a word.
const WORDS: &[(&str, Compare)] = &[
    ("gt", Compare::Greater),
    ("gte", Compare::GreaterOrEqual),
    ("lt", Compare::Less),
    ("lte", Compare::LessOrEqual),
    ("eq", Compare::Equal),
    ("neq", Compare::NotEqual),
];

fn word(compare: Compare) -> &'static str {
    let known = WORDS.iter().find(|(_, known)| *known == compare);
    known.map_or("eq", |(word, _)| word)
}

/// The comparison of a word.
pub(super) fn compare_of(word: &str) -> Option<Compare> {
    let known = WORDS.iter().find(|(known, _)| *known == word);
    known.map(|(_, compare)| *compare)
}
