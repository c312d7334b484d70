//! The page: lanes on one clock, marks, the strip of traffic, joint plots, and why beside them.

use askama::Template;
use axum::extract::State;
use domain::alert::incident::Incident;
use domain::alert::measure::AlertSeries;
use domain::axes::firsts::First;
use domain::axes::query::Steps;
use domain::axes::value::{GPU, QUALITY, TOKEN};
use domain::axes::{Ask, AxisSeries, AxisValue, Dimension, Statistic};
use domain::filter::{Column, Filter, Operator};
use domain::trace::Density;
use domain::{Fault, Nanos, Timestamp};
use service::axes::{Picture, Wish, newcomers, picture};
use service::{App, alerts, api_keys, incidents, traces};

use super::explain::Why;
use super::joint::{JointView, Offer, offers};
use super::lanes::{self, Lane, Shown, ValueColumn, series_name};
use super::marks::{Mark, marks};
use super::query::CorrelationQuery;
use super::setup::{Setup, setup};
use crate::chart::clock::{Tick, place, ticks};
use crate::chart::density::{self, DensityChart};
use crate::chart::{lane, number};
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, RangeControl, Section, Shell};
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

/// What it shows.
pub(crate) struct CorrelationView {
    pub(crate) action: String,
    pub(crate) chips: Vec<Chip>,
    pub(crate) filter_keep: Vec<(&'static str, String)>,
    pub(crate) filters: Vec<FilterOffer>,
    pub(crate) series_keep: Vec<(&'static str, String)>,
    pub(crate) offers: Vec<Offer>,
    pub(crate) groups: Vec<Choice>,
    pub(crate) grouped: String,
    pub(crate) traces_url: String,
    /// First and last instant of the lanes, for the brush.
    pub(crate) range: (String, String),
    pub(crate) zone: String,
    pub(crate) marks: Vec<Mark>,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) ticks: Vec<Tick>,
    /// Where the crosshair stands: its step, its place in percent, its time.
    pub(crate) cross: (usize, String, String),
    /// The window and its baseline: left edge and width in percent, and how many requests each has.
    pub(crate) window: Option<Stretch>,
    pub(crate) baseline: Option<Stretch>,
    /// What the grey band is; empty without one.
    pub(crate) band: &'static str,
    pub(crate) columns: Vec<ValueColumn>,
    pub(crate) rows: Vec<StepRow>,
    pub(crate) strip: DensityChart,
    pub(crate) strip_range: (String, String),
    pub(crate) strip_shown: (String, String),
    pub(crate) strip_count: String,
    pub(crate) joints: Vec<JointView>,
    pub(crate) values: Vec<Offer>,
    pub(crate) setup: Option<Setup>,
    pub(crate) is_sample: bool,
    pub(crate) has_requests: bool,
}

/// A part of the range.
pub(crate) struct Stretch {
    pub(crate) x: String,
    pub(crate) width: String,
    /// `02:14 – 02:58, 15,902 requests`.
    pub(crate) words: String,
}

/// A filter in force.
pub(crate) struct Chip {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) denies: bool,
    pub(crate) remove_url: String,
}

/// A dimension to narrow to, with its values.
pub(crate) struct FilterOffer {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) values: Vec<String>,
}

/// A step in the table of values.
pub(crate) struct StepRow {
    /// Place in percent.
    pub(crate) x: String,
    pub(crate) time: String,
    /// When it begins, for the brush.
    pub(crate) begin: String,
    pub(crate) url: String,
}

/// Everything that was read.
pub(crate) struct Told {
    pub(crate) picture: Picture,
    pub(crate) firsts: Vec<First>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) strip: Density,
    pub(crate) usual: Vec<Vec<Option<(f64, f64)>>>,
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
    Ok(render(&CorrelationPage::new(reader, (&query, &told), why, now)))
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
    let newest = incidents::Wanted::default();
    let (picture, firsts, incidents, strip, keys) = tokio::try_join!(
        picture(app, scope, wish),
        newcomers(app, scope, range),
        incidents::list(app, scope, &newest, INCIDENTS),
        traces::density(app, scope, &strip, COLUMNS),
        api_keys::list(app, scope),
    )?;
    Ok(Told {
        usual: usual(app, entered, query, &steps).await?,
        picture,
        firsts,
        incidents,
        strip,
        public_url: app.settings().public_url.clone(),
        public_key: keys.first().map_or_else(String::new, |key| key.public_key.clone()),
    })
}

