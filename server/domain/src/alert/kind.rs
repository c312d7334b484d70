//! Kinds of rules with their parameters. Each parameter may be left out.

use serde_json::{Map, Value, json};

use super::measure::{Aggregate, AlertSeries, DIMENSIONS, RequestMeasure, Source};
use super::params::Reader;
use crate::Fault;
use crate::span::named_enum;

/// Seconds of a step: how finely time is cut, and how often most rules are looked at.
pub const STEP_S: u64 = 5;
/// The same of rules over hours.
pub const LONG_STEP_S: u64 = 60;
/// Longest window of a rule that is looked at every [`STEP_S`].
const MOST_S: u64 = 3_600;
/// Longest window of one that is looked at every [`LONG_STEP_S`].
const LONG_MOST_S: u64 = 86_400;
/// Most dimensions that groups are told apart by.
const MAX_DIMENSIONS: usize = 3;

named_enum!(
    /// Which side of a bound is abnormal.
    Direction, default Up {
        /// Above.
        Up = "up",
        /// Below.
        Down = "down",
    }
);

/// A pair of windows with the rate at which an error budget burns in both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burn {
    /// The long window, seconds.
    pub long_s: u64,
    /// The short one, seconds: so that it ends soon after the cause.
    pub short_s: u64,
    /// How many times faster than allowed.
    pub rate: f64,
}

/// Windows and rates of the Site Reliability Workbook (Google, 2018), chapter 5, table 5-2, of those within a day:
/// 2 % of a 30-day budget in an hour, 5 % in six hours.
const BURNS: [Burn; 2] = [
    Burn {
        long_s: 3_600,
        short_s: 300,
        rate: 14.4,
    },
    Burn {
        long_s: 21_600,
        short_s: 1_800,
        rate: 6.0,
    },
];

/// When a rule fires.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Beyond a fixed value.
    Threshold {
        /// Which side.
        direction: Direction,
        /// The value.
        value: f64,
    },
    /// Beyond what is usual at that hour, times a factor.
    Adaptive {
        /// Which side.
        direction: Direction,
        /// The factor; `None`: the project's.
        factor: Option<f64>,
    },
    /// A quantile above what is usual, by factor and by difference.
    P99Shift {
        /// The factor.
        factor: f64,
        /// The difference, in the series' unit.
        rise: f64,
    },
    /// Money per time above its average.
    CostSpike {
        /// Seconds that the average is of; the window is the end of it.
        history_s: u64,
        /// The factor.
        factor: f64,
    },
    /// Several axes at once.
    Composite {
        /// How many, 1 to 3.
        axes: u64,
        /// Seconds that their beginnings may be apart.
        within_s: u64,
        /// Ids of the rules that are watched; none: all that are of an axis.
        rules: Vec<String>,
        /// Whether those keep silent by themselves.
        suppress: bool,
    },
    /// An error budget burns too fast.
    SloBurn {
        /// Share that should be good, below 1.
        objective: f64,
        /// Whether yes is bad: of errors it is, of valid answers it is not.
        direction: Direction,
        /// Any of them.
        burns: Vec<Burn>,
    },
    /// Nothing comes.
    NoData,
}

/// A kind with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// When it fires.
    pub condition: Condition,
    /// Seconds before a step that are looked at.
    pub window_s: u64,
    /// Fewer values in the window than that are no data.
    pub min_count: u64,
    /// Dimensions that groups are told apart by, sorted.
    pub group_by: Vec<String>,
    /// Seconds without anything abnormal after which it is over.
    pub keep_s: u64,
}

/// Names of the kinds.
pub const NAMES: [&str; 7] = [
    "threshold",
    "adaptive",
    "p99_shift",
    "cost_spike",
    "composite",
    "slo_burn",
    "no_data",
];

