//! Is there a symptom at all?

use super::frame::Frame;
use super::request::{Direction, LEAST_REQUESTS, Unanswerable};
use super::rows::Scale;
use super::shift::{Bins, Shift};
use crate::stats::quantile::{quantile, sorted};
use crate::stats::rank::mid_rank;

/// Largest p-value of a symptom, after Bonferroni: an incident report is expensive.
const GATE: f64 = 0.001;
/// Least rise of the mean badness.
const LEAST_RISE: f64 = 0.01;
/// Requests that a group needs in each window to be looked at for itself.
const LEAST_GROUP: usize = 20;
/// Strata of work within which latencies are compared.
const STRATA: usize = 10;
/// Requests that a stratum needs in the baseline.
const LEAST_STRATUM: usize = 15;
/// Badness from which on a request counts as bad.
const BAD: f64 = 0.95;

/// How bad each request is, in [0, 1]; not a number where it is not known.
#[derive(Clone, Debug)]
pub(super) struct Badness {
    pub(super) y: Vec<f64>,
    pub(super) are_truths: bool,
}

impl Badness {
    /// Whether a request counts as bad.
    pub(super) fn is_bad(&self, row: usize) -> bool {
        self.y[row] > BAD
    }
}

/// The symptom, judged.
pub(super) struct Judged {
    pub(super) badness: Badness,
    /// Of the rise in the group where it is the least likely, times the number of groups.
    pub(super) p_value: f64,
    /// The whole fleet's rise of badness and its standard error.
    pub(super) rise: f64,
    pub(super) error: f64,
    /// The baseline falls apart into stretches of good and bad.
    pub(super) is_unstable: bool,
}

impl Judged {
    /// Whether something is wrong.
    pub(super) fn is_real(&self) -> bool {
        self.p_value <= GATE && self.rise >= LEAST_RISE
    }
}

/// Judges the symptom in its plain form, and, of latencies, among requests with as much work; the less likely counts.
pub(super) fn judge(frame: &Frame<'_>) -> Result<Judged, Unanswerable> {
    let symptom = &frame.request.symptom;
    let column = frame.request.rows.column(&symptom.series);
    let (values, scale) = match column {
        Some(column) => (
            turned(frame.values(column), symptom.direction),
            column.scale(),
        ),
        None => (vec![f64::NAN; frame.order.len()], Scale::Number),
    };
    let known = |rows: &[usize]| rows.iter().filter(|row| !values[**row].is_nan()).count();
    let (baseline, alert) = (known(&frame.baseline), known(&frame.alert));
    if baseline < LEAST_REQUESTS || alert < LEAST_REQUESTS {
        return Err(Unanswerable::TooFew { baseline, alert });
    }
    let mut forms = Vec::new();
    if let Some(threshold) = symptom.threshold {
        let border = turned(vec![threshold], symptom.direction)[0];
        forms.push(truths(&values, |value| value >= border));
    } else if scale == Scale::Boolean {
        // Turned, a truth that is missed is -0 and thus not below 0; one that is there is -1.
        let bad = match symptom.direction {
            Direction::Up => 1.0,
            Direction::Down => 0.0,
        };
        forms.push(truths(&values, |value| value >= bad));
    } else {
        forms.push(ranked(frame, &values));
        forms.extend(among_equals(frame, &values));
    }
    let tests: Vec<(f64, usize, Shift)> = forms.iter().map(|form| test(frame, form)).collect();
    let count: usize = tests.iter().map(|(_, count, _)| count).sum();
    let best = (0..tests.len()).min_by(|one, other| tests[*one].0.total_cmp(&tests[*other].0));
    let best = best.unwrap_or(0);
    let (p, _, fleet) = tests[best];
    let badness = forms.swap_remove(best);
    Ok(Judged {
        p_value: (p * crate::stats::number(count)).min(1.0),
        rise: fleet.rise,
        error: fleet.error,
        is_unstable: is_unstable(frame, &badness),
        badness,
    })
}

