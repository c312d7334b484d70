//! Members of the organisation.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::tenancy::{Member, Permission, Role};
use domain::{Code, Fault, PersonId};
use http::StatusCode;
use service::{App, OrganisationScope, auth, members};

use super::role::{self, RoleChoice};
use super::tabs;
use crate::extract::{InProject, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Members of the organisation.
#[derive(Template)]
#[template(path = "settings/members.html")]
pub(crate) struct MembersPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_manage: bool,
    pub(crate) rows: Vec<MemberRow>,
    /// Roles that the reader may give, with their words and whether the form has it chosen.
    pub(crate) roles: Vec<RoleChoice>,
    pub(crate) email: Field,
    pub(crate) password: Field,
    pub(crate) role: Field,
    pub(crate) fault: String,
    pub(crate) add_url: String,
}

/// A member.
pub(crate) struct MemberRow {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) since: String,
    pub(crate) role_label: &'static str,
    pub(crate) roles: Vec<RoleChoice>,
    pub(crate) is_reader: bool,
    pub(crate) may_change: bool,
    pub(crate) role_url: String,
    pub(crate) remove_url: String,
    pub(crate) sign_out_url: String,
    pub(crate) dialog: String,
}

impl MembersPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, list: &[Member]) -> Self {
        MembersPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 2),
            may_manage: reader.may_in_organisation(Permission::ManageProject),
            rows: list
                .iter()
                .map(|member| MemberRow::new(reader, member))
                .collect(),
            roles: roles(reader, Role::Member),
            email: Field::default(),
            password: Field::default(),
            role: Field::default(),
            fault: String::new(),
            add_url: urls::members(reader.id()),
        }
    }
}

impl MemberRow {
    fn new(reader: &Reader, member: &Member) -> Self {
        let (id, person) = (reader.id(), member.person.id);
        let lang = reader.lang();
        let may_change = reader.may_in_organisation(Permission::ManageProject)
            && (member.role != Role::Owner || reader.may_in_organisation(Permission::ManageOwners));
        MemberRow {
            name: member.person.name.clone(),
            email: member.person.email.clone(),
            since: reader.zone().minute(member.since),
            role_label: role::label(lang, member.role),
            roles: roles(reader, member.role),
            is_reader: person == reader.visitor.person.id,
            may_change,
            role_url: urls::member_role(id, person),
            remove_url: urls::member_remove(id, person),
            sign_out_url: urls::member_sign_out(id, person),
            dialog: format!("remove-{person}"),
        }
    }
}

fn roles(reader: &Reader, chosen: Role) -> Vec<RoleChoice> {
    let may_give =
        |role: &Role| *role != Role::Owner || reader.may_in_organisation(Permission::ManageOwners);
    let roles = Role::ALL.iter().copied().filter(may_give);
    role::choices(reader.lang(), roles, chosen)
}

/// Shows them.
pub(crate) async fn list_members(State(app): State<App>, entered: InProject) -> Answer {
    let scope = auth::enter_organisation(&app, &entered.scope).await?;
    let list = members::list(&app, &scope).await?;
    Ok(render(&MembersPage::new(&entered.reader, &list)))
}

/// Adds one.
pub(crate) async fn add_member(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let email = pairs.get("email").unwrap_or_default().trim();
    let password = pairs.get("password").unwrap_or_default();
    let role = role::parse(pairs.get("role"))?;
    let scope = auth::enter_organisation(&app, &entered.scope).await?;
    let Err(fault) = members::add(&app, &scope, email, role, password).await else {
        return Ok(see_other(&urls::members(entered.id())));
    };
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    let list = members::list(&app, &scope).await?;
    let mut page = MembersPage::new(&entered.reader, &list);
    page.email = Field::holding(email).with_fault("email", &fault);
    page.password = Field::default().with_fault("password", &fault);
    page.role = Field::default().with_fault("role", &fault);
    page.roles = roles(&entered.reader, role);
    page.fault = other_fault(&fault, &["email", "password", "role"]);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Changes a member's role.
pub(crate) async fn change_role(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let role = role::parse(pairs.get("role"))?;
    let scope = auth::enter_organisation(&app, &entered.scope).await?;
    let changed = members::change_role(&app, &scope, person(&params)?, role).await;
    refused_or_list(&app, (&entered, &scope), changed).await
}

/// Removes a member.
pub(crate) async fn remove_member(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let scope = auth::enter_organisation(&app, &entered.scope).await?;
    let removed = members::remove(&app, &scope, person(&params)?).await;
    refused_or_list(&app, (&entered, &scope), removed).await
}

/// Ends all sign-ins of a member.
pub(crate) async fn sign_member_out(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let scope = auth::enter_organisation(&app, &entered.scope).await?;
    let ended = auth::end_of_member(&app, &scope, person(&params)?).await;
    refused_or_list(&app, (&entered, &scope), ended).await
}

/// The list, above it what stands in the way of a change: the last owner stays owner.
async fn refused_or_list(
    app: &App,
    (entered, scope): (&InProject, &OrganisationScope),
    done: Result<(), Fault>,
) -> Answer {
    let Err(fault) = done else {
        return Ok(see_other(&urls::members(entered.id())));
    };
    if fault.code != Code::Conflict {
        return Err(fault.into());
    }
    let list = members::list(app, scope).await?;
    let mut page = MembersPage::new(&entered.reader, &list);
    page.fault = fault.message;
    Ok((StatusCode::CONFLICT, render(&page)).into_response())
}

fn person(params: &RawPathParams) -> Result<PersonId, Fault> {
    segment(params, "person")
        .and_then(|id| id.parse().ok())
        .ok_or_else(no_such_page)
}
