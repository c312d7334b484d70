//! What is past its time, with what hangs on it: by the settings, for the engine drops rows as soon as they have new days.

use clickhouse::Row;
use domain::content_sampling::ContentSampling;
use domain::retention::RetentionSettings;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use super::{Days, nanos, wait_days};
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const TRACES: &str = include_str!("past_traces.sql");
pub(crate) const SESSIONS: &str = include_str!("past_sessions.sql");
pub(crate) const CONTENTS: &str = include_str!("past_contents.sql");

/// Traces of one page.
const AT_ONCE: u32 = 2_000;

/// A trace of which spans are past their time.
#[derive(Clone, Debug, PartialEq, Eq, Row, Deserialize)]
pub struct PastTrace {
    /// Its id.
    pub trace_id: String,
    /// Those spans.
    pub spans: Vec<String>,
    /// Their sessions.
    pub sessions: Vec<String>,
    /// Whether nothing of it stays.
    pub is_whole: bool,
}

/// The next of them after a trace, in the order of their ids; empty after the last.
///
/// # Errors
/// When ClickHouse is away or takes too long; so for all here.
pub async fn past_traces(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
    after: &str,
) -> Result<Vec<PastTrace>, StoreError> {
    let read = clickhouse
        .read(TRACES)
        .param("project_id", project.to_string())
        .param("now_ns", nanos(now))
        .param("after_trace", after)
        .param("limit", AT_ONCE);
    Days::new(settings).on_read(read).rows::<PastTrace>().await
}

/// Those of some sessions of which nothing stays.
///
/// # Errors
/// As [`past_traces`].
pub async fn past_sessions(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
    sessions: &[String],
) -> Result<Vec<String>, StoreError> {
    let read = clickhouse
        .read(SESSIONS)
        .param("project_id", project.to_string())
        .param("now_ns", nanos(now))
        .param("session_ids", sessions);
    Days::new(settings).on_read(read).rows::<String>().await
}

/// Those of some traces whose contents are all past their time.
///
/// # Errors
/// As [`past_traces`].
pub async fn past_contents(
    clickhouse: &ClickHouse,
    project: ProjectId,
    ((settings, now), sampling): ((&RetentionSettings, Timestamp), &ContentSampling),
    traces: &[String],
) -> Result<Vec<String>, StoreError> {
    let read = clickhouse
        .read(CONTENTS)
        .param("project_id", project.to_string())
        .param("now_ns", nanos(now))
        .param("trace_ids", traces)
        .param("wait_days", wait_days(sampling));
    Days::new(settings).on_read(read).rows::<String>().await
}
