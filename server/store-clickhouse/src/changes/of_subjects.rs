//! The changes of some observations and traces.

use std::collections::BTreeMap;

use clickhouse::Row;
use domain::ProjectId;
use domain::change::{Change, Subject};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::timestamp;

pub(crate) const SQL: &str = include_str!("of_subjects.sql");

/// Changes of one observation or trace that are read at most, the first ones.
const MOST: u32 = 10_000;

#[derive(Row, Deserialize)]
struct ChangeRow {
    id: String,
    time_ns: i64,
    is_update: u8,
    place: u32,
    event_id: String,
    kind: String,
    body: String,
}

/// Every change of some observations, or of some traces, by their ids: of each the first ten thousand.
///
/// # Errors
/// When ClickHouse is away or takes too long, and when a stored change is no JSON.
pub async fn of_subjects(
    clickhouse: &ClickHouse,
    project: ProjectId,
    subject: Subject,
    ids: &[String],
) -> Result<Vec<Vec<Change>>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("subject", subject.as_str())
        .param("ids", ids)
        .param("most", MOST)
        .rows::<ChangeRow>()
        .await?;
    let mut by_id: BTreeMap<String, Vec<Change>> = BTreeMap::new();
    for row in rows {
        let bad = |error: serde_json::Error| StoreError::BadRow(error.to_string());
        let change = Change {
            subject,
            id: row.id.clone(),
            time: timestamp(row.time_ns),
            is_update: row.is_update != 0,
            place: row.place,
            event_id: row.event_id,
            kind: row.kind,
            body: serde_json::from_str(&row.body).map_err(bad)?,
        };
        by_id.entry(row.id).or_default().push(change);
    }
    Ok(by_id.into_values().collect())
}
