//! What have the bad requests in common?

use super::answer::{Culprit, Evidence};
use super::frame::{Frame, Grouping, Place};
use super::shift::Bins;
use super::symptom::Judged;
use crate::stats::false_discovery::benjamini_hochberg;
use crate::stats::number;
use crate::stats::tail::{Marked, fisher_upper};

/// Requests of the alert window that a value needs.
const LEAST_ROWS: usize = 10;
/// Least score that is listed.
const LEAST_SCORE: f64 = 0.15;
/// Least z of a share that grew.
const LEAST_GROWTH_Z: f64 = 4.0;
/// Least growth of a share.
const LEAST_GROWTH: f64 = 0.05;
/// Largest q-value of a culprit.
const MOST_Q: f64 = 0.01;
/// Scores that near are equal: the more specific value goes first.
const NEAR: f64 = 0.05;
/// Culprits that are listed.
const MOST_LISTED: usize = 10;

/// A culprit and where it is in the frame.
pub(super) struct Found {
    pub(super) place: Place,
    pub(super) culprit: Culprit,
    pub(super) growth: f64,
    pub(super) contrast: f64,
}

/// Values that the bad requests share, the likeliest first.
pub(super) fn culprits(frame: &Frame<'_>, judged: &Judged, excess: f64) -> Vec<Found> {
    let y = &judged.badness.y;
    let known = |rows: &[usize]| -> Vec<usize> {
        rows.iter()
            .copied()
            .filter(|row| !y[*row].is_nan())
            .collect()
    };
    let (alert, baseline) = (known(&frame.alert), known(&frame.baseline));
    let mean =
        |rows: &[usize]| rows.iter().map(|row| y[*row]).sum::<f64>() / number(rows.len().max(1));
    let means = (mean(&baseline), mean(&alert));
    let mut found = Vec::new();
    for (dimension, grouping) in frame.groupings.iter().enumerate() {
        let tallies = tally(grouping, judged, (&baseline, &alert));
        for (code, tally) in tallies.into_iter().enumerate() {
            let Ok(code) = u16::try_from(code) else {
                continue;
            };
            if tally.now >= LEAST_ROWS {
                let growth = growth(frame, grouping, code);
                let sizes = (baseline.len(), alert.len());
                found.push(((dimension, code), tally.score(means, sizes, excess), growth));
            }
        }
    }
    let p_values: Vec<f64> = found
        .iter()
        .map(|(_, scored, growth)| match growth {
            Some((_, p)) => scored.p_value.min(*p),
            None => scored.p_value,
        })
        .collect();
    let q_values = benjamini_hochberg(&p_values);
    let all = found.into_iter().zip(q_values);
    let listed = all.filter_map(|((place, scored, growth), q)| {
        let growth = growth.map_or(0.0, |(growth, _)| growth);
        let score = scored.contrast.max(0.0) + growth;
        let grouping = &frame.groupings[place.0];
        (score >= LEAST_SCORE && q <= MOST_Q).then(|| Found {
            place,
            growth,
            contrast: scored.contrast,
            culprit: Culprit {
                dimension: grouping.name.to_owned(),
                value: grouping.values[usize::from(place.1)].to_owned(),
                share_of_abnormal: scored.of_bad,
                share_of_baseline: scored.of_baseline,
                lift: scored.of_bad / scored.of_baseline.max(1.0 / number(baseline.len().max(1))),
                q_value: q,
                evidence: if scored.contrast >= growth {
                    Evidence::Contrast
                } else {
                    Evidence::Growth
                },
                score,
            },
        })
    });
    ranked(listed.collect())
}

/// The likeliest first: what has contrast before what only grew, and of near ones the more specific.
fn ranked(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by(|one, other| {
        let key = |found: &Found| found.culprit.score;
        key(other)
            .total_cmp(&key(one))
            .then(one.place.cmp(&other.place))
    });
    // Insertion keeps the order total, which "within so much" alone would not be.
    let mut at = 1;
    while at < found.len() {
        let mut to = at;
        while to > 0 && goes_before(&found[to], &found[to - 1]) {
            found.swap(to, to - 1);
            to -= 1;
        }
        at += 1;
    }
    found.truncate(MOST_LISTED);
    found
}

fn goes_before(lower: &Found, upper: &Found) -> bool {
    let is_near = upper.culprit.score - lower.culprit.score <= NEAR;
    is_near && depth(&lower.culprit.dimension) > depth(&upper.culprit.dimension)
}

/// How specific a dimension is: a version of a prompt is one of the prompt's, a GPU one of its instance's.
fn depth(dimension: &str) -> u8 {
    match dimension {
        "prompt_version" | "gpu" | "release" => 2,
        "instance" | "tenant" => 1,
        _ => 0,
    }
}

/// What is counted of a value.
#[derive(Clone, Copy, Default)]
struct Tally {
    before: usize,
    now: usize,
    badness: f64,
    bad: usize,
    all_bad: usize,
}

struct Scored {
    contrast: f64,
    of_bad: f64,
    of_baseline: f64,
    p_value: f64,
}

fn tally(
    grouping: &Grouping<'_>,
    judged: &Judged,
    (baseline, alert): (&[usize], &[usize]),
) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); grouping.values.len()];
    for row in baseline {
        if let Some(tally) = tallies.get_mut(usize::from(grouping.codes[*row])) {
            tally.before += 1;
        }
    }
    let mut all_bad = 0;
    for row in alert {
        let is_bad = judged.badness.is_bad(*row);
        all_bad += usize::from(is_bad);
        if let Some(tally) = tallies.get_mut(usize::from(grouping.codes[*row])) {
            tally.now += 1;
            tally.badness += judged.badness.y[*row];
            tally.bad += usize::from(is_bad);
        }
    }
    for tally in &mut tallies {
        tally.all_bad = all_bad;
    }
    tallies
}

impl Tally {
    fn score(
        self,
        (before, now): (f64, f64),
        (baseline, alert): (usize, usize),
        excess: f64,
    ) -> Scored {
        let others = alert - self.now;
        let without = if others == 0 {
            // There is nothing to contrast it with.
            now
        } else {
            (now * number(alert) - self.badness) / number(others)
        };
        let p_value = fisher_upper(Marked {
            here: self.bad,
            of: self.now,
            there: self.all_bad - self.bad,
            of_others: others,
        });
        Scored {
            contrast: (now - without.max(before)) / excess.max(1e-9),
            of_bad: number(self.bad) / number(self.all_bad.max(1)),
            of_baseline: number(self.before) / number(baseline.max(1)),
            p_value,
        }
    }
}

/// By how much a value's share of the traffic grew, with the p-value, where it did beyond doubt.
fn growth(frame: &Frame<'_>, grouping: &Grouping<'_>, code: u16) -> Option<(f64, f64)> {
    let share = |count: usize, of: usize| number(count) / number(of.max(1));
    let before = share(
        grouping.in_baseline[usize::from(code)],
        frame.baseline.len(),
    );
    let now = share(grouping.in_alert[usize::from(code)], frame.alert.len());
    if now - before < LEAST_GROWTH {
        return None;
    }
    let indicator: Vec<f64> = grouping
        .codes
        .iter()
        .map(|other| f64::from(u8::from(*other == code)))
        .collect();
    let shift = Bins::of_all(frame, &indicator).shift(true)?;
    (shift.z > LEAST_GROWTH_Z)
        .then(|| ((now - before) / (1.0 - before).max(1e-9), shift.p_of_rise()))
}
