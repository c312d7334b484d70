//! How long rows and contents are kept: days that are set again, what is past its time, its end, and what is left of it.
//!
//! The engine empties contents and drops rows by the days that stand in each row (`migrations/clickhouse`); here is what it
//! cannot know: which days, what hangs on what, and whether anything was left.

/// Contents outside of the sample that are kept all the same.
mod choose;
/// What is past its time and still there.
mod left;
/// What is past its time, with what hangs on it.
mod past;
/// Ends what is past its time.
mod remove;
/// Which days rows have.
mod stamp;

use domain::Timestamp;
use domain::content_sampling::ContentSampling;
use domain::retention::{Keep, RetentionSettings, over_since};

use crate::client::Read;

pub use choose::choose;
pub use left::{left, materialise, would_go};
pub use past::{PastTrace, past_contents, past_sessions, past_traces};
pub use remove::{remove_metrics, remove_rows, remove_shells, remove_sources};
pub use stamp::{HeldTrace, held, hold, release, stamp, to_hold};

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("retention/differs.sql", stamp::DIFFERS),
    ("retention/chosen.sql", choose::CHOSEN),
    ("retention/to_hold.sql", stamp::TO_HOLD),
    ("retention/held.sql", stamp::HELD),
    ("retention/past_traces.sql", past::TRACES),
    ("retention/past_sessions.sql", past::SESSIONS),
    ("retention/past_contents.sql", past::CONTENTS),
    ("retention/left.sql", left::LEFT),
    ("retention/partitions.sql", left::PARTITIONS),
    ("retention/would_go.sql", left::WOULD_GO),
];

/// Settings as parameters: what each environment has, and all others.
struct Days {
    environments: Vec<String>,
    structures: Vec<u16>,
    contents: Vec<u16>,
    usual: Keep,
}

impl Days {
    fn new(settings: &RetentionSettings) -> Self {
        // No environment has an empty name; of an empty list the engine would not know the type.
        let mut days = Days {
            environments: vec![String::new()],
            structures: vec![0],
            contents: vec![0],
            usual: Keep::from(settings.usual),
        };
        for (name, tiers) in &settings.environments {
            let keep = Keep::from(*tiers);
            days.environments.push(name.clone());
            days.structures.push(keep.structure_days);
            days.contents.push(keep.content_days);
        }
        days
    }

    fn on_read(&self, read: Read) -> Read {
        read.param("environments", &self.environments)
            .param("structures", &self.structures)
            .param("contents", &self.contents)
            .param("structure_days", self.usual.structure_days)
            .param("content_days", self.usual.content_days)
    }
}

/// Days of contents outside of the sample; 0: there is none.
fn wait_days(sampling: &ContentSampling) -> u32 {
    match sampling.is_off() {
        true => 0,
        false => sampling.wait_days,
    }
}

/// Before when a thing that is kept for some days is over, in nanoseconds; of what is kept for ever nothing is.
fn before_ns(days: Option<u32>, now: Timestamp) -> i64 {
    days.map_or(0, |days| over_since(now, days).unix_nanos())
}

fn nanos(at: Timestamp) -> i64 {
    at.unix_nanos()
}
