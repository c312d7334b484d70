//! Targets that metrics are fetched from: what is set, and what became of the last scrape.

/// What a person enters as a target.
mod form;

use askama::Template;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::response::IntoResponse;
use domain::scrape::{ScrapeOutcome, ScrapeTarget, TargetDraft, TargetKind};
use domain::tenancy::Permission;
use domain::{Code, Fault, ScrapeTargetId, Timestamp};
use http::StatusCode;
use service::{App, scrape_targets};

use super::tabs;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::other_fault;
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

use form::{FIELDS, TargetForm};

/// Scrape targets.
#[derive(Template)]
#[template(path = "settings/scrape_targets.html")]
pub(crate) struct ScrapeTargetsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) fault: String,
    /// What a test found; empty when nobody asked.
    pub(crate) found: String,
    /// And what was wrong.
    pub(crate) found_error: String,
    pub(crate) rows: Vec<TargetRow>,
    pub(crate) form: TargetForm,
    pub(crate) kinds: Vec<&'static str>,
    pub(crate) save_url: String,
    pub(crate) is_change: bool,
    pub(crate) targets_url: String,
}

/// A target.
pub(crate) struct TargetRow {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) is_off: bool,
    /// When the last scrape was.
    pub(crate) at: String,
    pub(crate) samples: String,
    pub(crate) recognised: String,
    pub(crate) duration: String,
    pub(crate) error: String,
    pub(crate) edit_url: String,
    pub(crate) test_url: String,
    pub(crate) delete_url: String,
    pub(crate) dialog: String,
}

impl ScrapeTargetsPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, targets: &[ScrapeTarget], now: Timestamp) -> Self {
        let id = reader.id();
        ScrapeTargetsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 5),
            may_set: reader.may(Permission::ManageConnections),
            fault: String::new(),
            found: String::new(),
            found_error: String::new(),
            rows: targets
                .iter()
                .map(|target| TargetRow::new(reader, target, now))
                .collect(),
            form: TargetForm::from(&TargetDraft::default()),
            kinds: TargetKind::ALL.iter().map(|kind| kind.as_str()).collect(),
            save_url: urls::scrape_targets(id),
            is_change: false,
            targets_url: urls::scrape_targets(id),
        }
    }

    /// With a target in the form, to be changed.
    #[must_use]
    fn changing(mut self, reader: &Reader, id: ScrapeTargetId, form: TargetForm) -> Self {
        self.form = form;
        self.save_url = urls::scrape_target(reader.id(), id);
        self.is_change = true;
        self
    }

    /// With what a test found.
    #[must_use]
    pub(crate) fn tested(mut self, lang: Lang, name: &str, outcome: &ScrapeOutcome) -> Self {
        let parts = [
            name,
            &format::count(outcome.samples),
            &format::count(outcome.recognised),
            &outcome.exporters.join(", "),
            &format::latency(outcome.duration.as_millis_f64()),
        ];
        self.found = if outcome.exporters.is_empty() {
            let without = [parts[0], parts[1], parts[4]];
            lang.fill("{}: {} samples, none of a known exporter, in {}.", &without)
        } else {
            lang.fill("{}: {} samples, {} of them of {}, in {}.", &parts)
        };
        self.found_error = outcome.error.clone().unwrap_or_default();
        self
    }

    /// With why something was refused, where none of the fields says so.
    fn refused(mut self, fault: Fault) -> Answer {
        if !matches!(fault.code, Code::Invalid | Code::Conflict) {
            return Err(fault.into());
        }
        self.fault = other_fault(&fault, FIELDS);
        Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&self)).into_response())
    }
}

