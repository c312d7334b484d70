//! How sure is the answer?

use super::frame::Frame;
use super::shares::Shares;
use super::symptom::Judged;
use super::tier::{self, Axis, Tier};
use crate::stats::number;

/// Latency rose, and no cause was seen.
const UNSEEN_CAUSE: f64 = 0.4;
/// An axis could not be looked at.
const UNSEEN_AXIS: f64 = 0.5;
/// Requests from which on their number is no reason to doubt.
pub(super) const ENOUGH: usize = 100;

/// Of an axis that won: how clearly, less for what could not be seen.
pub(super) fn of_axis(frame: &Frame<'_>, judged: &Judged, shares: &Shares, unseen: &[Axis]) -> f64 {
    let Some((axis, share, next)) = shares.winner() else {
        return 0.0;
    };
    let mut confidence = (1.0 - judged.p_value) * (share.min(1.0) - next);
    if axis == Axis::Token && share <= shares.remainder {
        confidence *= UNSEEN_CAUSE;
    }
    for other in unseen {
        if *other != axis {
            confidence *= UNSEEN_AXIS;
        }
    }
    confidence *= (number(frame.alert.len()) / number(ENOUGH)).min(1.0);
    confidence.clamp(0.0, 1.0)
}

/// Of "none": the less likely the symptom is by chance, the less sure.
pub(super) fn of_none(judged: &Judged) -> f64 {
    1.0 - (0.001 / judged.p_value.max(1e-12)).min(1.0) / 2.0
}

/// Axes that have values that could be causes on fewer than half the requests of the alert window.
pub(super) fn unseen(frame: &Frame<'_>) -> Vec<Axis> {
    let half = |axis: &Axis| {
        let columns = frame.request.rows.columns.iter().filter(|column| {
            let known = tier::of(column.series());
            Axis::of(column.series()) == Some(*axis)
                && known.is_some_and(|known| known.tier != Tier::Outcome)
        });
        let most = columns
            .map(|column| {
                let rows = frame.alert.iter();
                rows.filter(|row| column.get(frame.order[**row]).is_some())
                    .count()
            })
            .max();
        2 * most.unwrap_or(0) < frame.alert.len()
    };
    Axis::ALL.into_iter().filter(half).collect()
}
