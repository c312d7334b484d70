//! What the page shows: lanes on one clock, marks, the strip of traffic, joint plots.

use domain::axes::query::Steps;
use domain::axes::{AxisLine, Statistic};
use domain::{Nanos, Timestamp};
use service::axes::Picture;

use super::joint::{JointView, Offer, offers};
use super::lanes::{self, Lane, Shown, ValueColumn};
use super::marks::{Marks, marks};
use super::menus::{
    Chip, FilterOffer, chips, dimension_name, filters, groups, joint_values, series_offers,
};
use super::query::CorrelationQuery;
use super::setup::{Setup, setup};
use super::show::{Told, before, steps, strip_from};
use crate::chart::clock::{Tick, place, ticks};
use crate::chart::density::{self, DensityChart};
use crate::chart::{lane, number};
use crate::extract::Reader;
use crate::format;
use crate::i18n::Lang;
use crate::layout::Choice;
use crate::pages::traces::query::Range;
use crate::urls;

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
    pub(crate) changes: Marks,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) ticks: Vec<Tick>,
    /// Where the crosshair stands: its step, its place in percent, its time.
    pub(crate) cross: (usize, String, String),
    /// The window and its baseline: left edge and width in percent, and how many requests each has.
    pub(crate) window: Option<Stretch>,
    pub(crate) baseline: Option<Stretch>,
    /// What the grey band is; empty without one.
    pub(crate) band: &'static str,
    /// Names of the columns of the table of values.
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<StepRow>,
    pub(crate) strip: DensityChart,
    pub(crate) strip_range: (String, String),
    pub(crate) strip_shown: (String, String),
    pub(crate) strip_count: String,
    pub(crate) joints: Vec<JointView>,
    pub(crate) values: Vec<Offer>,
    pub(crate) setup: Option<Setup>,
    pub(crate) is_sample: bool,
}

/// A part of the range.
pub(crate) struct Stretch {
    pub(crate) x: String,
    pub(crate) width: String,
    /// `02:14 – 02:58, 15,902 requests`.
    pub(crate) words: String,
}

/// A step in the table of values.
pub(crate) struct StepRow {
    /// Place in percent.
    pub(crate) x: String,
    pub(crate) time: String,
    /// When it begins, for the brush.
    pub(crate) begin: String,
    pub(crate) url: String,
    /// Each value in words, and its height in percent.
    pub(crate) cells: Vec<(String, String)>,
}

impl CorrelationView {
    /// Prepares everything for the template.
    pub(super) fn new(
        reader: &Reader,
        (query, told): (&CorrelationQuery, &Told),
        now: Timestamp,
    ) -> Self {
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
            grouped: query
                .by
                .map_or_else(String::new, |by| dimension_name(by, lang).to_owned()),
            traces_url: traces_url(
                reader,
                query,
                query.window.unwrap_or(query.list.bounds(now)),
            ),
            range: (range.0.to_string(), range.1.to_string()),
            zone: zone.offset(range.1),
            changes: marks(reader, &told.changes, range),
            lanes: drawn.lanes,
            ticks: ticks(range, zone),
            cross: (
                cross,
                number(lane::middle(cross, count)),
                zone.clock(at_step(&steps, cross)),
            ),
            window: query.window.map(|window| stretch(window, 0)),
            baseline: query.window.map(|window| stretch(before(window), 1)),
            band,
            rows: step_rows(reader, query, (&steps, &drawn.columns)),
            columns: drawn
                .columns
                .into_iter()
                .map(|column| column.label)
                .collect(),
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
        }
    }
}

/// Where the crosshair stands at first: in the middle of the window, else where most of the newest values are.
fn crosshair(
    query: &CorrelationQuery,
    picture: &Picture,
    (steps, count): (&Steps, usize),
) -> usize {
    if let Some((from, to)) = query.window {
        let middle = from.plus(Nanos((to - from).0 / 2)).max(steps.from);
        let step = (middle - steps.from).0 / steps.step.0.max(1);
        return usize::try_from(step)
            .unwrap_or(0)
            .min(count.saturating_sub(1));
    }
    let lines = || picture.answers.iter().flatten();
    let known = |step: usize| {
        let has = |line: &&AxisLine| line.values.get(step).is_some_and(Option::is_some);
        lines().filter(has).count()
    };
    let most = (0..count).map(known).max().unwrap_or(0);
    (0..count)
        .rposition(|step| most > 0 && known(step) == most)
        .unwrap_or(count.saturating_sub(1))
}

fn at_step(steps: &Steps, step: usize) -> Timestamp {
    steps
        .from
        .plus(Nanos(steps.step.0.saturating_mul(step as u64)))
}

/// What is usual of a series in each step: lower and upper edge.
type Edges = Vec<Option<(f64, f64)>>;

/// What is usual of each series: as it was worked out for its hour; else, of a window, what it was in the hour before.
fn bands(
    query: &CorrelationQuery,
    told: &Told,
    steps: &Steps,
    lang: Lang,
) -> (Vec<Edges>, &'static str) {
    if told.usual.iter().any(|edges| !edges.is_empty()) {
        return (
            told.usual.clone(),
            lang.t("band: usual of the hour, median ± MAD"),
        );
    }
    let Some(window) = query.window else {
        return (vec![Vec::new(); told.picture.answers.len()], "");
    };
    let (from, to) = before(window);
    let count = usize::try_from(steps.count()).unwrap_or(0);
    let edges = told.picture.answers.iter().map(|lines| {
        let [line] = lines.as_slice() else {
            return Vec::new();
        };
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
    (
        edges.collect(),
        lang.t("band: p5 to p95 of the hour before"),
    )
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

fn traces_url(
    reader: &Reader,
    query: &CorrelationQuery,
    (from, to): (Timestamp, Timestamp),
) -> String {
    let list = query.list.changed(|list| {
        list.range = Range::Between(from, to);
        list.live = false;
    });
    urls::traces(reader.id(), &list)
}

fn step_rows(
    reader: &Reader,
    query: &CorrelationQuery,
    (steps, columns): (&Steps, &[ValueColumn]),
) -> Vec<StepRow> {
    let count = usize::try_from(steps.count()).unwrap_or(0);
    let row = |step: usize| {
        let (from, to) = (at_step(steps, step), at_step(steps, step + 1));
        StepRow {
            x: number(lane::middle(step, count)),
            time: reader.zone().clock(from),
            begin: from.to_string(),
            url: traces_url(reader, query, (from, to)),
            cells: columns
                .iter()
                .map(|column| column.cells[step].clone())
                .collect(),
        }
    };
    (0..count).map(row).collect()
}
