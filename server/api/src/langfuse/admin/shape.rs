//! An organisation, as its operator sees it.

use domain::tenancy::{DescribedOrganisation, DescribedProject};
use serde_json::{Value, json};
use service::{App, OperatorScope, auth, projects};

use crate::langfuse::error::Result;
use crate::langfuse::organisations::shape::OrganisationProjectShape;
use crate::langfuse::projects::shape::{metadata, organisation_id};
use crate::langfuse::time::Millis;

/// It with its projects.
pub(super) async fn with_projects(
    app: &App,
    operator: &OperatorScope,
    described: &DescribedOrganisation,
) -> Result<Value> {
    let id = described.organisation.id;
    let scope = auth::operate_organisation(app, operator, id).await?;
    let projects = projects::of_organisation(app, &scope).await?;
    Ok(shape(described, &projects))
}

/// It with projects that are known.
pub(super) fn shape(described: &DescribedOrganisation, projects: &[DescribedProject]) -> Value {
    let projects: Vec<_> = projects
        .iter()
        .map(OrganisationProjectShape::from)
        .collect();
    json!({
        "id": organisation_id(&described.organisation),
        "name": described.organisation.name,
        "createdAt": Millis(described.created_at),
        "metadata": metadata(described.metadata.as_deref()),
        "projects": projects,
    })
}
