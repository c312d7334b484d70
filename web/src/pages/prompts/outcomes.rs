//! Two versions held against each other, measure by measure, each with its interval.

use domain::attribution::Axis;
use domain::axes::outcome::{Difference, Outcome, values_of};
use domain::axes::{AxisValue, Requests, Statistic};

use crate::format;
use crate::i18n::Lang;
use crate::measure::{self, Unit};

/// What is told of a version: a value, and what becomes of it.
pub(super) struct Told {
    pub(super) value: AxisValue,
    pub(super) what: Statistic,
    /// Words behind the name of the value: `p95`.
    pub(super) suffix: &'static str,
}

/// Measures of one axis.
pub(crate) struct OutcomeGroup {
    /// Class of its marks; `none` where it is of no axis.
    pub(crate) class: &'static str,
    pub(crate) name: &'static str,
    pub(crate) rows: Vec<OutcomeRow>,
}

/// A measure of both versions.
pub(crate) struct OutcomeRow {
    pub(crate) name: String,
    pub(crate) old: String,
    pub(crate) new: String,
    /// Whether the two differ by more than chance.
    pub(crate) is_clear: bool,
    /// Numbers of values and intervals in words.
    pub(crate) about: String,
    pub(crate) mark: Option<Mark>,
}

/// Both on one track, percent of its width.
pub(crate) struct Mark {
    pub(crate) band: (String, String),
    pub(crate) old: String,
    pub(crate) interval: (String, String),
    pub(crate) new: String,
}

/// Names of what is told of every version, in the order of the page.
const TOLD: &[(&str, Statistic, &str)] = &[
    ("token.e2e_ms", Statistic::Quantile(0.5), "p50"),
    ("token.e2e_ms", Statistic::Quantile(0.95), "p95"),
    ("token.ttft_ms", Statistic::Quantile(0.5), "p50"),
    ("token.ttft_ms", Statistic::Quantile(0.95), "p95"),
    ("token.tpot_ms", Statistic::Quantile(0.5), "p50"),
    ("token.kv_cache_hit_rate", Statistic::Avg, ""),
    ("token.prefix_cache_hit_rate", Statistic::Avg, ""),
    ("token.kv_cache_usage", Statistic::Avg, ""),
    ("token.input_tokens", Statistic::Avg, ""),
    ("token.output_tokens", Statistic::Avg, ""),
    ("gpu.sm_active", Statistic::Avg, ""),
    ("gpu.memory_used_ratio", Statistic::Avg, ""),
    ("gpu.power_w", Statistic::Avg, ""),
    ("cost", Statistic::Avg, ""),
    ("errors", Statistic::Rate, ""),
    ("quality.format_valid", Statistic::Rate, ""),
    ("quality.refused", Statistic::Rate, ""),
    ("quality.length_in_range", Statistic::Rate, ""),
    ("quality.stop_reason_valid", Statistic::Rate, ""),
    ("quality.truncated_json", Statistic::Rate, ""),
];

/// All that is told: what every project has, then its own judgements and scores.
pub(super) fn told(requests: &Requests) -> Vec<Told> {
    let common = TOLD.iter().filter_map(|(name, what, suffix)| {
        Some(Told {
            value: AxisValue::parse(name)?,
            what: *what,
            suffix,
        })
    });
    let known = |value: &AxisValue| TOLD.iter().any(|(name, ..)| value.to_string() == *name);
    let own = requests.columns.iter().filter(|column| {
        let is_own = match &column.value {
            AxisValue::Score(_) => true,
            AxisValue::Quality(_) => measure::is_own(&column.value.to_string()),
            _ => false,
        };
        is_own && !known(&column.value) && column.known() > 0
    });
    let own = own.map(|column| Told {
        value: column.value.clone(),
        what: if column.is_flag {
            Statistic::Rate
        } else {
            Statistic::Avg
        },
        suffix: "",
    });
    common.chain(own).collect()
}

impl Told {
    /// What a version comes to.
    pub(super) fn outcome(&self, requests: &Requests, version: u32) -> Option<Outcome> {
        Outcome::of(values_of(requests, version, &self.value), self.what)
    }

    /// What it is called.
    pub(super) fn name(&self, lang: Lang) -> String {
        let name = match &self.value {
            AxisValue::Score(name) => name.clone(),
            value => measure::name(&value.to_string(), lang),
        };
        format!("{name} {}", self.suffix).trim_end().to_owned()
    }

    /// What its numbers count.
    pub(super) fn unit(&self) -> Unit {
        match self.what {
            Statistic::Rate => Unit::Flag,
            _ => measure::unit(&self.value.to_string()),
        }
    }

