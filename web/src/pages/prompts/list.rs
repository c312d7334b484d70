//! The list of prompts: a folder with what is in it, or whatever a search finds, with what was measured in seven days.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use domain::alert::measure::{Aggregate, RequestMeasure};
use domain::prompt::{Label, PromptName, Summary};
use domain::tenancy::Permission;
use domain::{Fault, Nanos, Timestamp};
use service::App;
use service::prompts::uses::{self, Measured};
use service::prompts::{self, Folder, Wanted};

use super::head::when;
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::measure::{Unit, written};
use crate::pages::{Answer, no_such_page, render};
use crate::urls;

const ROWS: u32 = 50;
/// Over which uses are counted.
pub(super) const RANGE: Nanos = Nanos::from_seconds(7 * 86_400);
/// Labels and tags of a row that are shown.
const CHIPS: usize = 3;

/// The list.
#[derive(Template)]
#[template(path = "prompts/list.html")]
pub(crate) struct PromptsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    /// Folders from the outermost to the one that is open: its name and where it leads.
    pub(crate) crumbs: Vec<(String, String)>,
    pub(crate) list_url: String,
    pub(crate) new_url: String,
    pub(crate) may_change: bool,
    /// What is searched for, the tag and the label that are asked for.
    pub(crate) text: String,
    pub(crate) tag: String,
    pub(crate) label: String,
    pub(crate) folder: String,
    pub(crate) folders: Vec<FolderRow>,
    pub(crate) rows: Vec<PromptRow>,
    pub(crate) total: String,
    /// Whether numbers are missing because the store of telemetry is away.
    pub(crate) is_unmeasured: bool,
    pub(crate) newest_url: String,
    pub(crate) next_url: String,
}

/// A folder.
pub(crate) struct FolderRow {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) prompts: String,
}

/// A prompt.
pub(crate) struct PromptRow {
    pub(crate) name: String,
    pub(crate) whole_name: String,
    pub(crate) url: String,
    pub(crate) kind: &'static str,
    pub(crate) version: u32,
    pub(crate) labels: Vec<Chip>,
    pub(crate) more_labels: usize,
    pub(crate) tags: Vec<Chip>,
    pub(crate) more_tags: usize,
    /// Uses, p50, p95, cost, tokens in, tokens out, format valid, errors.
    pub(crate) numbers: Vec<String>,
    pub(crate) changed: String,
    pub(crate) exact: String,
}

/// A label or a tag.
pub(crate) struct Chip {
    pub(crate) text: String,
    pub(crate) url: String,
    pub(crate) is_live: bool,
}

/// What was read for the list.
pub(crate) struct Listed {
    pub(crate) folders: Vec<Folder>,
    pub(crate) prompts: Vec<Summary>,
    pub(crate) total: u64,
    /// `None`: the store of telemetry is away.
    pub(crate) uses: Option<BTreeMap<String, Measured>>,
}

/// The state of the list, as its address holds it.
#[derive(Default)]
struct ListState {
    text: String,
    tag: String,
    label: String,
    folder: String,
    page: u64,
}

impl ListState {
    fn read(pairs: &Pairs) -> Result<Self, Fault> {
        let of = |name| pairs.filled(name).unwrap_or_default().to_owned();
        let page = pairs.filled("page").map(str::parse).transpose();
        let state = ListState {
            text: of("q"),
            tag: of("tag"),
            label: of("label"),
            folder: of("folder"),
            page: page.map_err(|_| no_such_page())?.unwrap_or(0),
        };
        let all = [&state.text, &state.tag, &state.label, &state.folder];
        let is_good = all
            .iter()
            .all(|text| text.len() <= 2_000 && !text.contains('\0'));
        if !is_good || state.page > 1_000_000 {
            return Err(no_such_page());
        }
        Ok(state)
    }

    fn is_search(&self) -> bool {
        !(self.text.is_empty() && self.tag.is_empty() && self.label.is_empty())
    }

    fn url(&self, reader: &Reader, page: u64) -> String {
        let number = page.to_string();
        let pairs = [
            ("folder", self.folder.as_str()),
            ("q", &self.text),
            ("tag", &self.tag),
            ("label", &self.label),
            ("page", if page == 0 { "" } else { &number }),
        ];
        let filled: Vec<(&str, &str)> = pairs
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .collect();
        urls::prompts_with(reader.id(), &filled)
    }

    fn wanted(&self) -> Wanted {
        let filled = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Wanted {
            text: filled(&self.text),
            tag: filled(&self.tag),
            label: filled(&self.label),
            folder: (!self.is_search()).then(|| self.folder.clone()),
            ..Wanted::default()
        }
    }
}

