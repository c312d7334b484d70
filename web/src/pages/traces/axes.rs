//! The axes of a generation: its own values against those of the same hour on other days, and of the hour before it.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::attribution::Axis;
use domain::axes::Dimension;
use domain::filter::{Column, Condition, Filter, Operator};
use domain::score::Judgements;
use domain::trace::TraceView;
use domain::{Fault, Nanos, SpanId, Timestamp, TraceId};
use service::axes::{Joined, SameHour};
use service::{App, axes, scores, traces};

use super::facts::{Fact, facts};
use super::measures::{AxisGroup, groups};
use super::trace_id;
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::correlation::query::CorrelationQuery;
use crate::pages::traces::query::Range;
use crate::pages::{Answer, render};
use crate::urls;

/// How long before a request others are compared with it.
const BEFORE: Nanos = Nanos::from_seconds(3_600);
/// How much of the time before and after it is drawn.
pub(super) const AROUND: Nanos = Nanos::from_seconds(900);

/// The page.
#[derive(Template)]
#[template(path = "traces/axes.html")]
pub(crate) struct AxesPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) view: AxesView,
}

/// What it shows.
pub(crate) struct AxesView {
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) failed: bool,
    pub(crate) list_url: String,
    pub(crate) tree_url: String,
    pub(crate) graph_url: String,
    pub(crate) axes_url: String,
    pub(crate) facts: Vec<Fact>,
    /// Its generations.
    pub(crate) spans: Vec<Choice>,
    /// The chosen one; nothing where the trace has none.
    pub(crate) of: Option<AxesOf>,
}

/// The axes of a generation.
pub(crate) struct AxesOf {
    pub(crate) span_name: String,
    pub(crate) groups: Vec<AxisGroup>,
    /// How many values are not usual.
    pub(crate) outside: usize,
    /// In a sentence each.
    pub(crate) sentences: Vec<String>,
    /// Where the page is with the baseline of the hour; empty where it is there.
    pub(crate) hourly_url: String,
    /// What the baseline of the hour is.
    pub(crate) hourly_about: String,
    /// Where the values come from.
    pub(crate) origin: Vec<(&'static str, String)>,
    pub(crate) correlation_url: String,
}

/// What was read.
pub(crate) struct AxesTold<'a> {
    pub(crate) trace: &'a TraceView,
    pub(crate) judgements: &'a Judgements,
    /// The requests of the trace.
    pub(crate) own: &'a Joined,
    /// The chosen one among them.
    pub(crate) row: Option<usize>,
    /// Those of the time around it.
    pub(crate) others: &'a Joined,
    /// Those of the same hour on other days, where that is asked for.
    pub(crate) hour: Option<&'a SameHour>,
}

/// Shows it.
pub(crate) async fn show_axes(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let trace_id = trace_id(&params)?;
    let missing = || Fault::not_found("there is no trace of this id in this project");
    let trace = traces::open(&app, &entered.scope, &trace_id)
        .await?
        .ok_or_else(missing)?;
    let filter = of_trace(&trace, &trace_id);
    let (own, judgements) = tokio::try_join!(
        axes::requests(&app, &entered.scope, &filter),
        scores::of_traces(&app, &entered.scope, std::slice::from_ref(&trace_id)),
    )?;
    let row = chosen(&own, &pairs)?;
    let now = app.clock().now();
    let (others, hour) = match row {
        Some(row) => {
            let filter = around(&own, row, now);
            let (start, scope) = (own.requests.starts[row], &entered.scope);
            // Days of samples take a while: the page shows the rest at once, and fetches it.
            let hour = async {
                match pairs.get("hour") {
                    Some("1") => axes::same_hour(&app, scope, start, &filter.conditions)
                        .await
                        .map(Some),
                    _ => Ok(None),
                }
            };
            tokio::try_join!(axes::requests(&app, scope, &filter), hour)?
        }
        None => (Joined::default(), None),
    };
    let told = AxesTold {
        trace: &trace,
        judgements: &judgements,
        own: &own,
        row,
        others: &others,
        hour: hour.as_ref(),
    };
    Ok(render(&AxesPage::new(&entered.reader, &told, now)))
}

/// The requests of a trace.
fn of_trace(trace: &TraceView, trace_id: &TraceId) -> Filter {
    let second = Nanos::from_seconds(1);
    let rows = trace.tree.rows.iter();
    let starts = || rows.clone().map(|row| row.span.start);
    let from = starts().min().unwrap_or(trace.summary.start);
    let to = starts().max().unwrap_or(trace.summary.start);
    Filter {
        from: Some(from.minus(second)),
        to: Some(to.plus(second)),
        conditions: vec![is(Column::TraceId, trace_id.as_str())],
        ..Filter::default()
    }
}

