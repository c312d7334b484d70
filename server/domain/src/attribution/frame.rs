//! Requests in the order of their times, by window, bin and group: what every step reads.

use super::request::{Request, Unanswerable, Window};
use super::rows::{Column, Dimension, NO_VALUE};

/// Width of a bin in seconds: at least two scrapes of most fleets, and a handful of requests.
const BIN_S: f64 = 15.0;
/// Most bins that a baseline is cut into; a longer one has wider bins.
const MOST_BINS: f64 = 1000.0;
/// Values of a dimension that are looked at, by their frequency.
const MOST_VALUES: usize = 20;
/// Values that are new in the alert window and looked at as well.
const MOST_NEWCOMERS: usize = 30;
/// Bin of a row that is in neither window.
pub(super) const NO_BIN: u32 = u32::MAX;

/// Where a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Baseline,
    /// In the gap before the alert: for onsets only.
    Between,
    Alert,
}

/// Everything that was sent, sorted.
pub(super) struct Frame<'a> {
    pub(super) request: &'a Request,
    /// Row of the request's columns, in the order of time.
    pub(super) order: Vec<usize>,
    /// Seconds since the alert window began; negative before.
    pub(super) seconds: Vec<f64>,
    pub(super) sides: Vec<Side>,
    /// Bin of each row: those of the baseline first, then those of the alert window.
    pub(super) bins: Vec<u32>,
    pub(super) baseline_bins: usize,
    pub(super) alert_bins: usize,
    /// Width of a bin in seconds.
    pub(super) bin_s: f64,
    /// Rows of the baseline.
    pub(super) baseline: Vec<usize>,
    /// Rows of the alert window.
    pub(super) alert: Vec<usize>,
    pub(super) groupings: Vec<Grouping<'a>>,
}

/// A dimension with those of its values that are looked at.
pub(super) struct Grouping<'a> {
    pub(super) name: &'a str,
    /// Values in the order of their first request, so that their names play no part.
    pub(super) values: Vec<&'a str>,
    pub(super) codes: Vec<u16>,
    pub(super) in_baseline: Vec<usize>,
    pub(super) in_alert: Vec<usize>,
}

/// A group by its place: dimension and value.
pub(super) type Place = (usize, u16);

impl<'a> Frame<'a> {
    pub(super) fn new(request: &'a Request) -> Result<Self, Unanswerable> {
        request.rows.check()?;
        let baseline = request.windows.used_baseline();
        let alert = request.windows.alert;
        let rows = &request.rows;
        let span = Window {
            from: baseline.from.min(alert.from),
            to: alert.to,
        };
        let mut order: Vec<usize> = (0..rows.len())
            .filter(|row| span.contains(rows.starts[*row]))
            .collect();
        order.sort_by(|one, other| {
            let key = |row: &usize| (rows.starts[*row], &rows.trace_ids[*row]);
            key(one).cmp(&key(other))
        });
        let bin_s = BIN_S.max(length_s(baseline) / MOST_BINS);
        let mut frame = Frame {
            request,
            seconds: Vec::with_capacity(order.len()),
            sides: Vec::with_capacity(order.len()),
            bins: Vec::with_capacity(order.len()),
            baseline_bins: index((length_s(baseline) / bin_s).ceil()),
            alert_bins: index((length_s(alert) / bin_s).ceil()),
            bin_s,
            baseline: Vec::new(),
            alert: Vec::new(),
            groupings: Vec::new(),
            order,
        };
        frame.place(baseline, alert);
        let dimensions = rows.dimensions.iter();
        frame.groupings = dimensions.map(|dimension| frame.group(dimension)).collect();
        Ok(frame)
    }

    fn place(&mut self, baseline: Window, alert: Window) {
        for (at, row) in self.order.iter().enumerate() {
            let start = self.request.rows.starts[*row];
            let bin = |from| index(seconds_between(from, start) / self.bin_s);
            let (side, bin) = if alert.contains(start) {
                self.alert.push(at);
                (Side::Alert, self.baseline_bins + bin(alert.from))
            } else if baseline.contains(start) {
                self.baseline.push(at);
                (Side::Baseline, bin(baseline.from))
            } else {
                (Side::Between, usize::MAX)
            };
            self.sides.push(side);
            self.bins.push(u32::try_from(bin).unwrap_or(NO_BIN));
            self.seconds.push(seconds_between(alert.from, start));
        }
    }

