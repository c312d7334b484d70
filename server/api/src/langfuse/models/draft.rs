//! A model, as a body describes it.

use std::collections::BTreeMap;

use domain::cost::{AttributeSource, Listing, MatchKind, PriceDraft, TierCondition, TierDraft};
use domain::{Fault, Timestamp, Usd};
use serde_json::{Map, Value};

use super::shape::compare_of;
use crate::langfuse::body::Body;
use crate::langfuse::error::{Failure, Issue, Result};

/// What usage is counted in.
const UNITS: [&str; 6] = [
    "CHARACTERS",
    "TOKENS",
    "MILLISECONDS",
    "SECONDS",
    "IMAGES",
    "REQUESTS",
];
/// How text is cut into tokens.
const TOKENIZERS: [&str; 2] = ["openai", "claude"];
/// Prices without tiers, by the usage that they are for.
const FLAT: [(&str, &str); 3] = [
    ("inputPrice", "input"),
    ("outputPrice", "output"),
    ("totalPrice", "total"),
];
/// What prices are called that come without tiers.
const USUAL_TIER: &str = "Standard";

/// What a body asks for.
///
/// # Errors
/// When a field is missing, of another type, or does not go with another one.
pub(super) fn read(body: &Body) -> Result<PriceDraft> {
    let start = body.text("startDate")?.map(Timestamp::parse).transpose();
    let start = start.map_err(|error| Issue::new("custom", "startDate", error.to_string()))?;
    let flat = flat(body)?;
    let (usual_tier, prices, tiers) = match (flat.is_empty(), body.value("pricingTiers")) {
        (false, None) => (USUAL_TIER.to_owned(), flat, Vec::new()),
        (true, Some(tiers)) => read_tiers(tiers)?,
        (true, None) | (false, Some(_)) => {
            let message = "give either prices or pricingTiers";
            return Err(Issue::new("custom", "pricingTiers", message).into());
        }
    };
    Ok(PriceDraft {
        match_kind: MatchKind::Pattern,
        model: expression(body.required_text("matchPattern")?),
        prices,
        valid_from: start,
        valid_to: None,
        listing: Some(Listing {
            name: body.required_text("modelName")?.to_owned(),
            usual_tier,
            unit: one_of(body, "unit", &UNITS)?,
            tokenizer: one_of(body, "tokenizerId", &TOKENIZERS)?,
            tokenizer_config: body.value("tokenizerConfig").map(Value::to_string),
            tiers,
        }),
    })
}

/// A fault on the field that this API has for it.
pub(super) fn in_its_words(fault: Fault) -> Failure {
    let field = match fault.field.as_deref() {
        Some("model") => "matchPattern".to_owned(),
        Some(field) => field.to_owned(),
        None => return fault.into(),
    };
    fault.on_field(field).into()
}

/// Postgres has other words for the ends of words.
fn expression(pattern: &str) -> String {
    let mut ours = String::with_capacity(pattern.len());
    let mut signs = pattern.chars();
    while let Some(sign) = signs.next() {
        ours.push(sign);
        if sign != '\\' {
            continue;
        }
        match signs.next() {
            Some('y' | 'm' | 'M') => ours.push('b'),
            Some('Y') => ours.push('B'),
            Some('Z') => ours.push('z'),
            Some(other) => ours.push(other),
            None => {}
        }
    }
    ours
}

fn flat(body: &Body) -> Result<BTreeMap<String, Usd>> {
    let mut prices = BTreeMap::new();
    for (field, usage) in FLAT {
        if let Some(value) = body.value(field) {
            prices.insert(usage.to_owned(), usd(field, value)?);
        }
    }
    if prices.contains_key("total") && prices.len() > 1 {
        let message = "goes without inputPrice and outputPrice";
        return Err(Issue::new("custom", "totalPrice", message).into());
    }
    Ok(prices)
}

/// Name and prices of the default tier, and the others.
type Tiers = (String, BTreeMap<String, Usd>, Vec<TierDraft>);

fn read_tiers(value: &Value) -> Result<Tiers> {
    let items = value.as_array();
    let items = items.ok_or_else(|| Issue::of_type("pricingTiers", "array"))?;
    let mut usual = None;
    let mut tiers = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let path = format!("pricingTiers.{at}");
        let fields = item.as_object();
        let fields = fields.ok_or_else(|| Issue::of_type(&path, "object"))?;
        let (is_default, tier) = tier(&path, fields)?;
        if !is_default {
            tiers.push(tier);
            continue;
        }
        if tier.priority != 0 || !tier.conditions.is_empty() {
            let message = "the default tier has priority 0 and no conditions";
            return Err(Issue::new("custom", &path, message).into());
        }
        if usual.replace((tier.name, tier.prices)).is_some() {
            return Err(one_default());
        }
    }
    let (name, prices) = usual.ok_or_else(one_default)?;
    Ok((name, prices, tiers))
}

fn one_default() -> Failure {
    Issue::new("custom", "pricingTiers", "exactly one tier is the default").into()
}

