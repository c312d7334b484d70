//! Which traces keep their contents: a share of them, and those that turn out to be worth it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::fill::is_within_share;
use crate::ids::TraceId;
use crate::retention::Problem;

/// Environments with a share of their own.
pub const MAX_ENVIRONMENTS: usize = 100;
/// Longest that contents outside of the sample are kept.
pub const MAX_WAIT_DAYS: u32 = 30;
const MAX_NAME_BYTES: usize = 200;

/// What a project set. All traces keep their contents for [`ContentSampling::wait_days`], so that an error or a score that
/// comes later still finds them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContentSampling {
    /// Share of traces that keep their contents, 0 to 1, where the environment has none of its own.
    pub ratio: f64,
    /// Shares of some environments.
    pub environments: BTreeMap<String, f64>,
    /// Whether traces with an error keep theirs, too.
    pub keep_errors: bool,
    /// Traces with a score below keep theirs, too.
    pub keep_low_scores: Option<LowScore>,
    /// Days that the contents of the others are kept.
    pub wait_days: u32,
}

/// A score that makes a trace worth keeping.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LowScore {
    /// Its name.
    pub name: String,
    /// What it is below of.
    pub below: f64,
}

impl Default for ContentSampling {
    fn default() -> Self {
        ContentSampling {
            ratio: 1.0,
            environments: BTreeMap::new(),
            keep_errors: true,
            keep_low_scores: None,
            wait_days: 2,
        }
    }
}

/// No number that is set is NaN: [`ContentSampling::check`].
impl Eq for ContentSampling {}

impl ContentSampling {
    /// Whether all traces keep their contents.
    pub fn is_off(&self) -> bool {
        let mut all = self.environments.values().chain([&self.ratio]);
        all.all(|ratio| *ratio >= 1.0)
    }

    /// Whether a trace is in the sample: the same whenever and wherever it is asked.
    pub fn keeps(&self, environment: &str, trace: &TraceId) -> bool {
        let own = self.environments.get(environment);
        let ratio = own.copied().unwrap_or(self.ratio);
        ratio >= 1.0 || is_within_share(&format!("content {trace}"), ratio)
    }

    /// What is wrong about it.
    ///
    /// # Errors
    /// The first that is.
    pub fn check(&self) -> Result<(), Problem> {
        let wrong = |field: &'static str, message: &str| {
            Err(Problem {
                field,
                message: message.to_owned(),
            })
        };
        let is_share = |ratio: &f64| (0.0..=1.0).contains(ratio);
        let fits = |name: &str| !name.is_empty() && name.len() <= MAX_NAME_BYTES;
        if !is_share(&self.ratio) {
            return wrong("ratio", ": give 0 to 1");
        }
        let mut names = self.environments.keys();
        if self.environments.len() > MAX_ENVIRONMENTS || names.any(|name| !fits(name)) {
            return wrong(
                "environments",
                ": at most 100, with names of 1 to 200 bytes",
            );
        }
        if !self.environments.values().all(is_share) {
            return wrong("environments", ": give 0 to 1 for each");
        }
        if !(1..=MAX_WAIT_DAYS).contains(&self.wait_days) {
            return wrong("wait_days", ": give 1 to 30");
        }
        match &self.keep_low_scores {
            Some(low) if !fits(&low.name) => wrong("keep_low_scores", ": name a score"),
            Some(low) if !low.below.is_finite() => {
                wrong("keep_low_scores", ": give the number that it is below of")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_what_they_say_and_a_trace_is_whole() {
        let mut sampling = ContentSampling {
            ratio: 0.25,
            ..ContentSampling::default()
        };
        sampling.environments.insert("dev".to_owned(), 1.0);
        let ids: Vec<TraceId> = (0..4_000)
            .map(|n| TraceId::from_text(&format!("{n:032x}")).unwrap())
            .collect();
        let kept = |environment: &str| {
            let kept = ids.iter().filter(|id| sampling.keeps(environment, id));
            kept.count()
        };
        let many = kept("prod");
        assert!((900..1_100).contains(&many), "{many}");
        assert_eq!((kept("prod"), kept("dev")), (many, 4_000));
        assert!(ContentSampling::default().is_off() && !sampling.is_off());
    }

    #[test]
    fn what_cannot_be_is_said_with_its_field() {
        let with = |change: fn(&mut ContentSampling)| {
            let mut sampling = ContentSampling::default();
            change(&mut sampling);
            sampling.check().map_err(|problem| problem.field)
        };
        assert_eq!(with(|_| ()), Ok(()));
        assert_eq!(with(|it| it.ratio = 1.1), Err("ratio"));
        assert_eq!(with(|it| it.ratio = f64::NAN), Err("ratio"));
        assert_eq!(with(|it| it.wait_days = 0), Err("wait_days"));
    }
}
