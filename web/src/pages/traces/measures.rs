//! Values of a generation, each on the track of what is usual.

use domain::attribution::Axis;
use domain::axes::hourly::Hourly;
use domain::axes::standing::{Standing, rank};
use domain::axes::value::{Origin, QUALITY, TOKEN};
use domain::axes::{AxisValue, Requests};
use domain::{Nanos, Timestamp};
use service::axes::{Joined, SameHour};

use super::axes::{AROUND, axis_note};
use crate::chart::band::{BandMark, Usual, draw};
use crate::chart::lane;
use crate::chart::scale::Scale;
use crate::format::{self, NOTHING};
use crate::i18n::Lang;
use crate::measure::{self, Unit};

/// Points of the line of the time around.
const POINTS: usize = 30;

/// The values of an axis.
pub(crate) struct AxisGroup {
    pub(crate) class: &'static str,
    pub(crate) name: &'static str,
    pub(crate) note: &'static str,
    pub(crate) rows: Vec<MeasureRow>,
    /// How many are not usual.
    pub(crate) outside: usize,
}

/// A value.
pub(crate) struct MeasureRow {
    pub(crate) name: String,
    pub(crate) series: String,
    pub(crate) value: String,
    /// Why there is none; empty where there is one.
    pub(crate) unknown: &'static str,
    pub(crate) median: String,
    pub(crate) mark: Option<BandMark>,
    /// In words, for whoever does not see the mark.
    pub(crate) about: String,
    pub(crate) is_outside: bool,
    /// What is usual at this hour.
    pub(crate) hour: HourCell,
    /// `99.6 %`.
    pub(crate) percentile: String,
    /// Paths of what is usual and of the time around; empty without any.
    pub(crate) spark: (String, String),
}

/// What is usual of a value at its hour of the day.
#[derive(Default)]
pub(crate) struct HourCell {
    /// `640 ms ± 210 ms`, the share of yes, or that there is no baseline yet; empty while it is worked out.
    pub(crate) usual: String,
    /// How many values that is of, and of how many days; empty without a baseline.
    pub(crate) of: String,
    /// Whether there is a baseline.
    pub(crate) is_known: bool,
    pub(crate) is_outside: bool,
}

/// All values of a generation that its axes have, and those that are missing.
pub(super) fn groups(
    (own, row): (&Joined, usize),
    others: (&Requests, Option<&SameHour>),
    lang: Lang,
) -> Vec<AxisGroup> {
    let columns = &own.requests.columns;
    let of_axis = |axis: Axis| {
        let values = columns.iter().map(|column| &column.value);
        let values = values.filter(move |value| Axis::of(&value.to_string()) == Some(axis));
        let mut rows: Vec<MeasureRow> = values
            .filter(|value| !matches!(value, AxisValue::Errors | AxisValue::Cost))
            .map(|value| MeasureRow::new((own, row), others, value, lang))
            .collect();
        rows.sort_by_key(|row| !row.unknown.is_empty());
        AxisGroup {
            class: axis.as_str(),
            name: measure::axis_name(axis, lang),
            note: axis_note(axis, lang),
            outside: rows.iter().filter(|row| row.is_off()).count(),
            rows,
        }
    };
    Axis::ALL.into_iter().map(of_axis).collect()
}

impl MeasureRow {
    /// Whether it is not usual, of this hour on other days or of the hour before.
    pub(crate) fn is_off(&self) -> bool {
        self.is_outside || self.hour.is_outside
    }

    fn new(
        (own, row): (&Joined, usize),
        (others, hour): (&Requests, Option<&SameHour>),
        of: &AxisValue,
        lang: Lang,
    ) -> Self {
        let series = of.to_string();
        let column = own.requests.column(of);
        let is_flag = column.is_some_and(|column| column.is_flag);
        let value = column.and_then(|column| column.get(row));
        let start = own.requests.starts[row];
        let before = values(others, of, |at| at < start);
        let standing = Standing::of(before.clone());
        let unit = if is_flag {
            Unit::Flag
        } else {
            measure::unit(&series)
        };
        let usual = standing.map(|standing| usual_of(&standing, is_flag));
        let is_outside = match (value, standing) {
            (Some(value), Some(standing)) if is_flag => is_rare(value, standing.mean),
            (Some(value), Some(standing)) => standing.is_outside(value),
            _ => false,
        };
        let told = match value {
            Some(value) if is_flag => yes_or_no(value, lang).to_owned(),
            Some(value) => measure::written(unit, value),
            None => lang.t("unknown").to_owned(),
        };
        let middle = usual.map_or_else(
            || NOTHING.to_owned(),
            |usual| measure::written(unit, usual.middle),
        );
        MeasureRow {
            name: measure::name(&series, lang),
            hour: hour.map_or_else(HourCell::default, |hour| {
                HourCell::new((hour, of), value, (unit, is_flag), lang)
            }),
            about: about(&told, (usual, unit, is_outside), lang),
            unknown: match value {
                Some(_) => "",
                None => why_unknown((own, row), of, lang),
            },
            mark: usual.map(|usual| draw(&usual, value)),
            percentile: match (value, is_flag, standing.is_some()) {
                (Some(value), false, true) => rank(&before, value).map_or_else(
                    || NOTHING.to_owned(),
                    |rank| format!("{:.0} %", 100.0 * rank),
                ),
                _ => NOTHING.to_owned(),
            },
            spark: spark(others, of, (start, usual, unit)),
            value: told,
            median: middle,
            is_outside,
            series,
        }
    }
}

