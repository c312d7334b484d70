//! The one handle to ClickHouse.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use clickhouse::query::{Query, RowCursor};
use clickhouse::{Client, Compression, RowOwned, RowRead};

use crate::error::StoreError;
use crate::tls;
use crate::writer::Status;

/// A handle to ClickHouse; cheap to clone.
#[derive(Clone)]
pub struct ClickHouse {
    client: Client,
    database: String,
    status: Arc<Status>,
}

/// Seconds that a read may take.
const READ_SECONDS: &str = "20";
/// Memory that a read may take.
const READ_BYTES: &str = "2000000000";
/// Rows that a read may give back: more than any page or trace needs.
const RESULT_ROWS: &str = "1000000";
/// How long we wait for a read: a server that has stopped answers nothing at all.
const READ_PATIENCE: Duration = Duration::from_secs(25);
/// How long we wait for the answer that it is there.
const PING_PATIENCE: Duration = Duration::from_secs(3);
/// How long an insert may take before it counts as lost and is repeated.
const INSERT_PATIENCE: Duration = Duration::from_secs(60);

impl ClickHouse {
    /// From an address `http://user:password@host:8123/database`; asks for nothing yet.
    ///
    /// # Errors
    /// When it is no such address.
    pub fn connect(url: &str) -> Result<Self, StoreError> {
        let wrong =
            || StoreError::Address("give http://user:password@host:8123/database".to_owned());
        let mut url = take_apart(url).ok_or_else(wrong)?;
        let database = match url.database.as_str() {
            "" => "default".to_owned(),
            name => name.to_owned(),
        };
        let compression = if is_near(&url.host) {
            Compression::None
        } else {
            Compression::Lz4
        };
        let client = match url.origin.starts_with("https://") {
            true => tls::client()?,
            false => Client::default(),
        };
        let mut client = client
            .with_url(std::mem::take(&mut url.origin))
            .with_database(&database)
            .with_compression(compression);
        if let Some((user, password)) = url.credentials {
            client = client.with_user(user).with_password(password);
        }
        Ok(ClickHouse {
            client,
            database,
            status: Arc::default(),
        })
    }

    /// Whether it answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let answer = self.read("SELECT 1").rows::<u8>();
        let answer = tokio::time::timeout(PING_PATIENCE, answer).await;
        answer.map_err(|_| StoreError::TooSlow)?.map(|_| ())
    }

    /// How ClickHouse would run a query with parameters, for tests of the stored queries.
    ///
    /// # Errors
    /// When it does not understand the query.
    pub async fn explain(&self, sql: &str, params: &[(&str, &str)]) -> Result<String, StoreError> {
        let query = self.read(&format!("EXPLAIN indexes = 1 {sql}"));
        let query = params
            .iter()
            .fold(query, |query, (name, value)| query.raw_param(name, value));
        Ok(query.rows::<String>().await?.join("\n"))
    }

    /// What became of the writing through this handle and its clones.
    pub fn status(&self) -> &Status {
        &self.status
    }

    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// A read, bounded in time, memory and size of its result.
    pub(crate) fn read(&self, sql: &str) -> Read {
        let query = self
            .client
            .query_raw(sql)
            .with_setting("max_execution_time", READ_SECONDS)
            .with_setting("timeout_overflow_mode", "throw")
            .with_setting("max_memory_usage", READ_BYTES)
            .with_setting("max_result_rows", RESULT_ROWS)
            .with_setting("result_overflow_mode", "throw")
            .with_setting("session_timezone", "UTC");
        Read { query }
    }

    /// A statement that changes something.
    pub(crate) fn statement(&self, sql: &str) -> Query {
        self.client.query_raw(sql)
    }

    /// The same without a database, for making one.
    pub(crate) fn outside_database(&self, sql: &str) -> Query {
        self.client.clone().with_database("default").query_raw(sql)
    }

    /// Inserts data, whose pieces follow each other; `token` makes a repetition do nothing.
    pub(crate) async fn insert(
        &self,
        sql: String,
        data: Vec<Bytes>,
        token: &str,
    ) -> Result<(), StoreError> {
        let mut insert = self
            .client
            .insert_formatted_with(sql)
            .with_timeouts(Some(INSERT_PATIENCE), Some(INSERT_PATIENCE))
            .with_setting("insert_deduplication_token", token)
            .with_setting("insert_deduplicate", "1")
            .with_setting("deduplicate_blocks_in_dependent_materialized_views", "1")
            // We make large inserts ourselves and acknowledge only what is stored.
            .with_setting("async_insert", "0")
            // Months are partitions, and spans may come from any: odd clocks are no reason to refuse.
            .with_setting("max_partitions_per_insert_block", "0")
            // Versions of a span within one insert may stay side by side: reads take the greatest, and
            // looking for them here was a third of the work of an insert.
            .with_setting("optimize_on_insert", "0")
            // One block in is one block stored: a request is never shown in part.
            .with_setting("max_insert_block_size", "100000000")
            .with_setting("session_timezone", "UTC");
        for piece in data {
            insert.send(piece).await?;
        }
        insert.end().await?;
        Ok(())
    }
}

