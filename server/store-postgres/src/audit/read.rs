//! The log read: lists, chains from their beginning, and details that are blanked.

use domain::audit::{Details, Entry, Head, hash};
use domain::tenancy::Tenant;
use domain::{ProjectId, Timestamp};

use super::ids;
use crate::{Postgres, StoreError, Transaction};

/// What a list is narrowed to.
#[derive(Clone, Debug, Default)]
pub struct Filter<'a> {
    /// Who: `person:ID`.
    pub actor: Option<&'a str>,
    /// What was done; `deletion.` means all that begin with it.
    pub action: Option<&'a str>,
    /// To what: `trace:ID`.
    pub object: Option<&'a str>,
    /// Earliest, included.
    pub from: Option<Timestamp>,
    /// Latest, excluded.
    pub to: Option<Timestamp>,
    /// Only entries before that one.
    pub before: Option<u64>,
}

/// Where a log ends; `None` before its first entry.
///
/// # Errors
/// When Postgres is away.
pub async fn head(tx: &mut Transaction, tenant: Tenant) -> Result<Option<Head>, StoreError> {
    let (project, organisation) = ids(tenant);
    let row = sqlx::query!(
        "SELECT entries, hash FROM audit_chains WHERE project_id = $1 OR organisation_id = $2",
        project,
        organisation
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(|row| Head {
        entries: row.entries.unsigned_abs(),
        hash: hash(&row.hash),
    }))
}

/// Every log of the server, for its operator.
///
/// # Errors
/// When Postgres is away.
pub async fn chains(db: &Postgres) -> Result<Vec<Tenant>, StoreError> {
    let rows = sqlx::query!("SELECT project_id, organisation_id FROM audit_chains ORDER BY id")
        .fetch_all(db.pool())
        .await?;
    let tenants = rows
        .into_iter()
        .filter_map(|row| match (row.project_id, row.organisation_id) {
            (Some(project), _) => Some(Tenant::Project(project.into())),
            (None, organisation) => organisation.map(|id| Tenant::Organisation(id.into())),
        });
    Ok(tenants.collect())
}

/// Entries of a log, the newest first, at most `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    tenant: Tenant,
    filter: &Filter<'_>,
    most: u32,
) -> Result<Vec<Entry>, StoreError> {
    let (project, organisation) = ids(tenant);
    let rows = sqlx::query_as!(
        Row,
        "SELECT entry, at, actor, action, object, before, after, salt, digest, hash
         FROM audit_log
         WHERE (project_id = $1 OR organisation_id = $2)
             AND ($3::TEXT IS NULL OR actor = $3)
             AND ($4::TEXT IS NULL OR action = $4 OR ($4 LIKE '%.' AND starts_with(action, $4)))
             AND ($5::TEXT IS NULL OR object = $5)
             AND ($6::TIMESTAMPTZ IS NULL OR at >= $6)
             AND ($7::TIMESTAMPTZ IS NULL OR at < $7)
             AND ($8::BIGINT IS NULL OR entry < $8)
         ORDER BY entry DESC
         LIMIT $9",
        project,
        organisation,
        filter.actor,
        filter.action,
        filter.object,
        filter.from.map(Timestamp::to_utc),
        filter.to.map(Timestamp::to_utc),
        filter.before.map(u64::cast_signed),
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows.into_iter().map(Entry::from).collect())
}

/// Entries of a log after one of them, in their order, at most `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn read_on(
    tx: &mut Transaction,
    tenant: Tenant,
    after: u64,
    most: u32,
) -> Result<Vec<Entry>, StoreError> {
    let (project, organisation) = ids(tenant);
    let rows = sqlx::query_as!(
        Row,
        "SELECT entry, at, actor, action, object, before, after, salt, digest, hash
         FROM audit_log
         WHERE (project_id = $1 OR organisation_id = $2) AND entry > $3
         ORDER BY entry
         LIMIT $4",
        project,
        organisation,
        after.cast_signed(),
        i64::from(most)
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(Entry::from).collect())
}

/// Entries whose details name a user of the application or one of these objects. Short ids are sought as whole texts, long
/// ones within texts, too.
///
/// # Errors
/// When Postgres is away.
pub async fn naming(
    tx: &mut Transaction,
    project: ProjectId,
    user: &str,
    objects: &[String],
) -> Result<Vec<u64>, StoreError> {
    let found = sqlx::query_scalar!(
        "SELECT entry FROM audit_log
         WHERE project_id = $1
             AND salt IS NOT NULL
             AND (
                 object = ANY ($3)
                 OR position(to_json($2::TEXT)::TEXT IN before || after) > 0
                 OR (length($2) >= 8 AND position($2 IN object || before || after) > 0)
             )
         ORDER BY entry",
        project.as_uuid(),
        user,
        objects
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(found.into_iter().map(i64::unsigned_abs).collect())
}

/// Blanks the details of entries. Whoever does writes an entry that says so.
///
/// # Errors
/// When Postgres is away.
pub async fn blank(
    tx: &mut Transaction,
    project: ProjectId,
    entries: &[u64],
) -> Result<(), StoreError> {
    let entries: Vec<i64> = entries.iter().map(|entry| entry.cast_signed()).collect();
    sqlx::query!(
        "UPDATE audit_log SET object = '', before = 'null', after = 'null', salt = NULL
         WHERE project_id = $1 AND entry = ANY ($2)",
        project.as_uuid(),
        &entries
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

struct Row {
    entry: i64,
    at: time::OffsetDateTime,
    actor: String,
    action: String,
    object: String,
    before: String,
    after: String,
    salt: Option<Vec<u8>>,
    digest: Vec<u8>,
    hash: Vec<u8>,
}

impl From<Row> for Entry {
    fn from(row: Row) -> Self {
        Entry {
            number: row.entry.unsigned_abs(),
            at: row.at.into(),
            actor: row.actor,
            action: row.action,
            details: Details {
                object: row.object,
                before: row.before,
                after: row.after,
            },
            salt: row.salt,
            digest: row.digest,
            hash: row.hash,
        }
    }
}
