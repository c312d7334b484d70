//! Who people are at providers of OpenID Connect.

use domain::tenancy::Person;
use domain::{PersonId, Timestamp};

use crate::{Postgres, StoreError, Transaction};

/// The person of an identity.
///
/// # Errors
/// When Postgres is away.
pub async fn person(
    db: &Postgres,
    issuer: &str,
    subject: &str,
) -> Result<Option<Person>, StoreError> {
    let row = sqlx::query!(
        "SELECT p.id, p.email, p.name
         FROM identities i JOIN people p ON p.id = i.person_id
         WHERE i.issuer = $1 AND i.subject = $2",
        issuer,
        subject
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Person {
        id: row.id.into(),
        email: row.email,
        name: row.name,
    }))
}

/// Whether a person has an identity at a provider.
///
/// # Errors
/// When Postgres is away.
pub async fn has(tx: &mut Transaction, issuer: &str, person: PersonId) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM identities WHERE person_id = $1 AND issuer = $2) AS "found!""#,
        person.as_uuid(),
        issuer
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(found)
}

/// Links an identity to a person.
///
/// # Errors
/// `identities_pkey` when it is somebody's, `identities_person_id_issuer_idx` when they have one there.
pub async fn add(
    tx: &mut Transaction,
    (issuer, subject): (&str, &str),
    person: PersonId,
    since: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO identities (issuer, subject, person_id, since) VALUES ($1, $2, $3, $4)",
        issuer,
        subject,
        person.as_uuid(),
        since.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
