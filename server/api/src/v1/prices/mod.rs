//! Prices that the project sets itself.

mod create;
mod delete;
mod list;
mod unpriced;
mod update;

pub(crate) use create::create_price;
pub(crate) use delete::delete_price;
pub(crate) use list::list_prices;
pub(crate) use unpriced::list_unpriced_models;
pub(crate) use update::update_price;

use domain::Fault;
use domain::cost::{MatchKind, PriceDraft};

use crate::extract::{Body, wrong};

/// A draft with those fields changed that the body gives.
fn changed(mut draft: PriceDraft, body: &Body) -> Result<PriceDraft, Fault> {
    body.only(&["match", "model", "prices", "valid_from", "valid_to"])?;
    if let Some(kind) = body.text("match")? {
        let kind = MatchKind::from_name(kind);
        draft.match_kind = kind.ok_or_else(|| wrong("match", "give exact or pattern"))?;
    }
    if let Some(model) = body.text("model")? {
        model.clone_into(&mut draft.model);
    }
    if let Some(prices) = body.amounts("prices")? {
        draft.prices = prices;
    }
    if let Some(from) = body.time("valid_from")? {
        draft.valid_from = from;
    }
    if let Some(to) = body.time("valid_to")? {
        draft.valid_to = to;
    }
    Ok(draft)
}