/// A read that is bounded, with its parameters.
pub(crate) struct Read {
    query: Query,
}

impl Read {
    pub(crate) fn param(self, name: &str, value: impl serde::Serialize) -> Self {
        Read {
            query: self.query.param(name, value),
        }
    }

    /// Reads rows that are marked as deleted, too: whatever is still in the parts.
    pub(crate) fn with_deleted(self) -> Self {
        Read {
            query: self.query.with_setting("apply_deleted_mask", "0"),
        }
    }

    /// A parameter as ClickHouse writes values of its type.
    fn raw_param(self, name: &str, value: &str) -> Self {
        Read {
            query: self.query.with_setting(format!("param_{name}"), value),
        }
    }

    /// Runs it.
    pub(crate) async fn rows<T>(self) -> Result<Vec<T>, StoreError>
    where
        T: RowOwned + RowRead,
    {
        let answer = tokio::time::timeout(READ_PATIENCE, self.query.fetch_all::<T>()).await;
        Ok(answer.map_err(|_| StoreError::TooSlow)??)
    }

    /// Runs it and gives its rows one by one, so that a large answer need not fit in memory.
    pub(crate) fn cursor<T: RowRead>(self) -> Result<Rows<T>, StoreError> {
        let cursor = self.query.fetch::<T>()?;
        Ok(Rows { cursor })
    }
}

/// Rows as they come.
pub(crate) struct Rows<T> {
    cursor: RowCursor<T>,
}

impl<T: RowRead> Rows<T> {
    /// The next row, which may borrow from what came; `None` after the last.
    pub(crate) async fn next(&mut self) -> Result<Option<T::Value<'_>>, StoreError> {
        let row = tokio::time::timeout(READ_PATIENCE, self.cursor.next()).await;
        Ok(row.map_err(|_| StoreError::TooSlow)??)
    }
}

struct Address {
    origin: String,
    host: String,
    credentials: Option<(String, String)>,
    database: String,
}

/// Takes an address apart by hand: the driver wants its parts one by one.
fn take_apart(url: &str) -> Option<Address> {
    let (scheme, rest) = url.split_once("://")?;
    if scheme != "http" && scheme != "https" {
        return None;
    }
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (credentials, host) = match authority.rsplit_once('@') {
        Some((credentials, host)) => {
            let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
            (Some((decoded(user)?, decoded(password)?)), host)
        }
        None => (None, authority),
    };
    if host.is_empty() {
        return None;
    }
    Some(Address {
        origin: format!("{scheme}://{host}"),
        host: host.to_owned(),
        credentials,
        database: decoded(path.trim_matches('/'))?,
    })
}

/// Undoes `%40`.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first == b'%' {
            let (digits, tail) = rest.split_at_checked(2)?;
            bytes.extend(hex::decode(digits).ok()?);
            rest = tail;
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether compressing on the way would only cost time.
fn is_near(host: &str) -> bool {
    ["127.", "localhost", "[::1]"]
        .iter()
        .any(|near| host.starts_with(near))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        let address = take_apart("http://ada:p%40ss:1@ch.example:8123/telemetry").unwrap();
        assert_eq!(address.origin, "http://ch.example:8123");
        assert_eq!(
            address.credentials,
            Some(("ada".to_owned(), "p@ss:1".to_owned()))
        );
        assert_eq!(address.database, "telemetry");
        assert!(take_apart("ch.example:8123").is_none());
        assert!(take_apart("tcp://ch.example:9000").is_none());
    }
}
