//! The page: shown, filled in, saved once it was shown what would go.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::content_sampling::ContentSampling;
use domain::retention::RetentionSettings;
use domain::tenancy::Permission;
use domain::{Code, Fault};
use http::StatusCode;
use service::retention::{self, LastLook};
use service::{App, Clock, content_sampling};

use super::form::{FIELDS, RetentionForm, read};
use super::sampling::{self, SamplingForm};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::other_fault;
use crate::format;
use crate::i18n::{Lang, text};
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::settings::tabs;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "settings/retention.html")]
pub(crate) struct RetentionPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) fault: String,
    pub(crate) form: RetentionForm,
    pub(crate) action: String,
    /// What would go; `None` before it was asked for.
    pub(crate) preview: Option<Vec<(String, String)>>,
    pub(crate) last: Option<LastView>,
    pub(crate) sampling: SamplingForm,
    pub(crate) sampling_action: String,
}

/// What the last look found.
pub(crate) struct LastView {
    pub(crate) words: String,
    pub(crate) is_clean: bool,
    pub(crate) has_broken_off: bool,
    pub(crate) past: Vec<(String, String)>,
    pub(crate) removed: Vec<(String, String)>,
}

impl RetentionPage {
    /// Of settings, with what the last look found.
    pub(crate) fn new(
        reader: &Reader,
        (settings, sampling): (&RetentionSettings, &ContentSampling),
        last: &LastLook,
    ) -> Self {
        RetentionPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 11),
            may_set: reader.may(Permission::ManageProject),
            fault: String::new(),
            form: RetentionForm::new(reader.lang(), settings),
            action: urls::retention(reader.id()),
            preview: None,
            last: LastView::new(reader, last),
            sampling: SamplingForm::new(sampling),
            sampling_action: urls::content_sampling(reader.id()),
        }
    }
}

impl LastView {
    fn new(reader: &Reader, last: &LastLook) -> Option<Self> {
        let (lang, at) = (reader.lang(), last.verified_at?);
        let counts = |name: &str| -> BTreeMap<String, u64> {
            serde_json::from_value(last.outcome[name].clone()).unwrap_or_default()
        };
        let past = counts("past");
        let rows: u64 = past.values().sum();
        let at = reader.zone().date_time(at, Clock.now());
        let words = match rows {
            0 => lang.fill("Verified {}: nothing is past its time.", &[&at]),
            rows => lang.fill(
                "Verified {}: {} rows are past their time.",
                &[&at, &format::count(rows)],
            ),
        };
        Some(LastView {
            words,
            is_clean: rows == 0,
            // One is counted when a look begins.
            has_broken_off: last.tries > 1,
            past: in_words(lang, &past),
            removed: in_words(lang, &counts("removed")),
        })
    }
}

/// Stores in words with how much there is, those with nothing left out.
fn in_words(lang: Lang, counts: &BTreeMap<String, u64>) -> Vec<(String, String)> {
    let some = counts.iter().filter(|(_, many)| **many > 0);
    some.map(|(name, many)| (store(lang, name), format::count(*many)))
        .collect()
}

fn store(lang: Lang, name: &str) -> String {
    let words = match name {
        "traces" => text!("Traces"),
        "spans" => text!("Spans"),
        "contents" => text!("Contents of spans"),
        "logs" => text!("Log records"),
        "log_contents" => text!("Contents of log records"),
        "scores" => text!("Scores"),
        "changes" => text!("Events of older clients"),
        "samples" => text!("Samples of metrics"),
        "series" => text!("Series of metrics"),
        "audit_entries" => text!("Entries of the audit log"),
        other => return other.to_owned(),
    };
    lang.t(words).to_owned()
}

async fn page(
    app: &App,
    entered: &InProject,
    settings: &RetentionSettings,
) -> Result<RetentionPage, Fault> {
    let last = retention::last_look(app, &entered.scope).await?;
    let sampling = content_sampling::settings(app, &entered.scope).await?;
    let both = (settings, &sampling);
    Ok(RetentionPage::new(&entered.reader, both, &last))
}

/// Shows it.
pub(crate) async fn show_retention(State(app): State<App>, entered: InProject) -> Answer {
    let settings = retention::settings(&app, &entered.scope).await?;
    Ok(render(&page(&app, &entered, &settings).await?))
}

/// Fills in a preset, shows what would go, or saves: at once where nothing would go, else once that was confirmed.
pub(crate) async fn set_retention(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    entered.scope.require(Permission::ManageProject)?;
    let settings = match read(&pairs, entered.reader.lang()) {
        Ok(settings) => settings,
        Err(fault) => {
            let settings = retention::settings(&app, &entered.scope).await?;
            return refused(&app, &entered, &pairs, (&settings, fault)).await;
        }
    };
    match done(&app, &entered, &pairs, &settings).await {
        Ok(None) => Ok(see_other(&urls::retention(entered.id()))),
        Ok(Some(page)) => Ok(render(&page)),
        Err(fault) => refused(&app, &entered, &pairs, (&settings, fault)).await,
    }
}

/// The page that answers; `None`: it is saved.
async fn done(
    app: &App,
    entered: &InProject,
    pairs: &Pairs,
    settings: &RetentionSettings,
) -> Result<Option<RetentionPage>, Fault> {
    let what = pairs.get("do").unwrap_or_default();
    let mut shown = page(app, entered, settings).await?;
    if what.is_empty() {
        return Ok(Some(shown));
    }
    if what != "confirm" {
        let would_go = retention::preview(app, &entered.scope, settings).await?;
        if what == "preview" || would_go.values().any(|many| *many > 0) {
            shown.preview = Some(in_words(entered.reader.lang(), &would_go));
            return Ok(Some(shown));
        }
    }
    retention::set(app, &entered.scope, settings).await?;
    Ok(None)
}

async fn refused(
    app: &App,
    entered: &InProject,
    pairs: &Pairs,
    (settings, fault): (&RetentionSettings, Fault),
) -> Answer {
    if fault.code != Code::Invalid {
        return Err(fault.into());
    }
    let mut page = page(app, entered, settings).await?;
    page.fault = other_fault(&fault, FIELDS);
    page.form.keep(pairs, &fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Saves which traces keep their contents.
pub(crate) async fn set_content_sampling(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    entered.scope.require(Permission::ManageProject)?;
    let saved = match sampling::read(&pairs, entered.reader.lang()) {
        Ok(new) => content_sampling::set(&app, &entered.scope, &new).await,
        Err(fault) => Err(fault),
    };
    let fault = match saved {
        Ok(()) => return Ok(see_other(&urls::retention(entered.id()))),
        Err(fault) if fault.code == Code::Invalid => fault,
        Err(fault) => return Err(fault.into()),
    };
    let settings = retention::settings(&app, &entered.scope).await?;
    let mut page = page(&app, &entered, &settings).await?;
    page.fault = other_fault(&fault, sampling::FIELDS);
    page.sampling.keep(&pairs, &fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}