    /// The axis that it is of.
    pub(super) fn axis(&self) -> Option<Axis> {
        match self.value {
            AxisValue::Gpu(_) => Some(Axis::Gpu),
            AxisValue::Token(_) => Some(Axis::Token),
            AxisValue::Quality(_) | AxisValue::Score(_) => Some(Axis::Quality),
            AxisValue::Cost | AxisValue::Requests | AxisValue::Errors => None,
        }
    }
}

/// How many requests a version has.
pub(super) fn requests_of(requests: &Requests, version: u32) -> usize {
    values_of(requests, version, &AxisValue::Errors).len()
}

/// Measures of two versions by axis; what is known of neither is left out.
pub(super) fn groups(requests: &Requests, (from, to): (u32, u32), lang: Lang) -> Vec<OutcomeGroup> {
    let all = told(requests);
    let axes = [
        Some(Axis::Token),
        Some(Axis::Gpu),
        None,
        Some(Axis::Quality),
    ];
    let of = |axis: Option<Axis>| OutcomeGroup {
        class: axis.map_or("none", Axis::as_str),
        name: axis.map_or_else(|| lang.t("Requests"), |axis| measure::axis_name(axis, lang)),
        rows: all
            .iter()
            .filter(|told| told.axis() == axis)
            .filter_map(|told| {
                let old = told.outcome(requests, from);
                let new = told.outcome(requests, to);
                row(told, (old, new), lang)
            })
            .collect(),
    };
    let groups = axes.into_iter().map(of);
    groups.filter(|group| !group.rows.is_empty()).collect()
}

fn row(
    told: &Told,
    (old, new): (Option<Outcome>, Option<Outcome>),
    lang: Lang,
) -> Option<OutcomeRow> {
    if old.is_none() && new.is_none() {
        return None;
    }
    let unit = told.unit();
    let difference = difference(new.as_ref(), old.as_ref());
    let number = |of: Option<Outcome>| {
        of.map_or_else(
            || format::NOTHING.to_owned(),
            |of| measure::written(unit, of.value),
        )
    };
    Some(OutcomeRow {
        name: told.name(lang),
        old: number(old),
        new: number(new),
        is_clear: difference.is_some_and(|difference| difference.is_clear()),
        about: [old, new]
            .into_iter()
            .flatten()
            .map(|of| about(&of, unit, lang))
            .collect::<Vec<_>>()
            .join(" → "),
        mark: mark(old, new),
    })
}

/// What a version differs from another by.
pub(super) fn difference(new: Option<&Outcome>, old: Option<&Outcome>) -> Option<Difference> {
    new?.against(old?)
}

/// An outcome with its interval and how many values it is of.
pub(super) fn about(of: &Outcome, unit: Unit, lang: Lang) -> String {
    let value = measure::written(unit, of.value);
    let count = format::count(of.count as u64);
    match of.interval {
        Some((low, high)) => lang.fill(
            "{} ({} to {}, of {})",
            &[
                &value,
                &measure::written(unit, low),
                &measure::written(unit, high),
                &count,
            ],
        ),
        None => lang.fill("{} (of {}, too few for an interval)", &[&value, &count]),
    }
}

/// Both on one track that reaches a little beyond their intervals.
fn mark(old: Option<Outcome>, new: Option<Outcome>) -> Option<Mark> {
    let (old, new) = (old?, new?);
    let of = |of: &Outcome| of.interval.unwrap_or((of.value, of.value));
    let (was, is) = (of(&old), of(&new));
    let low = was.0.min(is.0).min(old.value).min(new.value);
    let high = was.1.max(is.1).max(old.value).max(new.value);
    let width = high - low;
    let at = |value: f64| {
        let share = if width > 0.0 {
            (value - low) / width
        } else {
            0.5
        };
        6.0 + 88.0 * share
    };
    let percent = |value: f64| format!("{}%", format::trimmed(value, 1));
    Some(Mark {
        band: (
            percent(at(was.0)),
            percent((at(was.1) - at(was.0)).max(0.5)),
        ),
        old: percent(at(old.value)),
        interval: (percent(at(is.0)), percent(at(is.1))),
        new: percent(at(new.value)),
    })
}

/// How intervals are made, for the foot of the page.
pub(super) fn method(lang: Lang) -> &'static str {
    lang.t(
        "95 % intervals: of shares Wilson’s, of means Student’s, of quantiles by ranks. Bold: the interval of the difference (MOVER) leaves 0 out.",
    )
}
