//! The page: what went wrong and what happened on one clock, pairs of both, examples.

use askama::Template;
use axum::extract::State;
use domain::filter::{Column, Operator};
use domain::impact::{Cause, Example, Link, Measured, Standing, UnitKind};
use domain::semantic::EventType;
use domain::stats::risk::Estimate;
use domain::{Nanos, Timestamp, TraceId};
use service::App;
use service::impact::{Impact, Question, show};

use super::query::ImpactQuery;
use super::words;
use crate::chart::stack::{self, Series, Stack};
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, RangeControl, Section, Shell};
use crate::measure::Unit;
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Pairs of which examples are shown.
const WITH_EXAMPLES: usize = 5;

/// The page.
#[derive(Template)]
#[template(path = "impact/show.html")]
pub(crate) struct ImpactPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    /// Whom things happen to, to choose.
    pub(crate) units: Vec<Choice>,
    /// How much was looked at.
    pub(crate) considered: String,
    pub(crate) is_sample: bool,
    pub(crate) semantic: Lane,
    pub(crate) business: Lane,
    pub(crate) rows: Vec<LinkRow>,
    pub(crate) examples: Vec<ExampleRow>,
    /// How to send a business event.
    pub(crate) snippet: String,
}

/// A chart with its legend.
#[derive(Default)]
pub(crate) struct Lane {
    pub(crate) chart: Stack,
    pub(crate) legend: Vec<(usize, String)>,
}

/// A pair.
pub(crate) struct LinkRow {
    pub(crate) cause: String,
    pub(crate) cause_url: String,
    pub(crate) is_incident: bool,
    pub(crate) effect: String,
    pub(crate) unit: &'static str,
    pub(crate) standing: &'static str,
    /// What there is too little of.
    pub(crate) lacking: &'static str,
    pub(crate) is_linked: bool,
    /// `12 of 80`.
    pub(crate) exposed: String,
    pub(crate) exposed_rate: String,
    pub(crate) others: String,
    pub(crate) others_rate: String,
    /// Empty where there is not enough.
    pub(crate) difference: String,
    pub(crate) difference_interval: String,
    pub(crate) ratio: String,
    pub(crate) ratio_interval: String,
    pub(crate) q_value: String,
    pub(crate) p_value: String,
    pub(crate) score: String,
    /// Of the score's bar, in percent.
    pub(crate) score_width: String,
    /// Strata, delays, what was left out.
    pub(crate) notes: String,
}

/// A cause with what came after it.
pub(crate) struct ExampleRow {
    pub(crate) cause: String,
    pub(crate) effect: String,
    pub(crate) trace: String,
    pub(crate) trace_url: String,
    pub(crate) session: String,
    pub(crate) session_url: String,
    pub(crate) cause_at: String,
    pub(crate) exact: String,
    pub(crate) delay: String,
}

impl ImpactPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        query: &ImpactQuery,
        impact: &Impact,
        (public_url, now): (&str, Timestamp),
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Impact);
        let with = |list: &ListQuery| ImpactQuery {
            list: list.clone(),
            ..query.clone()
        };
        let address = |list: &ListQuery| urls::impact(id, &with(list));
        let look = (&shell, &reader.visitor.choices);
        let mut range = RangeControl::new(&address, &query.list, look, now);
        range.action = urls::impact_home(id);
        range.keep.extend(query.unit_pair());
        frame.range = Some(range);
        let timeline = &impact.timeline;
        let semantic = timeline.semantic.iter();
        let semantic = semantic
            .map(|(event_type, counts)| (words::event_type(*event_type, lang).to_owned(), counts));
        let business = timeline.business.iter();
        let business = business.map(|(name, counts)| (words::series(name, lang), counts));
        let lane = |series: Vec<Series>| Lane::new(reader, impact, series);
        ImpactPage {
            units: units(reader, query),
            considered: lang.fill(
                "{} traces and {} business events; an event counts when it comes within {} after its cause",
                &[
                    &format::count(impact.traces as u64),
                    &format::count(impact.events as u64),
                    &format::range_length(impact.method.within),
                ],
            ),
            is_sample: impact.is_sample,
            semantic: lane(folded(semantic, lang)),
            business: lane(folded(business, lang)),
            rows: impact
                .links
                .iter()
                .map(|link| LinkRow::new(reader, query, link))
                .collect(),
            examples: examples(reader, impact, now),
            snippet: snippet(public_url, now),
            shell,
            frame,
        }
    }
}

