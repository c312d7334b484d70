//! What changed when: releases, versions of prompts, incidents, as marks above the lanes.

use domain::alert::incident::Incident;
use domain::axes::Dimension;
use domain::axes::firsts::First;
use domain::{ProjectId, Timestamp};

use crate::chart::clock::place;
use crate::chart::number;
use crate::extract::Pairs;
use crate::i18n::Lang;
use crate::pages::traces::query::ListQuery;
use crate::urls;
use crate::zone::Zone;

/// Marks that are drawn: the newest.
const MOST: usize = 40;
/// Percent that a mark with words needs for each letter, and at least.
const PER_LETTER: f64 = 0.72;
const LEAST: f64 = 3.0;

/// A mark.
pub(crate) struct Mark {
    /// Place in percent.
    pub(crate) x: String,
    /// Symbol: `deploy`, `prompt`, `alert`.
    pub(crate) symbol: &'static str,
    /// Beside it; empty where there is no room.
    pub(crate) label: String,
    /// Whether the words stand before it, at the right edge.
    pub(crate) is_before: bool,
    /// All of it, with its time.
    pub(crate) hint: String,
    /// Its traces; empty without.
    pub(crate) url: String,
}

struct Found {
    at: Timestamp,
    symbol: &'static str,
    label: String,
    url: String,
}

/// Marks of a range in the order of time.
pub(super) fn marks(
    project: ProjectId,
    (firsts, incidents): (&[First], &[Incident]),
    range: (Timestamp, Timestamp),
    (lang, zone): (Lang, &Zone),
) -> Vec<Mark> {
    let mut found: Vec<Found> = firsts
        .iter()
        .map(|first| of_first(project, first, range.1, lang))
        .chain(incidents.iter().map(of_incident))
        .filter(|found| range.0 <= found.at && found.at < range.1)
        .collect();
    found.sort_by_key(|found| found.at);
    let skipped = found.len().saturating_sub(MOST);
    let found: Vec<Found> = found.into_iter().skip(skipped).collect();
    let mut marks = Vec::new();
    let mut taken = f64::NEG_INFINITY;
    for (at, one) in found.iter().enumerate() {
        let x = place(one.at, range);
        let next = found
            .get(at + 1)
            .map_or(100.0, |next| place(next.at, range));
        let needed = LEAST + PER_LETTER * one.label.chars().count() as f64;
        let fits_after = next - x >= needed;
        let fits_before = at + 1 == found.len() && !fits_after && x - taken >= needed;
        taken = if fits_after {
            x + needed
        } else {
            x + LEAST / 2.0
        };
        marks.push(Mark {
            x: number(x),
            symbol: one.symbol,
            label: if fits_after || fits_before {
                one.label.clone()
            } else {
                String::new()
            },
            is_before: fits_before,
            hint: format!("{} · {}", one.label, zone.clock(one.at)),
            url: one.url.clone(),
        });
    }
    marks
}

fn of_first(project: ProjectId, first: &First, to: Timestamp, lang: Lang) -> Found {
    let mut conditions = Vec::new();
    let (symbol, label) = if first.dimension == Dimension::Release {
        conditions.push(format!("release:is:{}", first.value));
        ("deploy", lang.fill("Release {}", &[&first.value]))
    } else {
        conditions.push(format!("prompt:is:{}", first.family));
        conditions.push(format!("prompt_version:is:{}", first.value));
        ("prompt", format!("{} {}", first.family, first.value))
    };
    let mut pairs = vec![
        ("from".to_owned(), first.at.to_string()),
        ("to".to_owned(), to.to_string()),
    ];
    pairs.extend(
        conditions
            .into_iter()
            .map(|condition| ("f".to_owned(), condition)),
    );
    let read = ListQuery::read(&Pairs(pairs), &Zone::utc());
    Found {
        at: first.at,
        symbol,
        label,
        url: read.map_or_else(|_| String::new(), |read| urls::traces(project, &read.query)),
    }
}

fn of_incident(incident: &Incident) -> Found {
    let severity = incident.severity.as_str().to_uppercase();
    Found {
        at: incident.fired_at,
        symbol: "alert",
        label: format!("{severity} {}", incident.subject.rule_name),
        url: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_at_their_time_and_words_never_lie_over_the_next() {
        let at = |minute: u64| {
            Timestamp::parse("2026-03-12T02:00:00Z")
                .unwrap()
                .plus(domain::Nanos::from_seconds(minute * 60))
        };
        let first = |value: &str, minute: u64| First {
            dimension: Dimension::Release,
            family: String::new(),
            value: value.to_owned(),
            at: at(minute),
        };
        let firsts = [
            first("2026.11.3", 10),
            first("2026.11.4", 51),
            first("2026.11.5", 52),
            first("later", 70),
        ];
        let project = "0197f2c8-0000-7000-8000-000000000001".parse().unwrap();
        let marks = marks(
            project,
            (&firsts, &[]),
            (at(0), at(60)),
            (Lang::En, &Zone::utc()),
        );
        assert_eq!(marks.len(), 3, "what is outside is not drawn");
        assert_eq!(
            (marks[0].x.as_str(), marks[0].label.as_str()),
            ("16.67", "Release 2026.11.3")
        );
        assert_eq!(marks[1].label, "", "there is no room");
        assert_eq!(marks[1].hint, "Release 2026.11.4 · 02:51:00");
        assert!(
            marks[2].url.contains("release%3Ais%3A2026.11.5"),
            "{}",
            marks[2].url
        );
    }
}
