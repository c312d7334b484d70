//! Runs, one beside the other: scores over all items, then item by item, regressions first.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::Timestamp;
use domain::dataset::Dataset;
use domain::experiment::Experiment;
use domain::run_comparison::{Verdict, Yardstick};
use service::App;
use service::datasets;
use service::experiments::{self, Comparison};

use super::compared::{CompareRow, ScoreRow, row, score_row};
use super::dataset_id;
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Items of a page.
const ROWS: usize = 50;

/// The page.
#[derive(Template)]
#[template(path = "datasets/compare.html")]
pub(crate) struct ComparePage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) dataset_url: String,
    pub(crate) dataset: String,
    pub(crate) action: String,
    pub(crate) runs: Vec<RunHead>,
    pub(crate) scores: Vec<ScoreRow>,
    /// Which items are shown, with how many there are.
    pub(crate) shows: Vec<(Choice, String)>,
    /// Scores to go by: name, whether it is chosen.
    pub(crate) sticks: Vec<(String, bool)>,
    pub(crate) lower_is_better: bool,
    pub(crate) show: &'static str,
    pub(crate) rows: Vec<CompareRow>,
    pub(crate) is_partial: bool,
    pub(crate) newest_url: String,
    pub(crate) next_url: String,
}

/// A run at the head of its column.
pub(crate) struct RunHead {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) url: String,
    /// Makes it the baseline; empty where it is.
    pub(crate) base_url: String,
    pub(crate) began: String,
    pub(crate) exact: String,
    pub(crate) items: String,
}

/// What the address says.
pub(crate) struct CompareQuery {
    /// The runs, the baseline first.
    pub(crate) runs: Vec<String>,
    pub(crate) yardstick: Yardstick,
    /// Items that are shown; `None`: all.
    pub(crate) show: Option<Verdict>,
    pub(crate) page: usize,
}

impl CompareQuery {
    fn of(pairs: &Pairs) -> Self {
        let mut runs: Vec<String> = Vec::new();
        for run in pairs.all("run").filter(|run| !run.is_empty()) {
            if !runs.iter().any(|one| one == run) {
                runs.push(run.to_owned());
            }
        }
        CompareQuery {
            runs,
            yardstick: Yardstick {
                score: pairs.filled("by").map(str::to_owned),
                lower_is_better: pairs.get("lower") == Some("1"),
            },
            show: pairs.get("show").and_then(Verdict::from_name),
            page: pairs
                .get("page")
                .and_then(|page| page.parse().ok())
                .unwrap_or(0),
        }
    }

    /// The same with other runs, items or another page.
    fn pairs<'q>(
        &'q self,
        runs: &[&'q str],
        (show, page): (&'q str, &'q str),
    ) -> Vec<(&'static str, &'q str)> {
        let mut pairs: Vec<(&'static str, &str)> = runs.iter().map(|run| ("run", *run)).collect();
        if let Some(score) = &self.yardstick.score {
            pairs.push(("by", score));
        }
        if self.yardstick.lower_is_better {
            pairs.push(("lower", "1"));
        }
        pairs.extend(
            [("show", show), ("page", page)]
                .into_iter()
                .filter(|(_, value)| !value.is_empty()),
        );
        pairs
    }
}

impl ComparePage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (dataset, comparison): (&Dataset, &Comparison),
        query: &CompareQuery,
        now: Timestamp,
    ) -> Self {
        let place = (reader.id(), dataset.id);
        let ids: Vec<&str> = comparison.runs.iter().map(|run| run.id.as_str()).collect();
        let shown: Vec<_> = comparison
            .items
            .iter()
            .filter(|item| query.show.is_none_or(|verdict| item.verdict == verdict))
            .collect();
        let show = query.show.map_or("", Verdict::as_str);
        let from = query.page.saturating_mul(ROWS).min(shown.len());
        let next = (query.page + 1).to_string();
        let url = |show: &str, page: &str| urls::compare(place, &query.pairs(&ids, (show, page)));
        let rows = shown.iter().skip(from).take(ROWS);
        ComparePage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(reader.id()),
            dataset_url: urls::dataset(reader.id(), dataset.id),
            dataset: dataset.name.to_string(),
            action: urls::compare(place, &[]),
            runs: comparison
                .runs
                .iter()
                .map(|run| head(reader, (dataset, run), (&ids, query), now))
                .collect(),
            scores: comparison
                .aggregates
                .iter()
                .map(|score| score_row(score, &query.yardstick))
                .collect(),
            shows: shows(reader.lang(), comparison, |show| url(show, "")),
            sticks: comparison
                .aggregates
                .iter()
                .map(|score| {
                    let is_chosen = query.yardstick.score.as_ref() == Some(&score.name);
                    (score.name.clone(), is_chosen)
                })
                .collect(),
            lower_is_better: query.yardstick.lower_is_better,
            show,
            rows: rows
                .map(|item| row(reader, dataset.id, item, &query.yardstick))
                .collect(),
            is_partial: comparison.is_partial,
            newest_url: if from > 0 {
                url(show, "")
            } else {
                String::new()
            },
            next_url: match from + ROWS < shown.len() {
                true => url(show, &next),
                false => String::new(),
            },
        }
        .with_current(show)
    }

    fn with_current(mut self, show: &str) -> Self {
        let names = std::iter::once("").chain(Verdict::ALL.iter().map(|one| one.as_str()));
        for ((choice, _), name) in self.shows.iter_mut().zip(names) {
            choice.current = name == show;
        }
        self
    }
}

