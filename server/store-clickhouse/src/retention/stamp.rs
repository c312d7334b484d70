//! Which days rows have. What was stored before the settings changed is written again with those of now; the engine takes
//! the new days as the time of the row at once.

use clickhouse::Row;
use domain::ProjectId;
use domain::content_sampling::ContentSampling;
use domain::retention::RetentionSettings;
use serde::Deserialize;

use super::{Days, wait_days};
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const DIFFERS: &str = include_str!("differs.sql");
pub(crate) const TO_HOLD: &str = include_str!("to_hold.sql");
pub(crate) const HELD: &str = include_str!("held.sql");

/// Traces that are held or released at once; their ids travel in the address of a request.
const AT_ONCE: u32 = 200;

/// Held traces that one look gives; what is beyond is released by a later one.
const MOST_HELD: u32 = 200_000;

/// A trace that is held.
#[derive(Clone, Debug, PartialEq, Eq, Row, Deserialize)]
pub struct HeldTrace {
    /// Its id.
    pub trace_id: String,
    /// Users that it names.
    pub users: Vec<String>,
}

/// How long a statement may take.
pub(super) const SECONDS: &str = "3600";

const STAMP: [(&str, &str); 2] = [
    (
        "spans",
        "ALTER TABLE spans UPDATE \
         structure_days = transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}), \
         content_days = if(keep_rule = 'sampled' AND {wait_days:UInt16} > 0, if(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) = 0, {wait_days:UInt16}, least(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}), {wait_days:UInt16})), transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16})) \
         WHERE project_id = {project_id:UUID} AND keep_rule != 'held' AND (\
         structure_days != transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}) \
         OR content_days != if(keep_rule = 'sampled' AND {wait_days:UInt16} > 0, if(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) = 0, {wait_days:UInt16}, least(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}), {wait_days:UInt16})), transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16})))",
    ),
    (
        "logs",
        "ALTER TABLE logs UPDATE \
         structure_days = transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}), \
         content_days = if(keep_rule = 'sampled' AND {wait_days:UInt16} > 0, if(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) = 0, {wait_days:UInt16}, least(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}), {wait_days:UInt16})), transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16})) \
         WHERE project_id = {project_id:UUID} AND keep_rule != 'held' AND (\
         structure_days != transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}) \
         OR content_days != if(keep_rule = 'sampled' AND {wait_days:UInt16} > 0, if(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) = 0, {wait_days:UInt16}, least(transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}), {wait_days:UInt16})), transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16})))",
    ),
];

const HOLD: [&str; 2] = [
    "ALTER TABLE logs UPDATE keep_rule = 'held', structure_days = 0, content_days = 0 \
     WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)}",
    "ALTER TABLE spans UPDATE keep_rule = 'held', structure_days = 0, content_days = 0 \
     WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)}",
];

/// The spans go last, so that what broke off is found again.
const RELEASE: [&str; 2] = [
    "ALTER TABLE logs UPDATE keep_rule = '' \
     WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)}",
    "ALTER TABLE spans UPDATE keep_rule = '' \
     WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)}",
];

/// Gives rows that have other days those of the settings; how many there were.
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe. So for all here.
pub async fn stamp(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (settings, sampling): (&RetentionSettings, &ContentSampling),
) -> Result<u64, StoreError> {
    let days = Days::new(settings);
    let wait_days = wait_days(sampling);
    let read = clickhouse
        .read(DIFFERS)
        .param("project_id", project.to_string());
    let read = read.param("wait_days", wait_days);
    let differ = days.on_read(read).rows::<super::left::CountRow>().await?;
    for row in differ.iter().filter(|row| row.found > 0) {
        let statement = STAMP.iter().find(|(table, _)| *table == row.store);
        let Some((_, statement)) = statement else {
            continue;
        };
        clickhouse
            .statement(statement)
            .with_setting("mutations_sync", "2")
            .with_setting("max_execution_time", SECONDS)
            .param("project_id", project.to_string())
            .param("environments", &days.environments)
            .param("structures", &days.structures)
            .param("contents", &days.contents)
            .param("structure_days", days.usual.structure_days)
            .param("content_days", days.usual.content_days)
            .param("wait_days", wait_days)
            .execute()
            .await?;
    }
    Ok(differ.iter().map(|row| row.found).sum())
}

/// Some of the traces that name one of some users who are held and are not held themselves.
///
/// # Errors
/// As [`stamp`].
pub async fn to_hold(
    clickhouse: &ClickHouse,
    project: ProjectId,
    users: &[String],
) -> Result<Vec<String>, StoreError> {
    clickhouse
        .read(TO_HOLD)
        .param("project_id", project.to_string())
        .param("users", users)
        .param("limit", AT_ONCE)
        .rows::<String>()
        .await
}

/// The traces that are held.
///
/// # Errors
/// As [`stamp`].
pub async fn held(
    clickhouse: &ClickHouse,
    project: ProjectId,
) -> Result<Vec<HeldTrace>, StoreError> {
    clickhouse
        .read(HELD)
        .param("project_id", project.to_string())
        .param("limit", MOST_HELD)
        .rows::<HeldTrace>()
        .await
}

/// Has traces kept for ever, with their log records.
///
/// # Errors
/// As [`stamp`].
pub async fn hold(
    clickhouse: &ClickHouse,
    project: ProjectId,
    traces: &[String],
) -> Result<(), StoreError> {
    set(clickhouse, &HOLD, project, traces).await
}

/// Has the settings hold for traces again; [`stamp`] gives them their days.
///
/// # Errors
/// As [`stamp`].
pub async fn release(
    clickhouse: &ClickHouse,
    project: ProjectId,
    traces: &[String],
) -> Result<(), StoreError> {
    set(clickhouse, &RELEASE, project, traces).await
}

async fn set(
    clickhouse: &ClickHouse,
    statements: &[&str],
    project: ProjectId,
    traces: &[String],
) -> Result<(), StoreError> {
    for statement in statements {
        clickhouse
            .statement(statement)
            .with_setting("mutations_sync", "2")
            .with_setting("max_execution_time", SECONDS)
            .param("project_id", project.to_string())
            .param("trace_ids", traces)
            .execute()
            .await?;
    }
    Ok(())
}
