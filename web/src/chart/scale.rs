//! From values to places: a stretch of values, its round numbers, and where each stands.

use super::number;
use crate::measure::{Unit, written};

/// A stretch of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
}

/// A round value of a scale.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScaleTick {
    /// Place in percent, from the top or the left.
    pub(crate) at: String,
    /// The value with its unit.
    pub(crate) text: String,
}

/// Room above and below, in shares of what the values take.
const ROOM: f64 = 0.08;

impl Scale {
    /// Over values, with room above and below, never below zero where no value is. `None` of none.
    pub(crate) fn over(values: impl Iterator<Item = f64>, unit: Unit) -> Option<Self> {
        let (low, high) = extent(values)?;
        let is_share = matches!(unit, Unit::Share | Unit::Flag) && low >= 0.0 && high <= 1.0;
        let least = if is_share {
            0.02
        } else {
            high.abs().max(low.abs()) * 0.02
        };
        let spread = (high - low).max(least).max(f64::MIN_POSITIVE);
        let middle = f64::midpoint(low, high);
        let (mut from, mut to) = (
            middle - spread * (0.5 + ROOM),
            middle + spread * (0.5 + ROOM),
        );
        if low >= 0.0 && from < 0.0 {
            // What is moved up at the foot is kept in height.
            (from, to) = (0.0, to.max(spread * (1.0 + ROOM)));
        }
        if is_share {
            to = to.min(1.0 + ROOM / 4.0);
        }
        Some(Scale {
            low: from,
            high: to,
        })
    }

    /// Between two values.
    pub(crate) const fn between(low: f64, high: f64) -> Self {
        Scale { low, high }
    }

    /// The stretch of both.
    pub(crate) fn with(self, other: Scale) -> Self {
        Scale {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// How much it spans.
    pub(crate) fn spread(self) -> f64 {
        self.high - self.low
    }

    /// Where a value stands, in percent from its lower end; beyond the ends at the ends.
    pub(crate) fn share(self, value: f64) -> f64 {
        let spread = self.spread();
        if spread > 0.0 {
            ((value - self.low) / spread * 100.0).clamp(0.0, 100.0)
        } else {
            50.0
        }
    }

    /// Where a value stands, in percent from the top.
    pub(crate) fn height(self, value: f64) -> f64 {
        100.0 - self.share(value)
    }

    /// At most `most` round values, the lowest first, each with its place by `place`.
    pub(crate) fn ticks(
        self,
        unit: Unit,
        most: usize,
        place: impl Fn(f64) -> f64,
    ) -> Vec<ScaleTick> {
        let step = self.step(most);
        let first = (self.low / step).ceil();
        let last = (self.high / step).floor();
        let mut ticks = Vec::new();
        let mut at = first;
        while at <= last && ticks.len() < most {
            let value = at * step;
            ticks.push(ScaleTick {
                at: number(place(value)),
                text: label(unit, value, step),
            });
            at += 1.0;
        }
        ticks
    }

    /// The smallest round step that makes at most so many of it: 1, 2, 2.5 or 5 times a power of ten.
    fn step(self, most: usize) -> f64 {
        let spread = self.spread().max(f64::MIN_POSITIVE);
        let rough = spread / most.max(1) as f64;
        let magnitude = 10f64.powf(rough.log10().floor());
        let fits = |step: &f64| (self.high / step).floor() - (self.low / step).ceil() < most as f64;
        [1.0, 2.0, 2.5, 5.0, 10.0, 20.0]
            .into_iter()
            .map(|factor| factor * magnitude)
            .find(fits)
            .unwrap_or(spread)
    }
}

/// The least and the greatest of some values that are numbers.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .filter(|value| value.is_finite())
        .fold(None, |known, value| {
            let (low, high) = known.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        })
}

/// As short as the step allows.
fn label(unit: Unit, value: f64, step: f64) -> String {
    let digits = if step >= 1.0 {
        0
    } else {
        (-step.log10()).ceil() as usize + 1
    };
    let short = |number: f64, digits: usize| {
        let text = crate::format::trimmed(number, digits);
        match text.strip_prefix("0.") {
            Some(rest) => format!(".{rest}"),
            None => text,
        }
    };
    match unit {
        Unit::Share if step < 1.0 => short(value, digits),
        Unit::Flag => {
            let digits = if step >= 0.01 { 0 } else { 1 };
            format!("{} %", crate::format::trimmed(100.0 * value, digits))
        }
        Unit::Ms if value.abs() >= 1000.0 => {
            format!("{} s", crate::format::trimmed(value / 1000.0, 2))
        }
        Unit::Ms => format!("{} ms", crate::format::trimmed(value, 1)),
        Unit::Count if value.abs() >= 1e9 => format!("{}G", short(value / 1e9, 1)),
        Unit::Count if value.abs() >= 1e6 => format!("{}M", short(value / 1e6, 1)),
        Unit::Count if value.abs() >= 1e4 => format!("{}k", short(value / 1e3, 1)),
        _ => written(unit, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(values: &[f64], unit: Unit) -> Vec<String> {
        let scale = Scale::over(values.iter().copied(), unit).unwrap();
        let ticks = scale.ticks(unit, 4, |value| scale.height(value));
        ticks.into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(
            texts(&[180.0, 2900.0], Unit::Ms),
            ["0 ms", "1 s", "2 s", "3 s"]
        );
        assert_eq!(texts(&[0.6, 0.97], Unit::Share), [".6", ".7", ".8", ".9"]);
        assert_eq!(texts(&[0.93, 0.99], Unit::Flag), ["94 %", "96 %", "98 %"]);
        assert_eq!(
            texts(&[548.0, 671.0], Unit::Watts),
            ["550 W", "600 W", "650 W"]
        );
        for values in [[0.0, 0.0], [1.0, 1.0], [1e-9, 2e-9], [-5.0, 1e12]] {
            let count = texts(&values, Unit::Count).len();
            assert!((1..=4).contains(&count), "{values:?}: {count}");
        }
    }

    #[test]
    fn every_value_stands_within_and_larger_ones_higher() {
        let scale = Scale::over([0.2, 3.1].into_iter(), Unit::Count).unwrap();
        let (low, high) = (scale.height(0.2), scale.height(3.1));
        assert!(low > high && low < 100.0 && high > 0.0);
        assert_eq!(scale.height(99.0), 0.0);
        assert_eq!(scale.height(-99.0), 100.0);
        assert!(Scale::over([f64::NAN].into_iter(), Unit::Count).is_none());
    }

    #[test]
    fn nothing_negative_is_shown_of_what_is_never_negative() {
        let scale = Scale::over([0.0, 10.0].into_iter(), Unit::Count).unwrap();
        assert_eq!(scale.height(0.0), 100.0);
    }
}
