//! Who is signed in where. What a session holds is in `sign_in_sessions`; whose it is, here.

use domain::tenancy::{Person, SignIn, SignInMethod};
use domain::{PersonId, SignInId, Timestamp};

use crate::{Postgres, StoreError, Transaction};

/// A sign-in to be kept.
pub struct NewSignIn<'a> {
    /// Its id.
    pub id: SignInId,
    /// The session, which is stored already.
    pub session: &'a str,
    /// Whose.
    pub person: PersonId,
    /// How they showed who they are.
    pub method: SignInMethod,
    /// What the browser calls itself.
    pub user_agent: &'a str,
    /// The address it came from.
    pub address: &'a str,
    /// When.
    pub at: Timestamp,
}

/// Whose a session is.
pub struct Holder {
    /// The sign-in.
    pub id: SignInId,
    /// Who.
    pub person: Person,
    /// When it was last noted to be used.
    pub last_used: Timestamp,
}

/// Keeps a sign-in.
///
/// # Errors
/// When Postgres is away, or the session is gone.
pub async fn add(db: &Postgres, new: &NewSignIn<'_>) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO sign_ins (id, session_id, person_id, method, user_agent, address, since, last_used)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
        new.id.as_uuid(),
        new.session,
        new.person.as_uuid(),
        new.method.as_str(),
        new.user_agent,
        new.address,
        new.at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Whose a session is; `None` when it is nobody's, or ended.
///
/// # Errors
/// When Postgres is away.
pub async fn holder(db: &Postgres, session: &str) -> Result<Option<Holder>, StoreError> {
    let row = sqlx::query!(
        "SELECT s.id, s.last_used, p.id AS person_id, p.email, p.name
         FROM sign_ins s JOIN people p ON p.id = s.person_id
         WHERE s.session_id = $1",
        session
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Holder {
        id: row.id.into(),
        person: Person {
            id: row.person_id.into(),
            email: row.email,
            name: row.name,
        },
        last_used: row.last_used.into(),
    }))
}

/// Notes that a sign-in is used.
///
/// # Errors
/// When Postgres is away.
pub async fn note_use(db: &Postgres, id: SignInId, at: Timestamp) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE sign_ins SET last_used = $2 WHERE id = $1 AND last_used < $2",
        id.as_uuid(),
        at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Those of a person that go on, the last used first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, person: PersonId) -> Result<Vec<SignIn>, StoreError> {
    let rows = sqlx::query!(
        "SELECT s.id, s.user_agent, s.address, s.since, s.last_used
         FROM sign_ins s JOIN sign_in_sessions kept ON kept.id = s.session_id
         WHERE s.person_id = $1 AND kept.expiry_date > now()
         ORDER BY s.last_used DESC, s.id DESC",
        person.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let sign_ins = rows.into_iter().map(|row| SignIn {
        id: row.id.into(),
        user_agent: row.user_agent,
        address: row.address,
        since: row.since.into(),
        last_used: row.last_used.into(),
    });
    Ok(sign_ins.collect())
}

/// Ends one of a person's; whether there was such a one.
///
/// # Errors
/// When Postgres is away.
pub async fn end(db: &Postgres, person: PersonId, id: SignInId) -> Result<bool, StoreError> {
    // The row here goes with the session.
    let ended = sqlx::query!(
        "DELETE FROM sign_in_sessions
         WHERE id = (SELECT session_id FROM sign_ins WHERE id = $2 AND person_id = $1)",
        person.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(ended.rows_affected() == 1)
}

/// Ends all of a person's but one; how many there were.
///
/// # Errors
/// When Postgres is away.
pub async fn end_others(db: &Postgres, person: PersonId, but: SignInId) -> Result<u64, StoreError> {
    let ended = sqlx::query!(
        "DELETE FROM sign_in_sessions
         WHERE id IN (SELECT session_id FROM sign_ins WHERE person_id = $1 AND id <> $2)",
        person.as_uuid(),
        but.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(ended.rows_affected())
}

/// Ends all of a person's; how many there were.
///
/// # Errors
/// When Postgres is away.
pub async fn end_all(tx: &mut Transaction, person: PersonId) -> Result<u64, StoreError> {
    let ended = sqlx::query!(
        "DELETE FROM sign_in_sessions
         WHERE id IN (SELECT session_id FROM sign_ins WHERE person_id = $1)",
        person.as_uuid()
    )
    .execute(tx.connection())
    .await?;
    Ok(ended.rows_affected())
}