    fn group(&self, dimension: &'a Dimension) -> Grouping<'a> {
        let all = dimension.values.len();
        let mut first = vec![usize::MAX; all];
        let mut counts = vec![(0_usize, 0_usize); all];
        for (at, row) in self.order.iter().enumerate() {
            let code = usize::from(dimension.codes[*row]);
            if let Some((before, now)) = counts.get_mut(code) {
                first[code] = first[code].min(at);
                match self.sides[at] {
                    Side::Baseline => *before += 1,
                    Side::Alert => *now += 1,
                    Side::Between => {}
                }
            }
        }
        let mut kept: Vec<usize> = (0..all)
            .filter(|code| counts[*code].0 + counts[*code].1 > 0)
            .collect();
        kept.sort_by_key(|code| {
            let (before, now) = counts[*code];
            (std::cmp::Reverse(before + now), first[*code])
        });
        let others = kept.split_off(kept.len().min(MOST_VALUES));
        let newcomers = others.into_iter().filter(|code| counts[*code].0 == 0);
        kept.extend(newcomers.take(MOST_NEWCOMERS));
        kept.sort_by_key(|code| first[*code]);
        let mut recoded = vec![NO_VALUE; all];
        for (new, old) in kept.iter().enumerate() {
            recoded[*old] = u16::try_from(new).unwrap_or(NO_VALUE);
        }
        let code = |row: &usize| {
            let old = usize::from(dimension.codes[*row]);
            recoded.get(old).copied().unwrap_or(NO_VALUE)
        };
        Grouping {
            name: &dimension.name,
            values: kept
                .iter()
                .map(|old| dimension.values[*old].as_str())
                .collect(),
            codes: self.order.iter().map(code).collect(),
            in_baseline: kept.iter().map(|old| counts[*old].0).collect(),
            in_alert: kept.iter().map(|old| counts[*old].1).collect(),
        }
    }

    /// A column's values in the order of the frame; those that are missing are not numbers.
    pub(super) fn values(&self, column: &Column) -> Vec<f64> {
        let value = |row: &usize| column.get(*row).unwrap_or(f64::NAN);
        self.order.iter().map(value).collect()
    }

    /// The grouping of a dimension, with its place.
    pub(super) fn grouping(&self, name: &str) -> Option<(usize, &Grouping<'a>)> {
        let mut all = self.groupings.iter().enumerate();
        all.find(|(_, grouping)| grouping.name == name)
    }

    /// Whether a row belongs to a group; each does to none in particular.
    pub(super) fn belongs(&self, row: usize, place: Option<Place>) -> bool {
        place.is_none_or(|(dimension, code)| self.groupings[dimension].codes[row] == code)
    }

    /// Requests in the alert window by those in the baseline, each per unit of time.
    pub(super) fn traffic(&self) -> f64 {
        let rate =
            |rows: usize, window: Window| crate::stats::number(rows) / length_s(window).max(1.0);
        let before = rate(self.baseline.len(), self.request.windows.used_baseline());
        rate(self.alert.len(), self.request.windows.alert) / before.max(1e-9)
    }
}

pub(super) fn length_s(window: Window) -> f64 {
    seconds_between(window.from, window.to).max(0.0)
}

/// Seconds from one instant to another; negative when the other is earlier.
#[expect(
    clippy::cast_precision_loss,
    reason = "what is left of the precision is far below a bin"
)]
fn seconds_between(from: crate::Timestamp, to: crate::Timestamp) -> f64 {
    (to.unix_nanos() - from.unix_nanos()) as f64 / 1e9
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "negative ones are zero, and windows are shorter than centuries"
)]
fn index(bins: f64) -> usize {
    bins.max(0.0) as usize
}
