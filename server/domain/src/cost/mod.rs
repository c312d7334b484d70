//! What a model call costs.
//!
//! A call names a model and a provider: `PriceBook::find` looks its `Price` up. What it used, by
//! disjoint kinds, times the rates is the cost: `compute`. Everything is decimal; nothing is rounded
//! but for display. What has no price has no cost, which is not a cost of zero.
//!
//! The table of prices comes from the Python package `litellm` (MIT); its version stands in the header
//! of `data/model-prices.json`.

/// Every price that holds for a project, and the call that it prices.
mod book;

/// A project's book with what was looked up lately: prices spans.
mod pricer;

/// The sum.
mod compute;

/// Kinds of usage.
mod bucket;
/// Things other than tokens.
mod unit;

/// What one model costs at one provider.
mod price;
/// Prices per token.
mod rate;

/// Models as a price list has them.
mod listed;
/// Names of kinds of usage in Langfuse's words.
mod long_name;
/// Prices of a project.
mod own;
/// Prices of a project, as they are set and kept.
mod project_price;
/// History priced anew.
mod reprice;
/// The table, indexed.
mod table;
/// Prices that hold for some calls only.
mod tiers;

/// The file, read.
mod file;

/// What costs are told apart by.
mod by;
/// Which part of the costs is looked at.
mod filter;
/// What a provider's prompt cache saves.
mod saved;

/// From a model's name to its row.
mod matching;

/// Who serves a model.
mod host;
/// Names without their decorations.
mod name;

/// GPUs of one's own.
mod gpu_hours;
/// What they yielded for their money.
mod gpu_report;

pub use book::{Call, PriceBook};
pub use bucket::Bucket;
pub use by::CostBy;
pub use compute::{Consumption, Priced, Terms, Unpriced, compute};
pub use file::BrokenFile;
pub use filter::{CostFilter, MAX_FILTERS};
pub use gpu_hours::{GpuPrice, WindowCost};
pub use gpu_report::{
    BusyTime, GpuPriceDraft, GpuReport, ProjectGpuPrice, ServedCalls, Serving, price_of,
};
pub use listed::{ListedModel, ListedTier};
pub use long_name::{kind_of_long_name, long_name};
pub use own::{InvalidPrice, ModelMatch, OwnPrice};
pub use price::{Origin, Price, ServiceLevel, Tariff, Tier};
pub use pricer::Pricer;
pub use project_price::{Listing, MatchKind, PriceDraft, ProjectPrice, UnpricedModel};
pub use rate::{Rate, Rates};
pub use reprice::{Reprice, RepriceState};
pub use saved::{CacheSaving, CachedTokens, answers_saving, cache_saving};
pub use table::Table;
pub use tiers::{AttributeSource, ConditionalPrice, TierCondition, TierDraft};

#[cfg(test)]
mod tests;
