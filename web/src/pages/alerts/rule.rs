//! A rule, or one that is about to be made: its form with a preview, where it stands, what it saw.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::alert::channel::AlertChannel;
use domain::alert::kind::NAMES;
use domain::alert::{Rule, Severity};
use domain::tenancy::Permission;
use domain::{AlertRuleId, Code, Fault, Nanos};
use http::StatusCode;
use service::alerts::rules::{self, Listed};
use service::alerts::{channels, course, trial};
use service::{App, alerts};

use super::change::named;
use super::form::{Input, RuleForm};
use super::list::Seen;
use super::preview::PreviewView;
use super::standing::{GroupRow, groups};
use super::{tabs, words};
use crate::chart::course::{CourseChart, draw};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::Field;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Points of a day.
const POINTS: u32 = 144;
/// What the chart of a rule covers.
const DAY: Nanos = Nanos::from_seconds(86_400);

/// The page.
#[derive(Template)]
#[template(path = "alerts/rule.html")]
pub(crate) struct RulePage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) list_url: String,
    /// Name of the rule; empty of one that is about to be made.
    pub(crate) heading: String,
    pub(crate) condition: String,
    pub(crate) fault: String,
    /// Kinds to choose from; none for a rule that is there.
    pub(crate) kinds: Vec<Choice>,
    pub(crate) kind: String,
    pub(crate) kind_name: &'static str,
    pub(crate) kind_help: &'static str,
    pub(crate) called: Field,
    pub(crate) series: Field,
    pub(crate) series_hint: &'static str,
    pub(crate) has_series: bool,
    pub(crate) for_s: Field,
    pub(crate) inputs: Vec<Input>,
    pub(crate) filters: Vec<Input>,
    /// A filter that only the API can change; empty without one.
    pub(crate) kept_filter: String,
    pub(crate) severities: Vec<(&'static str, &'static str, bool)>,
    pub(crate) channels: Vec<Ticked>,
    pub(crate) watched: Vec<Ticked>,
    pub(crate) action: String,
    pub(crate) preview: Option<PreviewView>,
    pub(crate) groups: Vec<GroupRow>,
    pub(crate) chart: CourseChart,
    pub(crate) chart_title: String,
    pub(crate) chart_words: String,
    pub(crate) has_band: bool,
    pub(crate) enabled: bool,
    pub(crate) switch_url: String,
    pub(crate) delete_url: String,
    pub(crate) channels_url: String,
    pub(crate) series_names: Vec<&'static str>,
}

/// Something to tick.
pub(crate) struct Ticked {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) is_on: bool,
}

/// What a page stands beside.
pub(crate) struct Beside<'a> {
    /// All rules with where they stand.
    pub(crate) listed: &'a Listed,
    /// What they see.
    pub(crate) seen: &'a Seen,
    /// Where messages can go.
    pub(crate) channels: &'a [AlertChannel],
}

