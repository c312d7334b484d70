//! One dataset: its runs, or its items.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::dataset::{Dataset, DatasetKind, ItemStatus, SheetForm};
use domain::experiment::Experiment;
use domain::page::Page;
use domain::tenancy::Permission;
use domain::{Fault, Timestamp};
use service::App;
use service::datasets::{self, ItemHead};
use service::experiments::{self, Results, Wanted};

use super::words::{challenge_word, kind_hint, kind_word};
use super::{Mean, after, dataset_id, limit, means};
use crate::content;
use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

const ITEMS: u32 = 50;
/// Each is shown with what its items come to.
const RUNS: u32 = 10;
/// Newest items of a run that its numbers are worked out from.
const MEASURED: u32 = 200;

/// One dataset.
#[derive(Template)]
#[template(path = "datasets/show.html")]
pub(crate) struct DatasetPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) body: Body,
    /// Its kind, and what that is for.
    pub(crate) kind: (&'static str, &'static str),
    /// Where it is said what fills it; empty where nothing may.
    pub(crate) fill_url: String,
    /// Items of a golden dataset without an expected output: of how many, how many.
    pub(crate) unanswered: Option<(String, String)>,
    pub(crate) is_archived: bool,
    pub(crate) may_change: bool,
    pub(crate) settings_url: String,
    pub(crate) new_item_url: String,
    pub(crate) import_url: String,
    /// All items as files: the form's name and address.
    pub(crate) exports: Vec<(&'static str, String)>,
    pub(crate) compare_url: String,
    /// What was missing from a choice of runs; empty where nothing was.
    pub(crate) notice: &'static str,
    /// The first page, where this is another.
    pub(crate) newest_url: String,
    pub(crate) next_url: String,
}

/// The part that is open.
pub(crate) enum Body {
    /// Runs over it.
    Runs(Vec<RunRow>),
    /// What is in it.
    Items(Vec<ItemRow>),
}

/// A run with what its items come to.
pub(crate) struct RunRow {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) items: String,
    pub(crate) means: Vec<Mean>,
    pub(crate) latency: Figure,
    pub(crate) cost: Figure,
    pub(crate) began: String,
    pub(crate) exact: String,
    /// Whether the numbers are of its newest items only.
    pub(crate) is_partial: bool,
}

/// An item.
pub(crate) struct ItemRow {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) archived: bool,
    pub(crate) input: String,
    pub(crate) expected: String,
    pub(crate) versions: String,
    pub(crate) written: String,
    pub(crate) exact: String,
    /// The trace that it was taken from; empty where it was not.
    pub(crate) source_url: String,
    /// What it is meant to break; empty where that is not said.
    pub(crate) challenge: &'static str,
}

/// What one page of a part holds.
pub(crate) enum Part {
    Runs(Page<(Experiment, Results)>),
    Items(Page<ItemHead>),
}

impl DatasetPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (dataset, part): (&Dataset, Part),
        is_first: bool,
        now: Timestamp,
    ) -> Self {
        let place = (reader.id(), dataset.id);
        let (open, next, body) = match part {
            Part::Runs(page) => {
                let rows = page.data.iter();
                let rows = rows.map(|run| run_row(reader, dataset, run, now));
                ("runs", page.next_cursor, Body::Runs(rows.collect()))
            }
            Part::Items(page) => {
                let rows = page.data.iter();
                let rows = rows.map(|item| item_row(reader, dataset, item, now));
                ("items", page.next_cursor, Body::Items(rows.collect()))
            }
        };
        let lang = reader.lang();
        let tab = |name: &str, label: &str| Choice {
            label: label.to_owned(),
            url: urls::dataset_tab(place, name),
            current: name == open,
        };
        let here = urls::dataset_tab(place, open);
        DatasetPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(reader.id()),
            id: dataset.id.to_string(),
            name: dataset.name.to_string(),
            description: dataset.description.clone().unwrap_or_default(),
            tabs: vec![tab("runs", lang.t("Runs")), tab("items", lang.t("Items"))],
            next_url: next.map_or_else(String::new, |next| {
                urls::after(&here, &[("after", &next.written(open))])
            }),
            newest_url: if is_first { String::new() } else { here },
            body,
            kind: (kind_word(dataset.kind, lang), kind_hint(dataset.kind, lang)),
            fill_url: match dataset.kind.is_filled() {
                true => urls::dataset_fill(place),
                false => String::new(),
            },
            unanswered: None,
            is_archived: dataset.archived_at.is_some(),
            may_change: reader.may(Permission::ChangeDatasets),
            settings_url: urls::dataset_settings(place),
            new_item_url: urls::item_new(place),
            import_url: urls::dataset_import(place),
            exports: vec![
                ("CSV", urls::dataset_export(place, SheetForm::Csv)),
                ("JSONL", urls::dataset_export(place, SheetForm::Jsonl)),
            ],
            compare_url: urls::compare(place, &[]),
            notice: "",
        }
    }
}

