//! Room of rows that are gone is given back, so that their pages are tidied up.

use crate::{Postgres, StoreError};

/// Statements of their own: none of them runs within a transaction. Not checked when compiling, for they give nothing
/// and take nothing.
const STATEMENTS: [&str; 19] = [
    "VACUUM comments",
    "VACUUM annotation_items",
    "VACUUM annotation_labels",
    "VACUUM annotation_decisions",
    "VACUUM dataset_item_versions",
    "VACUUM dataset_run_items",
    "VACUUM media",
    "VACUUM media_links",
    "VACUUM business_events",
    "VACUUM saved_views",
    "VACUUM bulk_jobs",
    "VACUUM fills",
    "VACUUM evaluations",
    "VACUUM evaluators",
    "VACUUM incidents",
    "VACUUM incident_attributions",
    "VACUUM notifications",
    "VACUUM deletion_things",
    "VACUUM deletions",
];

/// Vacuums the tables that had rows of users.
///
/// # Errors
/// When Postgres is away, or the tables belong to somebody else.
pub async fn vacuum(db: &Postgres) -> Result<(), StoreError> {
    for statement in STATEMENTS {
        sqlx::raw_sql(statement).execute(db.pool()).await?;
    }
    Ok(())
}
