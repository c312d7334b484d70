//! Which feature gets which part of the excess?

use super::explain::{Binned, Window};
use super::features::Candidate;
use super::symptom::Judged;
use super::tier::Axis;

/// Onsets within so many seconds of the first of a step belong together: they are good to some ten seconds.
const STEP_S: f64 = 30.0;
/// Parts are told apart to a tenth.
const PART: f64 = 10.0;
/// Least that a feature must add to those before it.
const LEAST_ADDED: f64 = 0.03;
/// Features that explain together.
const MOST_TOGETHER: usize = 5;

/// A feature that moved, with what it explains.
pub(super) struct Mover<'c, 'a> {
    pub(super) candidate: &'c Candidate<'a>,
    pub(super) binned: Binned,
    /// Seconds since the alert window began.
    pub(super) onset: Option<f64>,
    /// Its part of the excess.
    pub(super) share: f64,
}

/// The parts of the axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shares {
    /// Of each axis, in the order of [`Axis::ALL`].
    pub(super) axes: [f64; 3],
    /// What no feature explains.
    pub(super) left: f64,
    /// What of that is beyond chance, and went to the symptom's own axis.
    pub(super) remainder: f64,
}

impl Shares {
    /// The axis with the largest part, that part, and the next.
    pub(super) fn winner(&self) -> Option<(Axis, f64, f64)> {
        let mut order: Vec<usize> = (0..3).collect();
        order.sort_by(|one, other| self.axes[*other].total_cmp(&self.axes[*one]));
        let (best, next) = (order[0], order[1]);
        (self.axes[best] > 0.0).then_some((Axis::ALL[best], self.axes[best], self.axes[next]))
    }
}

/// Gives each mover its part, and says what each axis has. Causes of their own come first, states of engines get what is
/// left: a queue follows from a slow device as well as from a surge, and is always nearer to the symptom.
pub(super) fn share(window: &Window<'_>, judged: &Judged, movers: &mut [Mover<'_, '_>]) -> Shares {
    let mut parts = vec![Part::default(); movers.len()];
    let mut left = 1.0;
    let mut together: Vec<&Binned> = Vec::new();
    for are_states in [false, true] {
        let turn = |at: &usize| movers[*at].candidate.known.is_state == are_states;
        let before = window.explained(&together).clamp(0.0, 1.0);
        let mut explained = before;
        for at in order(movers, |mover| mover.binned.parts.contrast) {
            let is_open = together.len() < MOST_TOGETHER && turn(&at);
            if !is_open || movers[at].binned.parts.contrast <= 0.0 {
                continue;
            }
            together.push(&movers[at].binned);
            let with_it = window.explained(&together).min(1.0);
            if with_it - explained >= LEAST_ADDED {
                // What universal features before took cannot be taken again.
                parts[at].contrast = (with_it - explained) * left / (1.0 - before).max(1e-9);
                explained = with_it;
            } else {
                together.pop();
            }
        }
        left *= (1.0 - explained) / (1.0 - before).max(1e-9);
        for at in order(movers, |mover| mover.binned.parts.universal) {
            if turn(&at) {
                let universal = movers[at].binned.parts.universal;
                parts[at].universal = left * universal;
                left *= 1.0 - universal;
            }
        }
    }
    let mut shares = Shares::default();
    for (mover, part) in movers.iter_mut().zip(parts) {
        mover.share = part.contrast + part.universal;
        if let Some(axis) = Axis::of(mover.candidate.series) {
            shares.axes[axis as usize] += mover.share;
        }
    }
    shares.left = left;
    shares.remainder = (left - 2.0 * judged.error / judged.rise.max(1e-9)).max(0.0);
    if let Some(axis) = Axis::of(&window.frame().request.symptom.series) {
        shares.axes[axis as usize] += shares.remainder;
    }
    shares
}

/// What one mover gets.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    contrast: f64,
    universal: f64,
}

/// Places of movers: by onset in steps, within a step the larger part first, of equals the one nearer to the device. One
/// without an onset may have changed at any time, and stands with the first.
fn order(movers: &[Mover<'_, '_>], part: impl Fn(&Mover<'_, '_>) -> f64) -> Vec<usize> {
    let earliest = movers
        .iter()
        .filter_map(|mover| mover.onset)
        .fold(f64::INFINITY, f64::min);
    let onset = |at: usize| movers[at].onset.unwrap_or(earliest);
    let mut by_time: Vec<usize> = (0..movers.len()).collect();
    by_time.sort_by(|one, other| onset(*one).total_cmp(&onset(*other)));
    let mut steps = vec![0_usize; movers.len()];
    let (mut step, mut began) = (0, earliest);
    for at in by_time {
        if onset(at) - began > STEP_S {
            step += 1;
            began = onset(at);
        }
        steps[at] = step;
    }
    let mut order: Vec<usize> = (0..movers.len()).collect();
    order.sort_by(|one, other| {
        let tenth = |at: &usize| (part(&movers[*at]) * PART).round();
        let near = |at: &usize| {
            let known = movers[*at].candidate.known;
            (known.tier, known.depth)
        };
        steps[*one]
            .cmp(&steps[*other])
            .then_with(|| tenth(other).total_cmp(&tenth(one)))
            .then_with(|| near(one).cmp(&near(other)))
            .then_with(|| {
                movers[*one]
                    .candidate
                    .series
                    .cmp(movers[*other].candidate.series)
            })
    });
    order
}
