//! Organisations, projects, people, roles, keys.

use serde::Serialize;

use crate::ids::{ApiKeyId, OrganisationId, PersonId, ProjectId};
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// What a member may do, from most to least.
    Role, default Viewer {
        /// Everything, including giving the organisation away.
        Owner = "owner",
        /// Members, keys, projects, settings.
        Admin = "admin",
        /// Reads everything, changes telemetry (deletes traces).
        Member = "member",
        /// Reads.
        Viewer = "viewer",
    }
);

/// Something that not everybody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// See traces and settings.
    Read,
    /// Delete traces.
    ChangeTelemetry,
    /// Set prices of models, and price history anew.
    SetPrices,
    /// Set objectives, what is expected of answers, and what scores may be.
    SetExpectations,
    /// Make and fill queues of things to be judged, remark on things, add attachments.
    Annotate,
    /// Make and delete versions of prompts, move their labels.
    ChangePrompts,
    /// Give, move and delete labels that are protected.
    MoveProtectedLabels,
    /// Rename projects, make and revoke keys, invite and remove members.
    ManageProject,
    /// Make others owner, or take that from them.
    ManageOwners,
}

impl Role {
    /// Whether a member of this role may do that.
    pub fn may(self, permission: Permission) -> bool {
        match permission {
            Permission::Read => true,
            Permission::ChangeTelemetry
            | Permission::SetPrices
            | Permission::SetExpectations
            | Permission::Annotate
            | Permission::ChangePrompts => self <= Role::Member,
            Permission::MoveProtectedLabels | Permission::ManageProject => self <= Role::Admin,
            Permission::ManageOwners => self == Role::Owner,
        }
    }
}

/// An organisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Organisation {
    /// Its id.
    pub id: OrganisationId,
    /// Its name.
    pub name: String,
}

/// A project of an organisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// The organisation that owns it.
    pub organisation: Organisation,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
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

/// A person's place in an organisation.
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
}

/// A pair of keys; the secret itself is known only to whoever made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApiKey {
    /// Its id.
    pub id: ApiKeyId,
    /// Project it opens.
    pub project_id: ProjectId,
    /// Public part, `pk-tx-…`.
    pub public_key: String,
    /// What a program may do with it; never owner.
    pub role: Role,
    /// Last four characters of the secret, to tell keys apart.
    pub secret_hint: String,
    /// What it is for.
    pub note: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to the minute; `None` if never.
    pub last_used_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_what_the_next_lower_one_may() {
        let permissions = [
            Permission::Read,
            Permission::ChangeTelemetry,
            Permission::SetPrices,
            Permission::SetExpectations,
            Permission::Annotate,
            Permission::ChangePrompts,
            Permission::MoveProtectedLabels,
            Permission::ManageProject,
            Permission::ManageOwners,
        ];
        for pair in Role::ALL.windows(2) {
            for permission in permissions {
                assert!(pair[0].may(permission) || !pair[1].may(permission));
            }
        }
        assert!(!Role::Viewer.may(Permission::ChangeTelemetry));
        assert!(!Role::Admin.may(Permission::ManageOwners));
    }
}
