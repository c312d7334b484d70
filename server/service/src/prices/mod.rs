//! What models cost a project: the table that comes with the product, and prices of its own.

/// Prices in memory.
mod cache;
/// What may be set.
mod check;
/// Prices for some calls only.
mod tiers;

use std::sync::Arc;

use domain::cost::{PriceDraft, Pricer, ProjectPrice, UnpricedModel};
use domain::tenancy::Permission;
use domain::{Code, Fault, Nanos, PriceId, ProjectId};
use store_clickhouse::spans;
use store_postgres::prices;
use uuid::Uuid;

use crate::app::App;
use crate::scope::ProjectScope;

pub(crate) use cache::Cache;

/// Prices of one project: its book is read again whenever one changes.
const MOST: i64 = 1_000;
/// How far back models without a price are looked for.
const LATELY: Nanos = Nanos::from_seconds(7 * 24 * 3600);

/// The prices that hold for a project; a change anywhere is seen within 5 s. `None` while they cannot
/// be read, for a wrong cost is worse than none.
pub async fn of_project(app: &App, scope: &ProjectScope) -> Option<Arc<Pricer>> {
    cache::of_project(app, scope.project_id()).await
}

/// The same for work that was asked for before.
pub(crate) async fn of_project_id(app: &App, project: ProjectId) -> Option<Arc<Pricer>> {
    cache::of_project(app, project).await
}

/// The project's own prices, by model, the newest of each first.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<ProjectPrice>, Fault> {
    Ok(prices::list(app.postgres(), scope.project_id()).await?)
}

/// Models that were called within the last week and have no price, the most called first.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn unpriced(app: &App, scope: &ProjectScope) -> Result<Vec<UnpricedModel>, Fault> {
    let from = app.clock().now().minus(LATELY);
    let unpriced = spans::unpriced(app.clickhouse(), scope.project_id(), from);
    Ok(unpriced.await?)
}

/// Sets a price; needs `SetPrices`. It holds for calls that arrive from now on.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` when there are too many, or `unavailable` without
/// Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: PriceDraft,
) -> Result<ProjectPrice, Fault> {
    scope.require(Permission::SetPrices)?;
    check::check(&draft)?;
    let now = app.clock().now();
    let price = ProjectPrice {
        id: PriceId(Uuid::now_v7()),
        draft,
        created_at: now,
        updated_at: now,
    };
    let project = scope.project_id();
    if !prices::create(app.postgres(), project, &price, MOST).await? {
        let message = format!("a project has at most {MOST} prices of its own");
        return Err(Fault::new(Code::Conflict, message));
    }
    app.prices().forget(project);
    Ok(price)
}

/// Changes a price; needs `SetPrices`. `change` makes the new draft of the one that is set.
///
/// # Errors
/// As [`create`], `not_found` when the project has no such price, and what `change` says.
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    id: PriceId,
    change: impl FnOnce(PriceDraft) -> Result<PriceDraft, Fault>,
) -> Result<ProjectPrice, Fault> {
    scope.require(Permission::SetPrices)?;
    let all = list(app, scope).await?;
    let known = all.into_iter().find(|price| price.id == id);
    let known = known.ok_or_else(|| no_such_price(id))?;
    let draft = change(known.draft.clone())?;
    check::check(&draft)?;
    let price = ProjectPrice {
        draft,
        updated_at: app.clock().now(),
        ..known
    };
    let project = scope.project_id();
    if !prices::update(app.postgres(), project, &price).await? {
        return Err(no_such_price(id));
    }
    app.prices().forget(project);
    Ok(price)
}

/// Deletes a price; needs `SetPrices`. Costs that were computed with it stay.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: PriceId) -> Result<(), Fault> {
    scope.require(Permission::SetPrices)?;
    let project = scope.project_id();
    if !prices::delete(app.postgres(), project, id).await? {
        return Err(no_such_price(id));
    }
    app.prices().forget(project);
    Ok(())
}

fn no_such_price(id: PriceId) -> Fault {
    Fault::not_found(format!("no price {id}"))
}
