//! Dashboards of one's own: widgets over the numbers of a project, on a grid.

/// One widget being made or changed, with what it would show.
mod builder;
/// Name, place, copies, deletion.
mod change;
/// Answers as a table for other programs.
mod csv;
/// What widgets show.
mod drawn;
/// The form of a widget.
mod form;
/// The list.
mod list;
/// A dashboard for anybody who has its link.
mod open;
/// One dashboard.
mod show;
/// Measures, dimensions and charts in words.
mod words;

/// What samples are made of.
pub(crate) mod samples {
    use domain::dashboard::{Dashboard, Document, Widget};
    use domain::{Fault, Timestamp};
    use service::dashboards::Answer;

    pub(crate) use super::builder::sample as builder;
    use super::drawn::{Cutting, Drawer, WidgetView};
    pub(crate) use super::list::starter;
    use crate::extract::Reader;
    use crate::pages::traces::query::ListQuery;

    /// What a widget comes to, by how many pieces of time there are.
    pub(crate) type Answered<'a> = &'a dyn Fn(&Widget, usize) -> Result<Answer, Fault>;

    /// All widgets of a dashboard.
    pub(crate) fn drawn(
        reader: &Reader,
        (dashboard, query): (&Dashboard, &ListQuery),
        now: Timestamp,
        answer: Answered<'_>,
    ) -> Vec<WidgetView> {
        let drawer = Drawer {
            onlooker: reader.into(),
            query,
            dashboard: Some(dashboard.id),
        };
        let Document { widgets, .. } = &dashboard.document;
        let views = widgets.iter().map(|widget| {
            let cutting = Cutting::new(reader.zone(), widget, query.bounds(now));
            let answered = answer(widget, cutting.window.edges.len());
            drawer.view(widget, &cutting, answered)
        });
        views.collect()
    }
}

pub(crate) use builder::{build_widget, edit_widget, save_new_widget, save_widget};
pub(crate) use change::{
    clone_dashboard, copy_widget, delete_dashboard, delete_widget, place_widget, rename_dashboard,
};
pub(crate) use csv::show_csv;
pub(crate) use drawn::Body;
pub(crate) use list::{DashboardsPage, create_dashboard, list_dashboards};
pub(crate) use open::{publish_dashboard, show_open_dashboard};
pub(crate) use show::{DashboardPage, export_dashboard, show_dashboard};

use axum::extract::RawPathParams;
use domain::dashboard::WidgetId;
use domain::{DashboardId, Fault};

use super::traces::segment;

fn dashboard_id(params: &RawPathParams) -> Result<DashboardId, Fault> {
    let id = segment(params, "dashboard").and_then(|id| id.parse().ok());
    id.ok_or_else(|| Fault::not_found("there is no dashboard of this id"))
}

fn widget_id(params: &RawPathParams) -> Result<WidgetId, Fault> {
    let id = segment(params, "widget").and_then(|id| id.parse().ok());
    id.map(WidgetId).ok_or_else(no_widget)
}

fn no_widget() -> Fault {
    Fault::not_found("the dashboard has no such widget")
}
