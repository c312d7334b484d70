//! Lanes: latency on top and the three axes below, each line with its own value at the crosshair.

use domain::axes::query::Steps;
use domain::axes::{AxisLine, AxisSeries, AxisValue};

use crate::chart::lane;
use crate::chart::number;
use crate::chart::scale::{Scale, ScaleTick, extent};
use crate::format::NOTHING;
use crate::i18n::{Lang, text};
use crate::measure::{self, Unit};

/// Lines of one series, by group, that a lane shows: the ones that stroke can tell apart.
const MOST_GROUPS: usize = 4;
/// A line of the same unit shares the scale of the first unless that would flatten it so much.
const FLATTEST: f64 = 4.0;

/// A lane, in the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneKind {
    Latency,
    Gpu,
    Token,
    Quality,
}

impl LaneKind {
    const ALL: [LaneKind; 4] = [
        LaneKind::Latency,
        LaneKind::Gpu,
        LaneKind::Token,
        LaneKind::Quality,
    ];

    /// The lane of a value: times and traffic on top.
    pub(super) fn of(value: &AxisValue) -> Self {
        match value {
            AxisValue::Gpu(_) => LaneKind::Gpu,
            AxisValue::Quality(_) | AxisValue::Score(_) => LaneKind::Quality,
            AxisValue::Token(name) if measure::unit(name) != Unit::Ms => LaneKind::Token,
            _ => LaneKind::Latency,
        }
    }

    fn class(self) -> &'static str {
        match self {
            LaneKind::Latency => "",
            LaneKind::Gpu => "gpu",
            LaneKind::Token => "token",
            LaneKind::Quality => "quality",
        }
    }

    fn name(self) -> &'static str {
        match self {
            LaneKind::Latency => text!("Latency"),
            LaneKind::Gpu => text!("GPU"),
            LaneKind::Token => text!("Token"),
            LaneKind::Quality => text!("Quality"),
        }
    }

    /// Why it may be empty.
    fn missing(self) -> &'static str {
        match self {
            LaneKind::Latency => text!("No requests in this range"),
            LaneKind::Gpu => {
                text!("No GPU series: dcgm-exporter, nvidia_gpu_exporter or amd_smi is not sent")
            }
            LaneKind::Token => {
                text!("No engine series: /metrics of vLLM, SGLang, TGI or Triton is not sent")
            }
            LaneKind::Quality => {
                text!("No checks: set what is expected of answers, or send scores")
            }
        }
    }
}

/// A series with what came of it, and what is usual of it in each step.
pub(super) struct Shown<'a> {
    pub(super) series: &'a AxisSeries,
    pub(super) lines: &'a [AxisLine],
    pub(super) usual: Vec<Option<(f64, f64)>>,
    /// Where the page stands without it.
    pub(super) remove_url: String,
}

/// A lane.
pub(crate) struct Lane {
    pub(crate) class: &'static str,
    pub(crate) name: String,
    /// In words, for whoever does not see it.
    pub(crate) about: String,
    pub(crate) legend: Vec<Legend>,
    pub(crate) ticks: Vec<ScaleTick>,
    pub(crate) band: String,
    pub(crate) lines: Vec<Stroke>,
    /// Why it is empty; empty where it is not.
    pub(crate) missing: &'static str,
}

/// A line in words.
pub(crate) struct Legend {
    pub(crate) class: String,
    pub(crate) label: String,
    pub(crate) hint: String,
    /// Its column in the table of values.
    pub(crate) column: usize,
    /// What it is at the crosshair.
    pub(crate) now: String,
    /// Where the page stands without its series; empty for all but the first of a series.
    pub(crate) remove_url: String,
}

/// A line as drawn.
pub(crate) struct Stroke {
    pub(crate) class: String,
    pub(crate) path: String,
    pub(crate) column: usize,
    /// Height of the crosshair's mark in percent; empty without a value.
    pub(crate) y: String,
}

/// A column of the table of values.
pub(crate) struct ValueColumn {
    pub(crate) label: String,
    /// For each step its value in words, and its height in percent; both empty without one.
    pub(crate) cells: Vec<(String, String)>,
}

/// Lanes and the table of their values.
pub(super) struct Lanes {
    pub(super) lanes: Vec<Lane>,
    pub(super) columns: Vec<ValueColumn>,
}

