//! What versions come to, measure by measure, each against the version before it.

use askama::Template;
use domain::Timestamp;
use domain::axes::Requests;
use domain::axes::outcome::Outcome;

use super::content::frame;
use super::head::{Head, Standing, traces_of, when};
use super::outcomes::{self, Told, about, difference, requests_of, told};
use super::query::{DAYS, PromptQuery};
use crate::extract::Reader;
use crate::format;
use crate::i18n::{Lang, text};
use crate::layout::{Choice, Frame, Shell};
use crate::measure::{self, Unit};

/// Versions that are held against each other: the newest that were used.
pub(super) const MOST_VERSIONS: usize = 12;

/// The metrics of a prompt.
#[derive(Template)]
#[template(path = "prompts/metrics.html")]
pub(crate) struct MetricsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) head: Head,
    pub(crate) days: Vec<Choice>,
    pub(crate) columns: Vec<ColumnHead>,
    pub(crate) rows: Vec<VersionRow>,
    pub(crate) is_sample: bool,
    pub(crate) method: &'static str,
}

/// A measure.
pub(crate) struct ColumnHead {
    pub(crate) name: String,
    /// Class of the mark of its axis; empty where it is of none.
    pub(crate) class: &'static str,
}

/// A version.
pub(crate) struct VersionRow {
    pub(crate) version: u32,
    pub(crate) labels: Vec<super::head::Tag>,
    pub(crate) made: String,
    pub(crate) url: String,
    pub(crate) traces_url: String,
    pub(crate) count: String,
    pub(crate) cells: Vec<Cell>,
}

/// What a version comes to.
pub(crate) struct Cell {
    pub(crate) value: String,
    /// From and to; empty where too few are known.
    pub(crate) interval: String,
    /// Against the version before it; empty where neither is known well enough.
    pub(crate) delta: String,
    pub(crate) is_clear: bool,
    /// Everything in words.
    pub(crate) about: String,
}

impl MetricsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (standing, query): (&Standing, &PromptQuery),
        requests: Option<&Requests>,
        now: Timestamp,
    ) -> Self {
        let lang = reader.lang();
        let empty = Requests::default();
        let requests = requests.unwrap_or(&empty);
        let used = standing
            .versions
            .iter()
            .filter(|head| requests_of(requests, head.version) > 0)
            .take(MOST_VERSIONS);
        let used: Vec<_> = used.collect();
        let is_known = |told: &Told| {
            let mut versions = used.iter();
            versions.any(|head| told.outcome(requests, head.version).is_some())
        };
        let measures: Vec<Told> = told(requests).into_iter().filter(is_known).collect();
        let each: Vec<Vec<Option<Outcome>>> = used
            .iter()
            .map(|head| {
                let known = measures.iter();
                known
                    .map(|told| told.outcome(requests, head.version))
                    .collect()
            })
            .collect();
        let name = &standing.shown.name;
        let row = |(at, head): (usize, &&service::prompts::Head)| {
            let before = each.get(at + 1);
            let cells = measures.iter().enumerate().map(|(column, told)| {
                let old = before.and_then(|before| before[column]);
                let against = text!("{}; against the version before {} ({} to {})");
                cell(told, (each[at][column], old), against, lang)
            });
            let shown = query.changed(|query| {
                query.tab = super::query::Tab::Content;
                query.selector = Some(domain::prompt::Selector::Version(head.version));
            });
            VersionRow {
                version: head.version,
                labels: super::head::Tag::all(&head.labels, &standing.protected),
                made: when(reader, head.created_at, now),
                url: shown.url(reader, name),
                traces_url: traces_of(reader, name, Some(head.version)),
                count: format::count(requests_of(requests, head.version) as u64),
                cells: cells.collect(),
            }
        };
        MetricsPage {
            shell: Frame::shell(reader),
            frame: frame(reader),
            head: Head::new(reader, standing, query, now),
            days: days(reader, standing, query),
            rows: used.iter().enumerate().map(row).collect(),
            columns: measures
                .iter()
                .map(|told| ColumnHead {
                    name: told.name(lang),
                    class: measure::class(told.axis()),
                })
                .collect(),
            is_sample: requests.is_sample,
            method: outcomes::method(lang),
        }
    }
}

/// What a version comes to, and by what it differs from another one, in the words of `against_words`.
pub(super) fn cell(
    told: &Told,
    (new, old): (Option<Outcome>, Option<Outcome>),
    against_words: &'static str,
    lang: Lang,
) -> Cell {
    let unit = told.unit();
    let Some(of) = new else {
        return Cell {
            value: format::NOTHING.to_owned(),
            interval: String::new(),
            delta: String::new(),
            is_clear: false,
            about: String::new(),
        };
    };
    let against = difference(Some(&of), old.as_ref());
    let number = |value: f64| measure::written(unit, value);
    Cell {
        value: number(of.value),
        interval: of
            .interval
            .map(|(low, high)| format!("{} – {}", number(low), number(high)))
            .unwrap_or_default(),
        delta: against.map(|it| signed(unit, it.by)).unwrap_or_default(),
        is_clear: against.is_some_and(|it| it.is_clear()),
        about: match against {
            None => about(&of, unit, lang),
            Some(it) => {
                let said = [
                    about(&of, unit, lang),
                    signed(unit, it.by),
                    signed(unit, it.interval.0),
                    signed(unit, it.interval.1),
                ];
                lang.fill(against_words, &said.each_ref().map(String::as_str))
            }
        },
    }
}

/// A difference with its sign.
fn signed(unit: Unit, by: f64) -> String {
    let size = measure::written(unit, by.abs());
    match by {
        by if by > 0.0 => format!("+{size}"),
        by if by < 0.0 => format!("−{size}"),
        _ => format!("±{size}"),
    }
}

/// Lengths of time to choose from.
pub(super) fn days(reader: &Reader, standing: &Standing, query: &PromptQuery) -> Vec<Choice> {
    let lang = reader.lang();
    DAYS.into_iter()
        .map(|days| Choice {
            label: match days {
                1 => lang.t("24 hours").to_owned(),
                days => lang.fill("{} days", &[&days.to_string()]),
            },
            url: query
                .changed(|query| query.days = days)
                .url(reader, &standing.shown.name),
            current: query.days() == days,
        })
        .collect()
}
