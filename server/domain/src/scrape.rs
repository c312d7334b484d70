//! Targets that metrics are fetched from: what a project sets, when each is due, what became of it.

use std::collections::BTreeMap;

use twox_hash::XxHash3_64;

use crate::ids::{ProjectId, ScrapeTargetId};
use crate::span::named_enum;
use crate::time::{Nanos, Timestamp};

named_enum!(
    /// What is expected to answer at a target. It is only a check: series are read by their names whatever it says.
    TargetKind, default Auto {
        /// Anything that a table of names knows.
        Auto = "auto",
        /// NVIDIA's DCGM exporter.
        Dcgm = "dcgm",
        /// vLLM.
        Vllm = "vllm",
        /// `SGLang`.
        Sglang = "sglang",
        /// Text Generation Inference.
        Tgi = "tgi",
        /// Triton Inference Server.
        Triton = "triton",
        /// Any exporter, known or not.
        Prometheus = "prometheus",
    }
);

impl TargetKind {
    /// The exporter that must be found there, as the tables of names call it.
    pub fn exporter(self) -> Option<&'static str> {
        match self {
            TargetKind::Auto | TargetKind::Prometheus => None,
            named => Some(named.as_str()),
        }
    }
}

/// Least and most seconds between two scrapes of a target.
pub const INTERVAL_S: std::ops::RangeInclusive<u32> = 1..=3_600;
/// Seconds between two scrapes unless told otherwise.
pub const DEFAULT_INTERVAL_S: u32 = 15;
/// Most samples of one scrape; a scrape with more is refused as a whole.
pub const MAX_SAMPLES: usize = 50_000;

/// What a project sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetDraft {
    /// Its name: the label `job`, unless another is set.
    pub name: String,
    /// Where it answers: `http` or `https`, without a credential in it.
    pub url: String,
    /// What is expected there.
    pub kind: TargetKind,
    /// Seconds between two scrapes, within [`INTERVAL_S`].
    pub interval_s: u32,
    /// Labels that each of its series gets.
    pub labels: BTreeMap<String, String>,
    /// Whether it is scraped.
    pub is_enabled: bool,
}

impl Default for TargetDraft {
    fn default() -> Self {
        TargetDraft {
            name: String::new(),
            url: String::new(),
            kind: TargetKind::default(),
            interval_s: DEFAULT_INTERVAL_S,
            labels: BTreeMap::new(),
            is_enabled: true,
        }
    }
}

/// With what a target is asked. The secret part is sealed and never shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthHint {
    /// A bearer token.
    Bearer,
    /// A user with a password.
    Basic(String),
}

/// A target.
#[derive(Clone, Debug, PartialEq)]
pub struct ScrapeTarget {
    /// Its id.
    pub id: ScrapeTargetId,
    /// What was set.
    pub draft: TargetDraft,
    /// With what it is asked, if with anything.
    pub auth: Option<AuthHint>,
    /// What became of the last scrape; `None` before the first.
    pub outcome: Option<ScrapeOutcome>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What became of a scrape.
#[derive(Clone, Debug, PartialEq)]
pub struct ScrapeOutcome {
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub duration: Nanos,
    /// Samples in the answer.
    pub samples: u64,
    /// Those that say something of an axis.
    pub recognised: u64,
    /// Exporters that were recognised, by name.
    pub exporters: Vec<String>,
    /// What was wrong, in words that hold nothing of the answer.
    pub error: Option<String>,
}

/// When a target is due: targets are spread over their interval, each always at the same place in it, on every server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    interval: u64,
    offset: u64,
}

impl Schedule {
    /// Of a target.
    pub fn new(project: ProjectId, id: ScrapeTargetId, interval_s: u32) -> Self {
        let interval = u64::from(interval_s.max(1)) * 1_000_000_000;
        let of = [project.as_uuid().into_bytes(), id.as_uuid().into_bytes()].concat();
        Schedule {
            interval,
            offset: XxHash3_64::oneshot(&of) % interval,
        }
    }

    /// The first time after `now` at which it is due.
    pub fn next(self, now: Timestamp) -> Timestamp {
        let since = u64::try_from(now.unix_nanos()).unwrap_or(0);
        let into = (since % self.interval + self.interval - self.offset) % self.interval;
        now.plus(Nanos(self.interval - into))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_target_is_due_once_an_interval_at_its_own_place() {
        let project = ProjectId(Uuid::from_u128(1));
        let now = Timestamp::parse("2026-11-05T13:00:00Z").unwrap();
        let mut places = Vec::new();
        for number in 0..100 {
            let schedule = Schedule::new(project, ScrapeTargetId(Uuid::from_u128(number)), 15);
            let first = schedule.next(now);
            assert!(first > now && first <= now.plus(Nanos::from_seconds(15)));
            let second = schedule.next(first);
            assert_eq!(second - first, Nanos::from_seconds(15));
            assert_eq!(schedule.next(first.minus(Nanos(1))), first);
            places.push((first - now).0 / 1_000_000_000);
        }
        places.sort_unstable();
        places.dedup();
        assert!(places.len() >= 13, "they are spread: {places:?}");
    }

    #[test]
    fn a_kind_names_the_exporter_that_must_be_there() {
        let known: Vec<&str> = crate::axes::names::TABLES
            .iter()
            .map(|(exporter, _)| *exporter)
            .collect();
        for kind in TargetKind::ALL {
            assert!(kind.exporter().is_none_or(|name| known.contains(&name)));
        }
    }
}