fn units(reader: &Reader, query: &ImpactQuery) -> Vec<Choice> {
    let lang = reader.lang();
    let choice = |unit: Option<UnitKind>| Choice {
        label: match unit {
            None => lang.t("As it suits").to_owned(),
            Some(unit) => words::unit(unit, lang).to_owned(),
        },
        url: urls::impact(
            reader.id(),
            &ImpactQuery {
                unit,
                ..query.clone()
            },
        ),
        current: unit == query.unit,
    };
    let all = UnitKind::ALL.iter().copied().map(Some);
    std::iter::once(None).chain(all).map(choice).collect()
}

/// Series that can be told apart by their shade: of more, the rest as one.
fn folded<'c>(series: impl Iterator<Item = (String, &'c Vec<u32>)>, lang: Lang) -> Vec<Series> {
    let number = |counts: &Vec<u32>| counts.iter().copied().map(f64::from).collect();
    let mut all: Vec<Series> = series
        .map(|(name, counts)| Series {
            name,
            values: number(counts),
        })
        .collect();
    all.sort_by(|one, other| {
        let sum = |series: &Series| series.values.iter().sum::<f64>();
        sum(other).total_cmp(&sum(one))
    });
    if all.len() <= stack::SHADES {
        return all;
    }
    let rest = all.split_off(stack::SHADES - 1);
    let mut values = vec![0.0; rest.first().map_or(0, |one| one.values.len())];
    for one in &rest {
        for (sum, value) in values.iter_mut().zip(&one.values) {
            *sum += value;
        }
    }
    let name = lang.t("others").to_owned();
    all.push(Series { name, values });
    all
}

impl Lane {
    fn new(reader: &Reader, impact: &Impact, series: Vec<Series>) -> Self {
        let range = (impact.from, impact.to);
        let starts = &impact.timeline.starts;
        let chart = stack::draw(&series, starts, range, (Unit::Count, reader.zone()));
        let names = series.into_iter().map(|series| series.name);
        Lane {
            chart,
            legend: names.enumerate().collect(),
        }
    }
}

impl LinkRow {
    fn new(reader: &Reader, query: &ImpactQuery, link: &Link) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let (cause, cause_url) = match &link.cause {
            Cause::Semantic(event_type) => {
                let words = words::event_type(*event_type, lang).to_owned();
                (words, traces_url(reader, query, *event_type))
            }
            Cause::Incident(incident, name) => (name.clone(), urls::incident(id, *incident)),
        };
        let measured = link.measured.as_ref();
        let text = |write: fn(&Measured) -> String| measured.map(write).unwrap_or_default();
        let counts = link.counts;
        let of = |hits: usize, all: usize| {
            let (hits, all) = (format::count(hits as u64), format::count(all as u64));
            lang.fill("{} of {}", &[&hits, &all])
        };
        LinkRow {
            cause,
            cause_url,
            is_incident: matches!(link.cause, Cause::Incident(..)),
            effect: words::series(&link.effect, lang),
            unit: words::unit(link.unit, lang),
            standing: words::standing(link.standing, lang),
            lacking: link.lacking.map_or("", |what| words::lacking(what, lang)),
            is_linked: link.standing == Standing::Linked,
            exposed: of(counts.hits, counts.of),
            exposed_rate: format::percent(counts.hits as u64, counts.of as u64),
            others: of(counts.other_hits, counts.of_others),
            others_rate: format::percent(counts.other_hits as u64, counts.of_others as u64),
            difference: text(|it| points(it.difference.value)),
            difference_interval: text(|it| interval(it.difference, points)),
            ratio: text(|it| times(it.ratio.value)),
            ratio_interval: text(|it| interval(it.ratio, times)),
            q_value: text(|it| probability(it.q_value)),
            p_value: text(|it| probability(it.p_value)),
            score: text(|it| format!("{:.2}", it.causal_score)),
            score_width: text(|it| format::trimmed(it.causal_score * 100.0, 1)),
            notes: notes(link, lang),
        }
    }
}

/// Traces whose spans carry such events; empty for loops, which no span carries alone.
fn traces_url(reader: &Reader, query: &ImpactQuery, event_type: EventType) -> String {
    if event_type == EventType::AgentLoop {
        return String::new();
    }
    let mut traces = query.list.clone();
    let name = event_type.as_str().to_owned();
    let condition = (Column::SemanticEvent, Operator::AnyOf, name);
    traces.conditions.push(condition);
    urls::traces(reader.id(), &traces)
}

