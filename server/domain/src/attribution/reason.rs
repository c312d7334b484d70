//! Why an answer is what it is, and what happened when: closed sets, so that a page can say them in its language.

use std::fmt;

use super::answer::Group;
use super::tier::Axis;
use crate::TraceId;

/// Why the answer is this one. Shown as one English sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The symptom's series is as it was.
    AsBefore {
        /// Its series.
        series: String,
        /// Requests a minute in the alert window, divided by those in the baseline.
        traffic: f64,
    },
    /// The symptom is real, and nothing that was looked at explains it.
    NothingExplains {
        /// Its series.
        series: String,
        /// Share of its excess that stays, in [0, 1].
        left: f64,
    },
    /// A feature explains a part of the excess.
    Explains {
        /// Its series.
        series: String,
        /// Which part, in [0, 1].
        share: f64,
        /// Median before.
        before: Option<f64>,
        /// Median in the alert window.
        after: Option<f64>,
    },
    /// Bad requests share a value, and without it the window would be better.
    Concentrated {
        /// Dimension and value.
        group: Group,
        /// Its share of bad requests.
        share_of_abnormal: f64,
        /// Its share of the baseline.
        share_of_baseline: f64,
    },
    /// A value's share of the traffic grew.
    Grew {
        /// Dimension and value.
        group: Group,
        /// Its share before.
        before: f64,
        /// Its share in the alert window.
        after: f64,
    },
    /// A value is new, but requests with it are no worse than others.
    HarmlessNewcomer {
        /// Dimension and value.
        group: Group,
    },
    /// A version or release is new where requests are bad, but within an instance and time they are not clearly worse than
    /// others.
    Unproven {
        /// Dimension and value.
        group: Group,
    },
    /// Fewer than half of the requests have values of an axis: it cannot be ruled out.
    Unseen {
        /// The axis.
        axis: Axis,
    },
    /// There are fewer than a hundred requests in the alert window.
    FewRequests {
        /// How many.
        count: usize,
    },
    /// The symptom was there already in parts of the baseline.
    UnstableBaseline {
        /// Its series.
        series: String,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A feature changed its level.
    FeatureChanged {
        /// Its series.
        series: String,
        /// Where; `None`: everywhere.
        group: Option<Group>,
        /// Whether it rose.
        rose: bool,
    },
    /// The symptom changed its level.
    SymptomBegan {
        /// Its series.
        series: String,
    },
    /// The first bad request of the alert window.
    FirstAbnormal {
        /// Its trace.
        trace_id: TraceId,
    },
    /// The first request with a value that the baseline lacks.
    FirstSeen {
        /// Dimension and value.
        group: Group,
    },
    /// The alert fired.
    Alerted,
    /// All was well again.
    Recovered,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.dimension.replace('_', " "), self.value)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::AsBefore { series, traffic } => {
                write!(f, "{series} is as before")?;
                if (0.8..=1.25).contains(traffic) {
                    write!(f, ".")
                } else {
                    write!(
                        f,
                        "; traffic is {traffic:.1} times the baseline's, without harm."
                    )
                }
            }
            Reason::NothingExplains { series, left } => write!(
                f,
                "{series} is worse, and no value that was measured explains {:.0} % of it.",
                100.0 * left
            ),
            Reason::Explains {
                series,
                share,
                before,
                after,
            } => {
                write!(f, "{series}")?;
                if let (Some(before), Some(after)) = (before, after) {
                    write!(
                        f,
                        " (median {} before, {} now)",
                        short(*before),
                        short(*after)
                    )?;
                }
                write!(f, " explains {:.0} % of the excess.", 100.0 * share)
            }
            Reason::Concentrated {
                group,
                share_of_abnormal,
                share_of_baseline,
            } => write!(
                f,
                "{:.0} % of the bad requests have {group}, {:.0} % of the baseline's had; without them the window would be better.",
                100.0 * share_of_abnormal,
                100.0 * share_of_baseline
            ),
            Reason::Grew {
                group,
                before,
                after,
            } => write!(
                f,
                "The share of {group} went from {:.0} % to {:.0} % of all requests.",
                100.0 * before,
                100.0 * after
            ),
            Reason::HarmlessNewcomer { group } => write!(
                f,
                "{group} is new, but requests with it are no worse than others."
            ),
            Reason::Unproven { group } => write!(
                f,
                "{group} came into use, but requests with it are not clearly worse than others of the same instance and time: no reason to go back yet."
            ),
            Reason::Unseen { axis } => write!(
                f,
                "Fewer than half of the requests have values of the {} axis, so that it cannot be ruled out.",
                axis.as_str()
            ),
            Reason::FewRequests { count } => {
                write!(f, "There are only {count} requests in the alert window.")
            }
            Reason::UnstableBaseline { series } => {
                write!(f, "{series} was unstable in the baseline already.")
            }
        }
    }
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Happening::FeatureChanged {
                series,
                group,
                rose,
            } => {
                let way = if *rose { "rises" } else { "falls" };
                match group {
                    Some(group) => write!(f, "{series} {way} at {group}"),
                    None => write!(f, "{series} {way}"),
                }
            }
            Happening::SymptomBegan { series } => write!(f, "{series} gets worse"),
            Happening::FirstAbnormal { trace_id } => write!(f, "first bad request: {trace_id}"),
            Happening::FirstSeen { group } => write!(f, "{group} is seen for the first time"),
            Happening::Alerted => write!(f, "the alert fires"),
            Happening::Recovered => write!(f, "all is well again"),
        }
    }
}

/// A number with three digits or so.
fn short(value: f64) -> String {
    let size = value.abs();
    if size >= 100.0 {
        format!("{value:.0}")
    } else if size >= 1.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_sentence_with_numbers() {
        let group = Group {
            dimension: "prompt_version".to_owned(),
            value: "support@5".to_owned(),
        };
        let grew = Reason::Grew {
            group: group.clone(),
            before: 0.0,
            after: 0.304,
        };
        assert_eq!(
            grew.to_string(),
            "The share of prompt version support@5 went from 0 % to 30 % of all requests."
        );
        let explains = Reason::Explains {
            series: "token.kv_cache_hit_rate".to_owned(),
            share: 0.83,
            before: Some(0.742),
            after: Some(0.0123),
        };
        assert_eq!(
            explains.to_string(),
            "token.kv_cache_hit_rate (median 0.742 before, 0.012 now) explains 83 % of the excess."
        );
        let as_before = Reason::AsBefore {
            series: "token.ttft_ms".to_owned(),
            traffic: 2.0,
        };
        assert_eq!(
            as_before.to_string(),
            "token.ttft_ms is as before; traffic is 2.0 times the baseline's, without harm."
        );
    }
}