impl PromptsPage {
    /// Prepares everything for the template.
    ///
    /// # Errors
    /// `not_found` for an address that makes no sense.
    pub(crate) fn new(
        reader: &Reader,
        pairs: &Pairs,
        listed: &Listed,
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let state = ListState::read(pairs)?;
        let id = reader.id();
        let more = (state.page + 1) * u64::from(ROWS) < listed.total;
        let new_pairs: &[(&str, &str)] = match state.folder.is_empty() {
            true => &[],
            false => &[("folder", &state.folder)],
        };
        Ok(PromptsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Prompts),
            crumbs: crumbs(reader, &state.folder),
            list_url: urls::prompts(id),
            new_url: urls::prompt_new(id, new_pairs),
            may_change: reader.may(Permission::ChangePrompts),
            folders: listed
                .folders
                .iter()
                .map(|folder| FolderRow {
                    name: folder.name.clone(),
                    url: urls::prompts_with(
                        id,
                        &[("folder", &format!("{}{}/", state.folder, folder.name))],
                    ),
                    prompts: format::count(folder.prompts),
                })
                .collect(),
            rows: listed
                .prompts
                .iter()
                .map(|summary| row(reader, summary, (&state, listed), now))
                .collect(),
            total: format::count(listed.total),
            is_unmeasured: listed.uses.is_none(),
            newest_url: match state.page {
                0 => String::new(),
                _ => state.url(reader, 0),
            },
            next_url: match more {
                true => state.url(reader, state.page + 1),
                false => String::new(),
            },
            text: state.text,
            tag: state.tag,
            label: state.label,
            folder: state.folder,
        })
    }

    /// Whether nothing is shown because there is nothing at all.
    pub(crate) fn is_first(&self) -> bool {
        self.rows.is_empty()
            && self.folders.is_empty()
            && self.text.is_empty()
            && self.tag.is_empty()
            && self.label.is_empty()
            && self.folder.is_empty()
    }
}

/// The folders of a path with where each leads.
pub(super) fn crumbs(reader: &Reader, folder: &str) -> Vec<(String, String)> {
    let mut path = String::new();
    let names = folder.split('/').filter(|name| !name.is_empty());
    names
        .map(|name| {
            path = format!("{path}{name}/");
            let url = urls::prompts_with(reader.id(), &[("folder", &path)]);
            (name.to_owned(), url)
        })
        .collect()
}

fn row(
    reader: &Reader,
    summary: &Summary,
    (state, listed): (&ListState, &Listed),
    now: Timestamp,
) -> PromptRow {
    let id = reader.id();
    let whole = summary.name.as_str();
    let name = match state.is_search() {
        true => whole,
        false => whole.strip_prefix(&state.folder).unwrap_or(whole),
    };
    let chip = |text: &str, param: &str| Chip {
        text: text.to_owned(),
        url: urls::prompts_with(id, &[(param, text)]),
        is_live: text == Label::PRODUCTION,
    };
    let mut labels: Vec<&Label> = summary.labels.iter().collect();
    labels.sort_by_key(|label| (label.as_str() != Label::PRODUCTION, label.is_latest()));
    let measured = listed.uses.as_ref().and_then(|uses| uses.get(whole));
    PromptRow {
        name: name.to_owned(),
        whole_name: whole.to_owned(),
        url: urls::prompt(id, &summary.name),
        kind: summary.kind.as_str(),
        version: summary.versions.last().copied().unwrap_or_default(),
        more_labels: labels.len().saturating_sub(CHIPS),
        labels: labels
            .into_iter()
            .take(CHIPS)
            .map(|label| chip(label.as_str(), "label"))
            .collect(),
        more_tags: summary.tags.len().saturating_sub(CHIPS),
        tags: summary
            .tags
            .iter()
            .take(CHIPS)
            .map(|tag| chip(tag, "tag"))
            .collect(),
        numbers: numbers(measured),
        changed: when(reader, summary.updated_at, now),
        exact: summary.updated_at.to_string(),
    }
}

/// Uses, p50 and p95 of latency, cost, tokens, answers of the right form, errors.
fn numbers(measured: Option<&Measured>) -> Vec<String> {
    [
        (RequestMeasure::Requests, Aggregate::Count, Unit::Count),
        (RequestMeasure::E2eMs, Aggregate::P50, Unit::Ms),
        (RequestMeasure::E2eMs, Aggregate::P95, Unit::Ms),
        (RequestMeasure::Cost, Aggregate::Sum, Unit::Usd),
        (RequestMeasure::InputTokens, Aggregate::Avg, Unit::Count),
        (RequestMeasure::OutputTokens, Aggregate::Avg, Unit::Count),
        (RequestMeasure::FormatValid, Aggregate::Rate, Unit::Flag),
        (RequestMeasure::Errors, Aggregate::Rate, Unit::Flag),
    ]
    .map(|(measure, aggregate, unit)| {
        let cell = measured.and_then(|measured| measured.get(&measure));
        let value = cell.and_then(|cell| cell.value(aggregate));
        value.map_or_else(|| format::NOTHING.to_owned(), |value| written(unit, value))
    })
    .into()
}

/// Shows it.
pub(crate) async fn list_prompts(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let state = ListState::read(&pairs)?;
    let scope = &entered.scope;
    let wanted = state.wanted();
    let offset = state.page * u64::from(ROWS);
    let folders = async {
        match state.is_search() || state.page > 0 {
            true => Ok(Vec::new()),
            false => prompts::folders(&app, scope, &state.folder).await,
        }
    };
    let (folders, (found, total)) =
        tokio::try_join!(folders, prompts::list(&app, scope, &wanted, (offset, ROWS)))?;
    let names: Vec<&PromptName> = found.iter().map(|summary| &summary.name).collect();
    let now = app.clock().now();
    let uses = uses::of_prompts(&app, scope, &names, (now.minus(RANGE), now)).await;
    let listed = Listed {
        folders,
        uses: uses.ok(),
        total,
        prompts: found,
    };
    Ok(render(&PromptsPage::new(
        &entered.reader,
        &pairs,
        &listed,
        now,
    )?))
}
