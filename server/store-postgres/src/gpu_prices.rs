//! What GPUs of a project's own cost.

use domain::cost::{GpuPrice, GpuPriceDraft, ProjectGpuPrice};
use domain::pattern::NamePattern;
use domain::{GpuPriceId, ProjectId};

use crate::{Postgres, StoreError};

/// All prices of a project's GPUs, by model, the oldest first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<ProjectGpuPrice>, StoreError> {
    let rows = sqlx::query!(
        "SELECT
             id,
             model,
             provider,
             instance,
             usd_per_gpu_hour,
             gpus,
             created_at
         FROM gpu_prices
         WHERE project_id = $1
         ORDER BY lower(model), created_at, id",
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let pattern = |text: Option<String>| text.as_deref().map(NamePattern::new);
    let prices = rows.into_iter().map(|row| ProjectGpuPrice {
        id: row.id.into(),
        draft: GpuPriceDraft {
            model: NamePattern::new(&row.model),
            provider: pattern(row.provider),
            instance: pattern(row.instance),
            price: GpuPrice {
                // What is no such decimal was not written here.
                usd_per_gpu_hour: row.usd_per_gpu_hour.parse().unwrap_or_default(),
                gpus: u32::try_from(row.gpus).unwrap_or_default(),
            },
        },
        created_at: row.created_at.into(),
    });
    Ok(prices.collect())
}

/// Stores a price, unless the project has `most` of them already; whether it was stored.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    price: &ProjectGpuPrice,
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &price.draft;
    let stored = sqlx::query!(
        "INSERT INTO gpu_prices
             (id, project_id, model, provider, instance, usd_per_gpu_hour, gpus, created_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8
         WHERE (SELECT count(*) FROM gpu_prices WHERE project_id = $2) < $9",
        price.id.as_uuid(),
        project.as_uuid(),
        draft.model.as_str(),
        draft.provider.as_ref().map(NamePattern::as_str),
        draft.instance.as_ref().map(NamePattern::as_str),
        draft.price.usd_per_gpu_hour.to_string(),
        i32::try_from(draft.price.gpus).unwrap_or(i32::MAX),
        price.created_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Deletes a price; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(db: &Postgres, project: ProjectId, id: GpuPriceId) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM gpu_prices WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}
