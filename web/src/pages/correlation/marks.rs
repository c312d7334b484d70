//! What changed when: releases, versions and labels of prompts, incidents, as marks above the lanes and as a list below.

use std::collections::{BTreeMap, BTreeSet};

use domain::alert::incident::Incident;
use domain::axes::Dimension;
use domain::axes::firsts::First;
use domain::prompt::PromptName;
use domain::{PersonId, Timestamp};
use serde_json::Value;
use service::prompts::Told as Moved;

use crate::chart::clock::place;
use crate::chart::number;
use crate::extract::{Pairs, Reader};
use crate::i18n::{Lang, text};
use crate::pages::prompts::{author, what};
use crate::pages::traces::query::ListQuery;
use crate::urls;
use crate::zone::Zone;

/// Marks that are drawn: the newest.
const MOST: usize = 40;
/// Percent that a mark with words needs for each letter, and at least.
const PER_LETTER: f64 = 0.72;
const LEAST: f64 = 3.0;
/// Percent between two symbols at least: what happened at once stands side by side.
const APART: f64 = 1.5;
/// Place of the last symbol at most: the whole of it is within the line.
const LAST: f64 = 99.0;
const _: () = assert!(MOST as f64 * APART <= LAST);

/// What is marked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Releases and versions of prompts that are new.
    pub(crate) firsts: Vec<First>,
    /// Labels of prompts that went elsewhere.
    pub(crate) moves: Vec<(PromptName, Moved)>,
    /// New versions that are managed here.
    pub(crate) managed: BTreeSet<(String, u32)>,
    /// Who moved labels.
    pub(crate) authors: BTreeMap<PersonId, String>,
    /// Incidents, the newest.
    pub(crate) incidents: Vec<Incident>,
}

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Release,
    Version,
    Label,
    Back,
    Incident,
}

impl Kind {
    /// Its symbol.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Kind::Release => "deploy",
            Kind::Version => "prompt",
            Kind::Label => "label",
            Kind::Back => "back",
            Kind::Incident => "alert",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Kind::Release => text!("release first seen"),
            Kind::Version => text!("prompt version first served"),
            Kind::Label => text!("label moved"),
            Kind::Back => text!("rollback"),
            Kind::Incident => text!("incident"),
        }
    }
}

/// A mark.
pub(crate) struct Mark {
    /// Place in percent: of the instant, and of its symbol.
    pub(crate) x: String,
    pub(crate) symbol_x: String,
    pub(crate) symbol: &'static str,
    /// Beside it; empty where there is no room.
    pub(crate) label: String,
    /// Whether the words stand before it, at the right edge.
    pub(crate) is_before: bool,
    /// All of it, with its time.
    pub(crate) hint: String,
    /// The page of the prompt, its traces, or the incident.
    pub(crate) url: String,
    /// In the list: when, what, by whom.
    pub(crate) time: String,
    pub(crate) exact: String,
    pub(crate) what: String,
    pub(crate) by: String,
}

/// Marks of a range in the order of time, and what their symbols mean.
pub(crate) struct Marks {
    pub(crate) marks: Vec<Mark>,
    /// Symbol and words of each kind that there is.
    pub(crate) legend: Vec<(&'static str, &'static str)>,
    /// How many earlier ones are left out, in words; empty of none.
    pub(crate) skipped: String,
}

struct Found {
    at: Timestamp,
    kind: Kind,
    label: String,
    /// More than the label, where there is more to say.
    what: String,
    by: String,
    url: String,
}

/// Marks of a range.
pub(super) fn marks(reader: &Reader, changes: &Changes, range: (Timestamp, Timestamp)) -> Marks {
    let (lang, zone) = (reader.lang(), reader.zone());
    let firsts = changes.firsts.iter();
    let moves = changes.moves.iter();
    let incidents = changes.incidents.iter();
    let mut found: Vec<Found> = firsts
        .map(|first| of_first(reader, changes, first, range.1))
        .chain(moves.map(|(name, moved)| of_move(reader, changes, name, moved)))
        .chain(incidents.map(|incident| of_incident(reader, incident)))
        .filter(|found| range.0 <= found.at && found.at < range.1)
        .collect();
    found.sort_by_key(|found| (found.at, found.kind));
    let skipped = found.len().saturating_sub(MOST);
    let found: Vec<Found> = found.into_iter().skip(skipped).collect();
    let kinds: BTreeSet<Kind> = found.iter().map(|found| found.kind).collect();
    Marks {
        marks: placed(found, range, (lang, zone)),
        legend: kinds
            .into_iter()
            .map(|kind| (kind.symbol(), lang.t(kind.words())))
            .collect(),
        skipped: match skipped {
            0 => String::new(),
            skipped => lang.fill("{} earlier changes are not shown", &[&skipped.to_string()]),
        },
    }
}

/// Where symbols stand of what happened at these places, in order: apart from each other, and within the line.
fn symbols(places: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut symbols: Vec<f64> = Vec::new();
    for place in places {
        let free = symbols.last().map_or(0.0, |last| last + APART);
        symbols.push(place.max(free));
    }
    let mut free = LAST;
    for symbol in symbols.iter_mut().rev() {
        *symbol = symbol.min(free);
        free = *symbol - APART;
    }
    symbols
}

