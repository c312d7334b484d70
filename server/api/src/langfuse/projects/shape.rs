//! A project.

use domain::tenancy::Project;
use serde::Serialize;
use serde_json::{Map, Value};

/// A project, ready to be written.
#[derive(Serialize)]
pub(crate) struct ProjectShape<'a> {
    id: String,
    name: &'a str,
    organization: OrganizationShape<'a>,
    /// Always empty: there is nothing else to know.
    metadata: Map<String, Value>,
}

#[derive(Serialize)]
struct OrganizationShape<'a> {
    id: String,
    name: &'a str,
}

impl<'a> From<&'a Project> for ProjectShape<'a> {
    fn from(project: &'a Project) -> Self {
        ProjectShape {
            id: project.id.to_string(),
            name: &project.name,
            organization: OrganizationShape {
                id: project.organisation.id.to_string(),
                name: &project.organisation.name,
            },
            metadata: Map::new(),
        }
    }
}
