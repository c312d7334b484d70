//! Which features moved?

use super::frame::{Frame, Place, Side};
use super::rows::Scale;
use super::shift::{Bins, Shift};
use super::tier::{self, Carrier, Known, Tier};
use crate::stats::false_discovery::benjamini_hochberg;
use crate::stats::quantile::{mean, median, sorted, standard_deviation};
use crate::stats::rank::cliffs_delta;

/// Largest q-value of a feature that moved.
const MOST_Q: f64 = 0.01;
/// Least size of its effect.
const LEAST_EFFECT: f64 = 0.15;
/// Requests that a group needs in each window.
const LEAST_GROUP: usize = 20;
/// How long a reading stands for those that are missing, in seconds: three scrapes.
const NEAR_S: f64 = 45.0;
/// How many standard deviations a normalised reading may be away.
const FAR: f64 = 60.0;

/// A feature that is no mere outcome.
pub(super) struct Candidate<'a> {
    pub(super) series: &'a str,
    pub(super) known: Known,
    /// Values as they came.
    pub(super) raw: Vec<f64>,
    /// Values to compare: a reading of an instance in standard deviations of that instance's own baseline, for one node
    /// is not like the other.
    pub(super) values: Vec<f64>,
    pub(super) effect: f64,
    pub(super) q_value: f64,
    /// Where it moved most.
    pub(super) place: Option<Place>,
    pub(super) z: f64,
    /// It may be a cause of the symptom; otherwise it is told of as one of its consequences.
    pub(super) may_cause: bool,
    /// It moved as it does with more work, and there was more.
    pub(super) is_excused: bool,
}

impl Candidate<'_> {
    pub(super) fn has_moved(&self) -> bool {
        self.q_value < MOST_Q && self.effect.abs() >= LEAST_EFFECT
    }

    /// Median of the raw values on one side, where it moved most.
    pub(super) fn median(&self, frame: &Frame<'_>, side: Side) -> Option<f64> {
        let rows = match side {
            Side::Alert => &frame.alert,
            Side::Baseline | Side::Between => &frame.baseline,
        };
        let here = rows.iter().filter(|row| frame.belongs(**row, self.place));
        median(&sorted(here.map(|row| self.raw[*row])))
    }
}

/// All candidates, in the order of the columns, with their effects and q-values.
pub(super) fn candidates<'a>(frame: &Frame<'a>) -> Vec<Candidate<'a>> {
    let symptom = &frame.request.symptom.series;
    let mut found = Vec::new();
    let mut p_values = Vec::new();
    let mut owners = Vec::new();
    for column in &frame.request.rows.columns {
        let series = column.series();
        let known = tier::of(series).filter(|known| known.tier != Tier::Outcome);
        let Some(known) = known.filter(|_| series != symptom) else {
            continue;
        };
        let raw = frame.values(column);
        let values = match known.carrier {
            Carrier::Instance => by_instance(frame, &filled(frame, &raw)),
            Carrier::Request => raw.clone(),
        };
        let mut candidate = Candidate {
            series,
            known,
            raw,
            values,
            effect: 0.0,
            q_value: 1.0,
            place: None,
            z: 0.0,
            may_cause: tier::may_cause(series, symptom),
            is_excused: false,
        };
        let shifts = shifts(frame, &candidate, column.scale() == Scale::Boolean);
        for (place, shift) in shifts {
            // Of groups that moved alike the wider one speaks.
            if shift.z.abs() > candidate.z.abs() + 0.5 {
                candidate.z = shift.z;
                candidate.place = place;
            }
            owners.push(found.len());
            p_values.push(shift.p_of_change());
        }
        candidate.effect = effect(frame, &candidate);
        found.push(candidate);
    }
    for (owner, q) in owners.into_iter().zip(benjamini_hochberg(&p_values)) {
        let candidate = &mut found[owner];
        candidate.q_value = candidate.q_value.min(q);
    }
    found
}

