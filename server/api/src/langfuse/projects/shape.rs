//! A project.

use domain::tenancy::{DescribedProject, Organisation, Project};
use serde::Serialize;
use serde_json::{Value, json};

/// A project, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProjectShape<'a> {
    id: String,
    name: &'a str,
    organization: OrganizationShape<'a>,
    metadata: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    retention_days: Option<u32>,
}

#[derive(Serialize)]
struct OrganizationShape<'a> {
    id: String,
    name: &'a str,
}

impl<'a> From<&'a DescribedProject> for ProjectShape<'a> {
    fn from(described: &'a DescribedProject) -> Self {
        let (project, description) = (&described.project, &described.description);
        ProjectShape {
            id: project_id(project),
            name: &project.name,
            organization: OrganizationShape {
                id: organisation_id(&project.organisation),
                name: &project.organisation.name,
            },
            metadata: metadata(description.metadata.as_deref()),
            retention_days: Some(description.retention_days).filter(|days| *days > 0),
        }
    }
}

/// The id of a project as its operator gave it.
pub(crate) fn project_id(project: &Project) -> String {
    let given = project.external_id.clone();
    given.unwrap_or_else(|| project.id.to_string())
}

/// The id of an organisation, likewise.
pub(crate) fn organisation_id(organisation: &Organisation) -> String {
    let given = organisation.external_id.clone();
    given.unwrap_or_else(|| organisation.id.to_string())
}

/// What programs keep beside a thing: an object, where there is nothing an empty one.
pub(crate) fn metadata(json: Option<&str>) -> Value {
    let kept = json.and_then(|json| serde_json::from_str(json).ok());
    kept.unwrap_or_else(|| json!({}))
}
