//! One widget being made or changed. What is chosen is in the address, and what it would show stands beside it.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::dashboard::{Dashboard, Widget};
use domain::tenancy::Permission;
use domain::{Fault, Timestamp};
use http::{HeaderMap, StatusCode};
use service::{App, dashboards};

use super::drawn::{Cutting, Drawer, WidgetView};
use super::form::{WidgetForm, entered as entered_widget, fresh};
use super::show::of_range;
use super::{dashboard_id, no_widget, widget_id};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::layout::{Frame, RangeControl, Section, Shell};
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, fragment_target, html, render, see_other};
use crate::urls;

/// Columns and rows of a new widget.
const SIZE: (u8, u8) = (6, 6);

/// The page.
#[derive(Template)]
#[template(path = "dashboards/builder.html", blocks = ["builder"])]
pub(crate) struct BuilderPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) dashboard: String,
    pub(crate) form: WidgetForm,
    /// What the widget would show; `None`: it cannot be asked.
    pub(crate) preview: Option<WidgetView>,
    /// Where the form is read anew and where it is sent.
    pub(crate) action: String,
    pub(crate) back_url: String,
    pub(crate) is_new: bool,
    /// What the address keeps of the range.
    pub(crate) keep: Vec<(&'static str, String)>,
}

/// About to make a widget.
pub(crate) async fn build_widget(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    headers: HeaderMap,
    pairs: Pairs,
) -> Answer {
    entered.scope.require(Permission::ChangeDashboards)?;
    let dashboard = dashboards::show(&app, &entered.scope, dashboard_id(&params)?).await?;
    let before = new_widget(&entered.reader, &dashboard);
    let builder = Builder {
        dashboard: &dashboard,
        before,
        is_new: true,
        chosen: chosen(&pairs),
    };
    builder.shown(&app, &entered, (&headers, &pairs)).await
}

/// About to change a widget.
pub(crate) async fn edit_widget(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    headers: HeaderMap,
    pairs: Pairs,
) -> Answer {
    entered.scope.require(Permission::ChangeDashboards)?;
    let dashboard = dashboards::show(&app, &entered.scope, dashboard_id(&params)?).await?;
    let before = dashboard
        .document
        .widget(widget_id(&params)?)
        .ok_or_else(no_widget)?;
    let builder = Builder {
        before: before.clone(),
        dashboard: &dashboard,
        is_new: false,
        chosen: chosen(&pairs),
    };
    builder.shown(&app, &entered, (&headers, &pairs)).await
}

/// Adds the widget.
pub(crate) async fn save_new_widget(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let dashboard = dashboards::show(&app, &entered.scope, dashboard_id(&params)?).await?;
    let before = new_widget(&entered.reader, &dashboard);
    let builder = Builder {
        dashboard: &dashboard,
        before,
        is_new: true,
        chosen: chosen(&pairs),
    };
    builder.saved(&app, &entered, &pairs).await
}

/// Keeps what was changed.
pub(crate) async fn save_widget(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let dashboard = dashboards::show(&app, &entered.scope, dashboard_id(&params)?).await?;
    let before = dashboard
        .document
        .widget(widget_id(&params)?)
        .ok_or_else(no_widget)?;
    let builder = Builder {
        before: before.clone(),
        dashboard: &dashboard,
        is_new: false,
        chosen: chosen(&pairs),
    };
    builder.saved(&app, &entered, &pairs).await
}

fn new_widget(reader: &Reader, dashboard: &Dashboard) -> Widget {
    let document = &dashboard.document;
    fresh(document.free_id(), document.free_place(SIZE), reader.lang())
}

struct Builder<'a> {
    dashboard: &'a Dashboard,
    before: Widget,
    is_new: bool,
    /// What is chosen so far, as the address holds it: another range keeps it.
    chosen: Vec<(String, String)>,
}

/// Names in the address that are not of the form.
const OF_RANGE: [&str; 7] = ["_csrf", "range", "from", "to", "tz", "rf", "rt"];

fn chosen(pairs: &Pairs) -> Vec<(String, String)> {
    let mut chosen = pairs.0.clone();
    chosen.retain(|(name, _)| !OF_RANGE.contains(&name.as_str()));
    chosen
}