impl RulePage {
    /// Of a form; `rule`: the one that it changes.
    pub(crate) fn new(
        reader: &Reader,
        form: &RuleForm,
        rule: Option<&Rule>,
        beside: &Beside<'_>,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let (kind_name, kind_help) = words::kind(&form.kind, lang);
        let kind = |name: &&str| Choice {
            label: words::kind(name, lang).0.to_owned(),
            url: urls::alert_new_of(id, name),
            current: form.kind == *name,
        };
        let severity = form.field("severity").value;
        let listed = beside.listed;
        let rule_id = rule.map(|rule| rule.id);
        let states = rule_id.and_then(|id| listed.states.get(&id));
        let seen = rule_id.and_then(|id| beside.seen.get(&id));
        let of_rule = |url: fn(domain::ProjectId, AlertRuleId) -> String| {
            rule_id.map_or_else(String::new, |rule| url(id, rule))
        };
        RulePage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Alerts),
            tabs: tabs(reader, 0),
            may_set: reader.may(Permission::SetExpectations),
            list_url: urls::alerts(id),
            heading: rule.map_or_else(String::new, |rule| rule.draft.name.clone()),
            condition: rule.map_or_else(String::new, |rule| words::condition(&rule.draft, lang)),
            fault: String::new(),
            kinds: match rule {
                Some(_) => Vec::new(),
                None => NAMES.iter().map(kind).collect(),
            },
            kind: form.kind.clone(),
            kind_name,
            kind_help,
            called: form.field("name"),
            series: form.field("series"),
            series_hint: match form.kind.as_str() {
                "p99_shift" => lang.t("A quantile. Empty: token.ttft_ms:p99"),
                "cost_spike" => lang.t("Empty: request.cost_usd:sum"),
                "slo_burn" => lang.t("A rate of what is yes or no, such as request.errors:rate"),
                _ => lang.t("A name and what becomes of its values: token.ttft_ms:p99"),
            },
            has_series: form.kind != "composite",
            for_s: form.field("for_s"),
            inputs: form.inputs(lang),
            filters: match form.kind.as_str() {
                "composite" => Vec::new(),
                _ if form.kept_filter.is_some() => Vec::new(),
                _ => form.filters(lang),
            },
            kept_filter: form
                .kept_filter
                .as_ref()
                .map_or_else(String::new, |kept| kept.given.to_string()),
            severities: severities(reader, &severity),
            channels: channel_boxes(form, beside.channels),
            watched: watched_boxes(form, &listed.rules),
            action: match rule_id {
                Some(rule) => urls::alert_rule(id, rule),
                None => urls::alert_new(id),
            },
            preview: None,
            groups: rule.map_or_else(Vec::new, |rule| groups(rule, states, seen, lang)),
            chart: CourseChart::default(),
            chart_title: String::new(),
            chart_words: String::new(),
            has_band: false,
            enabled: rule.is_none_or(|rule| rule.draft.enabled),
            switch_url: of_rule(urls::alert_rule_switch),
            delete_url: of_rule(urls::alert_rule_delete),
            channels_url: urls::channels(id),
            series_names: domain::alert::measure::RequestMeasure::ALL
                .iter()
                .map(|measure| measure.as_str())
                .collect(),
        }
    }

    /// With what it saw within a day.
    #[must_use]
    pub(crate) fn with_course(
        mut self,
        reader: &Reader,
        (rule, course): (&Rule, &course::Course),
        range: (domain::Timestamp, domain::Timestamp),
    ) -> Self {
        if let Some(series) = &rule.draft.series {
            let unit = words::unit_of(rule.draft.kind.name(), series);
            self.chart = draw(&course.points, range, unit, &[], reader.zone());
            self.chart_title = words::series(series, reader.lang());
            self.chart_words = format!("{}: {}", self.chart_title, self.condition);
            self.has_band = course.points.iter().any(|point| point.band.is_some());
        }
        self
    }

    /// With why it was refused.
    fn refused(mut self, fault: Fault, is_told: bool) -> Answer {
        if !matches!(fault.code, Code::Invalid | Code::Conflict) {
            return Err(fault.into());
        }
        if !is_told {
            self.fault = fault.message;
        }
        Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&self)).into_response())
    }
}

fn severities(reader: &Reader, chosen: &str) -> Vec<(&'static str, &'static str, bool)> {
    let lang = reader.lang();
    let words = |severity| match severity {
        Severity::P1 => lang.t("P1: somebody is woken"),
        Severity::P2 => lang.t("P2: somebody looks today"),
        Severity::P3 => lang.t("P3: somebody looks some time"),
    };
    let all = Severity::ALL.iter();
    all.map(|one| (one.as_str(), words(*one), one.as_str() == chosen))
        .collect()
}

fn channel_boxes(form: &RuleForm, channels: &[AlertChannel]) -> Vec<Ticked> {
    let one = |channel: &AlertChannel| Ticked {
        id: channel.id.to_string(),
        label: channel.name.clone(),
        is_on: form.channels.contains(&channel.id.to_string()),
    };
    channels.iter().map(one).collect()
}

/// Rules that a rule of several axes may watch.
fn watched_boxes(form: &RuleForm, rules: &[Rule]) -> Vec<Ticked> {
    if form.kind != "composite" {
        return Vec::new();
    }
    let has_axis = |rule: &&Rule| {
        let series = rule.draft.series.as_ref();
        series.is_some_and(|series| series.axis().is_some())
    };
    let one = |rule: &Rule| Ticked {
        id: rule.id.to_string(),
        label: rule.draft.name.clone(),
        is_on: form.watched.contains(&rule.id.to_string()),
    };
    rules.iter().filter(has_axis).map(one).collect()
}

