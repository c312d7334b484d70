//! What a rule would have told within the last seven days.

use domain::Timestamp;
use service::alerts::trial::{Preview, Told};

use super::words;
use crate::chart::course::{CourseChart, Marked, draw};
use crate::extract::Reader;
use crate::format;
use crate::measure::{self, Unit};

/// Times that are listed.
const SHOWN: usize = 20;

/// The preview.
pub(crate) struct PreviewView {
    /// `Would have fired 3 times in the last 7 days`.
    pub(crate) summary: String,
    /// Why that may be; empty where it is clear.
    pub(crate) hint: &'static str,
    /// The newest times, the newest first.
    pub(crate) rows: Vec<TimeRow>,
    /// `and 12 before`; empty when all are listed.
    pub(crate) more: String,
    pub(crate) chart: CourseChart,
    pub(crate) has_band: bool,
}

/// A time at which it would have fired.
pub(crate) struct TimeRow {
    pub(crate) time: String,
    pub(crate) exact: String,
    pub(crate) group: String,
    pub(crate) lasted: String,
    pub(crate) value: String,
    pub(crate) bound: String,
}

impl PreviewView {
    /// Prepares it for the template.
    pub(crate) fn new(reader: &Reader, preview: &Preview) -> Self {
        let (lang, zone, draft) = (reader.lang(), reader.zone(), &preview.rule.draft);
        let unit = draft.series.as_ref().map_or(Unit::Count, |series| {
            words::unit_of(draft.kind.name(), series)
        });
        let mark = |told: &Told| -> Marked { (told.fired_at, "m-alert", String::new()) };
        let marked: Vec<Marked> = preview.told.iter().map(mark).collect();
        let is_known = preview
            .points
            .iter()
            .any(|point| point.reading.value.is_some());
        let has_bound = preview
            .points
            .iter()
            .any(|point| point.reading.bound.is_some());
        let shown = preview.told.iter().rev().take(SHOWN);
        let left_out = preview.fired - preview.told.len().min(SHOWN);
        PreviewView {
            summary: match preview.fired {
                0 => lang.t("Would not have fired in the last 7 days").to_owned(),
                1 => lang
                    .t("Would have fired once in the last 7 days")
                    .to_owned(),
                many => {
                    let many = format::count(many as u64);
                    lang.fill("Would have fired {} times in the last 7 days", &[&many])
                }
            },
            hint: match (draft.series.is_some(), is_known, has_bound) {
                (true, false, _) => lang.t("Nothing is known of this series: is its name right?"),
                (true, true, false) if draft.kind.needs_baseline() => {
                    lang.t("There is no baseline yet: some days of data are needed for each hour.")
                }
                _ => "",
            },
            rows: shown
                .map(|told| TimeRow::new(reader, told, unit, preview.to))
                .collect(),
            more: match left_out {
                0 => String::new(),
                some => lang.fill("and {} before", &[&format::count(some as u64)]),
            },
            chart: draw(
                &preview.points,
                (preview.from, preview.to),
                unit,
                &marked,
                zone,
            ),
            has_band: preview.points.iter().any(|point| point.band.is_some()),
        }
    }
}

impl TimeRow {
    fn new(reader: &Reader, told: &Told, unit: Unit, to: Timestamp) -> Self {
        let (lang, zone) = (reader.lang(), reader.zone());
        let number = |value: Option<f64>| {
            value.map_or_else(String::new, |value| measure::written(unit, value))
        };
        TimeRow {
            time: zone.minute(told.fired_at),
            exact: zone.exact(told.fired_at),
            group: words::group(&told.group),
            lasted: match told.resolved {
                Some((at, _)) => words::length(at - told.onset),
                None => lang.fill("{} so far", &[&words::length(to - told.onset)]),
            },
            value: number(told.reading.value),
            bound: number(told.reading.bound),
        }
    }
}
