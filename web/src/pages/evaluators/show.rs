//! One evaluator: what it is set to, what it did lately, how far it agrees with people.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::Timestamp;
use domain::annotation::judge::Against;
use domain::evaluator::{Evaluation, Evaluator, Figures, Method};
use domain::score::DataType;
use domain::tenancy::Permission;
use service::{App, evaluators, llm_connections};

use super::{evaluator_id, is_judge, mean, number, percent, words};
use crate::extract::{InProject, Reader};
use crate::format::{self, Figure};
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "evaluators/show.html")]
pub(crate) struct EvaluatorPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) edit_url: String,
    pub(crate) switch_url: String,
    pub(crate) delete_url: String,
    pub(crate) may_set: bool,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) is_enabled: bool,
    /// What went wrong last; empty when nothing did.
    pub(crate) trouble: String,
    /// Until when nothing is scored because of it; empty: it is.
    pub(crate) held_until: String,
    pub(crate) back_url: String,
    /// How far what is scored after the fact has come; empty where nothing is.
    pub(crate) back: String,
    /// Whether it has spent what it may today.
    pub(crate) is_spent: bool,
    pub(crate) figures: Vec<(&'static str, Figure)>,
    pub(crate) facts: Vec<(&'static str, String)>,
    /// What a model is asked; empty of a rule.
    pub(crate) prompt: String,
    pub(crate) agreement: Vec<(&'static str, String)>,
    pub(crate) rows: Vec<ResultRow>,
}

/// What came of a span.
pub(crate) struct ResultRow {
    pub(crate) url: String,
    pub(crate) trace: String,
    pub(crate) time: String,
    pub(crate) exact: String,
    pub(crate) state: &'static str,
    pub(crate) state_class: &'static str,
    pub(crate) value: String,
    pub(crate) words: String,
    pub(crate) cost: Option<Figure>,
    pub(crate) latency: Option<Figure>,
}

/// What the page is made of.
pub(crate) struct Material<'m> {
    pub(crate) evaluator: &'m Evaluator,
    pub(crate) figures: &'m Figures,
    pub(crate) recent: &'m [Evaluation],
    pub(crate) against: Option<&'m Against>,
    /// The name of the connection; empty of a rule, and where it is gone.
    pub(crate) connection: &'m str,
    pub(crate) now: Timestamp,
}

impl EvaluatorPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, material: &Material<'_>) -> Self {
        let Material {
            evaluator,
            figures,
            now,
            ..
        } = material;
        let (id, lang, draft) = (reader.id(), reader.lang(), &evaluator.draft);
        let part = |part: &str| urls::evaluator_part(id, evaluator.id, part);
        let most = draft.max_cost_per_day;
        EvaluatorPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Evaluators),
            list_url: urls::evaluators(id),
            edit_url: part("edit"),
            switch_url: part("switch"),
            delete_url: part("delete"),
            may_set: reader.may(Permission::SetExpectations),
            back_url: part("backfill"),
            back: figures.back.map_or_else(String::new, |(from, until)| {
                let zone = reader.zone();
                let ends = [zone.minute(from), zone.minute(until)];
                lang.fill(
                    "What ended from {} to {} is still to be looked at.",
                    &ends.each_ref().map(String::as_str),
                )
            }),
            name: draft.name.clone(),
            kind: words::kind(&draft.method, lang),
            is_enabled: draft.is_enabled,
            trouble: figures.last_error.clone(),
            held_until: figures
                .held_until
                .filter(|until| until > now)
                .map_or_else(String::new, |until| reader.zone().clock(until)),
            is_spent: most.is_some_and(|most| figures.spent_today >= most),
            figures: sums(reader, material),
            facts: facts(reader, material),
            prompt: match &draft.method {
                Method::Judge(judge) => judge.prompt.clone(),
                Method::Rule(_) => String::new(),
            },
            agreement: material
                .against
                .map(|against| agreement(reader, evaluator, against))
                .unwrap_or_default(),
            rows: material
                .recent
                .iter()
                .map(|one| ResultRow::new(reader, one, *now))
                .collect(),
        }
    }
}

/// What it did, in figures.
fn sums(reader: &Reader, material: &Material<'_>) -> Vec<(&'static str, Figure)> {
    let (lang, figures) = (reader.lang(), material.figures);
    let week = &figures.week;
    let plain = |text: String| Figure {
        none: text.is_empty(),
        text: match text.is_empty() {
            true => "–".to_owned(),
            false => text,
        },
        exact: String::new(),
    };
    let mut all = vec![
        (
            lang.t("Scored, 24 h"),
            format::count_or_nothing(Some(figures.day.scored)),
        ),
        (
            lang.t("Scored, 7 d"),
            format::count_or_nothing(Some(week.scored)),
        ),
        (
            lang.t("Mean score"),
            plain(mean(material.evaluator, week.mean)),
        ),
        (
            lang.t("Failures, 7 d"),
            format::count_or_nothing(Some(week.failures)),
        ),
        (
            lang.t("Skipped, 7 d"),
            format::count_or_nothing(Some(week.skipped)),
        ),
        (
            lang.t("Waiting"),
            format::count_or_nothing(Some(figures.waiting)),
        ),
    ];
    if is_judge(&material.evaluator.draft.method) {
        all.extend([
            (lang.t("Cost, 7 d"), format::dollars(Some(week.cost))),
            (
                lang.t("Cost today, UTC"),
                format::dollars(Some(figures.spent_today)),
            ),
            (lang.t("Tokens, 7 d"), format::tokens(Some(week.tokens))),
            (
                lang.t("Latency of a call"),
                format::latency_or_nothing(week.latency_ms),
            ),
        ]);
    }
    all
}