/// Steps on round times, so that a line does not change its shape when the page is read again.
fn steps(query: &CorrelationQuery, now: Timestamp) -> Steps {
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

fn before((from, _): (Timestamp, Timestamp)) -> (Timestamp, Timestamp) {
    (from.minus(BASELINE), from)
}

fn strip_from((from, to): (Timestamp, Timestamp)) -> Timestamp {
    from.min(to.minus(STRIP))
}

/// What is usual of each series in each step, where rules had it worked out and nothing narrows the page.
async fn usual(
    app: &App,
    entered: &InProject,
    query: &CorrelationQuery,
    steps: &Steps,
) -> Result<Vec<Vec<Option<(f64, f64)>>>, Fault> {
    let all = query.series();
    if query.list.is_narrowed() || !query.instances.is_empty() || query.by.is_some() {
        return Ok(vec![Vec::new(); all.len()]);
    }
    let known: Vec<Option<AlertSeries>> = all
        .iter()
        .map(|series| AlertSeries::parse(&series.to_string()).ok())
        .collect();
    let asked: Vec<AlertSeries> = known.iter().flatten().cloned().collect();
    let (settings, found) = alerts::usual::kept(app, &entered.scope, &asked).await?;
    let mut found = found.into_iter();
    let edges = known.iter().map(|series| {
        let pools = series.as_ref().and_then(|_| found.next().flatten());
        let Some(pools) = pools else { return Vec::new() };
        (0..steps.count())
            .map(|step| {
                let at = steps.from.plus(Nanos(steps.step.0 * step));
                let pool = pools.0.get(&settings.hour_of(at))?;
                let reach = settings.baseline_mads * pool.mad;
                Some((pool.median - reach, pool.median + reach))
            })
            .collect()
    });
    Ok(edges.collect())
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

impl CorrelationView {
    fn new(reader: &Reader, (query, told): (&CorrelationQuery, &Told), now: Timestamp) -> Self {
        let (id, lang, zone) = (reader.id(), reader.lang(), reader.zone());
        let (steps, picture) = (steps(query, now), &told.picture);
        let range = (steps.from, steps.to);
        let count = usize::try_from(steps.count()).unwrap_or(0);
        let cross = crosshair(query, picture, (&steps, count));
        let all = query.series();
        let (usual, band) = bands(query, told, &steps, lang);
        let shown = all.iter().zip(&picture.answers).zip(usual);
        let shown: Vec<Shown<'_>> = shown
            .map(|((series, lines), usual)| Shown {
                series,
                lines,
                usual,
                remove_url: urls::correlation(id, &query.without(series)),
            })
            .collect();
        let drawn = lanes::draw(&shown, (&steps, cross), lang);
        let stretch = |range: (Timestamp, Timestamp), at: usize| {
            let requests = picture.counts.get(at).copied().unwrap_or(0);
            stretch_of(range, (&steps, requests), reader)
        };
        let joints = query.joints.iter().zip(&picture.joints).enumerate();
        let values = joint_values(picture);
        let strip_from = strip_from(range);
        let url = (told.public_url.as_str(), told.public_key.as_str());
        CorrelationView {
            action: urls::correlation_home(id),
            chips: chips(reader, query),
            filter_keep: query.keep(&[]),
            filters: filters(picture, lang),
            series_keep: query.keep(&[]),
            offers: series_offers(&all, &values, lang),
            groups: groups(reader, query),
            grouped: query.by.map_or_else(String::new, |by| dimension_name(by, lang).to_owned()),
            traces_url: traces_url(reader, query, query.window.unwrap_or(query.list.bounds(now))),
            range: (range.0.to_string(), range.1.to_string()),
            zone: zone.offset(range.1),
            marks: marks(id, (&told.firsts, &told.incidents), range, (lang, zone)),
            lanes: drawn.lanes,
            ticks: ticks(range, zone),
            cross: (cross, number(lane::middle(cross, count)), zone.clock(at_step(&steps, cross))),
            window: query.window.map(|window| stretch(window, 0)),
            baseline: query.window.map(|window| stretch(before(window), 1)),
            band,
            columns: drawn.columns,
            rows: step_rows(reader, query, (&steps, count)),
            strip: density::draw(&told.strip, zone),
            strip_range: (strip_from.to_string(), range.1.to_string()),
            strip_shown: edges(range, (strip_from, range.1)),
            strip_count: format::count(told.strip.traces),
            joints: joints
                .map(|(at, (names, joint))| JointView::new(id, (query, at), (joint, names), lang))
                .collect(),
            values: offers(&values, lang),
            setup: setup(picture.fleet, (picture.requests, picture.placed), url, lang),
            is_sample: picture.is_sample,
            has_requests: picture.requests > 0,
        }
    }
}

/// Where the crosshair stands at first: in the middle of the window, else where the newest value is.
fn crosshair(query: &CorrelationQuery, picture: &Picture, (steps, count): (&Steps, usize)) -> usize {
    if let Some((from, to)) = query.window {
        let middle = from.plus(Nanos((to - from).0 / 2)).max(steps.from);
        let step = (middle - steps.from).0 / steps.step.0.max(1);
        return usize::try_from(step).unwrap_or(0).min(count.saturating_sub(1));
    }
    let lines = picture.answers.iter().flatten();
    let newest = lines.filter_map(|line| line.values.iter().rposition(Option::is_some));
    newest.max().unwrap_or(count.saturating_sub(1))
}

fn at_step(steps: &Steps, step: usize) -> Timestamp {
    steps.from.plus(Nanos(steps.step.0.saturating_mul(step as u64)))
}

/// What is usual of each series: as it was worked out for its hour; else, of a window, what it was in the hour before.
fn bands(
    query: &CorrelationQuery,
    told: &Told,
    steps: &Steps,
    lang: Lang,
) -> (Vec<Vec<Option<(f64, f64)>>>, &'static str) {
    if told.usual.iter().any(|edges| !edges.is_empty()) {
        return (told.usual.clone(), lang.t("band: usual of the hour, median ± MAD"));
    }
    let Some(window) = query.window else {
        return (vec![Vec::new(); told.picture.answers.len()], "");
    };
    let (from, to) = before(window);
    let count = usize::try_from(steps.count()).unwrap_or(0);
    let edges = told.picture.answers.iter().map(|lines| {
        let [line] = lines.as_slice() else { return Vec::new() };
        let within = |step: &usize| (from..to).contains(&at_step(steps, *step));
        let values = (0..count.min(line.values.len())).filter(within);
        let mut values: Vec<f64> = values.filter_map(|step| line.values[step]).collect();
        let mut told = |share: f64| {
            domain::axes::lines::statistic(&mut values, Statistic::Quantile(share), 1.0)
        };
        match (told(0.05), told(0.95)) {
            (Some(low), Some(high)) => vec![Some((low, high)); count],
            _ => Vec::new(),
        }
    });
    (edges.collect(), lang.t("band: p5 to p95 of the hour before"))
}

fn stretch_of(
    range: (Timestamp, Timestamp),
    (steps, requests): (&Steps, usize),
    reader: &Reader,
) -> Stretch {
    let (x, width) = edges(range, (steps.from, steps.to));
    let zone = reader.zone();
    let words = reader.lang().fill(
        "{} – {}, {} requests",
        &[
            &zone.tick(range.0, false),
            &zone.tick(range.1, false),
            &format::count(requests as u64),
        ],
    );
    Stretch { x, width, words }
}

/// Left edge and width of a stretch within another, in percent.
fn edges(range: (Timestamp, Timestamp), whole: (Timestamp, Timestamp)) -> (String, String) {
    let (left, right) = (place(range.0, whole), place(range.1, whole));
    (number(left), number(right - left))
}

fn traces_url(reader: &Reader, query: &CorrelationQuery, (from, to): (Timestamp, Timestamp)) -> String {
    let list = query.list.changed(|list| {
        list.range = crate::pages::traces::query::Range::Between(from, to);
        list.live = false;
    });
    urls::traces(reader.id(), &list)
}

fn step_rows(reader: &Reader, query: &CorrelationQuery, (steps, count): (&Steps, usize)) -> Vec<StepRow> {
    let row = |step: usize| {
        let (from, to) = (at_step(steps, step), at_step(steps, step + 1));
        StepRow {
            x: number(lane::middle(step, count)),
            time: reader.zone().clock(from),
            begin: from.to_string(),
            url: traces_url(reader, query, (from, to)),
        }
    };
    (0..count).map(row).collect()
}

fn chips(reader: &Reader, query: &CorrelationQuery) -> Vec<Chip> {
    let url = |changed: CorrelationQuery| urls::correlation(reader.id(), &changed);
    let mut chips: Vec<Chip> = Vec::new();
    for (at, (column, operator, value)) in query.list.conditions.iter().enumerate() {
        chips.push(Chip {
            key: column_label(column, reader.lang()),
            value: value.clone(),
            denies: matches!(operator, Operator::NoneOf | Operator::DoesNotContain),
            remove_url: url(query.changed(|query| {
                query.list.conditions.remove(at);
            })),
        });
    }
    for name in &query.instances {
        chips.push(Chip {
            key: reader.lang().t("instance").to_owned(),
            value: name.clone(),
            denies: false,
            remove_url: url(query.changed(|query| query.instances.retain(|known| known != name))),
        });
    }
    chips
}

fn column_label(column: &Column, lang: Lang) -> String {
    let name = crate::pages::traces::column_name(column);
    Dimension::from_name(&name).map_or(name, |dimension| dimension_name(dimension, lang).to_owned())
}

/// What a page calls a dimension.
pub(super) fn dimension_name(dimension: Dimension, lang: Lang) -> &'static str {
    match dimension {
        Dimension::Instance => lang.t("instance"),
        Dimension::Gpu => lang.t("GPU"),
        Dimension::Model => lang.t("model"),
        Dimension::Prompt => lang.t("prompt"),
        Dimension::PromptVersion => lang.t("prompt version"),
        Dimension::Tenant => lang.t("tenant"),
        Dimension::Route => lang.t("route"),
        Dimension::Release => lang.t("release"),
        Dimension::Provider => lang.t("provider"),
        Dimension::Environment => lang.t("environment"),
    }
}

/// Dimensions that the page can be narrowed to, with the values that there are.
fn filters(picture: &Picture, lang: Lang) -> Vec<FilterOffer> {
    let can = |dimension: Dimension| !matches!(dimension, Dimension::Gpu);
    let offers = picture.values.iter().filter(|(dimension, _)| can(*dimension));
    offers
        .map(|(dimension, values)| FilterOffer {
            name: dimension.as_str(),
            label: dimension_name(*dimension, lang),
            values: values.iter().map(|(name, _)| version_of(*dimension, name)).collect(),
        })
        .collect()
}

/// Versions are filtered without the name of their prompt.
fn version_of(dimension: Dimension, name: &str) -> String {
    let version = name.rsplit_once('@').map(|(_, version)| version);
    match dimension {
        Dimension::PromptVersion => version.unwrap_or(name).to_owned(),
        _ => name.to_owned(),
    }
}

fn groups(reader: &Reader, query: &CorrelationQuery) -> Vec<Choice> {
    let choice = |by: Option<Dimension>| Choice {
        label: match by {
            Some(dimension) => dimension_name(dimension, reader.lang()).to_owned(),
            None => reader.lang().t("nothing").to_owned(),
        },
        url: urls::correlation(reader.id(), &query.changed(|query| query.by = by)),
        current: query.by == by,
    };
    let known = Dimension::ALL.iter().map(|dimension| choice(Some(*dimension)));
    std::iter::once(choice(None)).chain(known).collect()
}

/// Values that requests may have, scores of the project among them.
fn joint_values(picture: &Picture) -> Vec<AxisValue> {
    let names = GPU.iter().map(|(name, _)| *name);
    let names = names.chain(TOKEN.iter().map(|(name, _)| *name));
    let names = names.chain(QUALITY.iter().map(|(name, _)| *name));
    let names = names.chain(["errors", "cost"]);
    let known = names.filter_map(AxisValue::parse);
    known.chain(picture.own.iter().cloned()).collect()
}

/// Series that can be added.
fn series_offers(all: &[AxisSeries], values: &[AxisValue], lang: Lang) -> Vec<Offer> {
    let mut offers = Vec::new();
    for value in std::iter::once(&AxisValue::Requests).chain(values) {
        let name = value.to_string();
        let statistics: &[&str] = match crate::measure::unit(&name) {
            crate::measure::Unit::Ms => &[":p50", ":p95", ":p99"],
            _ => &[""],
        };
        for statistic in statistics {
            let Ok(series) = AxisSeries::parse(&format!("{name}{statistic}")) else {
                continue;
            };
            if !all.contains(&series) {
                offers.push(Offer {
                    label: series_name(&series, lang),
                    value: series.to_string(),
                });
            }
        }
    }
    offers
}