/// A difference of shares, in points of percent.
fn points(share: f64) -> String {
    let points = share * 100.0;
    let sign = if points < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1}", points.abs())
}

fn times(ratio: f64) -> String {
    let digits = if ratio < 10.0 { 2 } else { 0 };
    format!("×{ratio:.digits$}")
}

fn interval(estimate: Estimate, write: fn(f64) -> String) -> String {
    format!("{} … {}", write(estimate.low), write(estimate.high))
}

fn probability(p: f64) -> String {
    if p < 0.001 {
        "<0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

fn notes(link: &Link, lang: Lang) -> String {
    let mut notes = Vec::new();
    if let Some(delay) = link.median_delay {
        let delay = format::latency(delay.as_millis_f64());
        notes.push(lang.fill("half of the events came within {}", &[&delay]));
    }
    if link.before > 0 {
        let before = format::count(link.before as u64);
        notes.push(lang.fill(
            "{} are left out: it had happened to them before",
            &[&before],
        ));
    }
    if link.strata > 1 {
        notes.push(lang.fill("compared within {} strata", &[&link.strata.to_string()]));
    }
    if link.by_group {
        notes.push(lang.t("groups of the experiment apart").to_owned());
    }
    if let Some(measured) = link.measured.as_ref().filter(|it| it.e_value > 1.0) {
        let strength = format!("{:.1}", measured.e_value);
        notes.push(lang.fill(
            "only something {} times as frequent on both sides would explain it away",
            &[&strength],
        ));
    }
    notes.join(" · ")
}

fn examples(reader: &Reader, impact: &Impact, now: Timestamp) -> Vec<ExampleRow> {
    let linked = impact
        .links
        .iter()
        .filter(|link| link.standing == Standing::Linked);
    let row = |(link, example): (&Link, &Example)| ExampleRow::new(reader, link, example, now);
    linked
        .take(WITH_EXAMPLES)
        .flat_map(|link| link.examples.iter().map(move |example| (link, example)))
        .filter_map(row)
        .collect()
}

impl ExampleRow {
    fn new(reader: &Reader, link: &Link, example: &Example, now: Timestamp) -> Option<Self> {
        let (id, lang, zone) = (reader.id(), reader.lang(), reader.zone());
        let trace = TraceId::from_text(&example.trace_id).ok()?;
        let session = example.session_id.clone().unwrap_or_default();
        Some(ExampleRow {
            cause: match &link.cause {
                Cause::Semantic(event_type) => words::event_type(*event_type, lang).to_owned(),
                Cause::Incident(_, name) => name.clone(),
            },
            effect: words::series(&link.effect, lang),
            trace: example.trace_id.clone(),
            trace_url: urls::trace(id, &trace),
            session_url: match session.is_empty() {
                true => String::new(),
                false => urls::session_trace(id, &session, &trace),
            },
            session,
            cause_at: zone.row_time(example.cause_at, now),
            exact: zone.exact(example.cause_at),
            delay: after(example.effect_at - example.cause_at),
        })
    }
}

fn after(delay: Nanos) -> String {
    format!("+{}", format::latency(delay.as_millis_f64()))
}

fn snippet(public_url: &str, now: Timestamp) -> String {
    format!(
        "curl -u \"$PUBLIC_KEY:$SECRET_KEY\" {public_url}/api/v1/business-events \\\n  \
         -d '[{{\"type\": \"ticket\", \"at\": \"{}\", \"session_id\": \"chat-42\"}}]'",
        now.whole_seconds()
    )
}

/// Shows it.
pub(crate) async fn show_impact(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let reader = &entered.reader;
    let (query, from_form) = ImpactQuery::read(&pairs, reader.zone())?;
    if from_form {
        return Ok(see_other(&urls::impact(entered.id(), &query)));
    }
    let now = app.clock().now();
    let (from, to) = query.list.bounds(now);
    let question = Question {
        from: Some(from),
        to: Some(to),
        within: None,
        unit: query.unit,
    };
    let impact = show(&app, &entered.scope, question).await?;
    let told = (app.settings().public_url.as_str(), now);
    Ok(render(&ImpactPage::new(reader, &query, &impact, told)))
}