/// What it is set to.
fn facts(reader: &Reader, material: &Material<'_>) -> Vec<(&'static str, String)> {
    let (lang, draft) = (reader.lang(), &material.evaluator.draft);
    let mut facts = vec![
        (
            lang.t("Looks at"),
            words::looks_at(draft.looks_at, lang).to_owned(),
        ),
        (
            lang.t("Filter"),
            match draft.filter.is_empty() {
                true => lang.t("everything").to_owned(),
                false => draft.filter.clone(),
            },
        ),
        (lang.t("Sample rate"), percent(draft.sample_rate)),
        (lang.t("Score"), score(material.evaluator)),
    ];
    match &draft.method {
        Method::Judge(judge) => {
            let connection = match material.connection.is_empty() {
                true => lang.t("It is gone").to_owned(),
                false => material.connection.to_owned(),
            };
            facts.push((lang.t("Connection"), connection));
            facts.push((lang.t("Model"), judge.model.clone()));
            let most = match draft.max_cost_per_day {
                Some(most) => format::dollars(Some(most)).text,
                None => lang.t("no bound").to_owned(),
            };
            facts.push((lang.t("Cost a day, at most"), most));
        }
        Method::Rule(rule) => facts.push((lang.t("Rule"), words::rule(rule, lang))),
    }
    facts.push((
        lang.t("Changed"),
        reader.zone().minute(material.evaluator.updated_at),
    ));
    facts
}

/// The score that it writes, in a line.
fn score(evaluator: &Evaluator) -> String {
    let scale = &evaluator.draft.score;
    let name = &scale.name;
    match (scale.data_type, scale.min, scale.max) {
        (DataType::Categorical, ..) => format!("{name}: {}", scale.labels.join(", ")),
        (DataType::Numeric, Some(min), Some(max)) => {
            format!("{name}: {} – {}", number(min), number(max))
        }
        (DataType::Numeric, Some(min), None) => format!("{name}: ≥ {}", number(min)),
        (DataType::Numeric, None, Some(max)) => format!("{name}: ≤ {}", number(max)),
        (DataType::Boolean, ..) => format!("{name}: True, False"),
        _ => name.clone(),
    }
}

/// How far it agrees with people.
fn agreement(
    reader: &Reader,
    evaluator: &Evaluator,
    against: &Against,
) -> Vec<(&'static str, String)> {
    let lang = reader.lang();
    let signed = |value: f64| format!("{value:.2}").replace('-', "−");
    let mut rows = vec![(lang.t("Judged by both"), against.items.to_string())];
    let mut push = |label, value: Option<String>| rows.extend(value.map(|value| (label, value)));
    push(
        lang.t("Equal"),
        against.same.map(|same| format!("{:.0} %", same * 100.0)),
    );
    match evaluator.draft.score.data_type {
        DataType::Numeric => {
            push(
                lang.t("Mean absolute difference"),
                against.distance.map(number),
            );
            push(lang.t("Correlation"), against.correlation.map(signed));
            push(lang.t("Higher by, on average"), against.bias.map(number));
        }
        _ => push(lang.t("Cohen’s κ"), against.kappa.map(signed)),
    }
    rows
}

impl ResultRow {
    fn new(reader: &Reader, one: &Evaluation, now: Timestamp) -> Self {
        let (state, state_class) = words::state(one.state, reader.lang());
        let zone = reader.zone();
        let time = |text: fn(&crate::zone::Zone, Timestamp, Timestamp) -> String| {
            one.tried_at
                .map_or_else(String::new, |at| text(zone, at, now))
        };
        ResultRow {
            url: urls::trace_span(reader.id(), &one.trace, &one.span),
            trace: one.trace.to_string(),
            time: time(|zone, at, now| zone.row_time(at, now)),
            exact: time(|zone, at, _| zone.exact(at)),
            state,
            state_class,
            value: one.value.clone(),
            words: one.words.clone(),
            cost: one.cost.map(|cost| format::dollars(Some(cost))),
            latency: one
                .latency_ms
                .map(|ms| format::latency_or_nothing(Some(ms))),
        }
    }
}

/// Shows it.
pub(crate) async fn show_evaluator(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let (scope, id) = (&entered.scope, evaluator_id(&params)?);
    let (evaluator, figures) = evaluators::show(&app, scope, id).await?;
    let recent = evaluators::recent(&app, scope, id).await?;
    // Without the store of scores the rest is worth showing.
    let agreement = evaluators::agreement(&app, scope, &[&evaluator]).await;
    let agreement = agreement.unwrap_or_default();
    let connection = match &evaluator.draft.method {
        Method::Judge(judge) => llm_connections::found(&app, scope, judge.connection)
            .await
            .ok(),
        Method::Rule(_) => None,
    };
    let material = Material {
        evaluator: &evaluator,
        figures: &figures,
        recent: &recent,
        against: agreement.get(&id),
        connection: connection.as_ref().map_or("", |found| &found.provider),
        now: app.clock().now(),
    };
    Ok(render(&EvaluatorPage::new(&entered.reader, &material)))
}
