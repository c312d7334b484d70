//! Connections, transactions, migrations.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use tower_sessions_sqlx_store::PostgresStore;

use crate::error::StoreError;

/// Connections held at most: people and keys are few, telemetry does not come by here. Prompts take up to
/// seven of them: three that read, three that change, one that listens.
const MAX_CONNECTIONS: u32 = 16;

/// A pool of connections; cheap to clone.
#[derive(Clone, Debug)]
pub struct Postgres {
    pool: PgPool,
}

/// Statements that happen together or not at all; undone unless committed.
pub struct Transaction {
    inner: sqlx::Transaction<'static, sqlx::Postgres>,
}

impl Postgres {
    /// Connects to `postgres://user:password@host:port/database`, or to
    /// `postgres://user@localhost/database?host=/directory/of/the/socket`.
    ///
    /// # Errors
    /// When the URL makes no sense or nobody answers there within 10 s.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)?
            .application_name("triaxis")
            // The session store compares with `now() at time zone 'utc'`, which is right in UTC only.
            .options([
                ("timezone", "UTC"),
                ("statement_timeout", "15000"),
                // Migrations make what may exist already; that is no news.
                ("client_min_messages", "warning"),
            ]);
        let pool = PgPoolOptions::new()
            .max_connections(MAX_CONNECTIONS)
            .acquire_timeout(Duration::from_secs(2))
            .connect_lazy_with(options);
        let postgres = Postgres { pool };
        let mut tries = 0;
        while let Err(error) = postgres.ping().await {
            tries += 1;
            if tries == 5 || !matches!(error, StoreError::Unavailable(_)) {
                return Err(error);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Ok(postgres)
    }

    /// Brings the schema up to date. Replicas that start together wait for one another.
    ///
    /// # Errors
    /// When Postgres is away, or was migrated by a newer version.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        sqlx::migrate!("../../migrations/postgres")
            .run(&self.pool)
            .await?;
        Ok(())
    }

    /// Whether Postgres answers and knows all migrations.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// When Postgres is away.
    pub async fn begin(&self) -> Result<Transaction, StoreError> {
        let pool = self.pool.clone();
        begun(async move { pool.begin().await }).await
    }

    /// Begins a transaction that changes nothing and sees one moment all along.
    ///
    /// # Errors
    /// When Postgres is away.
    pub async fn begin_reading(&self) -> Result<Transaction, StoreError> {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        let pool = self.pool.clone();
        begun(async move { pool.begin_with(begin).await }).await
    }

    /// Where sign-in sessions are kept.
    pub fn sessions(&self) -> PostgresStore {
        let store = PostgresStore::new(self.pool.clone());
        store
            .clone()
            .with_schema_name("public")
            .and_then(|store| store.with_table_name("sign_in_sessions"))
            .unwrap_or(store)
    }

    /// Deletes sign-in sessions that are over.
    ///
    /// # Errors
    /// When Postgres is away.
    pub async fn forget_expired_sessions(&self) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM sign_in_sessions WHERE expiry_date < now()")
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Gives all connections back; later uses fail.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }
}

/// Begins to the end, whoever stops waiting for it. A `BEGIN` that is broken off, by a reader who leaves a page or a deadline,
/// would go back to the pool within a transaction that nobody ends: sqlx counts one only once its answer is read.
async fn begun(
    begin: impl Future<Output = Result<sqlx::Transaction<'static, sqlx::Postgres>, sqlx::Error>>
    + Send
    + 'static,
) -> Result<Transaction, StoreError> {
    let begun = tokio::spawn(begin).await;
    let inner = begun.unwrap_or(Err(sqlx::Error::WorkerCrashed))?;
    Ok(Transaction { inner })
}

impl Transaction {
    /// Makes everything done in it last.
    ///
    /// # Errors
    /// When Postgres is away; then nothing of it happened.
    pub async fn commit(self) -> Result<(), StoreError> {
        self.inner.commit().await?;
        Ok(())
    }

    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.inner
    }
}
