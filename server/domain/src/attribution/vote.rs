//! The vote of each axis by clusters: how different do its values look, taken together? It is shown and does not
//! decide: consequences vote as gladly as causes.

use super::answer::AxisVote;
use super::features::Candidate;
use super::frame::{Frame, NO_BIN, Side};
use super::rows::NO_VALUE;
use super::tier::{Axis, Carrier};
use crate::stats::autocorrelation::autocorrelation_time;
use crate::stats::dbscan::{Point, dbscan, neighbour_distances};
use crate::stats::number;
use crate::stats::pca::principal_components;
use crate::stats::quantile::{
    MAD_TO_SIGMA, median, median_absolute_deviation, quantile, sorted, standard_deviation,
};
use crate::stats::table::{bergsma, dependence};
use crate::stats::tail::chi_square_upper;

/// Rows that are clustered, half of each window.
const MOST_ROWS: usize = 4000;
/// Where values are cut off, in robust standard deviations.
const CLIP: f64 = 12.0;
/// Share of the variance that components have to reach, and their number.
const COMPONENTS: (f64, usize) = (0.9, 3);
/// Things that make a core.
const CORE: u32 = 10;
/// Which of the baseline's distances is the radius.
const RADIUS: f64 = 0.9;
/// Points whose distances are measured for the radius.
const MOST_MEASURED: usize = 200;
/// Least expected count of a cluster.
const LEAST_EXPECTED: f64 = 5.0;
/// Placebo windows that are needed.
const LEAST_PLACEBOS: usize = 19;
/// Share of an axis' rows that a feature must have.
const LEAST_KNOWN: f64 = 0.5;

/// A row of an axis: a request, or a reading that requests share.
struct Row {
    row: usize,
    at: Vec<f64>,
}

/// The votes of the three axes.
pub(super) fn votes(frame: &Frame<'_>, candidates: &[Candidate<'_>]) -> Vec<AxisVote> {
    let of = |axis: Axis| vote(frame, axis, candidates);
    Axis::ALL.into_iter().map(of).collect()
}

fn vote(frame: &Frame<'_>, axis: Axis, candidates: &[Candidate<'_>]) -> AxisVote {
    let nothing = AxisVote {
        axis,
        chi2: 0.0,
        p_value: 1.0,
        cramers_v: 0.0,
        clusters: 0,
        requests: 0,
    };
    let all = frame.baseline.len() + frame.alert.len();
    let members: Vec<&Candidate<'_>> = candidates
        .iter()
        .filter(|candidate| Axis::of(candidate.series) == Some(axis) && is_known(frame, candidate))
        .collect();
    if members.is_empty() || all == 0 {
        return nothing;
    }
    let requests = both(frame).filter(|row| is_whole(&members, *row)).count();
    let rows = thinned(frame, &members);
    let Some(rows) = scaled(frame, &members, rows) else {
        return AxisVote {
            requests,
            ..nothing
        };
    };
    let Some(labels) = clusters(frame, &rows) else {
        return AxisVote {
            requests,
            ..nothing
        };
    };
    let count = labels.iter().flatten().max().map_or(0, |most| most + 1);
    let is_alert: Vec<bool> = rows
        .iter()
        .map(|row| frame.sides[row.row] == Side::Alert)
        .collect();
    let Some(table) = merged(&labels, &is_alert, count) else {
        return AxisVote {
            requests,
            clusters: count,
            ..nothing
        };
    };
    let memory = memory(frame, &rows, &labels, count);
    let chi2 = table.chi_square / memory;
    let n = number(rows.len()) / memory;
    AxisVote {
        axis,
        chi2,
        p_value: placebo(frame, &rows, &labels, (count, table.chi_square))
            .unwrap_or_else(|| chi_square_upper(chi2, table.freedom)),
        cramers_v: bergsma(chi2, n, (table.freedom + 1.0, 2.0)),
        clusters: count,
        requests,
    }
}

fn both<'f>(frame: &'f Frame<'_>) -> impl Iterator<Item = usize> + 'f {
    frame.baseline.iter().chain(&frame.alert).copied()
}

