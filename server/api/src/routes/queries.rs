//! Query parameters that several routes take.

/// Lists one behind the other.
macro_rules! joined {
    ($($list:expr),+) => {{
        const LISTS: &[&[&str]] = &[$($list),+];
        &flat::<{ length(LISTS) }>(LISTS)
    }};
}

const fn length(lists: &[&[&str]]) -> usize {
    let (mut all, mut list) = (0, 0);
    while list < lists.len() {
        all += lists[list].len();
        list += 1;
    }
    all
}

const fn flat<const ALL: usize>(lists: &[&[&'static str]]) -> [&'static str; ALL] {
    let mut all = [""; ALL];
    let (mut at, mut list) = (0, 0);
    while list < lists.len() {
        let mut item = 0;
        while item < lists[list].len() {
            all[at] = lists[list][item];
            at += 1;
            item += 1;
        }
        list += 1;
    }
    all
}

/// Conditions on spans or traces that look for one thing.
const CONDITIONS: &[&str] = &[
    "environment",
    "model",
    "provider",
    "user_id",
    "session_id",
    "prompt",
    "prompt_version",
    "tenant",
    "route",
    "release",
    "tag",
    "name",
    "kind",
    "level",
    "service",
    "q",
    "min_latency_ms",
    "has_error",
    "filter",
];

/// The range of a report.
pub(super) const RANGE: &[&str] = &["from", "to"];
/// Query parameters of every list of spans or traces.
pub(super) const FILTERED_LIST: &[&str] = joined!(RANGE, CONDITIONS, &["limit", "cursor"]);
/// Query parameters of lists of sessions and users.
pub(super) const ROLLUPS: &[&str] = joined!(
    RANGE,
    &["user_id", "environment", "q", "sort", "limit", "cursor"]
);
/// Query parameters of lists of spans or traces, and which fields.
pub(super) const FILTERED_LIST_WITH_FIELDS: &[&str] = joined!(FILTERED_LIST, &["fields"]);
/// Filters of the live stream, which has no end.
pub(super) const FILTERED_STREAM: &[&str] = CONDITIONS;
/// Filters of what is asked of the axes over time.
pub(super) const AXES_SERIES: &[&str] = joined!(
    RANGE,
    CONDITIONS,
    &["instance", "gpu", "series", "step", "group_by"]
);
/// The same of one value by another.
pub(super) const AXES_JOINT: &[&str] = joined!(RANGE, CONDITIONS, &["x", "y", "bins"]);
/// Which semantic events.
pub(super) const SEMANTIC_EVENTS: &[&str] = joined!(FILTERED_LIST, &["type", "rule", "trace_id"]);
/// Which business events.
pub(super) const BUSINESS_EVENTS: &[&str] = joined!(
    RANGE,
    &[
        "type",
        "name",
        "trace_id",
        "user_id",
        "session_id",
        "ab_group",
        "limit",
        "cursor"
    ]
);
/// What is asked of their impact.
pub(super) const IMPACT_QUERY: &[&str] = joined!(RANGE, &["within_s", "unit"]);
