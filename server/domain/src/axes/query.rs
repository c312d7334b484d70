//! What a reader asks of series.

use regex::Regex;

use crate::{Fault, Nanos, Timestamp};

/// Most conditions on labels, and labels to group by.
pub const MAX_CONDITIONS: usize = 20;
/// Most bytes of one of them.
pub const MAX_CONDITION_BYTES: usize = 1_000;
/// Most steps of a range.
pub const MAX_STEPS: u64 = 11_000;
/// Most series of one question.
pub const MAX_SERIES: usize = 2_000;
/// Most values that are read for one question: series × steps.
pub const MAX_CELLS: u64 = 500_000;
/// Steps of a range unless the reader says how long one is.
const USUAL_STEPS: u64 = 240;

/// How a label is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is that; an empty value: there is no such label.
    Is,
    /// It is not.
    IsNot,
    /// The whole of it matches a regular expression.
    Matches,
    /// It does not.
    MatchesNot,
}

/// A condition on a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Name of the label.
    pub label: String,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what; of expressions anchored at both ends.
    pub value: String,
}

impl Condition {
    /// From `label=value`, `label!=value`, `label=~expression`, `label!~expression`.
    ///
    /// # Errors
    /// `invalid` for any other text.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = |why: &str| Fault::invalid(format!("match: {why}")).on_field("match");
        if text.len() > MAX_CONDITION_BYTES || text.contains('\0') {
            return Err(wrong("it is longer than 1,000 bytes"));
        }
        let at = text.find(['=', '!']).filter(|at| *at > 0);
        let at = at.ok_or_else(|| {
            wrong("write label=value, label!=value, label=~regex or label!~regex")
        })?;
        let (label, rest) = text.split_at(at);
        let (comparison, value) = [
            ("=~", Comparison::Matches),
            ("!~", Comparison::MatchesNot),
            ("!=", Comparison::IsNot),
            ("=", Comparison::Is),
        ]
        .into_iter()
        .find_map(|(sign, comparison)| Some((comparison, rest.strip_prefix(sign)?)))
        .ok_or_else(|| wrong("write label=value, label!=value, label=~regex or label!~regex"))?;
        let is_expression = matches!(comparison, Comparison::Matches | Comparison::MatchesNot);
        let value = if is_expression {
            Regex::new(value).map_err(|_| wrong("it is no regular expression"))?;
            format!("^(?:{value})$")
        } else {
            value.to_owned()
        };
        Ok(Condition {
            label: label.trim().to_owned(),
            comparison,
            value,
        })
    }
}

/// Which series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Name of a series or of an axis value; `None`: all.
    pub metric: Option<String>,
    /// All of them must hold.
    pub conditions: Vec<Condition>,
}

/// What becomes of the values within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregation {
    /// The newest value.
    Last,
    /// The mean of all values.
    Avg,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The sum over series of the newest value of each.
    Sum,
    /// What counters grew by a second, summed over series.
    Rate,
    /// A quantile, 0 to 1, of what histograms counted within the step.
    Quantile(f64),
}

/// A range cut into steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Beginning of the first.
    pub from: Timestamp,
    /// End of the range; excluded.
    pub to: Timestamp,
    /// Length of one, a whole number of milliseconds.
    pub step: Nanos,
}

impl Steps {
    /// Cut into steps of that many seconds; by default into 240, a second at least.
    ///
    /// # Errors
    /// `invalid` on `step` for none or for more than [`MAX_STEPS`].
    pub fn new((from, to): (Timestamp, Timestamp), seconds: Option<f64>) -> Result<Self, Fault> {
        let wrong = |why: String| Fault::invalid(format!("step: {why}")).on_field("step");
        let length = (to - from).0;
        let step = match seconds {
            None => {
                (length / USUAL_STEPS)
                    .max(1_000_000_000)
                    .div_ceil(1_000_000_000)
                    * 1_000_000_000
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked on the line above"
            )]
            Some(seconds) if (0.001..=31_536_000.0).contains(&seconds) => {
                (seconds * 1e3).round() as u64 * 1_000_000
            }
            Some(_) => return Err(wrong("give seconds, from 0.001 to a year".to_owned())),
        };
        let steps = Steps {
            from,
            to,
            step: Nanos(step),
        };
        if steps.count() > MAX_STEPS {
            return Err(wrong(format!(
                "the range has more than {MAX_STEPS} steps of it"
            )));
        }
        Ok(steps)
    }

    /// How many there are; the last may reach beyond the end.
    pub fn count(&self) -> u64 {
        (self.to - self.from).0.div_ceil(self.step.0.max(1))
    }
}

/// A question about values over time.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeQuery {
    /// Which series.
    pub selection: Selection,
    /// When.
    pub steps: Steps,
    /// What becomes of the values within a step; `None`: what suits the metric.
    pub aggregation: Option<Aggregation>,
    /// Labels by which series are put together; `None`: each stands alone.
    pub group_by: Option<Vec<String>>,
}
