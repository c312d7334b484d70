//! Another password in the place of one that is known, or forgotten.

use std::net::IpAddr;

use domain::tenancy::{Person, SignInMethod};
use domain::{Code, Fault};
use store_postgres::{Postgres, instance, sign_ins};
use tokio::time::Instant;

use super::password::{self, Hashing};
use super::{Proven, secret};
use crate::app::App;
use crate::audit;
use crate::names;

/// Gives a person the password of their choice, when they know the one they have; limited as
/// signing in is. Every session ends, and whoever changed it begins a new one. Faults name the field `old` or `password`.
///
/// # Errors
/// `invalid`, `too_many` after many wrong ones, or `unavailable` without Postgres.
pub async fn change_password(
    app: &App,
    person: &Person,
    (old, new): (&str, &str),
    from: IpAddr,
) -> Result<Proven, Fault> {
    let tries = app
        .gate()
        .sign_in
        .take(from, &person.email, Instant::now())?;
    tokio::time::sleep(tries.delay()).await;
    let account = instance::account_of(app.postgres(), person.id)
        .await?
        .ok_or_else(|| Fault::not_found("that person is gone"))?;
    let hash = account.password_hash.clone();
    if !password::verify(app, old.to_owned(), hash).await? {
        return Err(Fault::invalid("that is not your password").on_field("old"));
    }
    app.gate().sign_in.give_back(&tries);
    password::check_choice(new, &account.person.email)?;
    if new == old {
        let fault = Fault::invalid("that is the password you have; choose another");
        return Err(fault.on_field("password"));
    }
    let password_hash = password::hash(app.gate().hashing(), new.to_owned()).await?;
    let proven = replace(app.postgres(), account, password_hash).await?;
    audit::changed_password(app, person.id).await;
    Ok(proven)
}

/// Gives the person of an e-mail address another password, made up unless one is given, and gives
/// it back. Every session of theirs ends. For the operator, who needs to know no password.
///
/// # Errors
/// `not_found` when nobody has that address, `invalid` on `email` or `password`, or `unavailable`
/// without Postgres.
pub async fn reset_password(
    postgres: &Postgres,
    email: &str,
    given: Option<String>,
) -> Result<String, Fault> {
    let email = names::email(email)?;
    let account = instance::account(postgres, &email)
        .await?
        .ok_or_else(|| Fault::not_found(format!("nobody has the e-mail {email}")))?;
    let chosen = given.unwrap_or_else(secret::new_password);
    password::check_choice(&chosen, &email)?;
    let password_hash = password::hash(&Hashing::default(), chosen.clone()).await?;
    replace(postgres, account, password_hash).await?;
    Ok(chosen)
}

async fn replace(
    postgres: &Postgres,
    account: instance::Account,
    password_hash: String,
) -> Result<Proven, Fault> {
    let mut tx = postgres.begin().await?;
    if !instance::change_password(&mut tx, &account, &password_hash).await? {
        let message = "the password was changed by somebody else just now";
        return Err(Fault::new(Code::Conflict, message));
    }
    sign_ins::end_all(&mut tx, account.person.id).await?;
    tx.commit().await?;
    Ok(Proven {
        person: account.person,
        method: SignInMethod::Password,
    })
}
