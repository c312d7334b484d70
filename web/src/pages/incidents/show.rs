//! The report of an incident.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::alert::incident::{Incident, IncidentState};
use domain::alert::{Group, Rule};
use domain::filter::Operator;
use domain::tenancy::Permission;
use domain::{Fault, Nanos, Timestamp};
use service::alerts::course::{self, Course};
use service::alerts::rules;
use service::incidents::Whole;
use service::{App, incidents};

use super::change::named;
use super::report::{FigureBox, MomentRow, TimeRow, Told};
use super::rollback::{self, RollbackRow};
use super::samples::{self, SampleRow};
use super::words as said;
use crate::attribution::AttributionView;
use crate::chart::course::CourseChart;
use crate::extract::{InProject, Reader};
use crate::layout::{Frame, Section, Shell};
use crate::pages::alerts::words;
use crate::pages::traces::query::{ListQuery, Range};
use crate::pages::{Answer, render};
use crate::urls;

/// Points of the chart.
const POINTS: u32 = 120;
/// Least and most time that is drawn before it began and after it was over.
const AROUND: (Nanos, Nanos) = (Nanos::from_seconds(600), Nanos::from_seconds(3_600));
/// A request belongs to the instant at which it ended: it may have begun so long before.
const BEGAN_BEFORE: Nanos = Nanos::from_seconds(120);

/// The report.
#[derive(Template)]
#[template(path = "incidents/show.html")]
pub(crate) struct IncidentPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) rule_name: String,
    /// Empty where the rule is deleted.
    pub(crate) rule_url: String,
    pub(crate) severity: &'static str,
    pub(crate) severity_class: &'static str,
    pub(crate) state: &'static str,
    pub(crate) is_silent: bool,
    pub(crate) title: String,
    /// What the rule says; empty where it is deleted.
    pub(crate) condition: String,
    pub(crate) group: String,
    pub(crate) figures: Vec<FigureBox>,
    pub(crate) chart: CourseChart,
    pub(crate) chart_title: String,
    /// The chart in words, for those who do not see it.
    pub(crate) chart_words: String,
    pub(crate) has_band: bool,
    /// What it comes from, where that is known.
    pub(crate) attribution: Option<AttributionView>,
    /// Whether that is still being worked out.
    pub(crate) is_attributing: bool,
    pub(crate) day: String,
    pub(crate) moments: Vec<MomentRow>,
    pub(crate) times: Vec<TimeRow>,
    pub(crate) suppressed: Vec<SuppressedRow>,
    pub(crate) rollbacks: Vec<RollbackRow>,
    pub(crate) deliveries: Vec<DeliveryRow>,
    pub(crate) samples: Vec<SampleRow>,
    pub(crate) value_name: String,
    pub(crate) traces_url: String,
    /// Empty where there is nothing to acknowledge, or the reader may not.
    pub(crate) acknowledge_url: String,
    /// Empty where it is over, or the reader may not.
    pub(crate) resolve_url: String,
    pub(crate) link: String,
}

/// Something that the incident kept silent.
pub(crate) struct SuppressedRow {
    pub(crate) url: String,
    pub(crate) axis_class: &'static str,
    pub(crate) axis: &'static str,
    pub(crate) what: String,
    pub(crate) group: String,
}

/// A message.
pub(crate) struct DeliveryRow {
    pub(crate) channel: String,
    pub(crate) occasion: &'static str,
    pub(crate) state: String,
    pub(crate) is_failed: bool,
}

impl IncidentPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, told: Told, now: Timestamp) -> Self {
        let (id, lang, zone) = (reader.id(), reader.lang(), reader.zone());
        let incident = &told.whole.incident;
        let series = told.series();
        let name = series.as_ref().map(|known| words::series(known, lang));
        let name = name.unwrap_or_default();
        let title = said::title(incident, told.worst(now), (lang, now));
        let may = reader.may(Permission::SetExpectations);
        let has_rule = incident.rule_id;
        let drawn = told.drawn.as_ref();
        let own = drawn.filter(|(rule, _)| Some(rule.id) == incident.rule_id);
        let url_if = |wanted: bool, url: String| if wanted { url } else { String::new() };
        IncidentPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Incidents),
            list_url: urls::incidents(id),
            rule_name: incident.subject.rule_name.clone(),
            rule_url: has_rule.map_or_else(String::new, |rule| urls::alert_rule(id, rule)),
            severity: incident.severity.as_str(),
            severity_class: words::severity_class(incident.severity),
            state: words::state(incident.state, lang),
            is_silent: incident.suppressed_by.is_some(),
            condition: own
                .map_or_else(String::new, |(rule, _)| words::condition(&rule.draft, lang)),
            group: words::group(&incident.subject.group),
            figures: told.figures(lang, now),
            chart: told.chart(reader),
            chart_words: format!("{name}: {title}"),
            title,
            has_band: told.course.points.iter().any(|point| point.band.is_some()),
            attribution: told
                .whole
                .attribution
                .as_ref()
                .and_then(|attached| attached.answer.as_ref())
                .and_then(|answer| AttributionView::kept(answer, id, (lang, zone))),
            is_attributing: told
                .whole
                .attribution
                .as_ref()
                .is_some_and(|attached| attached.answer.is_none() && attached.state == "waiting"),
            day: format!(
                "{}, {}",
                zone.date(incident.onset),
                zone.offset(incident.onset)
            ),
            moments: told.moments(reader),
            times: told.times(lang),
            suppressed: told
                .whole
                .suppressed
                .iter()
                .map(|one| SuppressedRow::new(reader, one))
                .collect(),
            rollbacks: rollback::rows(&told.whole.rollbacks, lang),
            deliveries: deliveries(reader, &told.whole),
            value_name: name.clone(),
            chart_title: name,
            traces_url: traces_url(reader, incident, now),
            acknowledge_url: url_if(
                may && incident.state == IncidentState::Open,
                urls::incident_acknowledge(id, incident.id),
            ),
            resolve_url: url_if(
                may && incident.state != IncidentState::Resolved,
                urls::incident_resolve(id, incident.id),
            ),
            samples: told.samples,
            link: told.link,
        }
    }
}

