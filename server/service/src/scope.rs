//! Proof that somebody may enter a project, manage an organisation, or operate the server.

use domain::tenancy::{KeyScope, KeyScopes, Permission, Role};
use domain::{ApiKeyId, Code, Fault, OrganisationId, PersonId, ProjectId};

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A program with an API key.
    Key(ApiKeyId),
    /// A person at a page.
    Person(PersonId),
    /// Whoever has the operator's key.
    Operator,
    /// The server itself, which does what the project has set.
    Server,
    /// Whoever has the address of a public trace.
    Anybody,
}

/// Proof that somebody may enter a project; made only by [`crate::auth`].
#[derive(Clone, Copy, Debug)]
pub struct ProjectScope {
    project_id: ProjectId,
    actor: Actor,
    role: Role,
    scopes: Option<KeyScopes>,
}

impl ProjectScope {
    pub(crate) fn new(project_id: ProjectId, actor: Actor, role: Role) -> Self {
        ProjectScope {
            project_id,
            actor,
            role,
            scopes: None,
        }
    }

    /// That of a key that is limited, where it is.
    pub(crate) fn limited_to(self, scopes: Option<KeyScopes>) -> Self {
        ProjectScope { scopes, ..self }
    }

    /// Whether a key has that scope; all have it that are not limited, and people, too.
    fn has(&self, scope: KeyScope) -> bool {
        self.scopes.is_none_or(|scopes| scopes.has(scope))
    }

    /// The project.
    pub fn project_id(&self) -> ProjectId {
        self.project_id
    }

    /// Who acts.
    pub fn actor(&self) -> Actor {
        self.actor
    }

    /// As what.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Checks a permission.
    ///
    /// # Errors
    /// `forbidden` when the role lacks it.
    pub fn require(&self, permission: Permission) -> Result<(), Fault> {
        require(self.role, permission)
    }
}

/// Proof that somebody may act in an organisation; made only by [`crate::auth`].
#[derive(Clone, Copy, Debug)]
pub struct OrganisationScope {
    organisation_id: OrganisationId,
    actor: Actor,
    role: Role,
}

impl OrganisationScope {
    pub(crate) fn new(organisation_id: OrganisationId, actor: Actor, role: Role) -> Self {
        OrganisationScope {
            organisation_id,
            actor,
            role,
        }
    }

    /// The organisation.
    pub fn organisation_id(&self) -> OrganisationId {
        self.organisation_id
    }

    /// Who acts.
    pub fn actor(&self) -> Actor {
        self.actor
    }

    /// As what.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Checks a permission.
    ///
    /// # Errors
    /// `forbidden` when the role lacks it.
    pub fn require(&self, permission: Permission) -> Result<(), Fault> {
        require(self.role, permission)
    }
}

/// Proof that somebody has the operator's key; made only by [`crate::auth`].
#[derive(Clone, Copy, Debug)]
pub struct OperatorScope(());

impl OperatorScope {
    pub(crate) fn new() -> Self {
        OperatorScope(())
    }
}

fn require(role: Role, permission: Permission) -> Result<(), Fault> {
    if role.may(permission) {
        Ok(())
    } else {
        let message = format!("the role {role} may not do that");
        Err(Fault::new(Code::Forbidden, message))
    }
}

/// Proof that somebody may write scores of a project: with a key, or with its public part alone, which
/// opens nothing else. Made only by [`crate::auth`].
#[derive(Clone, Copy, Debug)]
pub struct ScoreWriter {
    project_id: ProjectId,
    scope: Option<ProjectScope>,
}

impl ScoreWriter {
    /// With the public part of a key.
    pub(crate) fn public(project_id: ProjectId) -> Self {
        ScoreWriter {
            project_id,
            scope: None,
        }
    }

    /// The project.
    pub fn project_id(&self) -> ProjectId {
        self.project_id
    }

    /// Whether anything but scores may come of them.
    pub fn may_ingest(&self) -> bool {
        self.scope.is_some_and(|scope| scope.has(KeyScope::Ingest))
    }

    /// Whether scores may come of them.
    pub fn may_score(&self) -> bool {
        self.scope.is_none_or(|scope| scope.has(KeyScope::Scores))
    }

    /// The scope of a whole key; `None` where only its public part was shown.
    pub fn scope(&self) -> Option<&ProjectScope> {
        self.scope.as_ref()
    }
}

impl From<ProjectScope> for ScoreWriter {
    fn from(scope: ProjectScope) -> Self {
        ScoreWriter {
            project_id: scope.project_id,
            scope: Some(scope),
        }
    }
}