fn is_known(frame: &Frame<'_>, candidate: &Candidate<'_>) -> bool {
    let known = both(frame)
        .filter(|row| !candidate.values[*row].is_nan())
        .count();
    number(known) >= LEAST_KNOWN * number(frame.baseline.len() + frame.alert.len())
}

fn is_whole(members: &[&Candidate<'_>], row: usize) -> bool {
    members.iter().all(|member| !member.values[row].is_nan())
}

/// Rows that have all values. Where instances have them, one for each instance and bin, so that a row is a reading. Of
/// more than are wanted, some at even distances.
fn thinned(frame: &Frame<'_>, members: &[&Candidate<'_>]) -> Vec<usize> {
    let is_shared = members
        .iter()
        .all(|member| member.known.carrier == Carrier::Instance);
    let instances = frame
        .grouping("instance")
        .map(|(_, grouping)| &grouping.codes);
    let mut last = std::collections::HashMap::new();
    let whole: Vec<usize> = both(frame)
        .filter(|row| is_whole(members, *row) && frame.bins[*row] != NO_BIN)
        .filter(|row| {
            let instance = instances.map_or(NO_VALUE, |codes| codes[*row]);
            !is_shared || last.insert((instance, frame.bins[*row]), ()).is_none()
        })
        .collect();
    let (now, before): (Vec<usize>, Vec<usize>) = whole
        .into_iter()
        .partition(|row| frame.sides[*row] == Side::Alert);
    let mut rows = spread(&before, MOST_ROWS / 2);
    rows.extend(spread(&now, MOST_ROWS / 2));
    rows
}

/// At most so many, at even distances.
fn spread(rows: &[usize], most: usize) -> Vec<usize> {
    if rows.len() <= most {
        return rows.to_vec();
    }
    (0..most).map(|at| rows[at * rows.len() / most]).collect()
}

/// Robust z-scores by the baseline, along the principal components.
fn scaled(frame: &Frame<'_>, members: &[&Candidate<'_>], rows: Vec<usize>) -> Option<Vec<Row>> {
    let scales: Vec<(f64, f64)> = members
        .iter()
        .map(|member| {
            let here = rows
                .iter()
                .filter(|row| frame.sides[**row] == Side::Baseline);
            let before = sorted(here.map(|row| member.values[*row]));
            let middle = median(&before).unwrap_or(0.0);
            let robust = median_absolute_deviation(&before).unwrap_or(0.0) * MAD_TO_SIGMA;
            let spread = [robust, standard_deviation(&before).unwrap_or(0.0), 1.0];
            let spread = spread
                .into_iter()
                .find(|spread| *spread > 1e-9)
                .unwrap_or(1.0);
            (middle, spread)
        })
        .collect();
    let points: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| {
            let z = members
                .iter()
                .zip(&scales)
                .map(|(member, (middle, spread))| {
                    ((member.values[*row] - middle) / spread).clamp(-CLIP, CLIP)
                });
            z.collect()
        })
        .collect();
    let components = principal_components(&points, COMPONENTS.0, COMPONENTS.1)?;
    let at = |(row, point): (usize, &Vec<f64>)| Row {
        row,
        at: components.project(point),
    };
    Some(rows.into_iter().zip(&points).map(at).collect())
}

/// Cluster of each row; equal rows are one point that weighs more.
fn clusters(frame: &Frame<'_>, rows: &[Row]) -> Option<Vec<Option<usize>>> {
    let mut points: Vec<Point> = Vec::new();
    let mut places = std::collections::HashMap::new();
    let mut point_of = Vec::with_capacity(rows.len());
    let mut before: Vec<Point> = Vec::new();
    for row in rows {
        let mut at = [0.0; 3];
        for (to, from) in at.iter_mut().zip(&row.at) {
            *to = *from;
        }
        let place = *places.entry(at.map(f64::to_bits)).or_insert_with(|| {
            points.push(Point { at, weight: 0 });
            points.len() - 1
        });
        points[place].weight += 1;
        point_of.push(place);
        if frame.sides[row.row] == Side::Baseline {
            before.push(Point { at, weight: 1 });
        }
    }
    let stride = before.len().div_ceil(MOST_MEASURED).max(1);
    let measured: Vec<usize> = (0..before.len()).step_by(stride).collect();
    let distances = sorted(neighbour_distances(&before, &measured, CORE));
    let radius = quantile(&distances, RADIUS).filter(|radius| *radius > 0.0)?;
    let labels = dbscan(&points, radius, CORE);
    Some(point_of.into_iter().map(|place| labels[place]).collect())
}

