//! Brings the tables to this version.
//!
//! One statement a file, each of which may be run again at any time (`IF NOT EXISTS`): so it does not
//! matter where a run was killed, or that several replicas run at once. What ran is written down
//! after it ran.
//!
//! To add one: the next number in `migrations/clickhouse`, a line in [`MIGRATIONS`]. Never edit one
//! that has landed.

use clickhouse::Row;
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;

struct Migration {
    number: u32,
    name: &'static str,
    sql: &'static str,
}

macro_rules! migration {
    ($number:literal, $name:literal) => {
        Migration {
            number: $number,
            name: $name,
            sql: include_str!(concat!("../../../migrations/clickhouse/", $name, ".sql")),
        }
    };
}

const MIGRATIONS: &[Migration] = &[
    migration!(1, "0001_spans"),
    migration!(2, "0002_traces"),
    migration!(3, "0003_traces_from_spans"),
    migration!(4, "0004_spans_calls"),
    migration!(5, "0005_new_costs"),
    migration!(6, "0006_logs"),
    migration!(7, "0007_changes"),
    migration!(8, "0008_scores"),
    migration!(9, "0009_spans_experiment"),
    migration!(10, "0010_series"),
    migration!(11, "0011_samples"),
    migration!(12, "0012_spans_served"),
    migration!(13, "0013_spans_tools_and_public"),
    migration!(14, "0014_spans_semantic_events"),
    migration!(15, "0015_spans_trace_metadata"),
    migration!(16, "0016_spans_from_cache"),
    migration!(17, "0017_spans_retention"),
    migration!(18, "0018_logs_retention"),
];

const CREATE_LEDGER: &str = "
CREATE TABLE IF NOT EXISTS schema_migrations
(
    number     UInt32   COMMENT 'number of the migration',
    name       String   COMMENT 'its file',
    applied_at DateTime('UTC') DEFAULT now('UTC') COMMENT 'when it was first run to its end'
)
ENGINE = ReplacingMergeTree
ORDER BY number
COMMENT 'migrations that were run'";

const APPLIED: &str = "SELECT DISTINCT number FROM schema_migrations ORDER BY number";

const WRITE_DOWN: &str =
    "INSERT INTO schema_migrations (number, name) SELECT {number:UInt32}, {name:String}";

#[derive(Row, Deserialize)]
struct Applied {
    number: u32,
}

impl ClickHouse {
    /// Runs the migrations that have not run yet.
    ///
    /// # Errors
    /// When ClickHouse is away or refuses one.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        self.make_database().await?;
        self.statement(CREATE_LEDGER).execute().await?;
        let applied: Vec<u32> = self
            .read(APPLIED)
            .rows::<Applied>()
            .await?
            .into_iter()
            .map(|row| row.number)
            .collect();
        for migration in MIGRATIONS
            .iter()
            .filter(|migration| !applied.contains(&migration.number))
        {
            self.statement(without_comments(migration.sql).as_str())
                .execute()
                .await?;
            let written = self
                .statement(WRITE_DOWN)
                .with_setting("async_insert", "0")
                .param("number", migration.number)
                .param("name", migration.name);
            written.execute().await?;
            tracing::info!(migration = migration.name, "ClickHouse migrated");
        }
        Ok(())
    }

    /// Whether every migration of this version has run.
    ///
    /// # Errors
    /// When ClickHouse is away or has never been migrated.
    pub async fn is_migrated(&self) -> Result<bool, StoreError> {
        let applied = self.read(APPLIED).rows::<Applied>().await?;
        Ok(MIGRATIONS
            .iter()
            .all(|ours| applied.iter().any(|row| row.number == ours.number)))
    }

    async fn make_database(&self) -> Result<(), StoreError> {
        if self.database() == "default" {
            return Ok(());
        }
        let name = self.database().replace('\\', "\\\\").replace('`', "\\`");
        let sql = format!("CREATE DATABASE IF NOT EXISTS `{name}`");
        match self
            .outside_database(&sql)
            .execute()
            .await
            .map_err(StoreError::from)
        {
            // Users of a managed server may not make databases; theirs is there already.
            Err(StoreError::Refused(refusal)) => {
                tracing::debug!(refusal, "the database was not made");
                Ok(())
            }
            other => other,
        }
    }
}

/// The statement alone, so that the server's query log and `SHOW CREATE` stay short.
fn without_comments(sql: &str) -> String {
    sql.lines()
        .filter(|line| !line.trim_start().starts_with("--"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_without_gaps_and_can_be_run_again() {
        for (at, migration) in MIGRATIONS.iter().enumerate() {
            let (number, name) = (at + 1, migration.name);
            assert_eq!(migration.number as usize, number);
            assert!(name.starts_with(&format!("{number:04}_")), "{name}");
            assert!(migration.sql.contains("IF NOT EXISTS"), "{name}");
        }
    }

    #[test]
    fn no_migration_is_forgotten() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/clickhouse");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), MIGRATIONS.len());
    }
}
