//! Models with their prices, as a list has them: a project's own before those that come with the product.

use domain::cost::{ListedModel, Listing, MatchKind, PriceDraft, Table};
use domain::{Fault, PriceId};

use crate::app::App;
use crate::prices;
use crate::scope::ProjectScope;

/// Characters of the expression that finds a model.
const MAX_PATTERN: usize = 1_000;
/// Characters of a setting of a tokenizer.
const MAX_CONFIG: usize = 10_000;

/// A slice of the models, and how many there are in all.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    (skip, limit): (u64, u32),
) -> Result<(Vec<ListedModel>, u64), Fault> {
    let own = prices::list(app, scope).await?;
    let table = Table::built_in().ok();
    let built_in = table.as_deref().map_or(&[][..], Table::prices);
    let total = (own.len() + built_in.len()) as u64;
    let skip = usize::try_from(skip).unwrap_or(usize::MAX);
    let beyond_own = skip.saturating_sub(own.len());
    let own = own.iter().skip(skip).map(ListedModel::of_project);
    let built_in = built_in.iter().skip(beyond_own).map(ListedModel::built_in);
    Ok((own.chain(built_in).take(limit as usize).collect(), total))
}

/// One model.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope, id: &str) -> Result<ListedModel, Fault> {
    if id.parse::<PriceId>().is_ok() {
        let own = prices::list(app, scope).await?;
        let mut own = own.iter().map(ListedModel::of_project);
        return own.find(|model| model.id == id).ok_or_else(no_such_model);
    }
    let table = Table::built_in().ok();
    let built_in = table.as_deref().map_or(&[][..], Table::prices);
    let found = built_in
        .iter()
        .find(|price| ListedModel::built_in_id(price) == id);
    found.map(ListedModel::built_in).ok_or_else(no_such_model)
}

/// Lists a model with its prices; needs `SetPrices`. They hold for calls that arrive from now on, and for
/// those of the past once these are priced anew.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` when there are too many, or `unavailable` without
/// Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: PriceDraft,
) -> Result<ListedModel, Fault> {
    let listing = draft.listing.as_ref();
    let name = listing.map_or_else(String::new, |listing| listing.name.clone());
    refuse_taken(app, scope, &name).await?;
    match prices::create(app, scope, draft).await {
        Ok(price) => Ok(ListedModel::of_project(&price)),
        Err(fault) => {
            if fault.code == domain::Code::Conflict {
                // Somebody else may have been quicker.
                refuse_taken(app, scope, &name).await?;
            }
            Err(fault)
        }
    }
}

/// A name is listed once within a project.
async fn refuse_taken(app: &App, scope: &ProjectScope, name: &str) -> Result<(), Fault> {
    let own = prices::list(app, scope).await?;
    let mut listings = own.iter().filter_map(|price| price.draft.listing.as_ref());
    if listings.any(|listing| listing.name == name) {
        let message = format!("there is a model {name:?} in this project already");
        return Err(Fault::invalid(message).on_field("modelName"));
    }
    Ok(())
}

/// Takes a project's own model off the list, with its prices; needs `SetPrices`.
///
/// # Errors
/// `forbidden`, `not_found`, also for what comes with the product, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: &str) -> Result<(), Fault> {
    let id: PriceId = id.parse().map_err(|_| no_such_model())?;
    let deleted = prices::delete(app, scope, id).await;
    deleted.map_err(|fault| match fault.code {
        domain::Code::NotFound => no_such_model(),
        _ => fault,
    })
}

fn no_such_model() -> Fault {
    Fault::not_found("Model not found within authorized project")
}

/// What a listing says beside its prices.
///
/// # Errors
/// `invalid` on the field that is wrong.
pub(crate) fn check(draft: &PriceDraft, listing: &Listing) -> Result<(), Fault> {
    crate::names::name("modelName", &listing.name)?;
    let pattern = draft.model.chars().count();
    if draft.match_kind == MatchKind::Pattern && (pattern == 0 || pattern > MAX_PATTERN) {
        let message = format!("give an expression of at most {MAX_PATTERN} characters");
        return Err(Fault::invalid(message).on_field("matchPattern"));
    }
    let config = listing.tokenizer_config.as_deref().unwrap_or_default();
    if config.len() > MAX_CONFIG || config.contains("\\u0000") {
        let message = format!("give at most {MAX_CONFIG} bytes without NUL characters");
        return Err(Fault::invalid(message).on_field("tokenizerConfig"));
    }
    Ok(())
}