/// About to make one.
pub(crate) async fn new_rule(State(app): State<App>, entered: InProject, pairs: Pairs) -> Answer {
    let kind = pairs.get("kind").filter(|kind| NAMES.contains(kind));
    let form = RuleForm::of_kind(kind.unwrap_or("threshold"));
    Ok(render(&page(&app, &entered, &form, None).await?))
}

/// Previews one, or makes it.
pub(crate) async fn create_rule(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let mut form = RuleForm::posted(&pairs);
    let done = match form.given() {
        Err(fault) => Err(fault),
        Ok(given) if pairs.get("do") == Some("preview") => {
            trial::preview(&app, &entered.scope, given).await.map(Some)
        }
        Ok(given) => rules::create(&app, &entered.scope, given)
            .await
            .map(|_| None),
    };
    answer(&app, &entered, (&mut form, None), done).await
}

/// Shows one.
pub(crate) async fn show_rule(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let rule = find(&app, &entered, named(&params)?).await?;
    let form = RuleForm::of_rule(&rule);
    let page = page(&app, &entered, &form, Some(&rule)).await?;
    Ok(render(&page))
}

/// Previews a change, or makes it.
pub(crate) async fn update_rule(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let rule = find(&app, &entered, named(&params)?).await?;
    let before = RuleForm::of_rule(&rule);
    let mut form = RuleForm::posted(&pairs);
    form.kind = before.kind;
    form.kept_filter = before.kept_filter;
    let done = match form.given() {
        Err(fault) => Err(fault),
        Ok(given) if pairs.get("do") == Some("preview") => {
            trial::preview(&app, &entered.scope, given).await.map(Some)
        }
        Ok(given) => rules::update(&app, &entered.scope, rule.id, given)
            .await
            .map(|_| None),
    };
    answer(&app, &entered, (&mut form, Some(&rule)), done).await
}

/// The list after a change; the form again with a preview, or with what was wrong.
async fn answer(
    app: &App,
    entered: &InProject,
    (form, rule): (&mut RuleForm, Option<&Rule>),
    done: Result<Option<trial::Preview>, Fault>,
) -> Answer {
    match done {
        Ok(None) => Ok(see_other(&urls::alerts(entered.id()))),
        Ok(Some(preview)) => {
            let mut page = page(app, entered, form, rule).await?;
            page.preview = Some(PreviewView::new(&entered.reader, &preview));
            Ok(render(&page))
        }
        Err(fault) => {
            let is_told = form.with_fault(&fault);
            page(app, entered, form, rule)
                .await?
                .refused(fault, is_told)
        }
    }
}

async fn find(app: &App, entered: &InProject, id: AlertRuleId) -> Result<Rule, Fault> {
    let known = rules::list(app, &entered.scope).await?.rules;
    let found = known.into_iter().find(|rule| rule.id == id);
    found.ok_or_else(no_such_page)
}

async fn page(
    app: &App,
    entered: &InProject,
    form: &RuleForm,
    rule: Option<&Rule>,
) -> Result<RulePage, Fault> {
    let listed = rules::list(app, &entered.scope).await?;
    let channels = channels::list(app, &entered.scope).await?;
    let reader = &entered.reader;
    let of = |seen: &Seen| {
        let beside = Beside {
            listed: &listed,
            seen,
            channels: &channels,
        };
        RulePage::new(reader, form, rule, &beside)
    };
    let Some(rule) = rule else {
        return Ok(of(&Seen::new()));
    };
    let only = alerts::rules::Listed {
        rules: vec![rule.clone()],
        states: listed.states.clone(),
        standing: listed.standing.clone(),
    };
    let seen = course::now(app, &entered.scope, &only).await?;
    let now = app.clock().now();
    let range = (now.minus(DAY), now);
    let read = course::of_rule(app, &entered.scope, (rule, None), (range, POINTS), range).await?;
    Ok(of(&seen).with_course(reader, (rule, &read), range))
}
