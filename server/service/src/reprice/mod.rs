//! History priced anew: costs that were computed, or could not be, by the prices of today.

/// The work itself.
mod work;

use domain::cost::{Reprice, RepriceState};
use domain::filter::Filter;
use domain::tenancy::Permission;
use domain::{Code, Fault, RepriceId};
use store_postgres::reprices;
use uuid::Uuid;

use crate::app::App;
use crate::scope::ProjectScope;

pub use work::run;

/// Asks for calls that match to be priced anew; needs `SetPrices`. Costs that the client gave stay.
/// It goes on in the background, after a restart too.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` while another one of the project runs, or
/// `unavailable` without Postgres.
pub async fn create(app: &App, scope: &ProjectScope, filter: Filter) -> Result<Reprice, Fault> {
    scope.require(Permission::SetPrices)?;
    if let (Some(from), Some(to)) = (filter.from, filter.to)
        && to <= from
    {
        return Err(Fault::invalid("to must be later than from").on_field("to"));
    }
    if filter.min_latency_ms.is_some() {
        let message = "calls are not priced by their latency";
        return Err(Fault::invalid(message).on_field("filter"));
    }
    let now = app.clock().now();
    let reprice = Reprice {
        id: RepriceId(Uuid::now_v7()),
        filter,
        state: RepriceState::Running,
        done: 0,
        total: None,
        changed: 0,
        created_at: now,
        updated_at: now,
    };
    let created = reprices::create(app.postgres(), scope.project_id(), &reprice).await;
    created.map_err(|error| {
        error.on_constraint("reprices_one_running_key", || {
            Fault::new(
                Code::Conflict,
                "costs of this project are being computed already",
            )
        })
    })?;
    app.wake_repricing().notify_one();
    Ok(reprice)
}

/// One of the project.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope, id: RepriceId) -> Result<Reprice, Fault> {
    let found = reprices::show(app.postgres(), scope.project_id(), id).await?;
    found.ok_or_else(|| Fault::not_found(format!("no repricing {id}")))
}
