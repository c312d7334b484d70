//! Organisations, projects, people, roles, keys.

/// What a key is limited to.
mod key_scope;
/// Who may do what: the one table of it.
mod permission;

use serde::Serialize;

use crate::ids::{ApiKeyId, OrganisationId, PersonId, ProjectId, SignInId};
use crate::time::Timestamp;

pub use key_scope::{KeyScope, KeyScopes};
pub use permission::{Permission, Role};

/// An organisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Organisation {
    /// Its id.
    pub id: OrganisationId,
    /// Text that the operator gave as id; the id is derived from it.
    pub external_id: Option<String>,
    /// Its name.
    pub name: String,
}

/// A project of an organisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Text that the operator gave as id; the id is derived from it.
    pub external_id: Option<String>,
    /// The organisation that owns it.
    pub organisation: Organisation,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a project is described by, beside its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// What programs keep beside it: the JSON of an object.
    pub metadata: Option<String>,
    /// How many days telemetry is wanted for: 0 for ever, else at least 3.
    pub retention_days: u32,
}

/// A project with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedProject {
    /// The project.
    pub project: Project,
    /// What it is described by.
    pub description: Description,
    /// When its name or description was last changed.
    pub updated_at: Timestamp,
}

/// An organisation as the operator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedOrganisation {
    /// The organisation.
    pub organisation: Organisation,
    /// What programs keep beside it: the JSON of an object.
    pub metadata: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a key is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tenant {
    /// A project, which it opens.
    Project(ProjectId),
    /// An organisation, which it manages; it opens none of the projects.
    Organisation(OrganisationId),
}

impl Tenant {
    /// The project, where it is one.
    pub fn project(self) -> Option<ProjectId> {
        match self {
            Tenant::Project(id) => Some(id),
            Tenant::Organisation(_) => None,
        }
    }

    /// The organisation, where it is one.
    pub fn organisation(self) -> Option<OrganisationId> {
        match self {
            Tenant::Project(_) => None,
            Tenant::Organisation(id) => Some(id),
        }
    }
}

/// Someone who can sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Person {
    /// Their id.
    pub id: PersonId,
    /// E-mail address, lower case; the name they sign in with.
    pub email: String,
    /// Name to show.
    pub name: String,
}

/// How somebody showed who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SignInMethod {
    /// By e-mail and password.
    Password,
    /// By the provider of OpenID Connect.
    Oidc,
}

impl SignInMethod {
    /// As it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            SignInMethod::Password => "password",
            SignInMethod::Oidc => "oidc",
        }
    }
}

/// A sign-in that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// Its id.
    pub id: SignInId,
    /// What the browser calls itself.
    pub user_agent: String,
    /// The address it came from.
    pub address: String,
    /// Since when.
    pub since: Timestamp,
    /// When it was last used, to some minutes.
    pub last_used: Timestamp,
}

/// A person's place in an organisation, or in one of its projects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    /// Who.
    pub person: Person,
    /// As what.
    pub role: Role,
    /// Since when.
    pub since: Timestamp,
}

/// A project that a person may enter, and as what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Membership {
    /// The project.
    pub project: Project,
    /// The person's role in it.
    pub role: Role,
    /// Their role in its organisation.
    pub organisation_role: Role,
}

/// A pair of keys; the secret itself is known only to whoever made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApiKey {
    /// Its id.
    pub id: ApiKeyId,
    /// What it is of.
    pub tenant: Tenant,
    /// Public part, `pk-tx-…`.
    pub public_key: String,
    /// What a program may do with it; an owner only where it is of an organisation.
    pub role: Role,
    /// What it is limited to; all that the role may do where it is not.
    pub scopes: Option<KeyScopes>,
    /// From when on it is refused; `None`: never.
    pub expires_at: Option<Timestamp>,
    /// Last four characters of the secret, to tell keys apart.
    pub secret_hint: String,
    /// What it is for.
    pub note: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to the minute; `None` if never.
    pub last_used_at: Option<Timestamp>,
}