impl Builder<'_> {
    async fn shown(
        &self,
        app: &App,
        entered: &InProject,
        (headers, pairs): (&HeaderMap, &Pairs),
    ) -> Answer {
        let (widget, fault) = match pairs.get("chart") {
            None => (self.before.clone(), None),
            Some(_) => self.read(pairs),
        };
        let page = self.page(app, entered, pairs, (widget, fault)).await?;
        Ok(match fragment_target(headers) {
            Some("builder") => html(page.as_builder().render()),
            _ => render(&page),
        })
    }

    async fn saved(&self, app: &App, entered: &InProject, pairs: &Pairs) -> Answer {
        let (widget, mut fault) = self.read(pairs);
        if fault.is_none() {
            let saved = dashboards::change(app, &entered.scope, self.dashboard.id, |document| {
                match document
                    .widgets
                    .iter_mut()
                    .find(|known| known.id == widget.id)
                {
                    Some(known) => *known = widget.clone(),
                    None => document.widgets.push(widget.clone()),
                }
                Ok(())
            });
            match saved.await {
                Ok(_) => {
                    let read = ListQuery::read(pairs, entered.reader.zone())?;
                    let query = of_range(read.query);
                    let url = urls::dashboard_with(entered.id(), self.dashboard.id, &query);
                    return Ok(see_other(&url));
                }
                Err(wrong) if wrong.code == domain::Code::Invalid => fault = Some(wrong),
                Err(other) => return Err(other.into()),
            }
        }
        let page = self.page(app, entered, pairs, (widget, fault)).await?;
        Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
    }

    /// What was entered, and what is wrong with it.
    fn read(&self, pairs: &Pairs) -> (Widget, Option<Fault>) {
        match entered_widget(pairs, &self.before) {
            Ok(mut widget) => {
                let fault = widget.check().err();
                (widget, fault)
            }
            Err(fault) => (self.before.clone(), Some(fault)),
        }
    }

    async fn page(
        &self,
        app: &App,
        entered: &InProject,
        pairs: &Pairs,
        (widget, fault): (Widget, Option<Fault>),
    ) -> Result<BuilderPage, crate::error::Failure> {
        let (reader, now) = (&entered.reader, app.clock().now());
        let query = of_range(ListQuery::read(pairs, reader.zone())?.query);
        // A title alone keeps nothing from being shown.
        let is_asked = fault
            .as_ref()
            .is_none_or(|it| it.field.as_deref() == Some("title"));
        let preview = match is_asked {
            true => Some(self.preview(app, entered, &widget, (&query, now)).await),
            false => None,
        };
        Ok(self.page_of(reader, (&query, now), (&widget, fault.as_ref()), preview))
    }

    fn page_of(
        &self,
        reader: &Reader,
        (query, now): (&ListQuery, Timestamp),
        (widget, fault): (&Widget, Option<&Fault>),
        preview: Option<WidgetView>,
    ) -> BuilderPage {
        let (project, id) = (reader.id(), self.dashboard.id);
        let action = match self.is_new {
            true => urls::widget_new(project, id),
            false => urls::widget((project, id, widget.id)),
        };
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Dashboards);
        let look = (&shell, &reader.visitor.choices);
        let address = |query: &ListQuery| with(&action, &self.chosen, query);
        let mut control = RangeControl::new(&address, query, look, now);
        control.action.clone_from(&action);
        frame.range = Some(control);
        BuilderPage {
            dashboard: self.dashboard.document.name.clone(),
            form: WidgetForm::new(widget, fault, reader.lang()),
            preview,
            back_url: urls::dashboard_with(project, id, query),
            is_new: self.is_new,
            keep: query.to_pairs(),
            action,
            shell,
            frame,
        }
    }

    async fn preview(
        &self,
        app: &App,
        entered: &InProject,
        widget: &Widget,
        (query, now): (&ListQuery, Timestamp),
    ) -> WidgetView {
        let cutting = Cutting::new(entered.reader.zone(), widget, query.bounds(now));
        let answer = dashboards::answer(app, &entered.scope, widget, &cutting.window).await;
        let drawer = Drawer {
            onlooker: (&entered.reader).into(),
            query,
            dashboard: None,
        };
        drawer.view(widget, &cutting, answer)
    }
}

/// The page with a widget of a dashboard that came to something, for samples.
pub(crate) fn sample(
    reader: &Reader,
    dashboard: &Dashboard,
    answer: impl Fn(&Widget, usize) -> Result<dashboards::Answer, Fault>,
) -> BuilderPage {
    let (query, now) = (
        ListQuery::default(),
        Timestamp::EPOCH.plus(domain::Nanos::from_seconds(86_400 * 20_000)),
    );
    let last = dashboard.document.widgets.last().cloned();
    let before = last.unwrap_or_else(|| new_widget(reader, dashboard));
    let cutting = Cutting::new(reader.zone(), &before, query.bounds(now));
    let drawer = Drawer {
        onlooker: reader.into(),
        query: &query,
        dashboard: None,
    };
    let answered = answer(&before, cutting.window.edges.len());
    let preview = drawer.view(&before, &cutting, answered);
    let builder = Builder {
        dashboard,
        before: before.clone(),
        is_new: false,
        chosen: Vec::new(),
    };
    builder.page_of(reader, (&query, now), (&before, None), Some(preview))
}

fn with(action: &str, chosen: &[(String, String)], query: &ListQuery) -> String {
    let mut address = form_urlencoded::Serializer::new(String::new());
    address.extend_pairs(chosen).extend_pairs(query.to_pairs());
    match address.finish() {
        rest if rest.is_empty() => action.to_owned(),
        rest => format!("{action}?{rest}"),
    }
}
