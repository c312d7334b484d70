//! One dashboard: all of its widgets, or one as large as the page.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::dashboard::{Dashboard, Widget, WidgetId};
use domain::tenancy::Permission;
use domain::{Fault, Timestamp};
use futures_util::StreamExt;
use futures_util::stream;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use service::{App, dashboards};

use super::drawn::{Cutting, Drawer, WidgetView};
use super::open::{Sharing, sharing};
use super::{dashboard_id, no_widget};
use crate::extract::{InProject, Pairs, Reader};
use crate::layout::{Frame, RangeControl, Section, Shell};
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Widgets that are asked for at the same time.
pub(super) const AT_ONCE: usize = 4;

/// The page.
#[derive(Template)]
#[template(path = "dashboards/show.html")]
pub(crate) struct DashboardPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) widgets: Vec<WidgetView>,
    pub(crate) may_change: bool,
    /// Whether one widget has the page for itself.
    pub(crate) is_full: bool,
    /// All dashboards, or the dashboard of the one widget.
    pub(crate) back_url: String,
    pub(crate) links: BoardLinks,
    /// Whether anybody may see it; nothing where the project shows nothing to anybody.
    pub(crate) sharing: Option<Sharing>,
    /// The address to give to others.
    pub(crate) address: String,
}

/// Where the parts of a dashboard lead.
pub(crate) struct BoardLinks {
    pub(crate) add: String,
    pub(crate) rename: String,
    pub(crate) clone: String,
    pub(crate) delete: String,
    pub(crate) export: String,
    pub(crate) place: String,
}

/// Shows it.
pub(crate) async fn show_dashboard(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let id = dashboard_id(&params)?;
    let reader = &entered.reader;
    let read = ListQuery::read(&pairs, reader.zone())?;
    let query = only_range(read.query)?;
    if read.from_form {
        return Ok(see_other(&urls::dashboard_with(entered.id(), id, &query)));
    }
    let dashboard = dashboards::show(&app, &entered.scope, id).await?;
    let now = app.clock().now();
    let full = match pairs.filled("widget") {
        Some(text) => Some(text.parse().map(WidgetId).map_err(|_| no_widget())?),
        None => None,
    };
    let shown: Vec<&Widget> = match full {
        Some(id) => vec![dashboard.document.widget(id).ok_or_else(no_widget)?],
        None => dashboard.document.widgets.iter().collect(),
    };
    let widgets = drawn(&app, &entered, (&dashboard, &shown), (&query, now)).await;
    let mut page = DashboardPage::new(reader, (&dashboard, widgets), (&query, now));
    page.is_full = full.is_some();
    page.sharing = sharing(&app, &entered, (id, page.may_change)).await?;
    page.address = format!(
        "{}{}",
        app.settings().public_url.trim_end_matches('/'),
        urls::dashboard_with(entered.id(), id, &query)
    );
    if page.is_full {
        page.back_url = urls::dashboard_with(entered.id(), id, &query);
    }
    Ok(render(&page))
}

/// The parts of a query that a dashboard has: range and zone.
pub(super) fn of_range(query: ListQuery) -> ListQuery {
    ListQuery {
        range: query.range,
        zone: query.zone,
        ..ListQuery::default()
    }
}

/// The same, where nothing else was asked for.
///
/// # Errors
/// `invalid` where something was that a dashboard does not have.
pub(super) fn only_range(query: ListQuery) -> Result<ListQuery, Fault> {
    if query.is_narrowed() {
        let message = "a dashboard has a range alone; its widgets have filters of their own";
        return Err(Fault::invalid(message).on_field("f"));
    }
    Ok(of_range(query))
}

/// What widgets show, a few at a time; one that cannot be told takes no other with it.
async fn drawn(
    app: &App,
    entered: &InProject,
    (dashboard, widgets): (&Dashboard, &[&Widget]),
    (query, now): (&ListQuery, Timestamp),
) -> Vec<WidgetView> {
    let drawer = Drawer {
        onlooker: (&entered.reader).into(),
        query,
        dashboard: Some(dashboard.id),
    };
    let range = query.bounds(now);
    let asked = widgets.iter().map(|widget| async {
        let cutting = Cutting::new(entered.reader.zone(), widget, range);
        let answer = dashboards::answer(app, &entered.scope, widget, &cutting.window).await;
        if let Err(fault) = &answer {
            tracing::warn!(error = %fault, "a widget cannot be told");
        }
        drawer.view(widget, &cutting, answer)
    });
    let asked: Vec<_> = asked.collect();
    stream::iter(asked).buffered(AT_ONCE).collect().await
}

impl DashboardPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (dashboard, widgets): (&Dashboard, Vec<WidgetView>),
        (query, now): (&ListQuery, Timestamp),
    ) -> Self {
        let (project, id) = (reader.id(), dashboard.id);
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Dashboards);
        let look = (&shell, &reader.visitor.choices);
        let address = |query: &ListQuery| urls::dashboard_with(project, id, query);
        frame.range = Some(RangeControl::new(&address, query, look, now));
        DashboardPage {
            name: dashboard.document.name.clone(),
            description: dashboard.document.description.clone(),
            widgets,
            may_change: reader.may(Permission::ChangeDashboards),
            is_full: false,
            back_url: urls::dashboards(project),
            links: BoardLinks {
                add: urls::widget_new(project, id),
                rename: urls::dashboard_rename(project, id),
                clone: urls::dashboard_clone(project, id),
                delete: urls::dashboard_delete(project, id),
                export: urls::dashboard_export(project, id),
                place: urls::dashboard_place(project, id),
            },
            sharing: None,
            address: String::new(),
            shell,
            frame,
        }
    }
}

/// Sends it as JSON, as it can be taken in again.
pub(crate) async fn export_dashboard(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let id = dashboard_id(&params)?;
    let dashboard = dashboards::show(&app, &entered.scope, id).await?;
    let json = serde_json::to_string_pretty(&dashboard.document.to_json());
    let json = json.map_err(Fault::internal)?;
    Ok((
        [
            (CONTENT_TYPE, "application/json".to_owned()),
            (
                CONTENT_DISPOSITION,
                format!("attachment; filename=\"dashboard-{id}.json\""),
            ),
        ],
        json,
    )
        .into_response())
}
