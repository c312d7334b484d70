//! Is there a symptom at all?

use super::frame::Frame;
use super::request::{Direction, LEAST_REQUESTS, Unanswerable};
use super::rows::Scale;
use super::shift::{Bins, Shift};
use crate::stats::number;
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
/// Where "far beyond the baseline" begins: so many times as far from its median as its 99 % quantile is.
const FAR: f64 = 1.5;
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

/// Judges the symptom in its plain form, of latencies also among requests with as much work, and each of these by what
/// goes beyond the baseline.
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
        forms.extend(ranked(frame, &values, None));
        if let Some(work) = work(frame) {
            forms.extend(ranked(frame, &values, Some(&work)));
        }
    }
    let tests: Vec<(f64, usize, Shift)> = forms.iter().map(|form| test(frame, form)).collect();
    let p = tests.iter().map(|(p, ..)| *p).fold(1.0, f64::min);
    let count: usize = tests.iter().map(|(_, count, _)| count).sum();
    // Any form may show that something is wrong; the one that stands out over the whole fleet is explained.
    let clear = |at: usize| {
        let fleet = tests[at].2;
        (fleet.rise >= LEAST_RISE, fleet.z)
    };
    let mut best = 0;
    for at in 1..tests.len() {
        if clear(at) > clear(best) {
            best = at;
        }
    }
    let fleet = tests[best].2;
    let badness = forms.swap_remove(best);
    Ok(Judged {
        p_value: (p * number(count)).min(1.0),
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

/// What a request of a latency has to do; `None` where latency does not follow from it.
fn work(frame: &Frame<'_>) -> Option<Vec<f64>> {
    let work = match frame.request.symptom.series.as_str() {
        "token.e2e_ms" => "token.output_tokens",
        "token.ttft_ms" | "token.prefill_ms" => "token.input_tokens",
        _ => return None,
    };
    frame
        .request
        .rows
        .column(work)
        .map(|column| frame.values(column))
}

/// Ranks among requests of the baseline, with as much work where it is given: a slowdown by a fifth is lost in the spread
/// of lengths, and plain among requests of one length. With them, who is far beyond the baseline: ranks end at 1, so
/// that a node three times as slow as ever looks no worse to a test of means than one at the upper end of what it was.
fn ranked(frame: &Frame<'_>, values: &[f64], work: Option<&[f64]>) -> Vec<Badness> {
    let strata = Strata::of(frame, values, work);
    let rows = 0..values.len();
    let y: Vec<f64> = rows
        .clone()
        .map(|row| strata.rank(row, values[row]))
        .collect();
    let known = frame.alert.iter().filter(|row| !y[**row].is_nan()).count();
    // Where work is known of few, the plain ranks have to do.
    if known < LEAST_REQUESTS || 2 * known < frame.alert.len() {
        return Vec::new();
    }
    let far = rows.map(|row| strata.is_far(row, values[row])).collect();
    vec![
        Badness {
            y,
            are_truths: false,
        },
        Badness {
            y: far,
            are_truths: true,
        },
    ]
}

/// The baseline by work.
struct Strata {
    /// Stratum of each row; past the end where its work is not known.
    of: Vec<usize>,
    /// Values of the baseline in each, ascending.
    values: Vec<Vec<f64>>,
}

impl Strata {
    fn of(frame: &Frame<'_>, values: &[f64], work: Option<&[f64]>) -> Self {
        let of: Vec<usize> = match work {
            None => vec![0; values.len()],
            Some(work) => {
                let before = sorted(frame.baseline.iter().map(|row| work[*row]));
                let share = |at: usize| number(at) / number(STRATA);
                let borders: Vec<f64> = (1..STRATA)
                    .filter_map(|at| quantile(&before, share(at)))
                    .collect();
                let stratum = |work: &f64| {
                    if work.is_nan() {
                        usize::MAX
                    } else {
                        borders.partition_point(|border| border < work)
                    }
                };
                work.iter().map(stratum).collect()
            }
        };
        let within = |wanted: usize| {
            let rows = frame.baseline.iter().filter(|row| of[**row] == wanted);
            sorted(rows.map(|row| values[*row]))
        };
        let values = (0..STRATA).map(within).collect();
        Strata { of, values }
    }

    /// Values that a row is compared with, if there are enough.
    fn equals(&self, row: usize, value: f64) -> Option<&[f64]> {
        let equals = self.values.get(self.of[row])?;
        (equals.len() >= LEAST_STRATUM && !value.is_nan()).then_some(equals)
    }

    fn rank(&self, row: usize, value: f64) -> f64 {
        self.equals(row, value)
            .map_or(f64::NAN, |equals| mid_rank(equals, value))
    }

    fn is_far(&self, row: usize, value: f64) -> f64 {
        let border = self.equals(row, value).and_then(|equals| {
            let middle = quantile(equals, 0.5)?;
            Some(middle + FAR * (quantile(equals, 0.99)? - middle))
        });
        border.map_or(f64::NAN, |border| f64::from(u8::from(value > border)))
    }
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
    bins.len() >= 40 && memory * 8.0 > number(bins.len())
}
