//! Models with their prices, as a list has them: a project's own before those that come with the product.

use std::sync::Arc;

use domain::cost::{
    ListedModel, Listing, MatchKind, Origin, Price, PriceDraft, ProjectPrice, Table, Terms,
};
use domain::filter::{Column, Filter};
use domain::{Fault, PriceId, Span};

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

/// The models of a project, to find those by whose prices costs were computed.
#[derive(Clone, Debug, Default)]
pub struct KnownPrices {
    own: Vec<ProjectPrice>,
    table: Option<Arc<Table>>,
}

impl KnownPrices {
    /// The model by whose prices a cost was computed, if it is listed still.
    pub fn model_of(&self, terms: &Terms) -> Option<ListedModel> {
        match terms.origin {
            Origin::Project => {
                let is_it = |price: &&ProjectPrice| {
                    let draft = &price.draft;
                    draft.model == terms.model && draft.valid_from == terms.valid_from
                };
                self.own.iter().find(is_it).map(ListedModel::of_project)
            }
            Origin::BuiltIn => {
                let mut all = self.table.as_deref()?.prices().iter();
                let is_it = |price: &&Price| {
                    *price.model == *terms.model && *price.provider == *terms.provider
                };
                all.find(is_it).map(ListedModel::built_in)
            }
        }
    }
}

/// The models by which the costs of some spans were computed. Postgres is asked only where one is the
/// project's own.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn known_prices<'s>(
    app: &App,
    scope: &ProjectScope,
    spans: impl IntoIterator<Item = &'s Span>,
) -> Result<KnownPrices, Fault> {
    let is_own = |span: &Span| {
        let terms = span.cost.as_ref().and_then(|cost| cost.terms.as_ref());
        terms.is_some_and(|terms| terms.origin == Origin::Project)
    };
    if spans.into_iter().any(is_own) {
        return all_prices(app, scope).await;
    }
    Ok(KnownPrices {
        own: Vec::new(),
        table: Table::built_in().ok(),
    })
}

/// All of them.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn all_prices(app: &App, scope: &ProjectScope) -> Result<KnownPrices, Fault> {
    Ok(KnownPrices {
        own: prices::list(app, scope).await?,
        table: Table::built_in().ok(),
    })
}

/// A filter with the keys of prices where it has ids of models; an id that there is not stays, and is that
/// of no price.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn with_price_keys(
    app: &App,
    scope: &ProjectScope,
    mut filter: Filter,
) -> Result<Filter, Fault> {
    let conditions = filter.conditions.iter_mut();
    let of_models = conditions.filter(|condition| condition.column == Column::PriceKey);
    for id in of_models.flat_map(|condition| &mut condition.values) {
        if let Some(key) = price_key(app, scope, id).await? {
            *id = key;
        }
    }
    Ok(filter)
}

async fn price_key(app: &App, scope: &ProjectScope, id: &str) -> Result<Option<String>, Fault> {
    if let Ok(id) = id.parse::<PriceId>() {
        let own = prices::list(app, scope).await?;
        let price = own.iter().find(|price| price.id == id);
        return Ok(price.map(ProjectPrice::key));
    }
    let table = Table::built_in().ok();
    let built_in = table.as_deref().map_or(&[][..], Table::prices);
    let found = built_in
        .iter()
        .find(|price| ListedModel::built_in_id(price) == id);
    Ok(found.map(Price::key))
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
