//! Semantic events: those that spans carry, and those that follow from several rows.

/// When things first had an event of each type.
mod firsts;
/// Lists.
mod list;
/// Traces as what events happen to.
mod traces;

use std::collections::BTreeMap;

use domain::agents::again::LOOP;
use domain::semantic::{EventType, Finding, LEAST_REPORTED};
use domain::{ProjectId, Timestamp};

use crate::client::{ClickHouse, Read};
use crate::traces::extent::hour;

pub use firsts::firsts;
pub use list::{Place, Wanted, list};
pub use traces::traces;

const LIST: &str = concat!(include_str!("found.sql"), include_str!("list.sql"));
const FIRSTS: &str = concat!(include_str!("found.sql"), include_str!("firsts.sql"));

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("semantic/found.sql list.sql", LIST),
    ("semantic/found.sql firsts.sql", FIRSTS),
    ("semantic/traces.sql", traces::SQL),
];

/// How long before a range calls are looked at that came again within it.
const REACH_HOURS: u32 = 1;

/// Events as a column keeps them.
pub(crate) fn by_type(events: &[Finding]) -> BTreeMap<String, String> {
    let json = |event: &Finding| {
        let detail = serde_json::to_string(&event.detail);
        (
            event.event_type.as_str().to_owned(),
            detail.unwrap_or_else(|_| "{}".to_owned()),
        )
    };
    events.iter().map(json).collect()
}

/// What [`by_type`] made. What is no event was not written here.
pub(crate) fn read(stored: &[(String, String)]) -> Vec<Finding> {
    let event = |(name, json): &(String, String)| {
        Some(Finding {
            event_type: EventType::from_name(name)?,
            detail: serde_json::from_str(json).unwrap_or_default(),
        })
    };
    stored.iter().filter_map(event).collect()
}

/// A read of events of a range.
fn query(
    clickhouse: &ClickHouse,
    (project, sql): (ProjectId, &str),
    (from, to): (Timestamp, Timestamp),
    (types, trace): (&[EventType], &str),
) -> Read {
    let names = |types: &[EventType]| -> Vec<&'static str> {
        types.iter().map(|one| one.as_str()).collect()
    };
    clickhouse
        .read(sql)
        .param("project_id", project.to_string())
        .param("from_hour", hour(from))
        .param("near_from_hour", hour(from).saturating_sub(REACH_HOURS))
        .param("to_hour", hour(to))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("types", names(types))
        .param("all_types", names(EventType::ALL))
        .param("trace_id", trace)
        .param("loop", u32::try_from(LOOP).unwrap_or(3))
        .param("least", LEAST_REPORTED)
}