impl TargetRow {
    fn new(reader: &Reader, target: &ScrapeTarget, now: Timestamp) -> Self {
        let (id, outcome) = (reader.id(), target.outcome.as_ref());
        let shown =
            |text: fn(&ScrapeOutcome) -> String| outcome.map_or_else(|| "–".to_owned(), text);
        TargetRow {
            name: target.draft.name.clone(),
            url: target.draft.url.clone(),
            is_off: !target.draft.is_enabled,
            at: outcome.map_or_else(
                || "–".to_owned(),
                |outcome| reader.zone().row_time(outcome.at, now),
            ),
            samples: shown(|outcome| format::count(outcome.samples)),
            recognised: shown(|outcome| format::count(outcome.recognised)),
            duration: shown(|outcome| format::latency(outcome.duration.as_millis_f64())),
            error: outcome
                .and_then(|outcome| outcome.error.clone())
                .unwrap_or_default(),
            edit_url: urls::scrape_target_edit(id, target.id),
            test_url: urls::scrape_target_test(id, target.id),
            delete_url: urls::scrape_target_delete(id, target.id),
            dialog: format!("delete-{}", target.id),
        }
    }
}

/// Shows them. `?target=` changes one.
pub(crate) async fn list_scrape_targets(
    State(app): State<App>,
    entered: InProject,
    RawQuery(query): RawQuery,
) -> Answer {
    let pairs = Pairs::parse(query.unwrap_or_default().as_bytes());
    let all = scrape_targets::list(&app, &entered.scope).await?;
    let mut page = ScrapeTargetsPage::new(&entered.reader, &all, app.clock().now());
    if let Some(id) = pairs.get("target").and_then(|id| id.parse().ok()) {
        let target = all.iter().find(|target| target.id == id);
        let target = target.ok_or_else(no_such_page)?;
        page = page.changing(&entered.reader, id, TargetForm::of(target));
    }
    Ok(render(&page))
}

async fn page(app: &App, entered: &InProject) -> Result<ScrapeTargetsPage, Fault> {
    let all = scrape_targets::list(app, &entered.scope).await?;
    let now = app.clock().now();
    Ok(ScrapeTargetsPage::new(&entered.reader, &all, now))
}

/// Sets one.
pub(crate) async fn create_scrape_target(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let form = TargetForm::posted(&pairs);
    let set = match form.draft(&TargetDraft::default()) {
        Ok(draft) => {
            let credential = form.credential(&pairs);
            scrape_targets::create(&app, &entered.scope, draft, credential).await
        }
        Err(fault) => Err(fault),
    };
    let Err(fault) = set else {
        return Ok(see_other(&urls::scrape_targets(entered.id())));
    };
    let mut page = page(&app, &entered).await?;
    page.form = form.with_fault(&fault);
    page.refused(fault)
}

/// Changes one.
pub(crate) async fn update_scrape_target(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = target_in(&params)?;
    let form = TargetForm::posted(&pairs);
    let change = |draft: TargetDraft| Ok((form.draft(&draft)?, form.auth_change(&pairs)));
    let updated = scrape_targets::update(&app, &entered.scope, id, change).await;
    let Err(fault) = updated else {
        return Ok(see_other(&urls::scrape_targets(entered.id())));
    };
    let page = page(&app, &entered).await?;
    let page = page.changing(&entered.reader, id, form.with_fault(&fault));
    page.refused(fault)
}

/// Asks one now.
pub(crate) async fn test_scrape_target(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id = target_in(&params)?;
    let outcome = scrape_targets::test(&app, &entered.scope, id).await?;
    let name = scrape_targets::show(&app, &entered.scope, id).await?;
    let page = page(&app, &entered).await?;
    let lang = entered.reader.lang();
    Ok(render(&page.tested(lang, &name.draft.name, &outcome)))
}

/// Deletes one.
pub(crate) async fn delete_scrape_target(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    scrape_targets::delete(&app, &entered.scope, target_in(&params)?).await?;
    Ok(see_other(&urls::scrape_targets(entered.id())))
}

fn target_in(params: &RawPathParams) -> Result<ScrapeTargetId, Fault> {
    segment(params, "target")
        .and_then(|id| id.parse().ok())
        .ok_or_else(no_such_page)
}
