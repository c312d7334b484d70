//! Dashboards and their widgets.

use domain::dashboard::WidgetId;
use domain::{DashboardId, ProjectId};

use super::with_query;
use crate::pages::traces::query::ListQuery;

/// A widget of a dashboard of a project.
type Widget = (ProjectId, DashboardId, WidgetId);

/// Dashboards.
pub(crate) fn dashboards(project: ProjectId) -> String {
    format!("/p/{project}/dashboards")
}

/// One dashboard as it opens.
pub(crate) fn dashboard(project: ProjectId, id: DashboardId) -> String {
    format!("{}/{id}", dashboards(project))
}

/// One dashboard with its range.
pub(crate) fn dashboard_with(project: ProjectId, id: DashboardId, query: &ListQuery) -> String {
    with_query(dashboard(project, id), &query.to_query())
}

/// One widget of a dashboard, as large as the page.
pub(crate) fn dashboard_full((project, id, widget): Widget, query: &ListQuery) -> String {
    let rest = query.to_query();
    let and = if rest.is_empty() { "" } else { "&" };
    with_query(
        dashboard(project, id),
        &format!("widget={widget}{and}{rest}"),
    )
}

/// Gives a dashboard another name.
pub(crate) fn dashboard_rename(project: ProjectId, id: DashboardId) -> String {
    format!("{}/rename", dashboard(project, id))
}

/// Makes another one like it.
pub(crate) fn dashboard_clone(project: ProjectId, id: DashboardId) -> String {
    format!("{}/clone", dashboard(project, id))
}

/// Deletes a dashboard.
pub(crate) fn dashboard_delete(project: ProjectId, id: DashboardId) -> String {
    format!("{}/delete", dashboard(project, id))
}

/// A dashboard as JSON.
pub(crate) fn dashboard_export(project: ProjectId, id: DashboardId) -> String {
    format!("{}/export", dashboard(project, id))
}

/// Moves a widget.
pub(crate) fn dashboard_place(project: ProjectId, id: DashboardId) -> String {
    format!("{}/place", dashboard(project, id))
}

/// About to make a widget.
pub(crate) fn widget_new(project: ProjectId, id: DashboardId) -> String {
    format!("{}/widgets/new", dashboard(project, id))
}

/// One widget, to be changed.
pub(crate) fn widget((project, id, widget): Widget) -> String {
    format!("{}/widgets/{widget}", dashboard(project, id))
}

/// What a widget shows, as a table.
pub(crate) fn widget_csv(of: Widget, query: &ListQuery) -> String {
    with_query(format!("{}/csv", widget(of)), &query.to_query())
}

/// Makes another one like it.
pub(crate) fn widget_copy(of: Widget) -> String {
    format!("{}/copy", widget(of))
}

/// Takes a widget off.
pub(crate) fn widget_delete(of: Widget) -> String {
    format!("{}/delete", widget(of))
}

/// Gives a dashboard a link for anybody, or takes it back.
pub(crate) fn dashboard_publish(project: ProjectId, id: DashboardId) -> String {
    format!("{}/public", dashboard(project, id))
}

/// A dashboard for anybody who has its link, as it opens.
pub(crate) fn open_dashboard_home(link: &str) -> String {
    format!("/shared/dashboards/{link}")
}

/// The same with its range.
pub(crate) fn open_dashboard(link: &str, query: &ListQuery) -> String {
    with_query(open_dashboard_home(link), &query.to_query())
}
