//! Who did what and when. Rows are written, in the transaction of what they tell of, and never changed; each seals the one
//! before it, see [`domain::audit`].

/// The end of what is older than it is kept.
mod cut;
/// What is read of it, and what is blanked.
mod read;

pub use cut::{count_before, cut};
pub use read::{Filter, blank, chains, head, list, naming, read_on};

use std::borrow::Cow;

use domain::audit::{BEGINNING, Details, Entry as Sealed, digest, seal};
use domain::tenancy::Tenant;
use domain::{OrganisationId, ProjectId, Timestamp};
use serde_json::Value;
use uuid::Uuid;

use crate::{Postgres, StoreError, Transaction};

/// What is written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Who: `server`, `operator`, `key:ID` or `person:ID`.
    pub actor: String,
    /// What was done: `prompt.rollback`.
    pub action: Cow<'static, str>,
    /// To what: `prompt:NAME`.
    pub object: String,
    /// What was changed, as it was.
    pub before: Value,
    /// As it is now.
    pub after: Value,
}

/// Writes it down in the log of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn append(
    tx: &mut Transaction,
    project: ProjectId,
    entry: &Entry,
    at: Timestamp,
) -> Result<(), StoreError> {
    append_to(tx, Tenant::Project(project), entry, at).await
}

/// Writes it down in the log of a project or an organisation. Whoever writes the next one waits for the end of the
/// transaction.
///
/// # Errors
/// When Postgres is away.
pub async fn append_to(
    tx: &mut Transaction,
    tenant: Tenant,
    entry: &Entry,
    at: Timestamp,
) -> Result<(), StoreError> {
    let (project, organisation) = ids(tenant);
    let chain = project.or(organisation);
    let end = sqlx::query!(
        r#"INSERT INTO audit_chains (id, project_id, organisation_id, entries, hash)
         VALUES ($1, $2, $3, 0, $4)
         ON CONFLICT (id) DO UPDATE SET entries = audit_chains.entries
         RETURNING entries, hash, gen_random_uuid() AS "salt!""#,
        chain,
        project,
        organisation,
        BEGINNING.as_slice()
    )
    .fetch_one(tx.connection())
    .await?;
    let details = Details {
        object: storable(&entry.object),
        before: storable(&entry.before.to_string()),
        after: storable(&entry.after.to_string()),
    };
    let salt = end.salt.as_bytes().to_vec();
    let mut sealed = Sealed {
        number: end.entries.unsigned_abs() + 1,
        at,
        actor: entry.actor.clone(),
        action: entry.action.clone().into_owned(),
        digest: digest(&salt, &details).to_vec(),
        details,
        salt: Some(salt),
        hash: Vec::new(),
    };
    sealed.hash = seal(&end.hash, &chain_of(tenant), &sealed).to_vec();
    sqlx::query!(
        "WITH moved AS (UPDATE audit_chains SET entries = $3, hash = $4 WHERE id = $12)
         INSERT INTO audit_log
             (project_id, organisation_id, entry, hash, at, actor, action, object, before, after, salt, digest)
         VALUES ($1, $2, $3, $4, to_timestamp(0) + $5::BIGINT * INTERVAL '1 microsecond', $6, $7, $8, $9, $10, $11, $13)",
        project,
        organisation,
        end.entries + 1,
        sealed.hash,
        domain::audit::micros(at),
        sealed.actor,
        sealed.action,
        sealed.details.object,
        sealed.details.before,
        sealed.details.after,
        sealed.salt,
        chain,
        sealed.digest
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Text without what Postgres does not keep.
fn storable(text: &str) -> String {
    text.replace('\0', "")
}

/// Name of a chain, as it enters its hashes.
pub fn chain_of(tenant: Tenant) -> String {
    match tenant {
        Tenant::Project(id) => id.as_uuid().to_string(),
        Tenant::Organisation(id) => id.as_uuid().to_string(),
    }
}

fn ids(tenant: Tenant) -> (Option<Uuid>, Option<Uuid>) {
    (
        tenant.project().map(ProjectId::as_uuid),
        tenant.organisation().map(OrganisationId::as_uuid),
    )
}

/// An entry as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// When.
    pub at: Timestamp,
    /// Who: `server`, `operator`, `key:ID` or `person:ID`.
    pub actor: String,
    /// What was done: `prompt.rollback`.
    pub action: String,
    /// What was changed, as it was.
    pub before: Value,
    /// As it is now.
    pub after: Value,
}

/// What was done to a thing, the newest first, at most `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn of_object(
    db: &Postgres,
    project: ProjectId,
    object: &str,
    most: u32,
) -> Result<Vec<Told>, StoreError> {
    let rows = sqlx::query!(
        "SELECT at, actor, action, before, after
         FROM audit_log
         WHERE project_id = $1 AND object = $2
         ORDER BY id DESC
         LIMIT $3",
        project.as_uuid(),
        object,
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    let json = |text: &str| serde_json::from_str(text).unwrap_or_default();
    Ok(rows
        .into_iter()
        .map(|row| Told {
            at: row.at.into(),
            actor: row.actor,
            action: row.action,
            before: json(&row.before),
            after: json(&row.after),
        })
        .collect())
}

/// What was done within a stretch of time, as far as it is one of these actions: with the thing that it was done to
/// (`prompt:NAME`), the newest first, at most `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn within(
    db: &Postgres,
    project: ProjectId,
    actions: &[&str],
    (from, to): (Timestamp, Timestamp),
    most: u32,
) -> Result<Vec<(String, Told)>, StoreError> {
    let actions: Vec<String> = actions.iter().map(|action| (*action).to_owned()).collect();
    let rows = sqlx::query!(
        "SELECT object, at, actor, action, before, after
         FROM audit_log
         WHERE project_id = $1 AND at >= $2 AND at < $3 AND action = ANY ($4)
         ORDER BY at DESC, id DESC
         LIMIT $5",
        project.as_uuid(),
        from.to_utc(),
        to.to_utc(),
        actions.as_slice(),
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    let json = |text: &str| serde_json::from_str(text).unwrap_or_default();
    let told = rows.into_iter().map(|row| {
        let told = Told {
            at: row.at.into(),
            actor: row.actor,
            action: row.action,
            before: json(&row.before),
            after: json(&row.after),
        };
        (row.object, told)
    });
    Ok(told.collect())
}