impl SuppressedRow {
    fn new(reader: &Reader, incident: &Incident) -> Self {
        let lang = reader.lang();
        let (axis_class, axis) = words::axis(incident.subject.axis, lang);
        SuppressedRow {
            url: urls::incident(reader.id(), incident.id),
            axis_class,
            axis,
            what: said::what(&incident.subject, None, lang),
            group: words::group(&incident.subject.group),
        }
    }
}

fn deliveries(reader: &Reader, whole: &Whole) -> Vec<DeliveryRow> {
    let lang = reader.lang();
    let row = |one: &incidents::Delivery| {
        let status = one.last_status.map(|status| status.to_string());
        let why = status
            .or_else(|| one.last_error.clone())
            .unwrap_or_default();
        DeliveryRow {
            channel: one.channel.clone(),
            occasion: match one.occasion.as_str() {
                "resolved" => lang.t("that it is over"),
                "rolled_back" => lang.t("that a label went back"),
                "rollback_suggested" => lang.t("that a label could go back"),
                _ => lang.t("that it fired"),
            },
            state: match one.state.as_str() {
                "sent" => lang.fill("taken, {}", &[&why]),
                "failed" => lang.fill(
                    "given up after {} tries: {}",
                    &[&one.tries.to_string(), &why],
                ),
                _ if one.tries == 0 => lang.t("waiting").to_owned(),
                _ => lang.fill("tried {} times: {}", &[&one.tries.to_string(), &why]),
            },
            is_failed: one.state == "failed",
        }
    };
    whole.deliveries.iter().map(row).collect()
}

/// Traces of the time of an incident, narrowed to whom it is about.
fn traces_url(reader: &Reader, incident: &Incident, now: Timestamp) -> String {
    let from = incident.onset.minus(BEGAN_BEFORE);
    let to = incident.resolved_at.unwrap_or(now);
    let conditions = samples::conditions(&incident.subject.group).into_iter();
    let query = ListQuery {
        range: Range::Between(from, to.max(from)),
        conditions: conditions
            .map(|(column, value)| (column, Operator::AnyOf, value))
            .collect(),
        ..ListQuery::default()
    };
    urls::traces(reader.id(), &query)
}

/// Shows it.
pub(crate) async fn show_incident(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let id = named(&params)?;
    let whole = incidents::show(&app, &entered.scope, id).await?;
    let told = told(&app, &entered, whole).await?;
    let now = app.clock().now();
    Ok(render(&IncidentPage::new(&entered.reader, told, now)))
}

async fn told(app: &App, entered: &InProject, whole: Whole) -> Result<Told, Fault> {
    let known = rules::list(app, &entered.scope).await?.rules;
    let now = app.clock().now();
    let incident = &whole.incident;
    let end = incident.resolved_at.unwrap_or(now);
    let around = Nanos((end - incident.onset).0.clamp(AROUND.0.0, AROUND.1.0));
    let range = (incident.onset.minus(around), end.plus(around).min(now));
    let drawn = drawn(&whole, known);
    // The report can be read without its chart: a store that is away takes nothing else of it.
    let (mut course, mut some) = (Course::default(), Vec::new());
    if let Some((rule, group)) = &drawn {
        let bad = (incident.onset, end);
        let of = (rule, Some(group));
        let read = course::of_rule(app, &entered.scope, of, (range, POINTS), bad).await;
        course = or_nothing(read);
        let during = (incident.onset.minus(BEGAN_BEFORE), end);
        some = or_nothing(samples::of_rule(app, entered, (rule, group), during).await);
    }
    let path = urls::incident(entered.id(), incident.id);
    Ok(Told {
        link: format!("{}{path}", app.settings().public_url),
        whole,
        drawn,
        course,
        range,
        samples: some,
    })
}

fn or_nothing<T: Default>(read: Result<T, Fault>) -> T {
    read.unwrap_or_else(|fault| {
        tracing::warn!("a part of a report cannot be read: {fault}");
        T::default()
    })
}

/// Whose series is drawn: that of the rule; of a rule about others, that of the first that it kept silent.
fn drawn(whole: &Whole, known: Vec<Rule>) -> Option<(Rule, Group)> {
    let incident = &whole.incident;
    let (rule, group) = match (&incident.subject.series, whole.suppressed.first()) {
        (Some(_), _) | (None, None) => (incident.rule_id?, &incident.subject.group),
        (None, Some(first)) => (first.rule_id?, &first.subject.group),
    };
    let rule = known.into_iter().find(|one| one.id == rule)?;
    Some((rule, group.clone()))
}
