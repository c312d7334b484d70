//! What projects set for the labels of their prompts.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Fault;
use crate::alert::params::Reader;
use crate::prompt::Label;
use crate::span::named_enum;

named_enum!(
    /// What becomes of a label when an incident is laid to the version that it stands on.
    Mode, default Off {
        /// Nothing.
        Off = "off",
        /// A person is told what could be done.
        Suggest = "suggest",
        /// It goes back, if the version that it would go to passes every check.
        Auto = "auto",
    }
);

/// How far the version that a label would go to may be from what was usual.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Fewer values than that, on either side, say nothing. 1 to 1,000,000.
    pub min_requests: u64,
    /// Median of input tokens: at most so many times what was usual. 1 to 1,000.
    pub input_tokens_ratio: f64,
    /// 99th percentile of output tokens: the same.
    pub output_tokens_ratio: f64,
    /// 99th percentile of latency: the same.
    pub latency_ratio: f64,
    /// Share of answers in the form that was asked for: at most so much less. 0 to 1.
    pub format_valid_drop: f64,
    /// Share of refusals: at most so much more. 0 to 1.
    pub refused_rise: f64,
    /// Seconds after a label went back by itself in which it does not do so again. 0 to 30 days.
    pub cooldown_s: u64,
}

/// What becomes of one label of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// What.
    pub mode: Mode,
    /// Which label.
    pub label: Label,
    /// How far versions may be from what was usual.
    pub limits: Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            min_requests: 30,
            input_tokens_ratio: 1.5,
            output_tokens_ratio: 1.5,
            latency_ratio: 1.5,
            format_valid_drop: 0.02,
            refused_rise: 0.02,
            cooldown_s: 3_600,
        }
    }
}

impl Limits {
    /// From JSON; what is left out is as usual.
    ///
    /// # Errors
    /// `invalid` on `limits.field`.
    pub fn parse(fields: &Map<String, Value>) -> Result<Self, Fault> {
        const RATIO: std::ops::RangeInclusive<f64> = 1.0..=1_000.0;
        let usual = Limits::default();
        let mut reader = Reader::new("limits.", fields);
        let limits = Limits {
            min_requests: reader.whole("min_requests", usual.min_requests, 1..=1_000_000)?,
            input_tokens_ratio: reader.number(
                "input_tokens_ratio",
                usual.input_tokens_ratio,
                RATIO,
            )?,
            output_tokens_ratio: reader.number(
                "output_tokens_ratio",
                usual.output_tokens_ratio,
                RATIO,
            )?,
            latency_ratio: reader.number("latency_ratio", usual.latency_ratio, RATIO)?,
            format_valid_drop: reader.number(
                "format_valid_drop",
                usual.format_valid_drop,
                0.0..=1.0,
            )?,
            refused_rise: reader.number("refused_rise", usual.refused_rise, 0.0..=1.0)?,
            cooldown_s: reader.whole("cooldown_s", usual.cooldown_s, 0..=30 * 86_400)?,
        };
        reader.end()?;
        Ok(limits)
    }
}

impl Policy {
    /// That of a label which nobody has set one for: nothing happens.
    pub fn usual(label: Label) -> Self {
        Policy {
            mode: Mode::Off,
            label,
            limits: Limits::default(),
        }
    }
}