fn run_row(
    reader: &Reader,
    dataset: &Dataset,
    (run, results): &(Experiment, Results),
    now: Timestamp,
) -> RunRow {
    RunRow {
        id: run.id.clone(),
        url: urls::run((reader.id(), dataset.id), &run.id),
        name: run.name.clone(),
        description: content::preview(run.description.as_deref().unwrap_or_default()),
        items: format::count(run.items),
        means: means(&results.scores),
        latency: format::latency_or_nothing(results.latency_ms),
        cost: format::dollars(results.cost),
        began: reader.zone().date_time(run.start, now),
        exact: run.start.to_string(),
        is_partial: results.items < run.items,
    }
}

fn item_row(reader: &Reader, dataset: &Dataset, item: &ItemHead, now: Timestamp) -> ItemRow {
    let source = item.source_trace_id.as_ref();
    ItemRow {
        url: urls::item((reader.id(), dataset.id), &item.id),
        archived: item.status == ItemStatus::Archived,
        input: content::preview(&item.input),
        expected: content::preview(&item.expected_output),
        versions: format::count(item.versions),
        written: reader.zone().date_time(item.updated_at, now),
        exact: item.updated_at.to_string(),
        source_url: source.map_or_else(String::new, |trace| urls::trace(reader.id(), trace)),
        challenge: item
            .challenge
            .map_or("", |one| challenge_word(one, reader.lang())),
        id: item.id.to_string(),
    }
}

/// Shows it: its runs, or its items where the address says so.
pub(crate) async fn show_dataset(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let scope = &entered.scope;
    let dataset = datasets::find_by_id(&app, scope, dataset_id(&params)?).await?;
    let part = match pairs.get("tab") {
        Some("items") => {
            let after = after(&pairs, "items")?;
            let place = (limit(ITEMS)?, after.as_ref());
            Part::Items(datasets::item_heads(&app, scope, dataset.id, place).await?)
        }
        _ => {
            let after = after(&pairs, "runs")?;
            let place = (limit(RUNS)?, after.as_ref());
            let page = experiments::list(&app, scope, &Wanted::over(dataset.id), place).await?;
            Part::Runs(with_results(&app, &entered, page).await?)
        }
    };
    let is_first = pairs.filled("after").is_none();
    let now = app.clock().now();
    let mut page = DatasetPage::new(&entered.reader, (&dataset, part), is_first, now);
    if dataset.kind == DatasetKind::Golden {
        let (items, without) = datasets::count_items(&app, scope, dataset.id).await?;
        page.unanswered = Some((format::count(items), format::count(without)));
    }
    if pairs.get("choose").is_some() {
        let lang = entered.reader.lang();
        page.notice = lang.t("Choose two to four runs of the list to compare them.");
    }
    Ok(render(&page))
}

async fn with_results(
    app: &App,
    entered: &InProject,
    page: Page<Experiment>,
) -> Result<Page<(Experiment, Results)>, Fault> {
    let mut data = Vec::with_capacity(page.data.len());
    for run in page.data {
        let wanted = Wanted::one(&run.id);
        let most = (limit(MEASURED)?, None);
        let (items, _, _turn) =
            experiments::item_results(app, &entered.scope, &wanted, most).await?;
        data.push((run, Results::of(&items)));
    }
    Ok(Page {
        data,
        next_cursor: page.next_cursor,
    })
}
