//! How values lay in the baseline, and how they lie in the alert window: on the same bins, so that both can be laid
//! one upon the other.

use super::answer::{Distribution, Group};
use super::features::Candidate;
use super::frame::{Frame, Place};
use super::rows::Scale;
use super::tier::Axis;
use super::timeline::group;
use crate::stats::number;
use crate::stats::quantile::{quantile, sorted};

/// Bins of numbers.
const BINS: usize = 24;
/// Features that are told of beside the symptom.
const MOST_FEATURES: usize = 3;
/// Share of each window that lies beyond either edge: a handful far out would leave all others in one bin.
const BEYOND: f64 = 0.01;

/// Those of the symptom, and of the features that explain most.
pub(super) fn distributions<'f>(
    frame: &Frame<'_>,
    told: impl Iterator<Item = &'f Candidate<'f>>,
) -> Vec<Distribution> {
    let symptom = frame.request.symptom.series.as_str();
    let told = told.map(|candidate| (candidate.series, candidate.place));
    std::iter::once((symptom, None))
        .chain(told.take(MOST_FEATURES))
        .filter_map(|(series, place)| of_series(frame, series, place))
        .collect()
}

fn of_series(frame: &Frame<'_>, series: &str, place: Option<Place>) -> Option<Distribution> {
    let mut columns = frame.request.rows.columns.iter();
    let column = columns.find(|column| column.series() == series)?;
    let values = frame.values(column);
    let of = |rows: &[usize]| {
        let here = rows.iter().filter(|row| frame.belongs(**row, place));
        sorted(here.map(|row| values[*row]))
    };
    let (before, after) = (of(&frame.baseline), of(&frame.alert));
    let edges = match column.scale() {
        Scale::Boolean => vec![-0.5, 0.5, 1.5],
        Scale::Number => edges(&before, &after)?,
    };
    Some(Distribution {
        series: series.to_owned(),
        axis: Axis::of(series),
        baseline: shares(&before, &edges),
        alert: shares(&after, &edges),
        edges,
        baseline_requests: before.len() as u64,
        alert_requests: after.len() as u64,
        group: place.map(|place| -> Group { group(frame, place) }),
    })
}

/// Edges of bins of one width over what nearly all of both windows take; `None` where neither has a value.
fn edges(before: &[f64], after: &[f64]) -> Option<Vec<f64>> {
    let ends = |share| {
        let both = [quantile(before, share), quantile(after, share)];
        both.into_iter().flatten()
    };
    let low = ends(BEYOND).reduce(f64::min)?;
    let high = ends(1.0 - BEYOND).reduce(f64::max)?;
    let width = (high - low) / number(BINS);
    // Of one value alone there is one bin, with the value in its middle.
    if width <= 0.0 {
        return Some(vec![low - 0.5, low + 0.5]);
    }
    let mut edges: Vec<f64> = (0..BINS).map(|at| low + width * number(at)).collect();
    edges.push(high);
    Some(edges)
}

/// Share of ascending values in each bin; what lies beyond the outer edges is counted in the outer bins. All zero
/// without values.
fn shares(ascending: &[f64], edges: &[f64]) -> Vec<f64> {
    let inner = edges.get(1..edges.len().saturating_sub(1)).unwrap_or(&[]);
    let below = |edge: &f64| ascending.partition_point(|value| value < edge);
    let mut ends: Vec<usize> = inner.iter().map(below).collect();
    ends.push(ascending.len());
    let all = number(ascending.len()).max(1.0);
    let mut begin = 0;
    let share = |end: usize| {
        let count = end - begin;
        begin = end;
        number(count) / all
    };
    ends.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_value_belongs_to_the_bin_that_begins_with_it_and_what_is_far_out_to_the_last() {
        let values = [-9.0, 0.0, 1.0, 1.5, 99.0];
        assert_eq!(shares(&values, &[0.0, 1.0, 2.0]), [0.4, 0.6]);
        assert_eq!(shares(&[], &[0.0, 1.0, 2.0]), [0.0, 0.0]);
        assert_eq!(
            shares(&[0.0, 1.0, 1.0, 1.0], &[-0.5, 0.5, 1.5]),
            [0.25, 0.75]
        );
    }

    #[test]
    fn one_value_alone_stands_in_the_middle_of_one_bin_and_none_has_no_bins() {
        assert_eq!(edges(&[3.0, 3.0], &[]), Some(vec![2.5, 3.5]));
        assert_eq!(edges(&[], &[]), None);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_edges_ascend(
            before in proptest::collection::vec(-1e6..1e6_f64, 0..80),
            after in proptest::collection::vec(-1e3..1e3_f64, 1..80),
        ) {
            let (before, after) = (sorted(before), sorted(after));
            let edges = edges(&before, &after).unwrap();
            prop_assert!(edges.windows(2).all(|pair| pair[0] < pair[1]));
            for values in [&before, &after] {
                let shares = shares(values, &edges);
                prop_assert_eq!(shares.len() + 1, edges.len());
                let sum: f64 = shares.iter().sum();
                let wanted = if values.is_empty() { 0.0 } else { 1.0 };
                prop_assert!((sum - wanted).abs() < 1e-9);
            }
        }
    }
}