/// Requests of the same model from the hour before it on.
fn around(own: &Joined, row: usize, now: Timestamp) -> Filter {
    let start = own.requests.starts[row];
    let model = own.requests.dimension(Dimension::Model).get(row);
    let model = model.map(|model| is(Column::Model, model));
    Filter {
        from: Some(start.minus(BEFORE)),
        to: Some(start.plus(AROUND).min(now).max(start.plus(Nanos(1)))),
        conditions: model.into_iter().collect(),
        ..Filter::default()
    }
}

fn is(column: Column, value: &str) -> Condition {
    Condition {
        column,
        operator: Operator::AnyOf,
        values: vec![value.to_owned()],
    }
}

/// The generation of the address, else the first.
fn chosen(own: &Joined, pairs: &Pairs) -> Result<Option<usize>, Fault> {
    let Some(text) = pairs.filled("span") else {
        return Ok((!own.requests.is_empty()).then_some(0));
    };
    let missing = || Fault::not_found("there is no generation of this id in this trace");
    let id = SpanId::from_text(text).map_err(|_| missing())?;
    let row = own.requests.span_ids.iter().position(|known| *known == id);
    row.map(Some).ok_or_else(missing)
}

impl AxesPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, told: &AxesTold<'_>, now: Timestamp) -> Self {
        let mut frame = Frame::new(reader, Section::Traces);
        frame.rail = true;
        AxesPage {
            shell: Frame::shell(reader),
            frame,
            view: AxesView::new(reader, told, now),
        }
    }
}

impl AxesView {
    fn new(reader: &Reader, told: &AxesTold<'_>, now: Timestamp) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let summary = &told.trace.summary;
        let requests = &told.own.requests;
        let span_name = |span: &SpanId| {
            let mut rows = told.trace.tree.rows.iter();
            let row = rows.find(|row| row.span.span_id == *span);
            row.map_or_else(String::new, |row| row.span.name.clone())
        };
        let spans = requests
            .span_ids
            .iter()
            .enumerate()
            .map(|(row, span)| Choice {
                label: format!(
                    "{} {}",
                    span_name(span),
                    reader.zone().clock(requests.starts[row])
                ),
                url: urls::trace_axes(id, &summary.trace_id, Some(span)),
                current: told.row == Some(row),
            });
        let named = match summary.name.is_empty() {
            true => lang.t("(no name)").to_owned(),
            false => summary.name.clone(),
        };
        AxesView {
            name: named,
            id: summary.trace_id.to_string(),
            failed: summary.error_count > 0,
            list_url: urls::traces_home(id),
            tree_url: urls::trace(id, &summary.trace_id),
            graph_url: urls::trace_graph(id, &summary.trace_id),
            axes_url: urls::trace_axes(id, &summary.trace_id, None),
            facts: facts(reader.into(), summary, told.judgements, now),
            spans: spans.collect(),
            of: told.row.map(|row| {
                let name = span_name(&requests.span_ids[row]);
                AxesOf::new(reader, (told, row), name)
            }),
        }
    }
}

