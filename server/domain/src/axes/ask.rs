//! What is asked of values of the axes: `token.ttft_ms:p99`.

use std::fmt;

use super::dimension::Dimension;
use super::value::AxisValue;
use crate::Fault;

/// What becomes of many values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statistic {
    /// Their mean.
    Avg,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// Their sum.
    Sum,
    /// How many there are.
    Count,
    /// The latest.
    Last,
    /// The share of yes among yes and no, 0 to 1.
    Rate,
    /// Their sum a second; of requests and errors: how many a second.
    PerSecond,
    /// A quantile, 0 to 1, between two values in proportion (Hyndman and Fan's type 7, as `NumPy` has it).
    Quantile(f64),
}

impl Statistic {
    /// From its name: `avg`, `min`, `max`, `sum`, `count`, `last`, `rate`, `per_s`, `p50`, `p99.9`.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "avg" => Statistic::Avg,
            "min" => Statistic::Min,
            "max" => Statistic::Max,
            "sum" => Statistic::Sum,
            "count" => Statistic::Count,
            "last" => Statistic::Last,
            "rate" => Statistic::Rate,
            "per_s" => Statistic::PerSecond,
            _ => {
                let digits = text.strip_prefix('p').filter(|digits| {
                    let plain = |c: char| c.is_ascii_digit() || c == '.';
                    digits.len() <= 8 && digits.chars().all(plain)
                })?;
                let percent = digits.parse::<f64>().ok()?;
                return (percent <= 100.0).then_some(Statistic::Quantile(percent / 100.0));
            }
        })
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Statistic::Avg => "avg",
            Statistic::Min => "min",
            Statistic::Max => "max",
            Statistic::Sum => "sum",
            Statistic::Count => "count",
            Statistic::Last => "last",
            Statistic::Rate => "rate",
            Statistic::PerSecond => "per_s",
            // Tenths of a thousandth, so that 99.9 is not 99.89999.
            Statistic::Quantile(q) => return write!(f, "p{}", (q * 1e6).round() / 1e4),
        })
    }
}

/// A value and what becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisSeries {
    /// The value.
    pub value: AxisValue,
    /// What becomes of it.
    pub statistic: Statistic,
}

impl AxisSeries {
    /// From `token.ttft_ms:p99`; without `:` the mean, of what says yes or no the share of yes, of requests their
    /// count.
    ///
    /// # Errors
    /// `invalid` on `series`.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = |why: &str| {
            let message = format!("series: {text:?}: {why}");
            Fault::invalid(message).on_field("series")
        };
        // Names of scores may hold a colon; what stands behind the last one counts when it is a statistic.
        let split = text.rsplit_once(':');
        let split = split.and_then(|(name, statistic)| Some((name, Statistic::parse(statistic)?)));
        let (name, statistic) = match split {
            Some((name, statistic)) => (name, Some(statistic)),
            None => (text, None),
        };
        let value = AxisValue::parse(name).ok_or_else(|| {
            wrong("write gpu.sm_active:avg, token.ttft_ms:p99, quality.format_valid:rate, score.NAME:avg, requests:count, errors:rate or cost:sum")
        })?;
        let is_named = matches!(value, AxisValue::Quality(_) | AxisValue::Score(_));
        if statistic.is_none() && !is_named && name.contains(':') {
            return Err(wrong(
                "known are avg, min, max, sum, count, last, rate, per_s, p50, p99 …",
            ));
        }
        let usual = if value == AxisValue::Requests {
            Statistic::Count
        } else if value.is_flag() {
            Statistic::Rate
        } else {
            Statistic::Avg
        };
        Ok(AxisSeries {
            value,
            statistic: statistic.unwrap_or(usual),
        })
    }
}

impl fmt::Display for AxisSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.value, self.statistic)
    }
}

/// Most series of one question.
pub const MAX_SERIES: usize = 20;
/// Most values of dimensions that get a line of their own.
pub const MAX_GROUPS: usize = 100;

/// One question: a series, narrowed and grouped.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// What is asked.
    pub series: AxisSeries,
    /// Each dimension has one of its values.
    pub only: Vec<(Dimension, Vec<String>)>,
    /// A line for each combination of their values; the [`MAX_GROUPS`] with the most data.
    pub group_by: Vec<Dimension>,
}

impl Ask {
    /// Whether instances and GPUs answer it without any request.
    pub fn is_of_fleet(&self) -> bool {
        let narrowed = self.only.iter().map(|(dimension, _)| dimension);
        let mut dimensions = narrowed.chain(&self.group_by);
        self.series.value.is_of_fleet() && dimensions.all(|dimension| dimension.is_of_fleet())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_read_as_they_are_written() {
        for (text, shown) in [
            ("token.ttft_ms:p99", "token.ttft_ms:p99"),
            ("gpu.sm_active", "gpu.sm_active:avg"),
            ("quality.format_valid", "quality.format_valid:rate"),
            ("quality.mine:max", "quality.mine:max"),
            ("score.a:b", "score.a:b:avg"),
            ("quality.score.a:p50", "score.a:p50"),
            ("requests", "requests:count"),
            ("request.count:per_s", "requests:per_s"),
            ("errors", "errors:rate"),
            ("cost:sum", "cost:sum"),
        ] {
            assert_eq!(
                AxisSeries::parse(text).unwrap().to_string(),
                shown,
                "{text}"
            );
        }
        let long = format!("score.{}", "x".repeat(200));
        for wrong in [
            "",
            ":avg",
            "gpu.nothing",
            "token.ttft_ms:most",
            "score.",
            "score.a\0",
            &long,
        ] {
            let fault = AxisSeries::parse(wrong).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("series"), "{wrong}");
        }
    }

    #[test]
    fn the_fleet_answers_what_names_nothing_but_the_fleet() {
        let ask = |series: &str, group_by: &str| Ask {
            series: AxisSeries::parse(series).unwrap(),
            only: Vec::new(),
            group_by: Dimension::parse_list(group_by).unwrap(),
        };
        assert!(ask("gpu.power_w", "instance,gpu").is_of_fleet());
        assert!(ask("token.waiting_requests:max", "instance").is_of_fleet());
        assert!(!ask("gpu.power_w", "instance,model").is_of_fleet());
        assert!(!ask("token.ttft_ms", "instance").is_of_fleet());
        assert!(Dimension::parse_list("user_id").is_err());
    }
}
