//! A dashboard for anybody who has its link: to be read, and with nothing else in reach.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::{Fault, Nanos, Timestamp};
use futures_util::StreamExt;
use futures_util::stream;
use http::HeaderMap;
use service::open_dashboards::{self, OpenDashboard};
use service::{App, public_links};

use super::dashboard_id;
use super::drawn::{Cutting, Drawer, Onlooker, WidgetView};
use super::show::{AT_ONCE, only_range};
use crate::choices::Choices;
use crate::extract::{InProject, Pairs, Posted};
use crate::layout::{Choice, Shell};
use crate::pages::traces::query::{ListQuery, PRESETS, Range};
use crate::pages::traces::{segment, unlisted};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Longest range that a guest may ask for: a look of theirs costs the project what a look of a member costs.
const LONGEST: Nanos = Nanos::from_seconds(31 * 86_400);

/// The page.
#[derive(Template)]
#[template(path = "dashboards/open.html")]
pub(crate) struct OpenPage {
    pub(crate) shell: Shell,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) widgets: Vec<WidgetView>,
    /// Ranges to choose from.
    pub(crate) presets: Vec<Choice>,
    pub(crate) here: String,
    pub(crate) sign_in_url: String,
}

/// How a dashboard is shared.
pub(crate) struct Sharing {
    pub(crate) is_public: bool,
    /// What to give to others; empty while it is not public.
    pub(crate) address: String,
    /// Where the form goes; empty for whoever may not change it.
    pub(crate) url: String,
}

/// How a dashboard is shared; `None` where the project shows nothing to anybody.
pub(super) async fn sharing(
    app: &App,
    entered: &InProject,
    (id, may_change): (domain::DashboardId, bool),
) -> Result<Option<Sharing>, Fault> {
    if !public_links::allowed(app, &entered.scope).await? {
        return Ok(None);
    }
    let link = open_dashboards::link(app, &entered.scope, id).await?;
    Ok(Some(Sharing {
        is_public: link.is_some(),
        address: link.map_or_else(String::new, |link| {
            let public_url = app.settings().public_url.trim_end_matches('/');
            format!("{public_url}{}", urls::open_dashboard_home(&link))
        }),
        url: match may_change {
            true => urls::dashboard_publish(entered.id(), id),
            false => String::new(),
        },
    }))
}

/// Gives a dashboard a link that anybody may read it by, or takes it back.
pub(crate) async fn publish_dashboard(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = dashboard_id(&params)?;
    let is_public = pairs.get("public") == Some("yes");
    open_dashboards::publish(&app, &entered.scope, id, is_public).await?;
    Ok(see_other(&urls::dashboard(entered.id(), id)))
}

/// Shows it to anybody.
pub(crate) async fn show_open_dashboard(
    State(app): State<App>,
    params: RawPathParams,
    pairs: Pairs,
    headers: HeaderMap,
    uri: http::Uri,
) -> Answer {
    let missing = || Fault::not_found("there is no dashboard here that anybody may see");
    let link = segment(&params, "link").ok_or_else(missing)?;
    let choices = Choices::read(&headers, uri.query().unwrap_or_default());
    let query = only_range(ListQuery::read(&pairs, &choices.zone)?.query)?;
    let now = app.clock().now();
    let (from, to) = query.bounds(now);
    if to - from > LONGEST {
        return Err(Fault::invalid("at most 31 days are shown here")
            .on_field("range")
            .into());
    }
    let open = open_dashboards::enter(&app, link).await?;
    let widgets = drawn(&app, &open, (&choices, &query), (from, to)).await;
    let here = uri
        .path_and_query()
        .map_or_else(String::new, ToString::to_string);
    let document = &open.dashboard().document;
    let page = OpenPage {
        name: document.name.clone(),
        description: document.description.clone(),
        widgets,
        presets: presets(link, &query, &choices),
        sign_in_url: urls::sign_in("/"),
        shell: Shell::new(&choices, "", &here),
        here,
    };
    Ok(unlisted(render(&page)))
}

async fn drawn(
    app: &App,
    open: &OpenDashboard,
    (choices, query): (&Choices, &ListQuery),
    range: (Timestamp, Timestamp),
) -> Vec<WidgetView> {
    let drawer = Drawer {
        onlooker: Onlooker {
            lang: choices.lang,
            zone: &choices.zone,
            project: None,
        },
        query,
        dashboard: None,
    };
    let asked = open
        .dashboard()
        .document
        .widgets
        .iter()
        .map(|widget| async {
            let cutting = Cutting::new(&choices.zone, widget, range);
            let answer = open.answer(app, widget, &cutting.window).await;
            let answer = answer.map_err(|fault| {
                tracing::warn!(error = %fault, "a widget of a public dashboard cannot be told");
                // What is wrong with the stores is nobody's business outside.
                Fault::unavailable("this cannot be told now")
            });
            drawer.view(widget, &cutting, answer)
        });
    let asked: Vec<_> = asked.collect();
    stream::iter(asked).buffered(AT_ONCE).collect().await
}

fn presets(link: &str, query: &ListQuery, choices: &Choices) -> Vec<Choice> {
    let offered = PRESETS
        .into_iter()
        .filter(|preset| preset.length <= LONGEST);
    let choice = |preset| {
        let range = Range::Last(preset);
        Choice {
            label: choices.lang.t(preset.label).to_owned(),
            url: urls::open_dashboard(link, &query.changed(|query| query.range = range)),
            current: query.range == range,
        }
    };
    offered.map(choice).collect()
}
