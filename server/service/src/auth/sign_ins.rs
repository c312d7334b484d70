//! Who is signed in where: begun, listed, ended.

use std::net::IpAddr;
use std::time::Duration;

use domain::tenancy::{Permission, Person, Role, SignIn, Tenant};
use domain::{Fault, PersonId, SignInId};
use serde_json::{Value, json};
use store_postgres::audit::{self, Entry};
use store_postgres::members;
use store_postgres::sign_ins::{self, Holder, NewSignIn};
use uuid::Uuid;

use super::Proven;
use crate::app::App;
use crate::audit::ended_sign_ins;
use crate::rollback::actor_name;
use crate::scope::OrganisationScope;

/// That a sign-in is used is written no more often than this.
const NOTED_EVERY: Duration = Duration::from_secs(300);
/// Characters that are kept of what a browser calls itself.
const MAX_USER_AGENT: usize = 400;

/// What is known of a browser.
#[derive(Clone, Debug)]
pub struct Browser {
    /// Where it comes from.
    pub address: IpAddr,
    /// What it calls itself.
    pub user_agent: String,
}

/// Somebody who is signed in.
pub struct Visit {
    /// Who.
    pub person: Person,
    /// By which sign-in.
    pub sign_in: SignInId,
}

/// Makes a session, which is stored already, that of a person who has shown who they are.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn begin_sign_in(
    app: &App,
    session: &str,
    (proven, browser): (&Proven, &Browser),
) -> Result<(), Fault> {
    let user_agent = browser.user_agent.replace('\0', "");
    let user_agent: String = user_agent.chars().take(MAX_USER_AGENT).collect();
    let new = NewSignIn {
        id: SignInId(Uuid::now_v7()),
        session,
        person: proven.person.id,
        method: proven.method,
        user_agent: &user_agent,
        address: &browser.address.to_string(),
        at: app.clock().now(),
    };
    Ok(sign_ins::add(app.postgres(), &new).await?)
}

/// Whose a session is; `None` when it is nobody's, or was ended.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn visit(app: &App, session: &str) -> Result<Option<Visit>, Fault> {
    let Some(holder) = sign_ins::holder(app.postgres(), session).await? else {
        return Ok(None);
    };
    note_use(app, &holder);
    Ok(Some(Visit {
        person: holder.person,
        sign_in: holder.id,
    }))
}

/// One's own that go on, the last used first.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn own_sign_ins(app: &App, person: PersonId) -> Result<Vec<SignIn>, Fault> {
    Ok(sign_ins::list(app.postgres(), person).await?)
}

/// Ends one of one's own.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn end_sign_in(app: &App, person: PersonId, id: SignInId) -> Result<(), Fault> {
    if !sign_ins::end(app.postgres(), person, id).await? {
        return Err(Fault::not_found("that sign-in has ended already"));
    }
    ended_sign_ins(app, person, 1).await;
    Ok(())
}

/// Ends all of one's own but the one that is used.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn end_others(app: &App, person: PersonId, but: SignInId) -> Result<(), Fault> {
    let ended = sign_ins::end_others(app.postgres(), person, but).await?;
    if ended > 0 {
        ended_sign_ins(app, person, ended).await;
    }
    Ok(())
}

/// Ends all of a member of the organisation, everywhere. Needs `ManageProject`, and `ManageOwners` for an owner's.
///
/// # Errors
/// `forbidden`, `not_found` when they are no member, or `unavailable` without Postgres.
pub async fn end_of_member(
    app: &App,
    scope: &OrganisationScope,
    person: PersonId,
) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let role = members::role_of(app.postgres(), scope.organisation_id(), person).await?;
    let role = role.ok_or_else(|| Fault::not_found(format!("no member {person}")))?;
    if role == Role::Owner {
        scope.require(Permission::ManageOwners)?;
    }
    let mut tx = app.postgres().begin().await?;
    let ended = sign_ins::end_all(&mut tx, person).await?;
    let entry = Entry {
        actor: actor_name(scope.actor()),
        action: "sign_in.ended".into(),
        object: format!("person:{person}"),
        before: Value::Null,
        after: json!({ "sign_ins": ended }),
    };
    let tenant = Tenant::Organisation(scope.organisation_id());
    audit::append_to(&mut tx, tenant, &entry, app.clock().now()).await?;
    Ok(tx.commit().await?)
}

/// In the background: no page waits for it, and one that fails is made up for by the next.
fn note_use(app: &App, holder: &Holder) {
    let now = app.clock().now();
    if now.minus(domain::Nanos::from_seconds(NOTED_EVERY.as_secs())) < holder.last_used {
        return;
    }
    let (app, id) = (app.clone(), holder.id);
    tokio::spawn(async move {
        if let Err(error) = sign_ins::note_use(app.postgres(), id, now).await {
            let error = &error as &dyn std::error::Error;
            tracing::debug!(error, "use of a sign-in not noted");
        }
    });
}
