//! What GPUs of a project's own cost, and what they yielded for it.

use domain::cost::{GpuPriceDraft, GpuReport, ProjectGpuPrice, price_of};
use domain::pattern::NamePattern;
use domain::tenancy::Permission;
use domain::{Code, Fault, GpuPriceId, Timestamp, Usd};
use store_clickhouse::calls;
use store_postgres::gpu_prices;
use uuid::Uuid;

use crate::app::App;
use crate::scope::ProjectScope;
use crate::{names, window};

/// Prices of one project.
const MOST: i64 = 200;
/// GPUs in one set.
const MAX_GPUS: u32 = 100_000;
/// USD for an hour of one GPU.
const MAX_USD: u32 = 1_000_000;

/// The project's prices, by model.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<ProjectGpuPrice>, Fault> {
    Ok(gpu_prices::list(app.postgres(), scope.project_id()).await?)
}

/// Sets a price; needs `SetPrices`.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` when there are too many, or `unavailable` without
/// Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: GpuPriceDraft,
) -> Result<ProjectGpuPrice, Fault> {
    scope.require(Permission::SetPrices)?;
    check(&draft)?;
    let price = ProjectGpuPrice {
        id: GpuPriceId(Uuid::now_v7()),
        draft,
        created_at: app.clock().now(),
    };
    if gpu_prices::create(app.postgres(), scope.project_id(), &price, MOST).await? {
        Ok(price)
    } else {
        let message = format!("a project has at most {MOST} prices of GPUs");
        Err(Fault::new(Code::Conflict, message))
    }
}

/// Deletes a price; needs `SetPrices`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: GpuPriceId) -> Result<(), Fault> {
    scope.require(Permission::SetPrices)?;
    if gpu_prices::delete(app.postgres(), scope.project_id(), id).await? {
        Ok(())
    } else {
        Err(Fault::not_found(format!("no price of GPUs {id}")))
    }
}

/// What a report is about, and the report.
pub struct Report {
    /// First instant.
    pub from: Timestamp,
    /// First instant after it.
    pub to: Timestamp,
    /// One for each price, by model.
    pub sets: Vec<GpuReport>,
}

/// What the GPUs of each price yielded between two instants, by today's prices; the last day unless
/// told otherwise. Prices hold for the whole of it.
///
/// # Errors
/// `invalid` on `to`; `unavailable` or `timeout` when a store is away or takes too long.
pub async fn report(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Result<Report, Fault> {
    let (from, to) = window::until_now(app.clock().now(), from, to)?;
    let prices = list(app, scope).await?;
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let idle = |price: &ProjectGpuPrice| GpuReport::idle(price.clone(), to - from);
    let mut sets: Vec<GpuReport> = prices.iter().map(idle).collect();
    if sets.is_empty() {
        return Ok(Report { from, to, sets });
    }
    let mut set_of = Vec::new();
    for served in calls::served(clickhouse, project, (from, to)).await? {
        if let Some(at) = price_of(&prices, &served.calls.serving) {
            sets[at].add(&served.calls);
            set_of.push((served.key, u32::try_from(at).unwrap_or(u32::MAX)));
        }
    }
    let busy = calls::busy(clickhouse, project, (from, to), &set_of).await?;
    for (set, time) in busy {
        if let Some(report) = sets.get_mut(set as usize) {
            report.time = time;
        }
    }
    Ok(Report { from, to, sets })
}

fn check(draft: &GpuPriceDraft) -> Result<(), Fault> {
    names::name("model", draft.model.as_str())?;
    for (field, pattern) in [("provider", &draft.provider), ("instance", &draft.instance)] {
        if let Some(pattern) = pattern.as_ref().map(NamePattern::as_str) {
            names::name(field, pattern)?;
        }
    }
    let (usd, gpus) = (draft.price.usd_per_gpu_hour, draft.price.gpus);
    let too_fine = usd.normalize().scale() > Usd::SCALE;
    if usd.is_sign_negative() || usd > MAX_USD.into() || too_fine {
        let message = format!("give US dollars from 0 to {MAX_USD}");
        return Err(wrong("usd_per_gpu_hour", &message));
    }
    if gpus == 0 || gpus > MAX_GPUS {
        let message = format!("give a number from 1 to {MAX_GPUS}");
        return Err(wrong("gpus", &message));
    }
    Ok(())
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field}: {why}")).on_field(field)
}

#[cfg(test)]
mod tests {
    use domain::cost::GpuPrice;

    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let field_of = |model: &str, provider: Option<&str>, usd: &str, gpus: u32| {
            let draft = GpuPriceDraft {
                model: NamePattern::new(model),
                provider: provider.map(NamePattern::new),
                instance: None,
                price: GpuPrice {
                    usd_per_gpu_hour: usd.parse().unwrap(),
                    gpus,
                },
            };
            check(&draft).err().and_then(|fault| fault.field)
        };
        let named = |field: &str| Some(field.to_owned());
        assert_eq!(field_of("qwen/*", Some("vllm"), "2.50", 8), None);
        assert_eq!(field_of(" ", None, "1", 1), named("model"));
        assert_eq!(field_of("m", Some("a\nb"), "1", 1), named("provider"));
        assert_eq!(field_of("m", None, "-1", 1), named("usd_per_gpu_hour"));
        assert_eq!(field_of("m", None, "1000001", 1), named("usd_per_gpu_hour"));
        assert_eq!(field_of("m", None, "1", 0), named("gpus"));
    }
}
