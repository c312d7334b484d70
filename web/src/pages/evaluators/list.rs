//! The list of evaluators: what each did, what it cost, how far it agrees with people.

use std::collections::HashMap;

use askama::Template;
use axum::extract::State;
use domain::EvaluatorId;
use domain::annotation::judge::Against;
use domain::evaluator::{Evaluator, Figures};
use domain::tenancy::Permission;
use service::{App, evaluators};

use super::{in_short, is_judge, mean, percent, words};
use crate::extract::{InProject, Reader};
use crate::format::{self, Figure};
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// Evaluators with how each does.
pub(crate) type Listed = Vec<(Evaluator, Figures)>;

/// The list.
#[derive(Template)]
#[template(path = "evaluators/list.html")]
pub(crate) struct EvaluatorsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) may_set: bool,
    pub(crate) rows: Vec<EvaluatorRow>,
    pub(crate) new_judge_url: String,
    pub(crate) new_rule_url: String,
    /// Whether agreement could not be read.
    pub(crate) is_partial: bool,
}

/// An evaluator.
pub(crate) struct EvaluatorRow {
    pub(crate) url: String,
    pub(crate) switch_url: String,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) is_enabled: bool,
    pub(crate) share: String,
    pub(crate) score: String,
    pub(crate) day: String,
    pub(crate) week: String,
    pub(crate) mean: String,
    pub(crate) failures: String,
    pub(crate) cost: Option<Figure>,
    pub(crate) agreement: String,
    /// Things that people judged, too.
    pub(crate) shared: String,
    /// What went wrong last; empty when nothing did.
    pub(crate) trouble: String,
}

impl EvaluatorsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        listed: &Listed,
        agreement: Option<&HashMap<EvaluatorId, Against>>,
    ) -> Self {
        let id = reader.id();
        let row = |(evaluator, figures): &(Evaluator, Figures)| {
            let against = agreement.and_then(|all| all.get(&evaluator.id));
            EvaluatorRow::new(reader, (evaluator, figures), against)
        };
        EvaluatorsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Evaluators),
            may_set: reader.may(Permission::SetExpectations),
            rows: listed.iter().map(row).collect(),
            new_judge_url: urls::evaluator_new_of(id, "judge"),
            new_rule_url: urls::evaluator_new_of(id, "rule"),
            is_partial: agreement.is_none(),
        }
    }
}

impl EvaluatorRow {
    fn new(
        reader: &Reader,
        (evaluator, figures): (&Evaluator, &Figures),
        against: Option<&Against>,
    ) -> Self {
        let (id, lang, draft) = (reader.id(), reader.lang(), &evaluator.draft);
        EvaluatorRow {
            url: urls::evaluator(id, evaluator.id),
            switch_url: urls::evaluator_part(id, evaluator.id, "switch"),
            name: draft.name.clone(),
            kind: words::kind(&draft.method, lang),
            is_enabled: draft.is_enabled,
            share: percent(draft.sample_rate),
            score: draft.score.name.clone(),
            day: format::count(figures.day.scored),
            week: format::count(figures.week.scored),
            mean: mean(evaluator, figures.week.mean),
            failures: match figures.week.failures {
                0 => String::new(),
                some => format::count(some),
            },
            cost: is_judge(&draft.method).then(|| format::dollars(Some(figures.week.cost))),
            agreement: in_short(evaluator, against),
            shared: against.map_or_else(String::new, |against| against.items.to_string()),
            trouble: figures.last_error.clone(),
        }
    }
}

/// Shows it.
pub(crate) async fn list_evaluators(State(app): State<App>, entered: InProject) -> Answer {
    let listed = evaluators::list(&app, &entered.scope).await?;
    let all: Vec<&Evaluator> = listed.iter().map(|(evaluator, _)| evaluator).collect();
    // Without the store of scores the rest is worth showing.
    let agreement = evaluators::agreement(&app, &entered.scope, &all).await.ok();
    let page = EvaluatorsPage::new(&entered.reader, &listed, agreement.as_ref());
    Ok(render(&page))
}
