//! The page: what is read for it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use domain::axes::query::Steps;
use domain::axes::{Ask, AxisSeries};
use domain::filter::Filter;
use domain::trace::Density;
use domain::{Fault, Nanos, Timestamp};
use service::alerts::usual::Edge;
use service::axes::{Picture, Wish, newcomers, picture};
use service::{App, alerts, api_keys, incidents, prompts, traces};

use super::explain::Why;
use super::marks::Changes;
use super::query::CorrelationQuery;
use super::view::CorrelationView;
use crate::extract::{InProject, Pairs, Reader};
use crate::layout::{Frame, RangeControl, Section, Shell};
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Steps that a range is cut into, about.
const STEPS: u64 = 150;
/// Least length of a step: the usual time between two scrapes.
const SHORTEST_STEP: u64 = 15_000_000_000;
/// Bins of a joint plot.
const BINS: usize = 10;
/// Columns of the strip of traffic, and how long it is at least.
const COLUMNS: u32 = 96;
const STRIP: Nanos = Nanos::from_seconds(86_400);
/// How long before a window its baseline begins.
const BASELINE: Nanos = Nanos::from_seconds(3_600);
/// Incidents that are looked at, the newest.
const INCIDENTS: u32 = 100;

/// The page.
#[derive(Template)]
#[template(path = "correlation/show.html")]
pub(crate) struct CorrelationPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) view: CorrelationView,
    pub(crate) why: Why,
}

/// Everything that was read.
pub(crate) struct Told {
    pub(crate) picture: Picture,
    pub(crate) changes: Changes,
    pub(crate) strip: Arc<Density>,
    pub(crate) usual: Vec<Vec<Edge>>,
    pub(crate) public_url: String,
    pub(crate) public_key: String,
}

/// Shows it.
pub(crate) async fn show_correlation(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let reader = &entered.reader;
    let read = CorrelationQuery::read(&pairs, reader.zone())?;
    if read.from_form {
        return Ok(see_other(&urls::correlation(entered.id(), &read.query)));
    }
    let (query, now) = (read.query, app.clock().now());
    let told = tell(&app, &entered, &query, now).await?;
    let why = match (query.window, pairs.get("explain")) {
        (Some(_), Some("1")) => Why::explained(&app, &entered, &query).await,
        (Some(window), _) => Why::asked(reader, &query, window),
        (None, _) => Why::unasked(reader, &query, now),
    };
    Ok(render(&CorrelationPage::new(
        reader,
        (&query, &told),
        why,
        now,
    )))
}

async fn tell(
    app: &App,
    entered: &InProject,
    query: &CorrelationQuery,
    now: Timestamp,
) -> Result<Told, Fault> {
    let scope = &entered.scope;
    let steps = steps(query, now);
    let range = (steps.from, steps.to);
    let wish = wish(query, &steps, now);
    let strip = Filter {
        from: Some(strip_from(range)),
        to: Some(range.1),
        ..query.filter(now)
    };
    let (picture, changes, strip, keys) = tokio::try_join!(
        picture(app, scope, wish),
        changes(app, entered, range),
        traces::density(app, scope, &strip, COLUMNS),
        api_keys::list(app, scope),
    )?;
    Ok(Told {
        usual: usual(app, entered, query, &steps).await?,
        picture,
        changes,
        strip,
        public_url: app.settings().public_url.clone(),
        public_key: keys
            .first()
            .map_or_else(String::new, |key| key.public_key.clone()),
    })
}

/// What changed within a range.
async fn changes(
    app: &App,
    entered: &InProject,
    range: (Timestamp, Timestamp),
) -> Result<Changes, Fault> {
    let scope = &entered.scope;
    let newest = incidents::Wanted::default();
    let (firsts, moves, incidents) = tokio::try_join!(
        newcomers(app, scope, range),
        prompts::moves(app, scope, range),
        incidents::list(app, scope, &newest, INCIDENTS),
    )?;
    let versions = firsts.iter().filter(|first| !first.family.is_empty());
    let versions = versions.map(|first| (first.family.as_str(), first.value.as_str()));
    let actors = moves.iter().map(|(_, moved)| moved.actor.as_str());
    let (managed, authors) = tokio::try_join!(
        prompts::managed(app, scope, versions),
        prompts::authors(app, scope, actors),
    )?;
    Ok(Changes {
        firsts,
        moves,
        managed,
        authors,
        incidents,
    })
}

/// Steps on round times, so that a line does not change its shape when the page is read again.
pub(super) fn steps(query: &CorrelationQuery, now: Timestamp) -> Steps {
    let (from, to) = query.list.bounds(now);
    let rough = ((to - from).0 / STEPS).max(SHORTEST_STEP);
    let step = rough.div_ceil(SHORTEST_STEP) * SHORTEST_STEP;
    let into = u64::try_from(from.unix_nanos()).unwrap_or(0) % step;
    let from = from.minus(Nanos(into));
    Steps {
        from,
        to: from.plus(Nanos((to - from).0.div_ceil(step).max(1) * step)),
        step: Nanos(step),
    }
}

fn wish(query: &CorrelationQuery, steps: &Steps, now: Timestamp) -> Wish {
    let ask = |series: AxisSeries| Ask {
        series,
        only: Vec::new(),
        group_by: query.by.into_iter().collect(),
    };
    let joints = query.joints.iter().cloned();
    Wish {
        filter: query.filter(now),
        only: query.only(),
        steps: *steps,
        asks: query.series().into_iter().map(ask).collect(),
        joints: joints.map(|(x, y)| (x, y, BINS)).collect(),
        counted: query
            .window
            .iter()
            .flat_map(|window| [*window, before(*window)])
            .collect(),
    }
}

pub(super) fn before((from, _): (Timestamp, Timestamp)) -> (Timestamp, Timestamp) {
    (from.minus(BASELINE), from)
}

pub(super) fn strip_from((from, to): (Timestamp, Timestamp)) -> Timestamp {
    from.min(to.minus(STRIP))
}

/// What is usual of each series in each step, where rules had it worked out and nothing narrows the page.
async fn usual(
    app: &App,
    entered: &InProject,
    query: &CorrelationQuery,
    steps: &Steps,
) -> Result<Vec<Vec<Edge>>, Fault> {
    let all = query.series();
    if query.list.is_narrowed() || !query.instances.is_empty() || query.by.is_some() {
        return Ok(vec![Vec::new(); all.len()]);
    }
    alerts::usual::edges(app, &entered.scope, &all, steps).await
}

impl CorrelationPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (query, told): (&CorrelationQuery, &Told),
        why: Why,
        now: Timestamp,
    ) -> Self {
        let id = reader.id();
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Correlation);
        frame.rail = true;
        let address = |list: &ListQuery| {
            let moved = query.changed(|query| query.list = list.clone());
            urls::correlation(id, &moved)
        };
        let look = (&shell, &reader.visitor.choices);
        let mut range = RangeControl::new(&address, &query.list, look, now);
        range.action = urls::correlation_home(id);
        range.keep = query.keep(&["range", "from", "to", "live"]);
        frame.range = Some(range);
        CorrelationPage {
            view: CorrelationView::new(reader, (query, told), now),
            why,
            shell,
            frame,
        }
    }
}
