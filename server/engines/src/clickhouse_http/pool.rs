//! Sessions of the engine, reused between requests.
//!
//! ClickHouse gives each HTTP request a fresh session. Here a session is kept with the settings
//! that the last request left, and only what differs is set: most requests set nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::exception::Exception;
use super::library::{Connection, Library, LibraryError, Statement};
use super::tuning::Tuning;

/// Sessions that may work at once; more requests wait.
const CONCURRENT: usize = 32;

const SHUTDOWN_ATTEMPTS: u32 = 5;

/// All sessions.
pub(super) struct Pool {
    library: Arc<Library>,
    tuning: Tuning,
    idle: Mutex<Vec<Session>>,
    permits: Arc<Semaphore>,
    /// Used for `KILL QUERY` alone, so that a full pool can still be cancelled.
    control: Mutex<Option<Connection>>,
    opened: AtomicU64,
}

/// What a request wants of its session.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) settings: BTreeMap<String, String>,
    pub(super) database: Option<String>,
    pub(super) read_only: bool,
}

/// One session with a mark that finds its queries in `system.processes`.
pub(super) struct Session {
    pub(super) connection: Connection,
    number: u64,
    settings: BTreeMap<String, String>,
    database: String,
}

const DEFAULT_DATABASE: &str = "default";

impl Pool {
    /// Starts the engine.
    pub(super) fn open(library: Arc<Library>, tuning: Tuning) -> Result<Self, LibraryError> {
        let control = library.connect(&tuning.arguments("control"))?;
        Ok(Pool {
            library,
            tuning,
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(CONCURRENT)),
            control: Mutex::new(Some(control)),
            opened: AtomicU64::new(0),
        })
    }

    /// Waits for a place.
    pub(super) async fn place(&self) -> Option<OwnedSemaphorePermit> {
        self.permits.clone().acquire_owned().await.ok()
    }

    /// A session as the request wants it. Blocks for about a millisecond at most.
    pub(super) fn session(&self, wanted: &Wanted) -> Result<Session, Exception> {
        let mut session = match lock(&self.idle).pop() {
            Some(session) => session,
            None => self
                .connect()
                .map_err(|error| Exception::from_engine(&error.to_string()))?,
        };
        session.prepare(wanted, &self.tuning)?;
        Ok(session)
    }

    /// Takes a session back whose settings are known.
    pub(super) fn give_back(&self, session: Session) {
        if !self.permits.is_closed() {
            lock(&self.idle).push(session);
        }
    }

    /// Ends what a session runs.
    pub(super) fn kill(&self, mark: &str) {
        let sql = format!("KILL QUERY WHERE Settings['log_comment'] = '{mark}' ASYNC");
        if let Some(control) = lock(&self.control).as_mut() {
            let statement = Statement {
                sql: sql.as_bytes(),
                format: "Null",
                parameters: &[],
            };
            if let Err(refusal) = control.query(&statement) {
                tracing::debug!(refusal, "cannot cancel a query");
            }
        }
    }

    /// Lets nothing new begin, ends everything, and stops the engine. True when it all ended.
    pub(super) fn close(&self, patience: std::time::Duration) -> bool {
        self.permits.close();
        let deadline = std::time::Instant::now() + patience;
        let sql = b"KILL QUERY WHERE Settings['log_comment'] != 'control' ASYNC";
        while self.permits.available_permits() < CONCURRENT {
            if let Some(control) = lock(&self.control).as_mut() {
                // A refusal changes nothing here: the deadline decides.
                let _ = control.query(&Statement {
                    sql,
                    format: "Null",
                    parameters: &[],
                });
            }
            if std::time::Instant::now() >= deadline {
                return false;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        lock(&self.idle).clear();
        *lock(&self.control) = None;
        // Its background threads end a little later than the last connection; with tables on disk
        // some versions never say that they all did.
        for _ in 0..SHUTDOWN_ATTEMPTS {
            if self.library.shutdown() {
                return true;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        false
    }

    fn connect(&self) -> Result<Session, LibraryError> {
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        let connection = self
            .library
            .connect(&self.tuning.arguments(&mark(number)))?;
        let database = DEFAULT_DATABASE.to_owned();
        Ok(Session {
            connection,
            number,
            settings: BTreeMap::new(),
            database,
        })
    }
}

impl Session {
    /// The mark by which its queries can be killed.
    pub(super) fn mark(&self) -> String {
        mark(self.number)
    }

    fn prepare(&mut self, wanted: &Wanted, tuning: &Tuning) -> Result<(), Exception> {
        let mut changes = Vec::new();
        for name in self
            .settings
            .keys()
            .filter(|name| !wanted.settings.contains_key(*name))
        {
            changes.push(match tuning.session_setting(name) {
                Some(value) => format!("{name} = {}", quoted(value, '\'')),
                None => format!("{name} = DEFAULT"),
            });
        }
        for (name, value) in &wanted.settings {
            if self.settings.get(name) != Some(value) {
                if !is_setting_name(name) {
                    let message = format!("Unknown setting '{name}'");
                    return Err(Exception::new(115, "UNKNOWN_SETTING", &message));
                }
                changes.push(format!("{name} = {}", quoted(value, '\'')));
            }
        }
        let database = wanted.database.as_deref().unwrap_or(DEFAULT_DATABASE);
        if self.database != database {
            self.execute(&format!("USE {}", quoted(database, '`')))?;
            database.clone_into(&mut self.database);
        }
        if wanted.read_only {
            // Last, because nothing can be set after it.
            changes.push("readonly = 2".to_owned());
        }
        if !changes.is_empty() {
            self.execute(&format!("SET {}", changes.join(", ")))?;
            self.settings.clone_from(&wanted.settings);
        }
        Ok(())
    }

    fn execute(&mut self, sql: &str) -> Result<(), Exception> {
        let statement = Statement {
            sql: sql.as_bytes(),
            format: "Null",
            parameters: &[],
        };
        match self.connection.query(&statement) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(Exception::from_engine(&refusal)),
        }
    }
}

fn mark(number: u64) -> String {
    format!("session-{number}")
}

fn is_setting_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn quoted(text: &str, quote: char) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(quote);
    for letter in text.chars() {
        if letter == quote || letter == '\\' {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push(quote);
    quoted
}

/// A poisoned lock holds sessions that are as good as before: nothing is half done under it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