impl Kind {
    /// From its name, and parameters as JSON.
    ///
    /// # Errors
    /// `invalid` on `kind` or `params.…`.
    pub fn parse(name: &str, params: &Map<String, Value>) -> Result<Self, Fault> {
        let mut reader = Reader::new("params.", params);
        let (step, most) = match name {
            "slo_burn" | "cost_spike" => (LONG_STEP_S, LONG_MOST_S),
            _ => (STEP_S, MOST_S),
        };
        let (window, count) = match name {
            "cost_spike" | "no_data" => (300, 1),
            "p99_shift" => (60, 10),
            _ => (60, 1),
        };
        let condition = condition(name, &mut reader)?;
        let window_s = match name {
            "composite" => STEP_S,
            "slo_burn" => LONG_STEP_S,
            _ => reader.seconds("window_s", window, (step, most))?,
        };
        let has_count = !matches!(name, "composite" | "no_data");
        let min_count = match has_count {
            true => reader.whole("min_count", count, 1..=1_000_000)?,
            false => 1,
        };
        let group_by = match name {
            "composite" | "no_data" => Vec::new(),
            _ => reader.texts("group_by")?,
        };
        if group_by.len() > MAX_DIMENSIONS {
            return Err(reader.wrong("group_by", "give at most 3 dimensions"));
        }
        if let Condition::CostSpike { history_s, .. } = condition
            && history_s <= window_s
        {
            return Err(reader.wrong("history_s", "must be longer than the window"));
        }
        let keep_s = reader.whole("keep_s", 60, 0..=86_400)?;
        reader.end()?;
        Ok(Kind {
            condition,
            window_s,
            min_count,
            group_by,
            keep_s,
        })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self.condition {
            Condition::Threshold { .. } => "threshold",
            Condition::Adaptive { .. } => "adaptive",
            Condition::P99Shift { .. } => "p99_shift",
            Condition::CostSpike { .. } => "cost_spike",
            Condition::Composite { .. } => "composite",
            Condition::SloBurn { .. } => "slo_burn",
            Condition::NoData => "no_data",
        }
    }

    /// All parameters, those that were left out as well; [`Kind::parse`] reads them.
    pub fn params(&self) -> Value {
        let mut all = match &self.condition {
            Condition::Threshold { direction, value } => {
                json!({ "direction": direction, "value": value })
            }
            Condition::Adaptive { direction, factor } => {
                json!({ "direction": direction, "factor": factor })
            }
            Condition::P99Shift { factor, rise } => json!({ "factor": factor, "rise": rise }),
            Condition::CostSpike { history_s, factor } => {
                json!({ "history_s": history_s, "factor": factor })
            }
            Condition::Composite {
                axes,
                within_s,
                rules,
                suppress,
            } => {
                return json!({ "axes": axes, "within_s": within_s, "rules": rules,
                    "suppress": suppress, "keep_s": self.keep_s });
            }
            Condition::SloBurn {
                objective,
                direction,
                burns,
            } => {
                let burn = |burn: &Burn| json!({ "long_s": burn.long_s, "short_s": burn.short_s, "rate": burn.rate });
                let burns: Vec<Value> = burns.iter().map(burn).collect();
                return json!({ "objective": objective, "direction": direction, "burns": burns,
                    "min_count": self.min_count, "group_by": self.group_by, "keep_s": self.keep_s });
            }
            Condition::NoData => {
                return json!({ "window_s": self.window_s, "keep_s": self.keep_s });
            }
        };
        all["window_s"] = json!(self.window_s);
        all["min_count"] = json!(self.min_count);
        all["group_by"] = json!(self.group_by);
        all["keep_s"] = json!(self.keep_s);
        all
    }

    /// Seconds between two looks.
    pub fn step_s(&self) -> u64 {
        match self.condition {
            Condition::CostSpike { .. } | Condition::SloBurn { .. } => LONG_STEP_S,
            _ => STEP_S,
        }
    }

    /// Seconds before a step that are needed to judge it.
    pub fn reach_s(&self) -> u64 {
        match &self.condition {
            Condition::CostSpike { history_s, .. } => *history_s,
            Condition::SloBurn { burns, .. } => {
                burns.iter().map(|burn| burn.long_s).max().unwrap_or(0)
            }
            _ => self.window_s,
        }
    }

    /// On which side of its bound a reading is abnormal; rates at which budgets burn are so above theirs.
    pub fn side(&self) -> Direction {
        match self.condition {
            Condition::Threshold { direction, .. } | Condition::Adaptive { direction, .. } => {
                direction
            }
            _ => Direction::Up,
        }
    }

    /// Whether it compares with what is usual.
    pub fn needs_baseline(&self) -> bool {
        matches!(
            self.condition,
            Condition::Adaptive { .. } | Condition::P99Shift { .. }
        )
    }

