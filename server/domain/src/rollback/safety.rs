//! What must hold of the version that a label would go to: over its last seven days it did not do worse than what was
//! usual before the incident, and both are known well enough to say so.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::policy::Limits;
use crate::alert::cell::Cell;
use crate::alert::measure::{Aggregate, RequestMeasure};

/// How far back the version that a label would go to is looked at, seconds.
pub const TARGET_S: u64 = 7 * 86_400;
/// How far back before the incident it is looked at what was usual, seconds.
pub const CURRENT_S: u64 = 3_600;

/// How far one value may be from the other.
#[derive(Clone, Copy)]
enum Bound {
    /// At most so many times it.
    Times(f64),
    /// At least so much less.
    Less(f64),
    /// At most so much more.
    More(f64),
}

/// What is compared, in the order in which it is shown.
const COMPARED: [(RequestMeasure, Aggregate); 5] = [
    (RequestMeasure::InputTokens, Aggregate::P50),
    (RequestMeasure::OutputTokens, Aggregate::P99),
    (RequestMeasure::FormatValid, Aggregate::Rate),
    (RequestMeasure::Refused, Aggregate::Rate),
    (RequestMeasure::E2eMs, Aggregate::P99),
];

/// What is measured of requests.
pub const MEASURES: [RequestMeasure; 6] = [
    RequestMeasure::Requests,
    RequestMeasure::InputTokens,
    RequestMeasure::OutputTokens,
    RequestMeasure::FormatValid,
    RequestMeasure::Refused,
    RequestMeasure::E2eMs,
];

/// What is known of some requests, by measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vitals(BTreeMap<RequestMeasure, Cell>);

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// What is compared, as series are named: `token.output_tokens:p99`; tokens, milliseconds, shares.
    pub metric: String,
    /// Of the version that the label would go to, over its last seven days.
    pub target_7d: Option<f64>,
    /// Of the prompt within the hour before the incident, without the suspect.
    pub current: Option<f64>,
    /// What the first may be at most, of `quality.format_valid` and `request.count` at least.
    pub limit: Option<f64>,
    /// Whether it holds.
    pub ok: bool,
    /// How many values the first is of.
    pub target_samples: u64,
    /// How many the second is of.
    pub current_samples: u64,
    /// Why it holds or does not.
    pub reason: String,
}

impl Vitals {
    /// Adds what is known of some more requests.
    pub fn add(&mut self, measure: RequestMeasure, cell: &Cell) {
        self.0.entry(measure).or_default().add(cell);
    }

    fn known(&self, measure: RequestMeasure) -> u64 {
        self.0.get(&measure).map_or(0, |cell| cell.known)
    }

    fn value(&self, measure: RequestMeasure, aggregate: Aggregate) -> Option<f64> {
        self.0.get(&measure)?.value(aggregate)
    }
}

/// Holds the version that a label would go to against what was usual. The first check is of the number of requests.
pub fn checks(limits: &Limits, target: &Vitals, current: &Vitals) -> Vec<Check> {
    let compared = COMPARED
        .iter()
        .map(|what| compare(limits, *what, target, current));
    let mut all = vec![enough(limits, target, current)];
    all.extend(compared);
    all
}

/// Whether every check holds; of no checks nothing holds.
pub fn all_hold(checks: &[Check]) -> bool {
    !checks.is_empty() && checks.iter().all(|check| check.ok)
}

fn enough(limits: &Limits, target: &Vitals, current: &Vitals) -> Check {
    let of = |vitals: &Vitals| vitals.known(RequestMeasure::Requests);
    let (after, before) = (of(target), of(current));
    let ok = after.min(before) >= limits.min_requests;
    Check {
        metric: RequestMeasure::Requests.as_str().to_owned(),
        target_7d: Some(float(after)),
        current: Some(float(before)),
        limit: Some(float(limits.min_requests)),
        ok,
        target_samples: after,
        current_samples: before,
        reason: counted(ok, (after, before), limits),
    }
}

fn counted(ok: bool, (target, current): (u64, u64), limits: &Limits) -> String {
    let least = limits.min_requests;
    let word = if ok { "enough" } else { "too few" };
    format!(
        "{word}: {target} of the version, {current} before; at least {least} of each are needed"
    )
}

fn compare(
    limits: &Limits,
    (measure, aggregate): (RequestMeasure, Aggregate),
    target: &Vitals,
    current: &Vitals,
) -> Check {
    let samples = (target.known(measure), current.known(measure));
    let after = target.value(measure, aggregate);
    let before = current.value(measure, aggregate);
    let bound = bound(limits, measure);
    let limit = before.map(|before| bound.of(before));
    let (ok, reason) = match (after, limit) {
        // What is asked of no answer is no reason against a version.
        (None, None) => (true, "not measured on either side".to_owned()),
        _ if samples.0.min(samples.1) < limits.min_requests => {
            (false, counted(false, samples, limits))
        }
        (Some(after), Some(limit)) => bound.judge(after, limit),
        _ => (false, "not measured on one side".to_owned()),
    };
    Check {
        metric: format!("{measure}:{aggregate}"),
        target_7d: after,
        current: before,
        limit,
        ok,
        target_samples: samples.0,
        current_samples: samples.1,
        reason,
    }
}

fn bound(limits: &Limits, measure: RequestMeasure) -> Bound {
    match measure {
        RequestMeasure::FormatValid => Bound::Less(limits.format_valid_drop),
        RequestMeasure::Refused => Bound::More(limits.refused_rise),
        RequestMeasure::InputTokens => Bound::Times(limits.input_tokens_ratio),
        RequestMeasure::OutputTokens => Bound::Times(limits.output_tokens_ratio),
        _ => Bound::Times(limits.latency_ratio),
    }
}

impl Bound {
    fn of(self, usual: f64) -> f64 {
        match self {
            Bound::Times(ratio) => usual * ratio,
            Bound::Less(drop) => usual - drop,
            Bound::More(rise) => usual + rise,
        }
    }

    fn judge(self, value: f64, limit: f64) -> (bool, String) {
        let (ok, side) = match self {
            Bound::Less(_) => (value >= limit, "least"),
            Bound::Times(_) | Bound::More(_) => (value <= limit, "most"),
        };
        let word = if ok { "within" } else { "beyond" };
        (
            ok,
            format!("{word} the limit: {value:.4}, at {side} {limit:.4}"),
        )
    }
}

#[expect(clippy::cast_precision_loss, reason = "no window has 2^53 requests")]
fn float(count: u64) -> f64 {
    count as f64
}
