//! What the project expects of its models: how soon answers should come, and what they should be.

/// How soon answers should come.
mod objectives;
/// What answers should be.
mod rules;

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::objective::Objective;
use domain::quality::QualityRule;
use domain::tenancy::Permission;
use domain::{Code, Fault};
use http::StatusCode;
use service::{App, objectives as use_objectives, quality_rules};

use super::tabs;
use crate::extract::{InProject, Reader};
use crate::form::other_fault;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

use objectives::{ObjectiveForm, ObjectiveRow};
pub(crate) use objectives::{create_objective, delete_objective};
use rules::{RuleForm, RuleRow};
pub(crate) use rules::{create_quality_rule, delete_quality_rule};

/// Objectives and rules.
#[derive(Template)]
#[template(path = "settings/expectations.html")]
pub(crate) struct ExpectationsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) fault: String,
    pub(crate) objectives: Vec<ObjectiveRow>,
    pub(crate) objective: ObjectiveForm,
    pub(crate) objectives_url: String,
    pub(crate) rules: Vec<RuleRow>,
    pub(crate) rule: RuleForm,
    pub(crate) rules_url: String,
    /// Where it stands what came of the objectives.
    pub(crate) report_url: String,
}

impl ExpectationsPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, objectives: &[Objective], rules: &[QualityRule]) -> Self {
        let id = reader.id();
        ExpectationsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 4),
            may_set: reader.may(Permission::SetExpectations),
            fault: String::new(),
            objectives: objectives
                .iter()
                .map(|objective| ObjectiveRow::new(reader, objective))
                .collect(),
            objective: ObjectiveForm::default(),
            objectives_url: urls::objectives(id),
            rules: rules
                .iter()
                .map(|rule| RuleRow::new(reader, rule))
                .collect(),
            rule: RuleForm::default(),
            rules_url: urls::quality_rules(id),
            report_url: urls::serving_home(id),
        }
    }

    /// With why something was refused, where none of the fields says so.
    fn refused(mut self, fault: Fault, fields: &[&str]) -> Answer {
        if !matches!(fault.code, Code::Invalid | Code::Conflict) {
            return Err(fault.into());
        }
        self.fault = other_fault(&fault, fields);
        Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&self)).into_response())
    }
}

async fn page(app: &App, entered: &InProject) -> Result<ExpectationsPage, Fault> {
    let (objectives, rules) = tokio::try_join!(
        use_objectives::list(app, &entered.scope),
        quality_rules::list(app, &entered.scope),
    )?;
    Ok(ExpectationsPage::new(&entered.reader, &objectives, &rules))
}

/// Shows them.
pub(crate) async fn list_expectations(State(app): State<App>, entered: InProject) -> Answer {
    Ok(render(&page(&app, &entered).await?))
}
