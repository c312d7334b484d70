//! Proof that somebody may enter a project.

use domain::tenancy::{Permission, Role};
use domain::{ApiKeyId, Code, Fault, PersonId, ProjectId};

/// Who acts within a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A program with an API key.
    Key(ApiKeyId),
    /// A person at a page.
    Person(PersonId),
}

/// Proof that somebody may enter a project; made only by [`crate::auth`].
#[derive(Clone, Copy, Debug)]
pub struct ProjectScope {
    project_id: ProjectId,
    actor: Actor,
    role: Role,
}

impl ProjectScope {
    pub(crate) fn new(project_id: ProjectId, actor: Actor, role: Role) -> Self {
        ProjectScope {
            project_id,
            actor,
            role,
        }
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
        if self.role.may(permission) {
            Ok(())
        } else {
            Err(Fault::new(
                Code::Forbidden,
                format!("the role {} may not do that", self.role),
            ))
        }
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
