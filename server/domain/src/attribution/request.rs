//! What is asked of an attribution.

use super::rows::{Rows, UnevenRows};
use crate::Timestamp;
use crate::time::Nanos;

/// Requests that each window needs.
pub const LEAST_REQUESTS: usize = 30;

/// How long before the alert the baseline ends: a cause leads its symptom and an alert takes time to fire, so that
/// without a gap the cause stands in the baseline already.
pub const GUARD: Nanos = Nanos::from_seconds(60);

/// Why a window is as it is.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which times are compared.
    pub windows: Windows,
    /// What went wrong.
    pub symptom: Symptom,
    /// The requests of both windows and of the time between them. Of many: those with the smallest hash of their
    /// trace id, for each window apart, so that repeats agree.
    pub rows: Rows,
    /// How many requests the windows have in all, where `rows` is a sample; else as many as it has in the windows.
    pub requests_considered: Option<u64>,
    /// What is known of the incident besides.
    pub moments: Moments,
}

/// A stretch of time: `from` ≤ t < `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its beginning.
    pub from: Timestamp,
    /// Its end, not within it.
    pub to: Timestamp,
}

impl Window {
    /// Whether an instant lies within.
    pub fn contains(&self, at: Timestamp) -> bool {
        self.from <= at && at < self.to
    }
}

/// Which times are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// When all was well. Its last part, up to [`GUARD`] before the alert, is not used.
    pub baseline: Window,
    /// When it was not.
    pub alert: Window,
}

impl Windows {
    /// Seconds of baseline where the caller names none.
    pub const DEFAULT_BASELINE: Nanos = Nanos::from_seconds(3600);

    /// The hour before an alert as its baseline.
    pub fn before(alert: Window) -> Self {
        Windows {
            baseline: Window {
                from: alert.from.minus(Self::DEFAULT_BASELINE),
                to: alert.from,
            },
            alert,
        }
    }

    /// The part of the baseline that is used.
    pub fn used_baseline(&self) -> Window {
        Window {
            from: self.baseline.from,
            to: self.baseline.to.min(self.alert.from.minus(GUARD)),
        }
    }
}

/// Which way is bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Larger is worse.
    Up,
    /// Smaller is worse.
    Down,
}

impl Direction {
    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
        }
    }

    /// From [`Direction::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        [Direction::Up, Direction::Down]
            .into_iter()
            .find(|direction| direction.as_str() == text)
    }
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Symptom {
    /// Series of the column that tells it: `token.ttft_ms`.
    pub series: String,
    /// Which way is bad.
    pub direction: Direction,
    /// From where on a value is bad, in the unit of the series: at or past it. Without one, values are ranked among
    /// those of the baseline.
    pub threshold: Option<f64>,
}

/// What is known of an incident besides its requests; told in the time line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// When the alert fired.
    pub alerted: Option<Timestamp>,
    /// When all was well again.
    pub recovered: Option<Timestamp>,
}

/// There is nothing to say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswerable {
    /// A window has fewer than [`LEAST_REQUESTS`] requests that have the symptom's series.
    #[error(
        "too few requests with a value of the symptom: {baseline} in the baseline, {alert} in the alert window, 30 needed in each"
    )]
    TooFew {
        /// In the baseline, without its last minute.
        baseline: usize,
        /// In the alert window.
        alert: usize,
    },
    /// Columns are not of one length: a fault of the caller.
    #[error(transparent)]
    Uneven(#[from] UnevenRows),
}