/// The table of cluster against window, clusters with small expected counts merged into noise.
fn merged(
    labels: &[Option<usize>],
    is_alert: &[bool],
    count: usize,
) -> Option<crate::stats::table::Dependence> {
    let mut table = vec![vec![0.0, 0.0]; count + 1];
    for (label, now) in labels.iter().zip(is_alert) {
        table[label.unwrap_or(count)][usize::from(*now)] += 1.0;
    }
    let n = number(labels.len());
    let smaller = [0, 1]
        .map(|window| table.iter().map(|row| row[window]).sum::<f64>())
        .into_iter()
        .fold(f64::INFINITY, f64::min);
    let mut noise = table.pop()?;
    table.retain(|row| {
        let stays = (row[0] + row[1]) * smaller / n >= LEAST_EXPECTED;
        if !stays {
            noise[0] += row[0];
            noise[1] += row[1];
        }
        stays
    });
    table.push(noise);
    dependence(&table)
}

/// Design effect: how long the share of the largest cluster remembers, in bins, over the baseline; rows that lie in one
/// bin are taken to be independent.
fn memory(frame: &Frame<'_>, rows: &[Row], labels: &[Option<usize>], count: usize) -> f64 {
    let mut sizes = vec![0_usize; count + 1];
    for label in labels {
        sizes[label.unwrap_or(count)] += 1;
    }
    let largest = (0..sizes.len()).max_by_key(|at| (sizes[*at], std::cmp::Reverse(*at)));
    let mut cells = vec![(0.0, 0_u32); frame.baseline_bins];
    for (row, label) in rows.iter().zip(labels) {
        if let Some(cell) = cells.get_mut(frame.bins[row.row] as usize) {
            cell.0 += f64::from(u8::from(label.unwrap_or(count) == largest.unwrap_or(count)));
            cell.1 += 1;
        }
    }
    let filled = cells.iter().filter(|(_, n)| *n > 0);
    let shares: Vec<f64> = filled.map(|(sum, n)| sum / f64::from(*n)).collect();
    autocorrelation_time(&shares)
}

/// How many windows of the alert's length within the baseline differ as much from its rest: (1 + #) / (1 + n).
fn placebo(
    frame: &Frame<'_>,
    rows: &[Row],
    labels: &[Option<usize>],
    (count, found): (usize, f64),
) -> Option<f64> {
    let width = frame.alert_bins.max(1);
    let step = (width / 2).max(1);
    let windows = (frame.baseline_bins + 1).checked_sub(width)?.div_ceil(step);
    if windows < LEAST_PLACEBOS {
        return None;
    }
    let before: Vec<(usize, Option<usize>)> = rows
        .iter()
        .zip(labels)
        .filter(|(row, _)| frame.sides[row.row] == Side::Baseline)
        .map(|(row, label)| (frame.bins[row.row] as usize, *label))
        .collect();
    let labels: Vec<Option<usize>> = before.iter().map(|(_, label)| *label).collect();
    let as_large = (0..windows)
        .filter(|at| {
            let within = at * step..at * step + width;
            let is_in: Vec<bool> = before.iter().map(|(bin, _)| within.contains(bin)).collect();
            let table = merged(&labels, &is_in, count);
            table.is_some_and(|table| table.chi_square >= found)
        })
        .count();
    Some(number(1 + as_large) / number(1 + windows))
}
