//! One item: what goes in and should come out, to be changed; what it was before.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::dataset::{Challenge, Dataset, DatasetItem, DatasetKind, ItemDraft, ItemStatus};
use domain::tenancy::Permission;
use domain::{Fault, PersonId, Timestamp};
use http::StatusCode;
use service::App;
use service::{datasets, prompts};

use super::words::{challenge_word, challenges};
use super::{dataset_id, entered, field_of, item_id, json_of, of_form};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::prompts::author;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
pub(super) const FIELDS: &[&str] = &["input", "expectedOutput", "metadata", "reason"];

/// The page.
#[derive(Template)]
#[template(path = "datasets/item.html")]
pub(crate) struct ItemPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) dataset_url: String,
    pub(crate) dataset: String,
    pub(crate) id: String,
    pub(crate) action: String,
    pub(crate) archive_url: String,
    pub(crate) source_url: String,
    pub(crate) is_archived: bool,
    /// Whether the contents are those of an earlier version.
    pub(crate) is_old: bool,
    pub(crate) may_change: bool,
    pub(crate) has_schemas: bool,
    pub(crate) fault: String,
    pub(crate) input: Field,
    pub(crate) expected_output: Field,
    pub(crate) metadata: Field,
    /// Why it is changed, where that is asked.
    pub(crate) reason: Field,
    pub(crate) is_golden: bool,
    /// What it is meant to break; empty where that is not asked.
    pub(crate) challenges: Vec<(&'static str, &'static str, bool)>,
    /// The newest first.
    pub(crate) versions: Vec<Written>,
}

/// A version.
pub(crate) struct Written {
    pub(crate) choice: Choice,
    /// What is different from the one before.
    pub(crate) changed: String,
    /// Who wrote it; empty where that was not noted.
    pub(crate) by: String,
    /// Why; empty where that was not said.
    pub(crate) reason: String,
}

impl ItemPage {
    /// As it opens: its versions, the newest first, and the number of the one that is shown.
    pub(crate) fn new(
        reader: &Reader,
        dataset: &Dataset,
        (item, versions, authors): (&DatasetItem, &[DatasetItem], &BTreeMap<PersonId, String>),
        now: Timestamp,
    ) -> Self {
        let (place, lang) = ((reader.id(), dataset.id), reader.lang());
        let newest = versions.first().unwrap_or(item);
        let version = |(at, one): (usize, &DatasetItem)| {
            let when = reader.zone().date_time(one.updated_at, now);
            let choice = Choice {
                label: when,
                url: match at {
                    0 => urls::item(place, &one.id),
                    _ => urls::item_version(place, &one.id, &one.updated_at.to_string()),
                },
                current: one.updated_at == item.updated_at,
            };
            let by = one.changed_by.as_deref();
            Written {
                choice,
                changed: changes(one, versions.get(at + 1), lang),
                by: by.map_or_else(String::new, |by| author(authors, by, lang)),
                reason: one.reason.clone().unwrap_or_default(),
            }
        };
        let trace = newest.source_trace_id.as_ref();
        ItemPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(reader.id()),
            dataset_url: urls::dataset_tab(place, "items"),
            dataset: dataset.name.to_string(),
            id: item.id.to_string(),
            action: urls::item(place, &item.id),
            archive_url: urls::item_archive(place, &item.id),
            source_url: trace.map_or_else(String::new, |trace| {
                match &newest.source_observation_id {
                    Some(span) => urls::trace_span(reader.id(), trace, span),
                    None => urls::trace(reader.id(), trace),
                }
            }),
            is_archived: newest.status == ItemStatus::Archived,
            is_old: item.updated_at != newest.updated_at,
            may_change: reader.may(Permission::ChangeDatasets),
            has_schemas: dataset.input_schema.is_some() || dataset.expected_output_schema.is_some(),
            fault: String::new(),
            input: field_of(&item.input),
            expected_output: field_of(&item.expected_output),
            metadata: field_of(&item.metadata),
            reason: Field::default(),
            is_golden: dataset.kind == DatasetKind::Golden,
            challenges: match dataset.kind {
                DatasetKind::Adversarial => challenges(item.challenge, lang),
                _ => Vec::new(),
            },
            versions: versions.iter().enumerate().map(version).collect(),
        }
    }
}