/// Larger is worse: a boolean stays 0 or 1, a number turns its sign.
fn turned(mut values: Vec<f64>, direction: Direction) -> Vec<f64> {
    if direction == Direction::Down {
        for value in &mut values {
            *value = -*value;
        }
    }
    values
}

fn truths(values: &[f64], is_bad: impl Fn(f64) -> bool) -> Badness {
    let truth = |value: &f64| {
        if value.is_nan() {
            f64::NAN
        } else {
            f64::from(u8::from(is_bad(*value)))
        }
    };
    Badness {
        y: values.iter().map(truth).collect(),
        are_truths: true,
    }
}

fn ranked(frame: &Frame<'_>, values: &[f64]) -> Badness {
    let before = sorted(frame.baseline.iter().map(|row| values[*row]));
    let rank = |value: &f64| {
        if value.is_nan() {
            f64::NAN
        } else {
            mid_rank(&before, *value)
        }
    };
    Badness {
        y: values.iter().map(rank).collect(),
        are_truths: false,
    }
}

/// Ranks among requests of the baseline with as much work: a slowdown by a fifth is lost in the spread of lengths, and
/// plain among requests of one length.
fn among_equals(frame: &Frame<'_>, values: &[f64]) -> Option<Badness> {
    let work = match frame.request.symptom.series.as_str() {
        "token.e2e_ms" => "token.output_tokens",
        "token.ttft_ms" | "token.prefill_ms" => "token.input_tokens",
        _ => return None,
    };
    let work = frame.values(frame.request.rows.column(work)?);
    let before = sorted(frame.baseline.iter().map(|row| work[*row]));
    let borders: Vec<f64> = (1..STRATA)
        .filter_map(|at| {
            quantile(
                &before,
                crate::stats::number(at) / crate::stats::number(STRATA),
            )
        })
        .collect();
    let stratum = |row: usize| borders.partition_point(|border| *border < work[row]);
    let strata: Vec<Vec<f64>> = (0..STRATA)
        .map(|wanted| {
            let rows = frame.baseline.iter();
            let within = rows.filter(|row| !work[**row].is_nan() && stratum(**row) == wanted);
            sorted(within.map(|row| values[*row]))
        })
        .collect();
    let rank = |row: usize| {
        if values[row].is_nan() || work[row].is_nan() {
            return f64::NAN;
        }
        let equals = &strata[stratum(row)];
        if equals.len() < LEAST_STRATUM {
            f64::NAN
        } else {
            mid_rank(equals, values[row])
        }
    };
    let y: Vec<f64> = (0..values.len()).map(rank).collect();
    let known = frame.alert.iter().filter(|row| !y[**row].is_nan()).count();
    // Where work is known of few, the plain ranks have to do.
    (known >= LEAST_REQUESTS && 2 * known >= frame.alert.len()).then_some(Badness {
        y,
        are_truths: false,
    })
}

/// The least p-value of a rise, for the fleet and each group, the number of tests, and the fleet's shift.
fn test(frame: &Frame<'_>, badness: &Badness) -> (f64, usize, Shift) {
    let all = Bins::of_all(frame, &badness.y);
    let fleet = all.shift(badness.are_truths);
    let mut least = fleet.map_or(1.0, |shift| shift.p_of_rise());
    let mut count = 1;
    for grouping in &frame.groupings {
        for bins in Bins::of_each(frame, &badness.y, grouping) {
            let (before, now) = bins.rows();
            if before < LEAST_GROUP || now < LEAST_GROUP {
                continue;
            }
            if let Some(shift) = bins.shift(badness.are_truths) {
                least = least.min(shift.p_of_rise());
                count += 1;
            }
        }
    }
    (least, count, fleet.unwrap_or_else(Shift::none))
}

/// Whether badness in the baseline remembers for an eighth of it: then it came in stretches.
fn is_unstable(frame: &Frame<'_>, badness: &Badness) -> bool {
    let bins = Bins::of_all(frame, &badness.y).baseline;
    let memory = crate::stats::autocorrelation::autocorrelation_time(&bins);
    bins.len() >= 40 && memory * 8.0 > crate::stats::number(bins.len())
}
