//! The page: shown, tried out, saved.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::masking::{Counts, MaskingSettings};
use domain::tenancy::Permission;
use domain::{Code, Fault, TraceId};
use http::StatusCode;
use service::masking::{self, DayCount, Tried};
use service::{App, Clock};

use super::form::{FIELDS, MaskingForm, read};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::other_fault;
use crate::format;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::settings::tabs;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "settings/masking.html")]
pub(crate) struct MaskingPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) fault: String,
    pub(crate) is_off: bool,
    pub(crate) form: MaskingForm,
    pub(crate) action: String,
    /// A text as it would be stored.
    pub(crate) tried_text: Option<String>,
    /// What arrived last as it would be stored.
    pub(crate) tried: Option<TriedRows>,
    pub(crate) tried_counts: Vec<(String, String)>,
    pub(crate) counts: Vec<CountRow>,
}

/// What would be found in what arrived last.
pub(crate) struct TriedRows {
    pub(crate) summary: String,
    pub(crate) findings: Vec<FindingRow>,
}

/// Where something would be found.
pub(crate) struct FindingRow {
    pub(crate) url: String,
    pub(crate) place: String,
    pub(crate) excerpt: String,
}

/// How often a rule found something.
pub(crate) struct CountRow {
    pub(crate) rule: String,
    pub(crate) today: String,
    pub(crate) month: String,
}

impl MaskingPage {
    /// Of settings, with what was found lately.
    pub(crate) fn new(reader: &Reader, settings: &MaskingSettings, counts: &[DayCount]) -> Self {
        MaskingPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 10),
            may_set: reader.may(Permission::ManageProject),
            fault: String::new(),
            is_off: settings.is_off(),
            form: MaskingForm::new(reader.lang(), settings),
            action: urls::masking(reader.id()),
            tried_text: None,
            tried: None,
            tried_counts: Vec::new(),
            counts: rows(counts),
        }
    }

    fn show_trial(&mut self, reader: &Reader, tried: &Tried) {
        let with = tried.spans_with_findings.to_string();
        let findings = tried.findings.iter().filter_map(|found| {
            let trace = TraceId::from_text(&found.trace_id).ok()?;
            Some(FindingRow {
                url: urls::trace(reader.id(), &trace),
                place: found.place.clone(),
                excerpt: found.excerpt.clone(),
            })
        });
        self.tried = Some(TriedRows {
            summary: reader.lang().fill(
                "Something would be found in {} of {} spans.",
                &[&with, &tried.spans.to_string()],
            ),
            findings: findings.collect(),
        });
        self.tried_counts = by_rule(&tried.counts);
    }
}

/// By rule: of the last day in UTC, and of all.
fn rows(counts: &[DayCount]) -> Vec<CountRow> {
    let today = Clock.now().to_string();
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for count in counts {
        let sum = sums.entry(&count.rule).or_default();
        sum.1 += count.found;
        if today.starts_with(&count.day) {
            sum.0 += count.found;
        }
    }
    let row = |(rule, (today, month)): (&str, (u64, u64))| CountRow {
        rule: rule.to_owned(),
        today: format::count(today),
        month: format::count(month),
    };
    sums.into_iter().map(row).collect()
}

fn by_rule(counts: &Counts) -> Vec<(String, String)> {
    let row = |(rule, count): (&str, u64)| (rule.to_owned(), format::count(count));
    counts.iter().map(row).collect()
}

async fn page(
    app: &App,
    entered: &InProject,
    settings: &MaskingSettings,
) -> Result<MaskingPage, Fault> {
    let counts = masking::counts(app, &entered.scope).await?;
    Ok(MaskingPage::new(&entered.reader, settings, &counts))
}

/// Shows it.
pub(crate) async fn show_masking(State(app): State<App>, entered: InProject) -> Answer {
    let settings = masking::settings(&app, &entered.scope).await?;
    Ok(render(&page(&app, &entered, &settings).await?))
}

/// Saves what was entered, fills in a preset, or tries it out, as the button says.
pub(crate) async fn set_masking(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    entered.scope.require(Permission::ManageProject)?;
    let lang = entered.reader.lang();
    let settings = match read(&pairs, lang) {
        Ok(settings) => settings,
        Err(fault) => {
            let settings = masking::settings(&app, &entered.scope).await?;
            return refused(&app, &entered, &pairs, (&settings, fault)).await;
        }
    };
    let done = match pairs.get("do") {
        Some("save") => masking::set(&app, &entered.scope, &settings)
            .await
            .map(|()| None),
        Some(what) => tried(&app, &entered, &pairs, (&settings, what))
            .await
            .map(Some),
        None => page(&app, &entered, &settings).await.map(Some),
    };
    match done {
        Ok(None) => Ok(see_other(&urls::masking(entered.id()))),
        Ok(Some(mut page)) => {
            page.form.keep(&pairs, None);
            Ok(render(&page))
        }
        Err(fault) => refused(&app, &entered, &pairs, (&settings, fault)).await,
    }
}

async fn tried(
    app: &App,
    entered: &InProject,
    pairs: &Pairs,
    (settings, what): (&MaskingSettings, &str),
) -> Result<MaskingPage, Fault> {
    let scope = &entered.scope;
    let mut shown = page(app, entered, settings).await?;
    if what == "text" {
        let text = pairs.get("text").unwrap_or_default();
        let tried = masking::try_on_text(app, scope, settings, text).await?;
        shown.tried_counts = by_rule(&tried.counts);
        shown.tried_text = Some(tried.masked);
    } else {
        let tried = masking::try_on_recent(app, scope, settings).await?;
        shown.show_trial(&entered.reader, &tried);
    }
    Ok(shown)
}

async fn refused(
    app: &App,
    entered: &InProject,
    pairs: &Pairs,
    (settings, fault): (&MaskingSettings, Fault),
) -> Answer {
    if fault.code != Code::Invalid {
        return Err(fault.into());
    }
    let mut page = page(app, entered, settings).await?;
    page.fault = other_fault(&fault, FIELDS);
    page.form.keep(pairs, Some(&fault));
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}
