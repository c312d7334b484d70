//! Every price that holds for a project.

use std::borrow::Borrow;
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
    /// provider and model as long as [`Price::holds_at`] and the book stay the same, as
    /// [`super::Pricer`] does.
    ///
    /// A project's own price comes first, by name, then by pattern; then the newest edition of the
    /// table that holds, then older ones, for a model that left the table keeps its last price.
    pub fn find(&self, provider: Option<&str>, model: &str, at: Timestamp) -> Option<&Price> {
        let mut prices = self.prices_of(provider, model);
        prices.find(|price| price.holds_at(at))
    }

    /// Every price of a model whenever it holds, the one that goes before first.
    pub(super) fn prices_of<'b>(
        &'b self,
        provider: Option<&str>,
        model: &str,
    ) -> impl Iterator<Item = &'b Price> {
        let editions = self.editions.iter();
        let listed = editions.filter_map(move |table| matching::find(table, provider, model));
        self.own(model).chain(listed)
    }

    /// The cost of a call, by the model that answered, else by the model asked for.
    ///
    /// # Errors
    /// [`Unpriced`] says why there is none.
    pub fn price(&self, call: &Call<'_>) -> Result<Priced, Unpriced> {
        call.priced_by(|model| self.find(call.provider, model, call.start))
    }

    fn own<'b>(&'b self, model: &str) -> impl Iterator<Item = &'b Price> {
        let model = model.trim();
        let by_name = self.own_names.get(&*model.to_ascii_lowercase());
        let by_pattern = self.own_patterns.iter();
        let by_pattern = by_pattern.filter(move |(regex, _)| regex.is_match(model));
        let by_name = by_name.into_iter().flatten();
        by_name.chain(by_pattern.map(|(_, price)| price))
    }
}

impl Call<'_> {
    /// Its cost by the price that `find` gives for one of its models.
    pub(super) fn priced_by<P: Borrow<Price>>(
        &self,
        find: impl Fn(&str) -> Option<P>,
    ) -> Result<Priced, Unpriced> {
        let models = [self.response_model, self.request_model];
        let mut named = models
            .into_iter()
            .flatten()
            .filter(|model| !model.trim().is_empty());
        match (named.clone().find_map(find), named.next()) {
            (Some(price), _) => compute(price.borrow(), &self.used),
            (None, Some(model)) => Err(Unpriced::NoPrice {
                model: model.to_owned(),
            }),
            (None, None) => Err(Unpriced::NoModel),
        }
    }
}