/// Puts them on the line: symbols never lie over each other, and words never over the next symbol.
fn placed(
    found: Vec<Found>,
    range: (Timestamp, Timestamp),
    (lang, zone): (Lang, &Zone),
) -> Vec<Mark> {
    let symbols = symbols(found.iter().map(|one| place(one.at, range)));
    let mut taken = f64::NEG_INFINITY;
    let count = found.len();
    let mark = |(at, one): (usize, Found)| {
        let x = symbols[at];
        let next = symbols.get(at + 1).copied().unwrap_or(100.0);
        let needed = LEAST + PER_LETTER * one.label.chars().count() as f64;
        let fits_after = next - x >= needed;
        let fits_before = at + 1 == count && !fits_after && x - taken >= needed;
        taken = if fits_after {
            x + needed
        } else {
            x + LEAST / 2.0
        };
        let by = match one.by.is_empty() {
            true => String::new(),
            false => lang.fill("done by {}", &[&one.by]),
        };
        let parts = [one.what.clone(), by, zone.clock(one.at)];
        let parts = parts.iter().filter(|part| !part.is_empty());
        Mark {
            x: number(place(one.at, range)),
            symbol_x: number(x),
            symbol: one.kind.symbol(),
            is_before: fits_before,
            hint: parts.map(String::as_str).collect::<Vec<_>>().join(" · "),
            label: match fits_after || fits_before {
                true => one.label,
                false => String::new(),
            },
            url: one.url,
            time: zone.clock(one.at),
            exact: zone.exact(one.at),
            what: one.what,
            by: one.by,
        }
    };
    found.into_iter().enumerate().map(mark).collect()
}

/// What came into use: a version that is managed here leads to its page, anything else to its traces.
fn of_first(reader: &Reader, changes: &Changes, first: &First, to: Timestamp) -> Found {
    let (project, lang) = (reader.id(), reader.lang());
    if first.dimension == Dimension::Release {
        let label = lang.fill("Release {}", &[&first.value]);
        let url = traces_of(reader, first, to, &[format!("release:is:{}", first.value)]);
        return Found {
            at: first.at,
            kind: Kind::Release,
            what: label.clone(),
            label,
            by: String::new(),
            url,
        };
    }
    let label = format!("{} {}", first.family, first.value);
    let known = first
        .value
        .parse()
        .ok()
        .filter(|version: &u32| changes.managed.contains(&(first.family.clone(), *version)));
    let name = known.and_then(|_| PromptName::parse(&first.family).ok());
    let url = match name {
        Some(name) => urls::prompt_with(project, &name, &[("version", first.value.as_str())]),
        None => {
            let conditions = [
                format!("prompt:is:{}", first.family),
                format!("prompt_version:is:{}", first.value),
            ];
            traces_of(reader, first, to, &conditions)
        }
    };
    Found {
        at: first.at,
        kind: Kind::Version,
        what: lang.fill("{} is served for the first time", &[&label]),
        label,
        by: String::new(),
        url,
    }
}

fn traces_of(reader: &Reader, first: &First, to: Timestamp, conditions: &[String]) -> String {
    let mut pairs = vec![
        ("from".to_owned(), first.at.to_string()),
        ("to".to_owned(), to.to_string()),
    ];
    let conditions = conditions.iter().cloned();
    pairs.extend(conditions.map(|condition| ("f".to_owned(), condition)));
    let read = ListQuery::read(&Pairs(pairs), &Zone::utc());
    read.map_or_else(
        |_| String::new(),
        |read| urls::traces(reader.id(), &read.query),
    )
}

/// A label that stands elsewhere now; of a version that was made with labels these.
fn of_move(reader: &Reader, changes: &Changes, name: &PromptName, moved: &Moved) -> Found {
    let lang = reader.lang();
    let version = |state: &Value| state["version"].as_u64().map(|version| version.to_string());
    let to = version(&moved.after);
    let label = match moved.after["label"].as_str() {
        Some(label) => label.to_owned(),
        None => labels(&moved.after),
    };
    let is_back = moved.action.starts_with("prompt.rollback");
    let label = match &to {
        Some(to) if is_back => lang.fill("{} back to {} {}", &[&label, name.as_str(), to]),
        Some(to) => format!("{label}: {name} {to}"),
        None => what(moved, lang),
    };
    Found {
        at: moved.at,
        kind: if is_back { Kind::Back } else { Kind::Label },
        label,
        what: format!("{name}: {}", what(moved, lang)),
        by: author(&changes.authors, &moved.actor, lang),
        url: urls::prompt_with(reader.id(), name, &[("tab", "labels")]),
    }
}

/// Labels that a version was made with, but the one that moves by itself.
fn labels(made: &Value) -> String {
    let all = made["labels"].as_array().into_iter().flatten();
    let all = all.filter_map(Value::as_str);
    let told: Vec<&str> = all.filter(|label| *label != "latest").collect();
    told.join(", ")
}