fn tier(path: &str, fields: &Map<String, Value>) -> Result<(bool, TierDraft)> {
    let at = |field: &str| format!("{path}.{field}");
    let get = |field: &str| fields.get(field).unwrap_or(&Value::Null);
    let wrong = |field: &str, expected: &str| Issue::of_type(&at(field), expected);
    let priority = get("priority").as_u64();
    let priority = priority.and_then(|number| u32::try_from(number).ok());
    let conditions = match get("conditions") {
        Value::Null => Vec::new(),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            let read =
                items.map(|(index, item)| condition(&at(&format!("conditions.{index}")), item));
            read.collect::<Result<_>>()?
        }
        _ => return Err(wrong("conditions", "array").into()),
    };
    let prices = get("prices").as_object();
    let prices = prices.ok_or_else(|| wrong("prices", "object"))?.iter();
    let prices = prices.map(|(usage, value)| {
        let usd = usd(&at(&format!("prices.{usage}")), value)?;
        Ok((usage.clone(), usd))
    });
    let tier = TierDraft {
        name: get("name")
            .as_str()
            .ok_or_else(|| wrong("name", "string"))?
            .to_owned(),
        priority: priority.ok_or_else(|| wrong("priority", "number"))?,
        conditions,
        prices: prices.collect::<Result<_>>()?,
    };
    let is_default = get("isDefault").as_bool();
    Ok((
        is_default.ok_or_else(|| wrong("isDefault", "boolean"))?,
        tier,
    ))
}

fn condition(path: &str, item: &Value) -> Result<TierCondition> {
    let wrong = |field: &str, expected: &str| Issue::of_type(&format!("{path}.{field}"), expected);
    let text = |field: &str| item[field].as_str().ok_or_else(|| wrong(field, "string"));
    if let Some(source) = item["source"].as_str() {
        let known = AttributeSource::from_name(source);
        let values = item["values"].as_array();
        let values = values.ok_or_else(|| wrong("values", "array"))?.iter();
        let values = values.map(|value| value.as_str().map(str::to_owned));
        let values: Option<Vec<String>> = values.collect();
        if text("operator")? != "in" {
            return Err(wrong("operator", "\"in\"").into());
        }
        return Ok(TierCondition::Attribute {
            source: known.ok_or_else(|| wrong("source", "\"model_parameters\"|\"metadata\""))?,
            key: text("key")?.to_owned(),
            values: values.ok_or_else(|| wrong("values", "strings"))?,
        });
    }
    let value = match &item["value"] {
        Value::Number(number) => number.to_string().parse::<Usd>().ok(),
        _ => None,
    };
    let is_case_sensitive = match &item["caseSensitive"] {
        Value::Null => false,
        value => value
            .as_bool()
            .ok_or_else(|| wrong("caseSensitive", "boolean"))?,
    };
    Ok(TierCondition::Usage {
        pattern: text("usageDetailPattern")?.to_owned(),
        compare: compare_of(text("operator")?)
            .ok_or_else(|| wrong("operator", "one of gt, gte, lt, lte, eq, neq"))?,
        value: value.ok_or_else(|| wrong("value", "number"))?.0,
        is_case_sensitive,
    })
}

fn one_of(body: &Body, field: &str, known: &[&str]) -> Result<Option<String>> {
    match body.text(field)? {
        Some(text) if !known.contains(&text) => {
            let message = format!("expected one of {}", known.join(", "));
            Err(Issue::new("invalid_value", field, message).into())
        }
        text => Ok(text.map(str::to_owned)),
    }
}

/// A number of dollars, read from its digits.
fn usd(path: &str, value: &Value) -> Result<Usd> {
    let usd = match value {
        Value::Number(number) => number.to_string().parse::<Usd>().ok(),
        _ => None,
    };
    // A cost keeps so many digits.
    Ok(usd.ok_or_else(|| Issue::of_type(path, "number"))?.rounded())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_json(value: &Value) -> Result<PriceDraft> {
        read(&Body::parse(value.to_string().as_bytes()).unwrap())
    }

    fn tier(name: &str, is_default: bool, priority: u32, conditions: &Value) -> Value {
        json!({
            "name": name, "isDefault": is_default, "priority": priority,
            "conditions": conditions, "prices": {"input": 1e-6},
        })
    }

    #[test]
    fn prices_come_flat_or_in_tiers() {
        let flat = json!({"modelName": "m", "matchPattern": "(?i)^m$", "inputPrice": 1.5e-7});
        let draft = read_json(&flat).unwrap();
        assert_eq!(draft.prices["input"].to_string(), "0.00000015");
        assert_eq!(draft.model, "(?i)^m$");
        let long = json!([{"usageDetailPattern": "input", "operator": "gt", "value": 200000}]);
        let tiers = [tier("a", true, 0, &json!([])), tier("b", false, 1, &long)];
        let tiered = json!({"modelName": "m", "matchPattern": "m", "pricingTiers": tiers});
        let listing = read_json(&tiered).unwrap().listing.unwrap();
        assert_eq!((listing.usual_tier.as_str(), listing.tiers.len()), ("a", 1));
        for (field, value) in [
            ("inputPrice", json!(1)),
            ("pricingTiers", json!(null)),
            ("pricingTiers", json!([tier("a", false, 1, &long)])),
            ("pricingTiers", json!([tier("a", true, 1, &json!([]))])),
            ("pricingTiers", json!([tier("a", true, 0, &long)])),
            (
                "pricingTiers",
                json!([tiers[0], tier("b", true, 0, &json!([]))]),
            ),
            ("unit", json!("PARSECS")),
            ("tokenizerId", json!("mine")),
            ("startDate", json!("yesterday")),
            ("matchPattern", json!(null)),
        ] {
            let mut wrong = tiered.clone();
            wrong[field] = value;
            assert!(read_json(&wrong).is_err(), "{wrong}");
        }
        let mut both = flat.clone();
        both["totalPrice"] = json!(1);
        assert!(read_json(&both).is_err());
    }

    #[test]
    fn the_ends_of_words_are_translated() {
        assert_eq!(expression(r"\mgpt\M|\ya\y|\\m\d"), r"\bgpt\b|\ba\b|\\m\d");
    }
}
