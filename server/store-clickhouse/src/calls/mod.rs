//! Calls of models over a window of time, each once however many spans tell of it.

/// How long sets of GPUs were at work.
mod busy;
/// Generations held against their objectives.
mod paced;
/// What was served, by whom.
mod served;

use domain::{ProjectId, Timestamp};

use crate::client::{ClickHouse, Read};
use crate::traces::extent::hour;

pub use busy::busy;
pub use paced::paced;
pub use served::{Served, served};

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("calls/served.sql", served::SQL),
    ("calls/busy.sql", busy::SQL),
    ("calls/paced.sql", paced::SQL),
];

/// Who served calls, in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServingKey(pub(crate) u64);

/// A stretch of time: from ≤ t < to.
pub type Window = (Timestamp, Timestamp);

/// How long before and after a window the other spans of a call are looked for, and calls that reach
/// into it.
const REACH_HOURS: u32 = 1;

fn within(clickhouse: &ClickHouse, project: ProjectId, sql: &str, (from, to): Window) -> Read {
    clickhouse
        .read(sql)
        .param("project_id", project.to_string())
        .param("from_hour", hour(from).saturating_sub(REACH_HOURS))
        .param("to_hour", hour(to).saturating_add(REACH_HOURS))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
}