fn of_incident(reader: &Reader, incident: &Incident) -> Found {
    let severity = incident.severity.as_str().to_uppercase();
    let label = format!("{severity} {}", incident.subject.rule_name);
    Found {
        at: incident.fired_at,
        kind: Kind::Incident,
        what: label.clone(),
        label,
        by: String::new(),
        url: urls::incident(reader.id(), incident.id),
    }
}

#[cfg(test)]
mod tests {
    use domain::Nanos;
    use serde_json::json;

    use super::*;
    use crate::samples::reader;

    fn at(minute: u64) -> Timestamp {
        let begin = Timestamp::parse("2026-03-12T02:00:00Z").unwrap();
        begin.plus(Nanos::from_seconds(minute * 60))
    }

    fn first(dimension: Dimension, family: &str, value: &str, minute: u64) -> First {
        First {
            dimension,
            family: family.to_owned(),
            value: value.to_owned(),
            at: at(minute),
        }
    }

    fn drawn(changes: &Changes) -> Marks {
        marks(&reader(Lang::En), changes, (at(0), at(60)))
    }

    #[test]
    fn symbols_of_what_happened_at_the_end_stay_within_the_line() {
        let placed = symbols([10.0, 98.0, 98.5, 100.0, 100.0].into_iter());
        assert_eq!(placed, [10.0, 94.5, 96.0, 97.5, 99.0]);
        let many = symbols(std::iter::repeat_n(100.0, MOST));
        assert!(many[0] >= 0.0 && many.is_sorted(), "{many:?}");
        assert_eq!(symbols([0.0, 0.0].into_iter()), [0.0, APART]);
    }

    #[test]
    fn marks_stand_at_their_time_and_words_never_lie_over_the_next() {
        let release = |value: &str, minute| first(Dimension::Release, "", value, minute);
        let drawn = drawn(&Changes {
            firsts: vec![
                release("2026.11.3", 10),
                release("2026.11.4", 51),
                release("2026.11.5", 52),
                release("later", 70),
            ],
            ..Changes::default()
        });
        let marks = &drawn.marks;
        assert_eq!(marks.len(), 3, "what is outside is not drawn");
        assert_eq!(
            (marks[0].x.as_str(), marks[0].label.as_str()),
            ("16.67", "Release 2026.11.3")
        );
        assert_eq!(marks[1].label, "", "there is no room");
        assert!(marks[1].hint.starts_with("Release 2026.11.4 · "));
        assert!(marks[2].url.contains("release%3Ais%3A2026.11.5"));
        assert_eq!(drawn.legend, [("deploy", "release first seen")]);
    }

    #[test]
    fn a_move_says_which_version_got_which_label_by_whom_and_leads_to_its_prompt() {
        let state = |version: u32| json!({"label": "production", "version": version});
        let moved = |action: &str, (from, to): (u32, u32), minute, actor: &str| {
            let told = Moved {
                at: at(minute),
                actor: actor.to_owned(),
                action: action.to_owned(),
                before: state(from),
                after: state(to),
            };
            (PromptName::parse("answer").unwrap(), told)
        };
        let version =
            |value: &str, minute| first(Dimension::PromptVersion, "answer", value, minute);
        let drawn = drawn(&Changes {
            firsts: vec![version("18", 10), version("x1", 30)],
            moves: vec![
                moved("prompt.label_moved", (17, 18), 10, "key:1"),
                moved("prompt.rollback", (18, 17), 40, "server"),
            ],
            managed: BTreeSet::from([("answer".to_owned(), 18)]),
            ..Changes::default()
        });
        let told: Vec<(&str, &str, &str)> = drawn
            .marks
            .iter()
            .map(|mark| (mark.symbol, mark.what.as_str(), mark.by.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                ("prompt", "answer 18 is served for the first time", ""),
                ("label", "answer: production moved, 17 to 18", "an API key"),
                ("prompt", "answer x1 is served for the first time", ""),
                (
                    "back",
                    "answer: production went back, 18 to 17",
                    "by itself"
                ),
            ]
        );
        let marks = &drawn.marks;
        assert_eq!(
            (marks[0].x.as_str(), marks[1].x.as_str()),
            ("16.67", "16.67")
        );
        assert_eq!(
            marks[1].symbol_x, "18.17",
            "what happened at once is side by side"
        );
        assert_eq!(marks[1].label, "production: answer 18");
        assert_eq!(marks[3].label, "production back to answer 17");
        assert!(
            marks[0].url.ends_with("/prompts/answer?version=18"),
            "{}",
            marks[0].url
        );
        assert!(
            marks[1].url.ends_with("/prompts/answer?tab=labels"),
            "{}",
            marks[1].url
        );
        assert!(
            marks[2].url.contains("/traces?"),
            "what is not managed here leads to its traces"
        );
        let kinds: Vec<&str> = drawn.legend.iter().map(|(symbol, _)| *symbol).collect();
        assert_eq!(kinds, ["prompt", "label", "back"]);
    }
}
