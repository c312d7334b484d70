//! What a model call costs.
//!
//! A call names a model and a provider: [`PriceBook::find`] looks its [`Price`] up. What it used, by
//! disjoint kinds, times the rates is the cost: [`compute`]. Everything is decimal; nothing is rounded
//! but for display. What has no price has no cost, which is not a cost of zero.
//!
//! The table of prices comes from the Python package `litellm` (MIT); its version stands in the header
//! of `data/model-prices.json`.

/// Every price that holds for a project, and the call that it prices.
mod book;
/// Kinds of usage.
mod bucket;
/// The sum.
mod compute;
/// The file, read.
mod file;
/// GPUs of one's own.
mod gpu_hours;
/// Who serves a model.
mod host;
/// From a model's name to its row.
mod matching;
/// Names without their decorations.
mod name;
/// Prices of a project.
mod own;
/// What one model costs at one provider.
mod price;
/// Prices per token.
mod rate;
/// The table, indexed.
mod table;
/// Things other than tokens.
mod unit;

pub use book::{Call, PriceBook};
pub use bucket::Bucket;
pub use compute::{Consumption, Priced, Terms, Unpriced, compute};
pub use file::BrokenFile;
pub use gpu_hours::{GpuPrice, WindowCost};
pub use own::{InvalidPrice, ModelMatch, OwnPrice};
pub use price::{Origin, Price, ServiceLevel, Tariff, Tier};
pub use rate::{Rate, Rates};
pub use table::Table;

#[cfg(test)]
mod tests;
