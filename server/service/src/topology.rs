//! How requests of a project find the instance that served them, and instances their GPUs.

use std::sync::Arc;

use domain::axes::Topology;
use domain::tenancy::Permission;
use domain::{Fault, ProjectId, Timestamp};
use store_postgres::topologies;

use crate::app::App;
use crate::project_cache::ProjectCache;
use crate::scope::ProjectScope;

/// Rules in memory.
pub(crate) type Cache = ProjectCache<Topology, Topology>;

/// The rules that hold for a project.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The rules.
    pub topology: Topology,
    /// When the project set them; `None`: the usual ones.
    pub updated_at: Option<Timestamp>,
}

/// The rules that hold for a project; a change anywhere is seen within 5 s. While they cannot be read and never were, the
/// usual ones hold.
pub(crate) async fn of_project(app: &App, project: ProjectId) -> Arc<Topology> {
    let load = async {
        let found = topologies::find(app.postgres(), project).await?;
        Ok(found.into_iter().map(|(topology, _)| topology).collect())
    };
    let compile = |rows: &[Topology]| Arc::new(rows.first().cloned().unwrap_or_default());
    let known = app.topologies().of_project(project, load, compile).await;
    known.unwrap_or_default()
}

/// The rules that hold for a project, as they are stored.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope) -> Result<Held, Fault> {
    let found = topologies::find(app.postgres(), scope.project_id()).await?;
    Ok(match found {
        Some((topology, updated_at)) => Held {
            topology,
            updated_at: Some(updated_at),
        },
        None => Held {
            topology: Topology::default(),
            updated_at: None,
        },
    })
}

/// Sets the rules, those that come with the product for `None`; needs `SetExpectations`. Nothing is stored with requests:
/// they hold for the past as well.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn set(
    app: &App,
    scope: &ProjectScope,
    topology: Option<Topology>,
) -> Result<Held, Fault> {
    scope.require(Permission::SetExpectations)?;
    let (project, now) = (scope.project_id(), app.clock().now());
    match &topology {
        Some(topology) => topologies::set(app.postgres(), project, (topology, now)).await?,
        None => topologies::clear(app.postgres(), project).await?,
    }
    app.topologies().forget(project);
    Ok(Held {
        updated_at: topology.is_some().then_some(now),
        topology: topology.unwrap_or_default(),
    })
}
