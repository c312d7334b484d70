//! The price file, read with every number exact.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::price::{Named, Origin, Price, ServiceLevel, Tariff, Tier};
use super::rate::{Rate, Rates};
use crate::money::Usd;
use crate::time::Timestamp;

/// A thousand USD per million tokens. The dearest model ever sold in the open takes 600; a few rows
/// of the source have prices per million where it wants prices per token.
const DEAREST_BELIEVABLE: Decimal = Decimal::from_parts(1, 0, 0, false, 3);

/// A price file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BrokenFile {
    /// Not JSON, or not of the right shape.
    #[error("the price file is not readable")]
    Json(#[from] serde_json::Error),
    /// One row is wrong.
    #[error("the price of {model} is wrong: {field} is {value}")]
    Row {
        /// Its key.
        model: String,
        /// Field that is wrong.
        field: String,
        /// What stands there.
        value: String,
    },
}

/// What a price file holds.
pub(super) struct PriceFile {
    /// Version of the source, as its header says.
    pub(super) source_version: String,
    /// Prices in the order of the file.
    pub(super) prices: Vec<Price>,
    /// Models left out because a rate is beyond belief.
    pub(super) left_out: Vec<String>,
}

type Fields<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

#[derive(Deserialize)]
struct Document<'a> {
    header: Header,
    #[serde(borrow)]
    models: Vec<Fields<'a>>,
}

#[derive(Deserialize)]
struct Header {
    source_version: String,
}

impl PriceFile {
    /// Reads a file whose prices hold from `valid_from` on.
    pub(super) fn read(json: &str, valid_from: Option<Timestamp>) -> Result<Self, BrokenFile> {
        let document: Document<'_> = serde_json::from_str(json)?;
        let mut file = PriceFile {
            source_version: document.header.source_version,
            prices: Vec::with_capacity(document.models.len()),
            left_out: Vec::new(),
        };
        for fields in document.models {
            let mut price = Row::of(&fields)?.price()?;
            if is_believable(&price) {
                price.valid_from = valid_from;
                file.prices.push(price);
            } else {
                file.left_out.push(price.model.into_string());
            }
        }
        Ok(file)
    }
}

fn is_believable(price: &Price) -> bool {
    price
        .base
        .rates
        .iter()
        .all(|(_, usd)| usd <= DEAREST_BELIEVABLE)
}

/// One line of the file.
struct Row<'a> {
    model: String,
    fields: &'a Fields<'a>,
}

impl<'a> Row<'a> {
    fn of(fields: &'a Fields<'a>) -> Result<Self, BrokenFile> {
        let nameless = Row {
            model: String::new(),
            fields,
        };
        Ok(Row {
            model: nameless.required("model")?,
            fields,
        })
    }

    fn price(&self) -> Result<Price, BrokenFile> {
        let mut price = Price {
            model: self.model.as_str().into(),
            provider: self.required::<String>("provider")?.into(),
            base: self.tariff(self.fields)?,
            levels: self.levels()?,
            per_unit: self.named_numbers("per_unit")?,
            multipliers: self.named_numbers("multipliers")?,
            valid_from: None,
            valid_to: None,
            origin: Origin::BuiltIn,
            ..Price::default()
        };
        // An embedding is no text: what some emitters count as output costs nothing.
        let silent = price.base.rates.get(Rate::Output).is_none() && !price.base.rates.is_empty();
        if silent && self.required::<String>("mode")? == "embedding" {
            let free_output = (Rate::Output, Decimal::ZERO);
            price.base.rates = price.base.rates.iter().chain([free_output]).collect();
        }
        Ok(price)
    }

    fn levels(&self) -> Result<Box<[(ServiceLevel, Tariff)]>, BrokenFile> {
        ServiceLevel::SPECIAL
            .into_iter()
            .filter_map(|level| Some((level, *self.fields.get(level.as_str())?)))
            .map(|(level, raw)| {
                let fields: Fields<'_> = self.value(level.as_str(), raw)?;
                Ok((level, self.tariff(&fields)?))
            })
            .collect()
    }

    fn tariff(&self, fields: &Fields<'_>) -> Result<Tariff, BrokenFile> {
        let tiers: Vec<Fields<'_>> = match fields.get("tiers") {
            Some(raw) => self.value("tiers", raw)?,
            None => Vec::new(),
        };
        let mut tiers = tiers
            .iter()
            .map(|tier| self.tier(tier))
            .collect::<Result<Box<[Tier]>, _>>()?;
        tiers.sort_by_key(|tier| tier.above);
        Ok(Tariff {
            rates: self.rates(fields)?,
            tiers,
        })
    }

    fn tier(&self, fields: &Fields<'_>) -> Result<Tier, BrokenFile> {
        let above = fields
            .get("above")
            .ok_or_else(|| self.wrong("above", "missing"))?;
        Ok(Tier {
            above: self.value("above", above)?,
            rates: self.rates(fields)?,
        })
    }

    fn rates(&self, fields: &Fields<'_>) -> Result<Rates, BrokenFile> {
        Rate::ALL
            .iter()
            .filter_map(|rate| Some((*rate, *fields.get(rate.as_str())?)))
            .map(|(rate, raw)| Ok((rate, self.number(rate.as_str(), raw)?)))
            .collect()
    }

    fn named_numbers(&self, field: &str) -> Result<Named, BrokenFile> {
        let Some(raw) = self.fields.get(field) else {
            return Ok(Box::default());
        };
        let mut numbers = Vec::new();
        for (name, raw) in self.value::<Fields<'_>>(field, raw)? {
            if !raw.get().starts_with('{') {
                numbers.push((Box::from(&*name), self.number(&name, raw)?));
                continue;
            }
            // By size of the search: `web_search_per_query_low`; one whose size is not said is medium.
            for (size, raw) in self.value::<Fields<'_>>(&name, raw)? {
                let usd = self.number(&name, raw)?;
                numbers.push((format!("{name}_{size}").into(), usd));
                if size == "medium" {
                    numbers.push((Box::from(&*name), usd));
                }
            }
        }
        Ok(numbers.into())
    }

    /// An amount, read from the digits: no float stands between.
    fn number(&self, field: &str, raw: &RawValue) -> Result<Decimal, BrokenFile> {
        let text = raw.get();
        match text.parse() {
            Ok(Usd(amount)) if !amount.is_sign_negative() => Ok(amount),
            Ok(_) | Err(_) => Err(self.wrong(field, text)),
        }
    }

    fn required<T: DeserializeOwned>(&self, field: &str) -> Result<T, BrokenFile> {
        match self.fields.get(field) {
            Some(raw) => self.value(field, raw),
            None => Err(self.wrong(field, "missing")),
        }
    }

    fn value<'r, T: Deserialize<'r>>(
        &self,
        field: &str,
        raw: &'r RawValue,
    ) -> Result<T, BrokenFile> {
        serde_json::from_str(raw.get()).map_err(|_| self.wrong(field, raw.get()))
    }

    fn wrong(&self, field: &str, value: &str) -> BrokenFile {
        BrokenFile::Row {
            model: self.model.clone(),
            field: field.to_owned(),
            value: value.to_owned(),
        }
    }
}
