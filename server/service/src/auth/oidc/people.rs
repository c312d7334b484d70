//! Whose an identity is, and what their groups make of them.

use std::collections::BTreeMap;

use domain::tenancy::{Person, Role, Tenant};
use domain::{Fault, OrganisationId};
use serde_json::{Value, json};
use store_postgres::audit::{self, Entry};
use store_postgres::{identities, instance, members, organisations};

use super::token::Claims;
use super::{Oidc, Refusal};
use crate::app::App;
use crate::audit::failed_to_sign_in;
use crate::auth::Browser;
use crate::members::closed_account;

/// The person of a token, with the roles that their groups give them by now.
pub(super) async fn enter(
    app: &App,
    oidc: &Oidc,
    (claims, browser): (&Claims, &Browser),
) -> Result<Person, Refusal> {
    let person = match known(app, claims).await? {
        Some(person) => person,
        None => link(app, oidc, (claims, browser)).await?,
    };
    apply_roles(app, oidc, (&person, claims)).await?;
    Ok(person)
}

async fn known(app: &App, claims: &Claims) -> Result<Option<Person>, Fault> {
    let issuer = claims.text("iss").unwrap_or_default();
    Ok(identities::person(app.postgres(), issuer, claims.subject()).await?)
}

/// Links an identity that is new here to the account of its address, or to a new one, where the operator wants that.
async fn link(
    app: &App,
    oidc: &Oidc,
    (claims, browser): (&Claims, &Browser),
) -> Result<Person, Refusal> {
    let issuer = claims.text("iss").unwrap_or_default();
    let email = claims.verified_email().ok_or(Refusal::Unverified)?;
    // A name that cannot be shown here keeps nobody out.
    let account =
        closed_account(email, claims.text("name")).or_else(|_| closed_account(email, None))?;
    let found = instance::account(app.postgres(), &account.person.email).await?;
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let person = match found {
        Some(found) if oidc.links_by_email => {
            // An address that went to somebody else at the provider does not take its account along.
            if identities::has(&mut tx, issuer, found.person.id).await? {
                failed_to_sign_in(app, found.person.id, browser.address);
                return Err(Refusal::NotLinked);
            }
            found.person
        }
        Some(found) => {
            failed_to_sign_in(app, found.person.id, browser.address);
            return Err(Refusal::NotLinked);
        }
        None if oidc.creates_people => {
            let (person, is_new) = instance::ensure_person(&mut tx, &account, now).await?;
            // Somebody else was quicker with the address: that is an account to be linked.
            if !is_new {
                return Err(Refusal::NotLinked);
            }
            person
        }
        None => return Err(Refusal::NoAccount),
    };
    identities::add(&mut tx, (issuer, claims.subject()), person.id, now).await?;
    tx.commit().await?;
    Ok(person)
}

/// What groups give is given, and what they gave is taken where the group is gone. Who was made a member by hand stays one.
async fn apply_roles(
    app: &App,
    oidc: &Oidc,
    (person, claims): (&Person, &Claims),
) -> Result<(), Refusal> {
    let groups = claims.list(&oidc.group_claim);
    let mut roles: BTreeMap<OrganisationId, Option<Role>> = BTreeMap::new();
    for given in &oidc.roles {
        let role = roles.entry(given.organisation).or_default();
        if groups.contains(&given.group.as_str()) {
            // The first in the order of roles may do the most.
            *role = Some(role.map_or(given.role, |role| role.min(given.role)));
        }
    }
    for (organisation, role) in roles {
        apply(app, organisation, (person, role)).await?;
    }
    Ok(())
}

async fn apply(
    app: &App,
    organisation: OrganisationId,
    (person, wanted): (&Person, Option<Role>),
) -> Result<(), Refusal> {
    if organisations::show(app.postgres(), organisation)
        .await?
        .is_none()
    {
        tracing::warn!(%organisation, "groups give roles in an organisation that is not there");
        return Ok(());
    }
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let roles = members::lock(&mut tx, organisation).await?;
    let current = roles.iter().find(|(id, _)| *id == person.id);
    let current = current.map(|(_, role)| *role);
    let owners = roles.iter().filter(|(_, role)| *role == Role::Owner);
    let is_last_owner = current == Some(Role::Owner) && owners.count() == 1;
    if is_last_owner && wanted != Some(Role::Owner) {
        tracing::warn!(%organisation, person = %person.id, "the last owner stays, whatever the groups say");
        return Ok(());
    }
    match wanted {
        Some(role) => members::set_by_groups(&mut tx, organisation, person.id, (role, now)).await?,
        None => {
            if !members::remove_of_groups(&mut tx, organisation, person.id).await? {
                return Ok(());
            }
        }
    }
    if current != wanted {
        let entry = Entry {
            actor: "oidc".to_owned(),
            action: match (current, wanted) {
                (None, _) => "member.added",
                (_, None) => "member.removed",
                _ => "member.changed",
            }
            .into(),
            object: format!("person:{}", person.id),
            before: json!({ "role": current }),
            after: match wanted {
                Some(role) => json!({ "role": role }),
                None => json!({ "role": Value::Null }),
            },
        };
        audit::append_to(&mut tx, Tenant::Organisation(organisation), &entry, now).await?;
    }
    Ok(tx.commit().await?)
}