    /// The series that it is about: as given, or the usual one. `None`: it is about other rules.
    ///
    /// # Errors
    /// `invalid` on `series` or `params.group_by` where it does not go with the kind.
    pub fn series(&self, given: Option<&str>) -> Result<Option<AlertSeries>, Fault> {
        let wrong = |why: &str| Fault::invalid(format!("series: {why}")).on_field("series");
        let usual = match self.condition {
            Condition::Composite { .. } if given.is_some() => {
                return Err(wrong("a composite rule watches rules; leave it out"));
            }
            Condition::Composite { .. } => return Ok(None),
            Condition::P99Shift { .. } => Some("token.ttft_ms:p99"),
            Condition::CostSpike { .. } => Some("request.cost_usd:sum"),
            _ => None,
        };
        let text = given.or(usual).ok_or_else(|| wrong("is needed"))?;
        let series = AlertSeries::parse(text)?;
        match (&self.condition, series.aggregate) {
            (Condition::P99Shift { .. }, aggregate)
                if !matches!(aggregate, Aggregate::P90 | Aggregate::P95 | Aggregate::P99) =>
            {
                return Err(wrong("take a quantile: p99, p95 or p90"));
            }
            (Condition::SloBurn { .. }, aggregate) if aggregate != Aggregate::Rate => {
                return Err(wrong("take the :rate of something that is yes or no"));
            }
            (Condition::CostSpike { .. }, _)
                if series.source != Source::Requests(RequestMeasure::Cost) =>
            {
                return Err(wrong("is request.cost_usd of this kind"));
            }
            _ => {}
        }
        let is_known = |name: &String| DIMENSIONS.contains(&name.as_str());
        if matches!(series.source, Source::Requests(_)) && !self.group_by.iter().all(is_known) {
            let why = format!("params.group_by: known are {}", DIMENSIONS.join(", "));
            return Err(Fault::invalid(why).on_field("params.group_by"));
        }
        if matches!(series.source, Source::Scores(_)) && !self.group_by.is_empty() {
            let why = "params.group_by: scores are not told apart; leave it out";
            return Err(Fault::invalid(why).on_field("params.group_by"));
        }
        Ok(Some(series))
    }
}

fn condition(name: &str, reader: &mut Reader<'_>) -> Result<Condition, Fault> {
    const ANY: f64 = 1e15;
    Ok(match name {
        "threshold" => Condition::Threshold {
            direction: direction(reader, Direction::Up)?,
            value: reader
                .optional_number("value", -ANY..=ANY)?
                .ok_or_else(|| reader.wrong("value", "is needed"))?,
        },
        "adaptive" => Condition::Adaptive {
            direction: direction(reader, Direction::Up)?,
            factor: reader.optional_number("factor", 0.01..=1e6)?,
        },
        "p99_shift" => Condition::P99Shift {
            factor: reader.number("factor", 1.8, 1.0..=1e6)?,
            rise: reader.number("rise", 200.0, 0.0..=ANY)?,
        },
        "cost_spike" => Condition::CostSpike {
            history_s: reader.seconds("history_s", 3_600, (LONG_STEP_S, LONG_MOST_S))?,
            factor: reader.number("factor", 3.0, 1.0..=1e6)?,
        },
        "composite" => Condition::Composite {
            axes: reader.whole("axes", 2, 1..=3)?,
            within_s: reader.whole("within_s", 120, 5..=3_600)?,
            rules: reader.texts("rules")?,
            suppress: reader.flag("suppress", true)?,
        },
        "slo_burn" => Condition::SloBurn {
            objective: reader.number("objective", 0.99, 0.5..=0.999_999)?,
            direction: direction(reader, Direction::Up)?,
            burns: burns(reader)?,
        },
        "no_data" => Condition::NoData,
        _ => {
            let why = format!("kind: give one of {}", NAMES.join(", "));
            return Err(Fault::invalid(why).on_field("kind"));
        }
    })
}

fn direction(reader: &mut Reader<'_>, usual: Direction) -> Result<Direction, Fault> {
    let name = reader.text("direction", usual.as_str())?;
    Direction::from_name(&name).ok_or_else(|| reader.wrong("direction", "give up or down"))
}

fn burns(reader: &mut Reader<'_>) -> Result<Vec<Burn>, Fault> {
    let Some(objects) = reader.objects("burns")? else {
        return Ok(BURNS.to_vec());
    };
    let read = |fields: &Map<String, Value>| {
        let mut each = Reader::new("params.burns.", fields);
        let limits = (LONG_STEP_S, LONG_MOST_S);
        let burn = Burn {
            long_s: each.seconds("long_s", 3_600, limits)?,
            short_s: each.seconds("short_s", 300, limits)?,
            rate: each.number("rate", 14.4, 0.01..=1e6)?,
        };
        if burn.short_s >= burn.long_s {
            return Err(each.wrong("short_s", "must be shorter than the long window"));
        }
        each.end()?;
        Ok(burn)
    };
    objects.into_iter().map(read).collect()
}