/// Readings with those that are missing taken from the same instance's nearest before, or after, if it is near. A scrape
/// that failed says nothing of the instance, and its requests would be left without an explanation.
fn filled(frame: &Frame<'_>, raw: &[f64]) -> Vec<f64> {
    let mut values = raw.to_vec();
    let Some((_, grouping)) = frame.grouping("instance") else {
        return values;
    };
    let forwards: Vec<usize> = (0..raw.len()).collect();
    let backwards: Vec<usize> = (0..raw.len()).rev().collect();
    for order in [forwards, backwards] {
        let mut last = vec![None; grouping.values.len()];
        for row in order {
            let Some(last) = last.get_mut(usize::from(grouping.codes[row])) else {
                continue;
            };
            if !raw[row].is_nan() {
                *last = Some((frame.seconds[row], raw[row]));
            } else if let Some((at, value)) = *last {
                let is_near = (frame.seconds[row] - at).abs() <= NEAR_S;
                if values[row].is_nan() && is_near {
                    values[row] = value;
                }
            }
        }
    }
    values
}

/// Readings in standard deviations of their instance's baseline, from its mean. An instance without a baseline has no
/// values.
fn by_instance(frame: &Frame<'_>, raw: &[f64]) -> Vec<f64> {
    let Some((_, grouping)) = frame.grouping("instance") else {
        return raw.to_vec();
    };
    let mut before: Vec<Vec<f64>> = vec![Vec::new(); grouping.values.len()];
    for row in &frame.baseline {
        let own = before.get_mut(usize::from(grouping.codes[*row]));
        if let Some(own) = own.filter(|_| !raw[*row].is_nan()) {
            own.push(raw[*row]);
        }
    }
    let spreads: Vec<f64> = before
        .iter()
        .filter_map(|own| standard_deviation(own))
        .collect();
    // A node that stood still in the baseline is measured by the others.
    let usual = mean(&spreads).unwrap_or(0.0);
    let scales: Vec<Option<(f64, f64)>> = before
        .iter()
        .map(|own| {
            let spread = standard_deviation(own)?.max(usual * 0.05);
            Some((mean(own)?, spread)).filter(|_| own.len() >= 10)
        })
        .collect();
    let normal = |(row, value): (usize, &f64)| {
        let scale = scales.get(usize::from(grouping.codes[row]));
        match scale.copied().flatten() {
            Some((middle, spread)) if spread > 0.0 => ((value - middle) / spread).clamp(-FAR, FAR),
            // It never moved: a change of any size is one.
            Some((middle, _)) => (value - middle).clamp(-FAR, FAR),
            None => f64::NAN,
        }
    };
    raw.iter().enumerate().map(normal).collect()
}

/// The shift of the fleet and of each group that may differ.
fn shifts(
    frame: &Frame<'_>,
    candidate: &Candidate<'_>,
    are_truths: bool,
) -> Vec<(Option<Place>, Shift)> {
    let groups: &[&str] = match candidate.known.carrier {
        Carrier::Instance => &["instance"],
        Carrier::Request => &["instance", "prompt_version", "tenant", "release"],
    };
    let fleet = Bins::of_all(frame, &candidate.values).shift(are_truths);
    let mut found: Vec<(Option<Place>, Shift)> =
        fleet.map(|shift| (None, shift)).into_iter().collect();
    for name in groups {
        let Some((dimension, grouping)) = frame.grouping(name) else {
            continue;
        };
        let each = Bins::of_each(frame, &candidate.values, grouping);
        for (code, bins) in each.iter().enumerate() {
            let (before, now) = bins.rows();
            if before < LEAST_GROUP || now < LEAST_GROUP {
                continue;
            }
            let place = u16::try_from(code).ok().map(|code| (dimension, code));
            found.extend(bins.shift(are_truths).map(|shift| (place, shift)));
        }
    }
    found
}

/// Cliff's delta where it moved most.
fn effect(frame: &Frame<'_>, candidate: &Candidate<'_>) -> f64 {
    effect_at(frame, candidate, candidate.place)
}

/// Cliff's delta of a candidate in a group.
pub(super) fn effect_at(frame: &Frame<'_>, candidate: &Candidate<'_>, place: Option<Place>) -> f64 {
    let of = |rows: &[usize]| {
        let here = rows.iter().filter(|row| frame.belongs(**row, place));
        sorted(here.map(|row| candidate.values[*row]))
    };
    let now = of(&frame.alert);
    let before = of(&frame.baseline);
    cliffs_delta(&now, &before)
}
