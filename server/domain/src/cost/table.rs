//! A price table, indexed by every name that its models go by.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use super::file::{BrokenFile, PriceFile};
use super::host;
use super::name::{self, Recency};
use super::price::Price;
use crate::time::Timestamp;

/// Stands for the host of rows whose key names none.
pub(super) const NO_HOST: &str = "";

static BUILT_IN: LazyLock<Result<Arc<Table>, BrokenFile>> = LazyLock::new(|| {
    let json = include_str!("../../data/model-prices.json");
    Table::read(json, None).map(Arc::new)
});

/// One edition of the price table.
#[derive(Debug, Default)]
pub struct Table {
    source_version: String,
    valid_from: Option<Timestamp>,
    left_out: Vec<String>,
    prices: Vec<Price>,
    /// Keys of the file in lower case.
    by_key: HashMap<Box<str>, u32>,
    /// `host/name` for every name that stands for a model there, and how well it stands for it.
    by_alias: HashMap<Box<str>, (Rank, u32)>,
    hosts: HashSet<Box<str>>,
}

/// Less is better: what was taken off the name, how new it is in its family, whether the key names no
/// host.
type Rank = (u8, Reverse<Recency>, bool);

impl Table {
    /// The table that comes with the product.
    ///
    /// # Errors
    /// When the file in the binary is broken, which a test rules out.
    pub fn built_in() -> Result<Arc<Table>, &'static BrokenFile> {
        BUILT_IN.as_ref().map(Arc::clone)
    }

    /// Reads a price file whose prices hold from `valid_from` on.
    ///
    /// # Errors
    /// When it is no such file, or a price is negative or not a number.
    pub fn read(json: &str, valid_from: Option<Timestamp>) -> Result<Table, BrokenFile> {
        let file = PriceFile::read(json, valid_from)?;
        let mut table = Table {
            source_version: file.source_version,
            valid_from,
            left_out: file.left_out,
            ..Table::default()
        };
        for (row, price) in (0..).zip(&file.prices) {
            table.index(price, row);
        }
        table.prices = file.prices;
        Ok(table)
    }

    /// Version of the source, as the file's header says.
    pub fn source_version(&self) -> &str {
        &self.source_version
    }

    /// Since when it holds; `None` = ever since.
    pub fn valid_from(&self) -> Option<Timestamp> {
        self.valid_from
    }

    /// Every price, in the order of the file.
    pub fn prices(&self) -> &[Price] {
        &self.prices
    }

    /// Models left out because a rate is beyond belief (more than a thousand USD per million tokens).
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The price of that key, in lower case.
    pub(super) fn at_key(&self, key: &str) -> Option<&Price> {
        self.row(*self.by_key.get(key)?)
    }

    /// The price of exactly that name at a host.
    pub(super) fn at_host(&self, host: &str, name: &str) -> Option<&Price> {
        self.at_key(&format!("{host}/{name}")).or_else(|| {
            let bare = self.at_key(name)?;
            (host::of_row(&bare.provider) == host).then_some(bare)
        })
    }

    /// The price of the model at a host that a name may stand for.
    pub(super) fn at_alias(&self, host: &str, alias: &str) -> Option<&Price> {
        let (_, row) = self.by_alias.get(&*format!("{host}/{alias}"))?;
        self.row(*row)
    }

    /// Whether there are prices of that host.
    pub(super) fn lists_host(&self, host: &str) -> bool {
        self.hosts.contains(host)
    }

    fn row(&self, row: u32) -> Option<&Price> {
        self.prices.get(usize::try_from(row).ok()?)
    }

    fn index(&mut self, price: &Price, row: u32) {
        let key = price.model.to_ascii_lowercase();
        let host = host::of_row(&price.provider);
        let own_name = match key.split_once('/') {
            Some((first, rest)) if [host, &*price.provider].contains(&first) => rest,
            Some((first, rest)) if first.replace('-', "_") == host => rest,
            Some(_) | None => &key,
        };
        let (_, own_name) = name::without_path(own_name);
        let names_no_host = !key.contains('/');
        for alias in name::aliases(own_name) {
            let rank = (alias.distance, Reverse(alias.recency), names_no_host);
            self.name(host, &alias.name, (rank, row));
            // A key without a host before it is the maker's own.
            if alias.distance == 0 && names_no_host {
                self.name(NO_HOST, &alias.name, (rank, row));
            }
        }
        if !self.hosts.contains(host) {
            self.hosts.insert(host.into());
        }
        // The file has its current models before its retired ones: the first of a key stays.
        self.by_key.entry(key.into_boxed_str()).or_insert(row);
    }

    /// Gives a row a name at a host, unless another row bears it better.
    fn name(&mut self, host: &str, name: &str, ranked: (Rank, u32)) {
        let place = format!("{host}/{name}").into_boxed_str();
        let holder = self.by_alias.entry(place).or_insert(ranked);
        if ranked.0 < holder.0 {
            *holder = ranked;
        }
    }
}
