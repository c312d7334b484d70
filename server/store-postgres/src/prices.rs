//! Prices that a project sets.

use std::collections::BTreeMap;

use domain::cost::{MatchKind, PriceDraft, ProjectPrice};
use domain::{PriceId, ProjectId, Timestamp, Usd};

use crate::{Postgres, StoreError};

/// All prices of a project, by model, the newest of each first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<ProjectPrice>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             id,
             match_kind,
             model,
             rates::TEXT AS "rates!",
             valid_from,
             valid_to,
             listing::TEXT AS listing,
             created_at,
             updated_at
         FROM prices
         WHERE project_id = $1
         ORDER BY lower(model), valid_from DESC NULLS LAST, created_at DESC, id DESC"#,
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let prices = rows.into_iter().map(|row| ProjectPrice {
        id: row.id.into(),
        draft: PriceDraft {
            match_kind: MatchKind::from_name(&row.match_kind).unwrap_or_default(),
            model: row.model,
            prices: rates(&row.rates),
            valid_from: row.valid_from.map(Timestamp::from),
            valid_to: row.valid_to.map(Timestamp::from),
            // What is no listing was not written here.
            listing: row
                .listing
                .and_then(|listing| serde_json::from_str(&listing).ok()),
        },
        created_at: row.created_at.into(),
        updated_at: row.updated_at.into(),
    });
    Ok(prices.collect())
}

/// Stores a price, unless the project has `most` of them already, or lists a model of that name; whether
/// it was stored.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    price: &ProjectPrice,
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &price.draft;
    let stored = sqlx::query!(
        "INSERT INTO prices
             (id, project_id, match_kind, model, rates, valid_from, valid_to, listing, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5::TEXT::JSONB, $6, $7, $8::TEXT::JSONB, $9, $10
         WHERE (SELECT count(*) FROM prices WHERE project_id = $2) < $11
         ON CONFLICT DO NOTHING",
        price.id.as_uuid(),
        project.as_uuid(),
        draft.match_kind.as_str(),
        draft.model,
        json(&draft.prices),
        draft.valid_from.map(Timestamp::to_utc),
        draft.valid_to.map(Timestamp::to_utc),
        listing(draft),
        price.created_at.to_utc(),
        price.updated_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Sets a price anew; whether the project has it.
///
/// # Errors
/// When Postgres is away.
pub async fn update(
    db: &Postgres,
    project: ProjectId,
    price: &ProjectPrice,
) -> Result<bool, StoreError> {
    let draft = &price.draft;
    let updated = sqlx::query!(
        "UPDATE prices
         SET
             match_kind = $3,
             model = $4,
             rates = $5::TEXT::JSONB,
             valid_from = $6,
             valid_to = $7,
             listing = $8::TEXT::JSONB,
             updated_at = $9
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        price.id.as_uuid(),
        draft.match_kind.as_str(),
        draft.model,
        json(&draft.prices),
        draft.valid_from.map(Timestamp::to_utc),
        draft.valid_to.map(Timestamp::to_utc),
        listing(draft),
        price.updated_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Deletes a price; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(db: &Postgres, project: ProjectId, id: PriceId) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM prices WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

fn json(prices: &BTreeMap<String, Usd>) -> String {
    serde_json::to_string(prices).unwrap_or_else(|_| "{}".to_owned())
}

fn listing(draft: &PriceDraft) -> Option<String> {
    let listing = draft.listing.as_ref()?;
    serde_json::to_string(listing).ok()
}

/// What is no such object was not written here.
fn rates(json: &str) -> BTreeMap<String, Usd> {
    serde_json::from_str(json).unwrap_or_default()
}