impl HourCell {
    fn new(
        (hour, of): (&SameHour, &AxisValue),
        value: Option<f64>,
        (unit, is_flag): (Unit, bool),
        lang: Lang,
    ) -> Self {
        let usual = match Hourly::of(&hour.values(of), &hour.settings) {
            Hourly::Usual(usual) => usual,
            Hourly::TooLittle { days, .. } => {
                let of = hour.days.len().to_string();
                return HourCell {
                    usual: lang.fill("no baseline yet ({} of {} days)", &[&days.to_string(), &of]),
                    ..HourCell::default()
                };
            }
        };
        HourCell {
            usual: match is_flag {
                true => lang.fill("{} yes", &[&measure::written(unit, usual.share)]),
                false => {
                    let middle = measure::written(unit, usual.pool.median);
                    format!("{middle} ± {}", measure::written(unit, usual.reach))
                }
            },
            of: lang.fill(
                "{} of {} days",
                &[
                    &format::count(usual.count() as u64),
                    &usual.days.to_string(),
                ],
            ),
            is_known: true,
            is_outside: value.is_some_and(|value| match is_flag {
                true => usual.is_rare(value),
                false => usual.is_outside(value),
            }),
        }
    }
}

/// A yes where fewer than one in twenty say so, or a no.
fn is_rare(value: f64, share: f64) -> bool {
    let of_same = if value > 0.5 { share } else { 1.0 - share };
    of_same < 0.05
}

fn usual_of(standing: &Standing, is_flag: bool) -> Usual {
    match is_flag {
        true => Usual {
            band: (standing.mean, standing.mean),
            middle: standing.mean,
            extent: (0.0, 1.0),
            is_flag,
        },
        false => Usual {
            band: (standing.low, standing.high),
            middle: standing.median,
            extent: standing.extent,
            is_flag,
        },
    }
}

fn yes_or_no(value: f64, lang: Lang) -> &'static str {
    match value > 0.5 {
        true => lang.t("yes"),
        false => lang.t("no"),
    }
}

fn about(told: &str, (usual, unit, is_outside): (Option<Usual>, Unit, bool), lang: Lang) -> String {
    let Some(usual) = usual else {
        return told.to_owned();
    };
    let ends = [usual.band.0, usual.band.1].map(|value| measure::written(unit, value));
    match is_outside {
        true => lang.fill("{}, outside of {} to {}", &[told, &ends[0], &ends[1]]),
        false => lang.fill("{}; usual: {} to {}", &[told, &ends[0], &ends[1]]),
    }
}

/// The values of others whose start is as wanted.
fn values(others: &Requests, of: &AxisValue, is_wanted: impl Fn(Timestamp) -> bool) -> Vec<f64> {
    let Some(column) = others.column(of) else {
        return Vec::new();
    };
    let rows = others.starts.iter().enumerate();
    rows.filter(|(_, start)| is_wanted(**start))
        .filter_map(|(row, _)| column.get(row))
        .collect()
}

/// Means of the time around, as a line over the band of what is usual.
fn spark(
    others: &Requests,
    of: &AxisValue,
    (start, usual, unit): (Timestamp, Option<Usual>, Unit),
) -> (String, String) {
    let from = start.minus(AROUND);
    let step = Nanos(2 * AROUND.0 / POINTS as u64);
    let means: Vec<Option<f64>> = (0..POINTS as u64)
        .map(|point| {
            let begin = from.plus(Nanos(step.0 * point));
            let end = begin.plus(step);
            let values = values(others, of, |at| begin <= at && at < end);
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        })
        .collect();
    let edges = usual.filter(|usual| !usual.is_flag).map(|usual| usual.band);
    let known = means.iter().copied().flatten();
    let reached = known.chain(edges.into_iter().flat_map(|(low, high)| [low, high]));
    let Some(scale) = Scale::over(reached, unit) else {
        return (String::new(), String::new());
    };
    let band = edges.map_or_else(String::new, |edges| {
        lane::band(&[Some(edges); POINTS], scale)
    });
    (band, lane::line(&means, scale))
}

/// Why a value is not known: what would have to be there.
fn why_unknown((own, row): (&Joined, usize), value: &AxisValue, lang: Lang) -> &'static str {
    let instance = own.requests.instances[row];
    let gpus = instance.and_then(|instance| own.state.fleet.gpus_of.get(instance));
    let has_gpus = gpus.is_some_and(|gpus| !gpus.is_empty());
    let origin = match value {
        AxisValue::Token(name) => TOKEN.iter().find(|(known, _)| known == name),
        _ => None,
    };
    match (value, origin, instance) {
        (AxisValue::Gpu(_), _, None) | (_, Some((_, Origin::Instance)), None) => {
            lang.t("no rule finds who served it")
        }
        (AxisValue::Gpu(_), ..) if !has_gpus => lang.t("no GPU is found for its instance"),
        (AxisValue::Gpu(_), ..) => lang.t("its exporter did not tell it within 15 s"),
        (_, Some((_, Origin::Instance)), Some(_)) => {
            lang.t("its engine did not tell it within 15 s")
        }
        (_, Some((_, Origin::Request)), _) => lang.t("neither client nor engine told it"),
        (_, Some(_), _) => lang.t("neither the request nor its engine told it"),
        (AxisValue::Quality(_), ..) if is_known(value) => lang.t("not checked: nothing expects it"),
        _ => lang.t("this request has none"),
    }
}

fn is_known(value: &AxisValue) -> bool {
    let name = value.to_string();
    QUALITY.iter().any(|(known, _)| *known == name)
}
