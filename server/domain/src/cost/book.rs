//! Every price that holds for a project.

use std::collections::HashMap;
use std::sync::Arc;

use regex::Regex;

use super::compute::{Consumption, Priced, Unpriced, compute};
use super::matching;
use super::own::{ModelMatch, OwnPrice};
use super::price::Price;
use super::table::Table;
use crate::time::Timestamp;

/// A call of a model.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Who served it, as the telemetry conventions name them (`aws.bedrock`).
    pub provider: Option<&'a str>,
    /// Model that answered.
    pub response_model: Option<&'a str>,
    /// Model asked for.
    pub request_model: Option<&'a str>,
    /// When it began: the price of that day holds.
    pub start: Timestamp,
    /// What it used.
    pub used: Consumption<'a>,
}

/// Every price that holds for a project: its own, and the editions of the table.
#[derive(Clone, Debug, Default)]
pub struct PriceBook {
    /// Own prices by name in lower case, the newest first.
    own_names: HashMap<Box<str>, Vec<Price>>,
    /// Own prices by pattern, the newest first.
    own_patterns: Vec<(Box<Regex>, Price)>,
    /// The newest first.
    editions: Vec<Arc<Table>>,
}

impl PriceBook {
    /// A book of the editions and a project's own prices, each in any order.
    pub fn new(mut editions: Vec<Arc<Table>>, mut own: Vec<OwnPrice>) -> Self {
        editions.sort_by_key(|table| std::cmp::Reverse(table.valid_from()));
        own.sort_by_key(|own| std::cmp::Reverse(own.price.valid_from));
        let mut book = PriceBook {
            editions,
            ..PriceBook::default()
        };
        for OwnPrice { models, price } in own {
            match models {
                ModelMatch::Name(name) => book.own_names.entry(name).or_default().push(price),
                ModelMatch::Pattern(regex) => book.own_patterns.push((regex, price)),
            }
        }
        book
    }

    /// The table that comes with the product and nothing else; empty when the table is broken, see
    /// [`Table::built_in`].
    pub fn built_in() -> Self {
        Self::new(Table::built_in().into_iter().collect(), Vec::new())
    }

    /// The price of a model at an instant. It depends on nothing but the arguments: cache it by
    /// provider and model as long as [`Price::holds_at`] and the book stay the same.
    ///
    /// A project's own price comes first, by name, then by pattern; then the newest edition of the
    /// table that holds, then older ones, for a model that left the table keeps its last price.
    pub fn find(&self, provider: Option<&str>, model: &str, at: Timestamp) -> Option<&Price> {
        self.own(model, at).or_else(|| {
            self.editions
                .iter()
                .filter(|table| table.valid_from().is_none_or(|from| from <= at))
                .find_map(|table| matching::find(table, provider, model))
        })
    }

    /// The cost of a call, by the model that answered, else by the model asked for.
    ///
    /// # Errors
    /// [`Unpriced`] says why there is none.
    pub fn price(&self, call: &Call<'_>) -> Result<Priced, Unpriced> {
        let models = [call.response_model, call.request_model];
        let mut named = models
            .into_iter()
            .flatten()
            .filter(|model| !model.trim().is_empty());
        let found = named
            .clone()
            .find_map(|model| self.find(call.provider, model, call.start));
        match (found, named.next()) {
            (Some(price), _) => compute(price, &call.used),
            (None, Some(model)) => Err(Unpriced::NoPrice {
                model: model.to_owned(),
            }),
            (None, None) => Err(Unpriced::NoModel),
        }
    }

    fn own(&self, model: &str, at: Timestamp) -> Option<&Price> {
        let model = model.trim();
        let by_name = self.own_names.get(&*model.to_ascii_lowercase());
        by_name
            .into_iter()
            .flatten()
            .find(|price| price.holds_at(at))
            .or_else(|| {
                self.own_patterns
                    .iter()
                    .find(|(regex, price)| price.holds_at(at) && regex.is_match(model))
                    .map(|(_, price)| price)
            })
    }
}
