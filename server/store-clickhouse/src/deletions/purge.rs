//! Takes rows that are marked as deleted off the disk.
//!
//! A part that was rewritten stays on the disk for some minutes, in case the machine loses power before the new one is
//! written out. For the time of a removal new parts are written out at once instead, so that old ones may go at once.

use crate::client::ClickHouse;
use crate::deletions::TABLES;
use crate::error::StoreError;

/// How long a rewrite may take.
const PURGE_SECONDS: &str = "3600";

const HURRY: [&str; TABLES.len()] = [
    "ALTER TABLE spans MODIFY SETTING old_parts_lifetime = 1, finished_mutations_to_keep = 1, cleanup_delay_period = 1, \
     max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, min_rows_to_fsync_after_merge = 1, \
     fsync_part_directory = 1",
    "ALTER TABLE logs MODIFY SETTING old_parts_lifetime = 1, finished_mutations_to_keep = 1, cleanup_delay_period = 1, \
     max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, min_rows_to_fsync_after_merge = 1, \
     fsync_part_directory = 1",
    "ALTER TABLE scores MODIFY SETTING old_parts_lifetime = 1, finished_mutations_to_keep = 1, cleanup_delay_period = 1, \
     max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, min_rows_to_fsync_after_merge = 1, \
     fsync_part_directory = 1",
    "ALTER TABLE changes MODIFY SETTING old_parts_lifetime = 1, finished_mutations_to_keep = 1, cleanup_delay_period = 1, \
     max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, min_rows_to_fsync_after_merge = 1, \
     fsync_part_directory = 1",
    "ALTER TABLE traces MODIFY SETTING old_parts_lifetime = 1, finished_mutations_to_keep = 1, cleanup_delay_period = 1, \
     max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, min_rows_to_fsync_after_merge = 1, \
     fsync_part_directory = 1",
];

const REWRITE: [&str; TABLES.len()] = [
    "ALTER TABLE spans APPLY DELETED MASK",
    "ALTER TABLE logs APPLY DELETED MASK",
    "ALTER TABLE scores APPLY DELETED MASK",
    "ALTER TABLE changes APPLY DELETED MASK",
    "ALTER TABLE traces APPLY DELETED MASK",
];

/// Wakes whoever clears away what was replaced, who sleeps for minutes as a rule.
const WAKE: [&str; TABLES.len()] = [
    "SYSTEM START CLEANUP spans",
    "SYSTEM START CLEANUP logs",
    "SYSTEM START CLEANUP scores",
    "SYSTEM START CLEANUP changes",
    "SYSTEM START CLEANUP traces",
];

const REST: [&str; TABLES.len()] = [
    "ALTER TABLE spans RESET SETTING old_parts_lifetime, finished_mutations_to_keep, cleanup_delay_period, \
     max_cleanup_delay_period, cleanup_delay_period_random_add, min_rows_to_fsync_after_merge, fsync_part_directory",
    "ALTER TABLE logs RESET SETTING old_parts_lifetime, finished_mutations_to_keep, cleanup_delay_period, \
     max_cleanup_delay_period, cleanup_delay_period_random_add, min_rows_to_fsync_after_merge, fsync_part_directory",
    "ALTER TABLE scores RESET SETTING old_parts_lifetime, finished_mutations_to_keep, cleanup_delay_period, \
     max_cleanup_delay_period, cleanup_delay_period_random_add, min_rows_to_fsync_after_merge, fsync_part_directory",
    "ALTER TABLE changes RESET SETTING old_parts_lifetime, finished_mutations_to_keep, cleanup_delay_period, \
     max_cleanup_delay_period, cleanup_delay_period_random_add, min_rows_to_fsync_after_merge, fsync_part_directory",
    "ALTER TABLE traces RESET SETTING old_parts_lifetime, finished_mutations_to_keep, cleanup_delay_period, \
     max_cleanup_delay_period, cleanup_delay_period_random_add, min_rows_to_fsync_after_merge, fsync_part_directory",
];

/// The parts that were replaced up to now and are still there, of all projects: a part has rows of many.
const OLD_PARTS: &str = "SELECT count() FROM system.parts \
     WHERE database = currentDatabase() AND table IN ('spans', 'logs', 'scores', 'changes', 'traces') \
     AND NOT active AND remove_time <= fromUnixTimestamp({until:Int64})";

/// Statements that deleted something up to now and whose texts are still there.
const OLD_STATEMENTS: &str = "SELECT count() FROM system.mutations \
     WHERE database = currentDatabase() AND table IN ('spans', 'logs', 'scores', 'changes', 'traces') \
     AND is_done AND command NOT ILIKE '%APPLY DELETED MASK%' \
     AND create_time <= fromUnixTimestamp({until:Int64})";

/// Rewrites the parts that have rows marked as deleted. Returns when that is done; the old parts follow within seconds
/// ([`is_off_the_disk`]).
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe. So for all here.
pub async fn purge(clickhouse: &ClickHouse) -> Result<(), StoreError> {
    for statement in HURRY {
        clickhouse.statement(statement).execute().await?;
    }
    for statement in REWRITE {
        clickhouse
            .statement(statement)
            .with_setting("mutations_sync", "2")
            .with_setting("max_execution_time", PURGE_SECONDS)
            .execute()
            .await?;
    }
    for statement in WAKE {
        // A server of others may not let us: it wakes by itself then.
        if let Err(error) = clickhouse.statement(statement).execute().await {
            tracing::debug!(%error, "nobody was woken to clear away parts");
        }
    }
    Ok(())
}

/// Whether no part is left that was replaced before `until`, in seconds since 1970, and no text of a statement.
///
/// # Errors
/// As [`purge`].
pub async fn is_off_the_disk(clickhouse: &ClickHouse, until: i64) -> Result<bool, StoreError> {
    for looked_for in [OLD_PARTS, OLD_STATEMENTS] {
        let read = clickhouse.read(looked_for).param("until", until);
        let left = read.rows::<u64>().await?;
        if left.first().is_some_and(|left| *left > 0) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Has parts kept again as is usual.
///
/// # Errors
/// As [`purge`].
pub async fn rest(clickhouse: &ClickHouse) -> Result<(), StoreError> {
    for statement in REST {
        clickhouse.statement(statement).execute().await?;
    }
    Ok(())
}
