//! One run: what it made of each item, against what was expected.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::dataset::Dataset;
use domain::experiment::Experiment;
use domain::page::Cursor;
use domain::score::{Score, ScoreValue};
use domain::span::Level;
use domain::{Fault, SpanId, Timestamp};
use service::App;
use service::datasets;
use service::experiments::{self, ItemResult, Place, Results, Wanted, latency_ms};

use super::{Mean, dataset_id, limit, means};
use crate::content;
use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::layout::{Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, render};
use crate::urls;

const ROWS: u32 = 50;
/// Scores of the run as a whole that are shown.
const SCORES: u32 = 50;

/// One run.
#[derive(Template)]
#[template(path = "datasets/run.html")]
pub(crate) struct RunPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) dataset_url: String,
    pub(crate) dataset: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    /// Words about the run, with their values.
    pub(crate) facts: Vec<(&'static str, Figure)>,
    /// Scores of the run as a whole.
    pub(crate) scores: Vec<Mean>,
    /// Means over the items of this page.
    pub(crate) means: Vec<Mean>,
    pub(crate) rows: Vec<ResultRow>,
    /// The first page, where this is another.
    pub(crate) newest_url: String,
    pub(crate) next_url: String,
}

/// What was made of an item.
pub(crate) struct ResultRow {
    pub(crate) item: String,
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) expected: String,
    pub(crate) failed: bool,
    pub(crate) scores: Vec<Mean>,
    pub(crate) latency: Figure,
    pub(crate) cost: Figure,
    pub(crate) trace_url: String,
}

/// A run with one page of what it made.
pub(crate) struct Shown {
    pub(crate) run: Experiment,
    pub(crate) scores: Vec<Score>,
    pub(crate) results: Vec<ItemResult>,
    pub(crate) next: Option<Place>,
}

impl RunPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (dataset, shown): (&Dataset, &Shown),
        is_first: bool,
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let run = &shown.run;
        let here = urls::run((id, dataset.id), &run.id);
        let page = Results::of(&shown.results);
        RunPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(id),
            dataset_url: urls::dataset(id, dataset.id),
            dataset: dataset.name.to_string(),
            id: run.id.clone(),
            name: run.name.clone(),
            description: run.description.clone().unwrap_or_default(),
            facts: vec![
                (
                    lang.t("Began"),
                    plain(reader.zone().date_time(run.start, now)),
                ),
                (lang.t("Items"), plain(format::count(run.items))),
                (
                    lang.t("Mean latency"),
                    format::latency_or_nothing(page.latency_ms),
                ),
                (lang.t("Cost"), format::dollars(page.cost)),
            ],
            scores: shown
                .scores
                .iter()
                .map(|score| mean_of(score, lang))
                .collect(),
            means: means(&page.scores),
            rows: shown
                .results
                .iter()
                .map(|result| row(reader, result))
                .collect(),
            next_url: shown.next.as_ref().map_or_else(String::new, |next| {
                let (name, value) = pair_of(next);
                urls::after(&here, &[(name, &value)])
            }),
            newest_url: if is_first { String::new() } else { here },
        }
    }
}

fn plain(text: String) -> Figure {
    Figure {
        text,
        exact: String::new(),
        none: false,
    }
}

fn mean_of(score: &Score, lang: Lang) -> Mean {
    let value = match &score.value {
        ScoreValue::Numeric(number) => format::trimmed(*number, 4),
        ScoreValue::Boolean(true) => lang.t("yes").to_owned(),
        ScoreValue::Boolean(false) => lang.t("no").to_owned(),
        ScoreValue::Categorical { label, .. } => label.clone(),
        ScoreValue::Text(words) | ScoreValue::Correction(words) => content::preview(words),
    };
    Mean {
        name: score.name.clone(),
        value,
    }
}

fn row(reader: &Reader, result: &ItemResult) -> ResultRow {
    let item = &result.item;
    let words = |text: &Option<String>| content::preview(text.as_deref().unwrap_or_default());
    let lang = reader.lang();
    ResultRow {
        item: item.item_id.clone(),
        input: words(&item.input),
        output: words(&item.output),
        expected: words(&item.expected_output),
        failed: item.level == Level::Error,
        scores: result
            .scores
            .iter()
            .map(|score| mean_of(score, lang))
            .collect(),
        latency: format::latency_or_nothing(latency_ms(result)),
        cost: format::dollars(result.cost),
        trace_url: match SpanId::from_text(&item.id) {
            Ok(span) => urls::trace_span(reader.id(), &item.trace_id, &span),
            Err(_) => urls::trace(reader.id(), &item.trace_id),
        },
    }
}

/// Names of what an address says of a place.
const SPANS: &str = "after";
const LINKS: &str = "links";

fn pair_of(place: &Place) -> (&'static str, String) {
    match place {
        Place::Spans(cursor) => (SPANS, cursor.written(SPANS)),
        Place::Links(None) => (LINKS, String::new()),
        Place::Links(Some(cursor)) => (LINKS, cursor.written(LINKS)),
    }
}

fn place(pairs: &Pairs) -> Result<Option<Place>, Fault> {
    match (pairs.get(LINKS), pairs.filled(SPANS)) {
        (Some(""), _) => Ok(Some(Place::Links(None))),
        (Some(text), _) => Ok(Some(Place::Links(Some(Cursor::read(LINKS, text)?)))),
        (None, Some(text)) => Ok(Some(Place::Spans(Cursor::read(SPANS, text)?))),
        (None, None) => Ok(None),
    }
}

/// Shows it.
pub(crate) async fn show_run(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let scope = &entered.scope;
    let dataset = datasets::find_by_id(&app, scope, dataset_id(&params)?).await?;
    let id = segment(&params, "run").unwrap_or_default();
    let run = experiments::find(&app, scope, (dataset.id, id)).await?;
    let after = place(&pairs)?;
    let wanted = Wanted::one(id);
    let page = (limit(ROWS)?, after.as_ref());
    let (results, scores) = tokio::join!(
        experiments::item_results(&app, scope, &wanted, page),
        experiments::scores_of(&app, scope, id, SCORES),
    );
    let (results, next, _turn) = results?;
    let shown = Shown {
        run,
        scores: scores?,
        results,
        next,
    };
    let now = app.clock().now();
    let page = RunPage::new(&entered.reader, (&dataset, &shown), after.is_none(), now);
    Ok(render(&page))
}