fn head(
    reader: &Reader,
    (dataset, run): (&Dataset, &Experiment),
    (ids, query): (&[&str], &CompareQuery),
    now: Timestamp,
) -> RunHead {
    let place = (reader.id(), dataset.id);
    let is_base = ids.first() == Some(&run.id.as_str());
    let mut others: Vec<&str> = vec![run.id.as_str()];
    others.extend(ids.iter().filter(|id| **id != run.id));
    let show = query.show.map_or("", Verdict::as_str);
    RunHead {
        id: run.id.clone(),
        name: run.name.clone(),
        url: urls::run(place, &run.id),
        base_url: match is_base {
            true => String::new(),
            false => urls::compare(place, &query.pairs(&others, (show, ""))),
        },
        began: reader.zone().date_time(run.start, now),
        exact: run.start.to_string(),
        items: format::count(run.items),
    }
}

/// All items, then those of each verdict.
fn shows(
    lang: Lang,
    comparison: &Comparison,
    url: impl Fn(&str) -> String,
) -> Vec<(Choice, String)> {
    let count = |verdict: Option<Verdict>| {
        let items = comparison.items.iter();
        let found = items.filter(|item| verdict.is_none_or(|one| one == item.verdict));
        format::count(found.count() as u64)
    };
    let choice = |verdict: Option<Verdict>| {
        let choice = Choice {
            label: words(verdict, lang).to_owned(),
            url: url(verdict.map_or("", Verdict::as_str)),
            current: false,
        };
        (choice, count(verdict))
    };
    let verdicts = Verdict::ALL.iter().copied().map(Some);
    std::iter::once(None).chain(verdicts).map(choice).collect()
}

/// What a verdict is called.
pub(super) fn words(verdict: Option<Verdict>, lang: Lang) -> &'static str {
    match verdict {
        None => lang.t("All items"),
        Some(Verdict::Worse) => lang.t("Worse"),
        Some(Verdict::Better) => lang.t("Better"),
        Some(Verdict::Same) => lang.t("Same"),
        Some(Verdict::Missing) => lang.t("Not in all runs"),
    }
}

/// Shows it. Runs that are chosen in the list come with the newest first: where nothing says which is the baseline, it is the
/// oldest.
pub(crate) async fn compare_runs(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let scope = &entered.scope;
    let dataset = datasets::find_by_id(&app, scope, dataset_id(&params)?).await?;
    let mut query = CompareQuery::of(&pairs);
    if pairs.get("chosen").is_some() {
        query.runs.reverse();
    }
    if !experiments::RUNS.contains(&query.runs.len()) {
        return Ok(see_other(&urls::dataset_choose((entered.id(), dataset.id))));
    }
    let of = (dataset.id, query.runs.as_slice());
    let comparison = experiments::compare(&app, scope, of, &query.yardstick).await?;
    let now = app.clock().now();
    let page = ComparePage::new(&entered.reader, (&dataset, &comparison), &query, now);
    Ok(render(&page))
}