/// Draws them; the crosshair stands at `cross`.
pub(super) fn draw(shown: &[Shown<'_>], (steps, cross): (&Steps, usize), lang: Lang) -> Lanes {
    let count = usize::try_from(steps.count()).unwrap_or(0);
    let mut columns = Vec::new();
    let lanes = LaneKind::ALL.into_iter().filter_map(|kind| {
        let of_lane = |shown: &&Shown<'_>| LaneKind::of(&shown.series.value) == kind;
        let mut own: Vec<&Shown<'_>> = shown.iter().filter(of_lane).collect();
        // Groups of several series could not be told apart: then the first of a lane stands for it.
        if own.iter().any(|shown| shown.lines.len() > 1) {
            own.truncate(1);
        }
        (!own.is_empty()).then(|| lane_of(kind, &own, &mut columns, (count, cross, lang)))
    });
    Lanes {
        lanes: lanes.collect(),
        columns,
    }
}

fn lane_of(
    kind: LaneKind,
    shown: &[&Shown<'_>],
    columns: &mut Vec<ValueColumn>,
    (count, cross, lang): (usize, usize, Lang),
) -> Lane {
    let main = shown
        .iter()
        .find_map(|shown| Some((*shown, own_scale(shown)?)));
    let mut lane = Lane {
        class: kind.class(),
        name: lang.t(kind.name()).to_owned(),
        about: String::new(),
        legend: Vec::new(),
        ticks: Vec::new(),
        band: String::new(),
        lines: Vec::new(),
        missing: lang.t(kind.missing()),
    };
    let mut shared = main.map(|(_, scale)| scale);
    if let (Some((first, own)), Some(scale)) = (main, shared.as_mut()) {
        for other in shown.iter().filter(|other| unit(other) == unit(first)) {
            let both = own_scale(other).map(|other| scale.with(other));
            if let Some(both) = both.filter(|both| both.spread() <= FLATTEST * own.spread()) {
                *scale = both;
            }
        }
        lane.missing = "";
        lane.ticks = scale.ticks(unit(first), 4, |value| scale.height(value));
        // At an edge it would stand in the lane beside.
        lane.ticks.retain(|tick| {
            tick.at
                .parse()
                .is_ok_and(|at: f64| (1.0..=98.0).contains(&at))
        });
        lane.band = lane::band(&first.usual, *scale);
    }
    for (place, shown) in shown.iter().enumerate() {
        let scale = own_scale(shown).map(|own| match (main, shared) {
            (Some((first, _)), Some(shared))
                if unit(first) == unit(shown) && shared.with(own) == shared =>
            {
                shared
            }
            _ => own,
        });
        let is_alone = scale == shared;
        strokes(
            &mut lane,
            shown,
            columns,
            (place, scale, is_alone),
            (count, cross, lang),
        );
    }
    if let [only] = shown {
        // Where lines are groups, the name of the lane says what of.
        if only.lines.len() > 1 {
            lane.name = format!("{} · {}", lane.name, series_name(only.series, lang));
        }
    }
    let names: Vec<&str> = lane.legend.iter().map(|row| row.label.as_str()).collect();
    lane.about = format!("{}: {}", lane.name, names.join(", "));
    lane
}

fn strokes(
    lane: &mut Lane,
    shown: &Shown<'_>,
    columns: &mut Vec<ValueColumn>,
    (place, scale, shares_scale): (usize, Option<Scale>, bool),
    (count, cross, lang): (usize, usize, Lang),
) {
    let lines = most_of(shown.lines);
    let name = series_name(shown.series, lang);
    for (at, line) in lines.iter().enumerate() {
        let group: Vec<&str> = line
            .group
            .iter()
            .map(|(_, value)| value.as_deref().unwrap_or(lang.t("unknown")))
            .collect();
        let label = match group.is_empty() {
            true => name.clone(),
            false => group.join(" "),
        };
        let class = stroke_class(lane.class, place, (at, !group.is_empty()));
        let column = columns.len();
        let cells: Vec<(String, String)> = (0..count)
            .map(|step| cell(shown, line.values.get(step).copied().flatten(), scale))
            .collect();
        let now = cells.get(cross).cloned().unwrap_or_default();
        let mut hint = shown.series.to_string();
        if let (Some(own), false) = (extent(line.values.iter().copied().flatten()), shares_scale) {
            let ends = [own.0, own.1].map(|value| measure::written(unit(shown), value));
            hint = lang.fill(
                "{}, on a scale of its own: {} to {}",
                &[&hint, &ends[0], &ends[1]],
            );
        }
        lane.legend.push(Legend {
            class: class.clone(),
            label: label.clone(),
            hint,
            column,
            now: or_nothing(&now.0),
            remove_url: match at {
                0 => shown.remove_url.clone(),
                _ => String::new(),
            },
        });
        if let Some(scale) = scale {
            lane.lines.push(Stroke {
                class,
                path: lane::line(&line.values, scale),
                column,
                y: now.1,
            });
        }
        columns.push(ValueColumn { label, cells });
    }
}

/// The groups with the most data, in the order of their names.
fn most_of(lines: &[AxisLine]) -> Vec<&AxisLine> {
    let mut most: Vec<(usize, &AxisLine)> = lines.iter().enumerate().collect();
    let weight = |line: &AxisLine| {
        line.counts
            .iter()
            .map(|count| u64::from(*count))
            .sum::<u64>()
    };
    most.sort_by_key(|(_, line)| std::cmp::Reverse(weight(line)));
    most.truncate(MOST_GROUPS);
    most.sort_by_key(|(at, _)| *at);
    most.into_iter().map(|(_, line)| line).collect()
}

fn cell(shown: &Shown<'_>, value: Option<f64>, scale: Option<Scale>) -> (String, String) {
    match (value, scale) {
        (Some(value), Some(scale)) => (
            measure::written(unit(shown), value),
            number(scale.height(value)),
        ),
        _ => (String::new(), String::new()),
    }
}

fn or_nothing(text: &str) -> String {
    match text.is_empty() {
        true => NOTHING.to_owned(),
        false => text.to_owned(),
    }
}

fn own_scale(shown: &Shown<'_>) -> Option<Scale> {
    let values = most_of(shown.lines);
    let values = values
        .iter()
        .flat_map(|line| line.values.iter().copied().flatten());
    Scale::over(values, unit(shown))
}

/// Counts and rates of things are numbers whatever the value's own unit is.
fn unit(shown: &Shown<'_>) -> Unit {
    use domain::axes::Statistic::{Count, PerSecond};
    match shown.series.statistic {
        Count | PerSecond => Unit::Count,
        _ => measure::unit(&shown.series.value.to_string()),
    }
}

/// The name of a series with its statistic, which goes without saying where it is the usual one.
pub(super) fn series_name(series: &AxisSeries, lang: Lang) -> String {
    let value = series.value.to_string();
    let usual = AxisSeries::parse(&value).ok();
    let name = measure::name(&value, lang);
    match usual.is_some_and(|usual| usual.statistic == series.statistic) {
        true => name,
        false => format!("{name} {}", series.statistic),
    }
}

/// Of a lane the first series is drawn in full, the second lighter, those after it dashed; groups are told apart by dashes.
fn stroke_class(axis: &str, place: usize, (group, is_grouped): (usize, bool)) -> String {
    let weight = match (place, axis) {
        (0, _) => "",
        (1, "") => " ln-3",
        (1, _) => " second",
        _ => " third",
    };
    let dash = if is_grouped {
        format!(" dash-{group}")
    } else {
        String::new()
    };
    let axis = if axis.is_empty() {
        String::new()
    } else {
        format!(" {axis}")
    };
    format!("ln{axis}{weight}{dash}")
}

#[cfg(test)]
mod tests {
    use domain::{Nanos, Timestamp};

    use super::*;

    fn line(values: &[Option<f64>]) -> AxisLine {
        AxisLine {
            group: Vec::new(),
            values: values.to_vec(),
            counts: values
                .iter()
                .map(|value| u32::from(value.is_some()))
                .collect(),
        }
    }

    fn drawn(all: &[(&str, &[Option<f64>])]) -> Lanes {
        let series: Vec<(AxisSeries, Vec<AxisLine>)> = all
            .iter()
            .map(|(name, values)| (AxisSeries::parse(name).unwrap(), vec![line(values)]))
            .collect();
        let shown: Vec<Shown<'_>> = series
            .iter()
            .map(|(series, lines)| Shown {
                series,
                lines,
                usual: vec![Some((0.1, 0.2)), None],
                remove_url: String::new(),
            })
            .collect();
        let from = Timestamp::parse("2026-03-12T02:00:00Z").unwrap();
        let step = Nanos::from_seconds(30);
        let steps = Steps {
            from,
            to: from.plus(Nanos::from_seconds(60)),
            step,
        };
        draw(&shown, (&steps, 1), Lang::En)
    }

    #[test]
    fn latency_is_on_top_and_each_axis_has_its_lane() {
        let lanes = drawn(&[
            ("quality.format_valid", &[Some(0.99), Some(0.93)]),
            ("gpu.sm_active", &[Some(0.7), None]),
            ("token.ttft_ms:p99", &[Some(600.0), Some(2800.0)]),
            ("token.ttft_ms:p50", &[Some(300.0), Some(900.0)]),
            ("token.kv_cache_usage", &[None, None]),
        ]);
        let names: Vec<&str> = lanes.lanes.iter().map(|lane| lane.name.as_str()).collect();
        assert_eq!(names, ["Latency", "GPU", "Token", "Quality"]);
        let latency = &lanes.lanes[0];
        let labels: Vec<&str> = latency
            .legend
            .iter()
            .map(|row| row.label.as_str())
            .collect();
        assert_eq!(labels, ["TTFT p99", "TTFT p50"]);
        assert_eq!(latency.legend[0].now, "2.80 s");
        let y = |at: usize| latency.lines[at].y.parse::<f64>().unwrap();
        assert!(y(0) < y(1), "both stand on one scale");
        assert_eq!(lanes.lanes[1].legend[0].now, "·", "no value is no zero");
        assert_eq!(lanes.lanes[1].lines[0].y, "");
        assert!(!lanes.lanes[2].missing.is_empty() && lanes.lanes[2].lines.is_empty());
        assert_eq!(lanes.columns.len(), 5);
        assert!(lanes.columns.iter().all(|column| column.cells.len() == 2));
    }

    #[test]
    fn what_would_be_flattened_has_a_scale_of_its_own() {
        let lanes = drawn(&[
            ("quality.format_valid", &[Some(0.99), Some(0.93)]),
            ("quality.refused", &[Some(0.01), Some(0.02)]),
        ]);
        let quality = &lanes.lanes[0];
        assert!(
            quality.legend[1]
                .hint
                .contains("on a scale of its own: 1.0 % to 2.0 %")
        );
        assert!(!quality.legend[0].hint.contains("own"));
    }
}