/// What a version changed.
fn changes(item: &DatasetItem, before: Option<&DatasetItem>, lang: Lang) -> String {
    let Some(before) = before else {
        return lang.t("made").to_owned();
    };
    let fields = [
        (item.input != before.input, lang.t("Input")),
        (
            item.expected_output != before.expected_output,
            lang.t("Expected output"),
        ),
        (item.metadata != before.metadata, lang.t("Metadata")),
        (item.status != before.status, lang.t("Status")),
        (
            item.challenge != before.challenge,
            item.challenge.map_or_else(
                || lang.t("Attack or failure"),
                |one| challenge_word(one, lang),
            ),
        ),
    ];
    let changed: Vec<&str> = fields
        .iter()
        .filter_map(|(is_other, name)| is_other.then_some(*name))
        .collect();
    match changed.is_empty() {
        true => lang.t("nothing").to_owned(),
        false => changed.join(", "),
    }
}

/// What a form says of an item: all of its contents.
pub(super) fn draft(pairs: &Pairs) -> Result<ItemDraft, Fault> {
    Ok(ItemDraft {
        input: Some(json_of(pairs, "input")?),
        expected_output: Some(json_of(pairs, "expectedOutput")?),
        metadata: Some(json_of(pairs, "metadata")?),
        // Only forms of adversarial datasets have the field.
        challenge: pairs.get("challenge").map(Challenge::from_name),
        reason: pairs
            .filled("reason")
            .map(|reason| reason.trim().to_owned()),
        ..ItemDraft::default()
    })
}

async fn page(
    app: &App,
    entered: &InProject,
    params: &RawPathParams,
    version: Option<&str>,
) -> Result<ItemPage, Fault> {
    let dataset = datasets::find_by_id(app, &entered.scope, dataset_id(params)?).await?;
    let place = (dataset.id, &item_id(params)?);
    let versions = datasets::item_versions(app, &entered.scope, place).await?;
    let shown = match version {
        None => versions.first(),
        Some(version) => versions
            .iter()
            .find(|item| item.updated_at.to_string() == version),
    };
    let missing = || Fault::not_found("there is no such version of this item");
    let now = app.clock().now();
    let named = versions
        .iter()
        .filter_map(|version| version.changed_by.as_deref());
    let authors = prompts::authors(app, &entered.scope, named).await?;
    let of = (shown.ok_or_else(missing)?, versions.as_slice(), &authors);
    Ok(ItemPage::new(&entered.reader, &dataset, of, now))
}

/// Shows it, as it is or as it was.
pub(crate) async fn show_item(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    Ok(render(
        &page(&app, &entered, &params, pairs.filled("version")).await?,
    ))
}

/// Writes its next version.
pub(crate) async fn update_item(
    State(app): State<App>,
    entered_project: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let scope = &entered_project.scope;
    let dataset = datasets::find_by_id(&app, scope, dataset_id(&params)?).await?;
    let id = item_id(&params)?;
    datasets::item_versions(&app, scope, (dataset.id, &id)).await?;
    let written = match draft(&pairs) {
        Ok(draft) => {
            let place = (&dataset.name, Some(id.clone()));
            datasets::write_item(&app, scope, place, draft).await
        }
        Err(fault) => Err(fault),
    };
    let Err(fault) = written else {
        let place = (entered_project.id(), dataset.id);
        return Ok(see_other(&urls::item(place, &id)));
    };
    let fault = of_form(fault)?;
    let mut page = page(&app, &entered_project, &params, None).await?;
    page.input = entered(&pairs, "input", &fault);
    page.expected_output = entered(&pairs, "expectedOutput", &fault);
    page.metadata = entered(&pairs, "metadata", &fault);
    page.reason = entered(&pairs, "reason", &fault);
    if !page.challenges.is_empty() {
        let chosen = pairs.get("challenge").and_then(Challenge::from_name);
        page.challenges = challenges(chosen, entered_project.reader.lang());
    }
    page.fault = other_fault(&fault, FIELDS);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Archives it, or brings it back.
pub(crate) async fn archive_item(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let scope = &entered.scope;
    let dataset = datasets::find_by_id(&app, scope, dataset_id(&params)?).await?;
    let id = item_id(&params)?;
    datasets::item_versions(&app, scope, (dataset.id, &id)).await?;
    let draft = ItemDraft {
        status: Some(match pairs.get("back") {
            Some(_) => ItemStatus::Active,
            None => ItemStatus::Archived,
        }),
        ..ItemDraft::default()
    };
    datasets::write_item(&app, scope, (&dataset.name, Some(id.clone())), draft).await?;
    Ok(see_other(&urls::item((entered.id(), dataset.id), &id)))
}
