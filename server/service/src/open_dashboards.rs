//! Dashboards that anybody may see who has their link, in projects that allow it.
//!
//! **Invariant:** an [`OpenDashboard`] tells what the widgets of one dashboard come to and nothing else, and
//! is made by [`enter`] alone, anew for each request: what is taken back is closed at once.

use domain::dashboard::{Dashboard, Widget};
use domain::tenancy::{Permission, Role};
use domain::{DashboardId, Fault};
use store_postgres::dashboard_links;

use crate::app::App;
use crate::auth::secret::new_link;
use crate::dashboards::{self, Answer, Window};
use crate::reads::Turn;
use crate::scope::{Actor, ProjectScope};

/// What a guest's look counts as among the reads of a project, in spans: of all that the project may read at
/// once, guests leave most to its members.
const WEIGHT: u64 = 40_000;

/// Proof that a dashboard may be seen by anybody.
pub struct OpenDashboard {
    /// Of nobody in particular; it leaves this module with no one.
    scope: ProjectScope,
    dashboard: Dashboard,
    _turn: Turn,
}

/// The link of a dashboard, where it has one.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn link(
    app: &App,
    scope: &ProjectScope,
    id: DashboardId,
) -> Result<Option<String>, Fault> {
    let link = dashboard_links::of(app.postgres(), scope.project_id(), id).await?;
    link.ok_or_else(|| Fault::not_found(format!("no dashboard {id}")))
}

/// Has anybody see a dashboard who has its link, or nobody any more: the next link is another one. Needs
/// `ChangeDashboards`.
///
/// # Errors
/// `forbidden`, `not_found`, `invalid` where the project shows nothing to anybody, or `unavailable` without
/// Postgres.
pub async fn publish(
    app: &App,
    scope: &ProjectScope,
    id: DashboardId,
    is_public: bool,
) -> Result<(), Fault> {
    scope.require(Permission::ChangeDashboards)?;
    if is_public && !crate::public_links::allowed(app, scope).await? {
        return Err(Fault::invalid("this project shows nothing to anybody"));
    }
    let link = is_public.then(new_link);
    let (db, project) = (app.postgres(), scope.project_id());
    match dashboard_links::set(db, project, id, link.as_deref()).await? {
        true => Ok(()),
        false => Err(Fault::not_found(format!("no dashboard {id}"))),
    }
}

/// Opens a dashboard for whoever has its link.
///
/// # Errors
/// `not_found` where no dashboard has it, or its project allows it no longer: nobody learns which;
/// `unavailable` while too many look, or without Postgres.
pub async fn enter(app: &App, link: &str) -> Result<OpenDashboard, Fault> {
    let found = dashboard_links::find(app.postgres(), link).await?;
    let missing = || Fault::not_found("there is no dashboard here that anybody may see");
    let (project, dashboard) = found.ok_or_else(missing)?;
    Ok(OpenDashboard {
        scope: ProjectScope::new(project, Actor::Anybody, Role::Viewer),
        _turn: app.reads().turn(project, WEIGHT).await?,
        dashboard,
    })
}

impl OpenDashboard {
    /// What is on it.
    pub fn dashboard(&self) -> &Dashboard {
        &self.dashboard
    }

    /// What one of its widgets comes to.
    ///
    /// # Errors
    /// Those of [`dashboards::answer`].
    pub async fn answer(
        &self,
        app: &App,
        widget: &Widget,
        window: &Window,
    ) -> Result<Answer, Fault> {
        dashboards::answer(app, &self.scope, widget, window).await
    }
}