impl AxesOf {
    fn new(reader: &Reader, (told, row): (&AxesTold<'_>, usize), span_name: String) -> Self {
        let lang = reader.lang();
        let requests = &told.own.requests;
        let start = requests.starts[row];
        let others = (&told.others.requests, told.hour);
        let groups = groups((told.own, row), others, lang);
        let outside = groups.iter().map(|group| group.outside).sum();
        let before = told.others.requests.starts.iter();
        let before = before.filter(|other| **other < start).count();
        AxesOf {
            span_name,
            sentences: [sentence(&groups, before, lang)]
                .into_iter()
                .chain(told.hour.map(|hour| of_hour(&groups, hour, lang)))
                .collect(),
            hourly_url: match told.hour {
                Some(_) => String::new(),
                None => {
                    let span = &requests.span_ids[row];
                    urls::trace_axes_hourly(reader.id(), &told.trace.summary.trace_id, span)
                }
            },
            hourly_about: hourly_about(reader, told.hour),
            outside,
            groups,
            origin: origin((told.own, row), before, lang),
            correlation_url: correlation_url(reader, (told.own, row)),
        }
    }
}

/// What is not usual, in one sentence.
fn sentence(groups: &[AxisGroup], before: usize, lang: Lang) -> String {
    if before < domain::axes::standing::LEAST {
        return lang
            .t("Fewer than 20 requests of the hour before: too few to say what is usual.")
            .to_owned();
    }
    let named = groups.iter().flat_map(|group| &group.rows);
    let named: Vec<&str> = named
        .filter(|row| row.is_outside)
        .map(|row| row.name.as_str())
        .take(6)
        .collect();
    if named.is_empty() {
        return lang
            .t("Nothing lies outside of what nine in ten requests of the hour before had.")
            .to_owned();
    }
    lang.fill(
        "Outside of what nine in ten requests of the hour before had: {}.",
        &[&named.join(", ")],
    )
}

/// What is not usual at the hour, in one sentence.
fn of_hour(groups: &[AxisGroup], hour: &SameHour, lang: Lang) -> String {
    let rows = || groups.iter().flat_map(|group| &group.rows);
    if !rows().any(|row| row.hour.is_known) {
        let days = hour.days.iter().filter(|day| !day.is_empty()).count();
        return lang.fill(
            "No baseline of this hour yet: {} of {} days before have requests.",
            &[&days.to_string(), &hour.days.len().to_string()],
        );
    }
    let outside = rows().filter(|row| row.hour.is_outside);
    let named: Vec<&str> = outside.map(|row| row.name.as_str()).take(6).collect();
    match named.is_empty() {
        true => lang
            .t("Nothing lies outside of what is usual at this hour.")
            .to_owned(),
        false => lang.fill(
            "Outside of what is usual at this hour: {}.",
            &[&named.join(", ")],
        ),
    }
}

/// What the baseline of the hour is worked out of.
fn hourly_about(reader: &Reader, hour: Option<&SameHour>) -> String {
    let Some((hour, (from, to))) = hour.and_then(|hour| Some((hour, hour.hour?))) else {
        return String::new();
    };
    let zone = reader.zone();
    reader.lang().fill(
        "{} to {} on {} days before: median ± {} MAD",
        &[
            &zone.tick(from, false),
            &zone.tick(to, false),
            &hour.days.len().to_string(),
            &format::trimmed(hour.settings.baseline_mads, 2),
        ],
    )
}

fn origin((own, row): (&Joined, usize), before: usize, lang: Lang) -> Vec<(&'static str, String)> {
    let (requests, fleet) = (&own.requests, &own.state.fleet);
    let mut told = Vec::new();
    match requests.instances[row] {
        Some(instance) => {
            let rule = requests.found_by[row].as_deref().unwrap_or_default();
            let name = &fleet.instances[instance].name;
            told.push((
                lang.t("Instance"),
                lang.fill("{}, found by {}", &[name, rule]),
            ));
            let gpus = fleet.gpus_of[instance].iter();
            let gpus: Vec<&str> = gpus.map(|gpu| &*fleet.gpus[*gpu].name).collect();
            let by = fleet.found_by[instance].as_deref();
            told.push((
                lang.t("GPUs"),
                match (gpus.is_empty(), by) {
                    (true, _) => lang.t("none is found by its labels").to_owned(),
                    (false, Some(by)) => lang.fill("{}, found by {}", &[&gpus.join(", "), by]),
                    (false, None) => gpus.join(", "),
                },
            ));
        }
        None => told.push((
            lang.t("Instance"),
            lang.t("no rule finds who served it").to_owned(),
        )),
    }
    told.push((
        lang.t("Join"),
        lang.t("the latest value up to its end, within 15 s of the request")
            .to_owned(),
    ));
    let model = requests.dimension(Dimension::Model).get(row);
    let count = format::count(before as u64);
    told.push((
        lang.t("Compared with"),
        match model {
            Some(model) => lang.fill("{} requests of {} in the hour before", &[&count, model]),
            None => lang.fill("{} requests in the hour before", &[&count]),
        },
    ));
    told
}

/// The half hour before and after it, narrowed to its instance.
fn correlation_url(reader: &Reader, (own, row): (&Joined, usize)) -> String {
    let start = own.requests.starts[row];
    let half = Nanos::from_seconds(1_800);
    let query = CorrelationQuery::default().changed(|query| {
        query.list.range = Range::Between(start.minus(half), start.plus(half));
        let instance = own.requests.instances[row];
        query.instances = instance
            .map(|instance| own.state.fleet.instances[instance].name.to_string())
            .into_iter()
            .collect();
    });
    urls::correlation(reader.id(), &query)
}

/// The words below the name of an axis.
pub(super) fn axis_note(axis: Axis, lang: Lang) -> &'static str {
    match axis {
        Axis::Gpu => lang.t("GPU state during the request; other requests ran there, too"),
        Axis::Token => lang.t("phases of this request, and the state of its engine during it"),
        Axis::Quality => {
            lang.t("checks and scores of this request; usual is the share of requests")
        }
    }
}
