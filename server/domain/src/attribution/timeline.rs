//! What happened when, and requests that show it.

use super::answer::{Group, Moment};
use super::culprits::Found;
use super::frame::Frame;
use super::reason::Happening;
use super::shares::Mover;
use super::symptom::Judged;
use crate::stats::quantile::{median, sorted};
use crate::{Nanos, Timestamp, TraceId};

/// Features whose onsets are told.
const MOST_FEATURES: usize = 6;
/// Sample traces.
const SAMPLES: usize = 10;

/// Moments in the order of time. `symptom` is its onset in seconds since the alert window began.
pub(super) fn timeline(
    frame: &Frame<'_>,
    judged: &Judged,
    (movers, culprits): (&[Mover<'_, '_>], &[Found]),
    symptom: Option<f64>,
) -> Vec<Moment> {
    let mut moments = Vec::new();
    let mut tell = |at: Timestamp, what: Happening| moments.push(Moment { at, what });
    for mover in movers
        .iter()
        .filter(|mover| mover.share > 0.0)
        .take(MOST_FEATURES)
    {
        if let Some(onset) = mover.onset {
            let what = Happening::FeatureChanged {
                series: mover.candidate.series.to_owned(),
                group: mover.candidate.place.map(|place| group(frame, place)),
                rose: mover.candidate.effect > 0.0,
            };
            tell(instant(frame, onset), what);
        }
    }
    let series = frame.request.symptom.series.clone();
    if let Some(onset) = symptom {
        tell(instant(frame, onset), Happening::SymptomBegan { series });
    }
    if let Some(row) = frame.alert.iter().find(|row| judged.badness.is_bad(**row)) {
        let row = frame.order[*row];
        let trace_id = frame.request.rows.trace_ids[row].clone();
        tell(
            frame.request.rows.starts[row],
            Happening::FirstAbnormal { trace_id },
        );
    }
    for found in culprits {
        if found.culprit.share_of_baseline > 0.0 {
            continue;
        }
        let mut rows = 0..frame.order.len();
        if let Some(row) = rows.find(|row| frame.belongs(*row, Some(found.place))) {
            let at = frame.request.rows.starts[frame.order[row]];
            let group = group(frame, found.place);
            tell(at, Happening::FirstSeen { group });
        }
    }
    let known = frame.request.moments;
    if let Some(at) = known.alerted {
        tell(at, Happening::Alerted);
    }
    if let Some(at) = known.recovered {
        tell(at, Happening::Recovered);
    }
    moments.sort_by_key(|moment| moment.at);
    moments
}

/// Bad requests of the ordinary kind: those nearest to the median of what bad ones are, from the first culprit where
/// there is one. The worst are often odd for reasons of their own.
pub(super) fn samples(frame: &Frame<'_>, judged: &Judged, culprits: &[Found]) -> Vec<TraceId> {
    let y = &judged.badness.y;
    let bad = |place| -> Vec<usize> {
        let rows = frame.alert.iter().copied();
        rows.filter(|row| judged.badness.is_bad(*row) && frame.belongs(*row, place))
            .collect()
    };
    let mut rows = bad(culprits.first().map(|found| found.place));
    if rows.is_empty() {
        rows = bad(None);
    }
    let middle = median(&sorted(rows.iter().map(|row| y[*row]))).unwrap_or(1.0);
    rows.sort_by(|one, other| {
        let far = |row: &usize| (y[*row] - middle).abs();
        far(one).total_cmp(&far(other)).then(one.cmp(other))
    });
    rows.truncate(SAMPLES);
    rows.sort_unstable();
    let trace = |row: &usize| frame.request.rows.trace_ids[frame.order[*row]].clone();
    rows.iter().map(trace).collect()
}

pub(super) fn group(frame: &Frame<'_>, (dimension, code): (usize, u16)) -> Group {
    let grouping = &frame.groupings[dimension];
    Group {
        dimension: grouping.name.to_owned(),
        value: grouping.values[usize::from(code)].to_owned(),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "seconds since the alert are few, and the sign is looked at"
)]
fn instant(frame: &Frame<'_>, seconds: f64) -> Timestamp {
    let from = frame.request.windows.alert.from;
    let by = Nanos((seconds.abs() * 1e9) as u64);
    if seconds < 0.0 {
        from.minus(by)
    } else {
        from.plus(by)
    }
}
