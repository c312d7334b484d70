//! Both engines together: what the server starts, asks for addresses, and stops.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clickhouse::ClickHouse;
use crate::external::{self, AddressError};
use crate::locate::{self, LocateError};
use crate::lock::{DataLock, LockError};
use crate::ports;
use crate::postgres::{Postgres, PostgresError};
use crate::pulse::Limits;
use crate::supervisor::{Plan, State, Supervised};

/// What to start and where.
#[derive(Clone, Debug)]
pub struct Config {
    /// Everything that is kept; made when it is absent.
    pub data_dir: PathBuf,
    /// Where the engines' files are; see [`locate`].
    pub engines_dir: PathBuf,
    /// This program: it is started again as `engine clickhouse` and `engine postgres`.
    pub program: PathBuf,
    /// When an engine counts as hanging.
    pub limits: Limits,
    /// Use this ClickHouse and start none.
    pub clickhouse_url: Option<String>,
    /// Use this Postgres and start none.
    pub database_url: Option<String>,
}

/// The engines cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Another server uses the data directory.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Files are missing.
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// A given address is none.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// Postgres cannot be prepared.
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// The data directory.
    #[error("cannot use the data directory {path}: {source}")]
    DataDir {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Anything of the system.
    #[error("cannot start the embedded engines: {0}")]
    System(#[from] std::io::Error),
    /// An engine was started but never answered.
    #[error("the embedded {engine} does not start: {reason} (see {log})")]
    Start {
        /// Its name.
        engine: &'static str,
        /// Why.
        reason: String,
        /// Its log file.
        log: PathBuf,
    },
}

/// What an engine is and does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// `clickhouse` or `postgres`.
    pub engine: &'static str,
    /// What it does at the moment.
    pub state: State,
}

/// Running engines, or the addresses of servers that are used in their place.
///
/// They end with this value, or when the process ends in any way.
pub struct Engines {
    clickhouse_url: String,
    database_url: String,
    supervised: Vec<Supervised>,
    /// Held until the children are gone.
    _lock: DataLock,
}

impl Engines {
    /// Starts what is not given, both at once, and returns when they answer.
    pub async fn start(config: Config) -> Result<Self, EngineError> {
        let data_dir = make_data_dir(&config.data_dir)?;
        let lock = DataLock::take(&data_dir.join("server.lock"))?;
        let mut plans: Vec<Plan> = Vec::new();
        let clickhouse_url = match config.clickhouse_url {
            Some(url) => external::clickhouse(url)?,
            None => {
                let engine = ClickHouse {
                    address: ports::free_port()?,
                    library: locate::clickhouse_library(&config.engines_dir)?,
                    password: hex::encode(rand::random::<[u8; 16]>()),
                    limits: config.limits,
                };
                let url = engine.url();
                plans.push(engine.plan(config.program.clone(), &data_dir));
                url
            }
        };
        let database_url = match config.database_url {
            Some(url) => external::postgres(url)?,
            None => {
                let programs = locate::postgres_programs(&config.engines_dir)?;
                let engine = Postgres::new(programs, &data_dir)?;
                let url = engine.url();
                plans.push(engine.plan(config.program, &data_dir, config.limits));
                url
            }
        };
        let started: std::io::Result<Vec<Supervised>> =
            plans.into_iter().map(Supervised::start).collect();
        let mut engines = Engines {
            clickhouse_url,
            database_url,
            supervised: started?,
            _lock: lock,
        };
        if let Err((engine, reason)) = engines.ready().await {
            let log = data_dir.join(format!("{engine}.log"));
            engines.stop().await;
            return Err(EngineError::Start {
                engine,
                reason,
                log,
            });
        }
        Ok(engines)
    }

    /// `http://user:password@host:port/database`; the same as long as the server runs.
    pub fn clickhouse_url(&self) -> &str {
        &self.clickhouse_url
    }

    /// `postgres://…`; the same as long as the server runs.
    pub fn database_url(&self) -> &str {
        &self.database_url
    }

    /// What the embedded engines do; empty when none is embedded.
    pub fn status(&self) -> Vec<Status> {
        let status = |engine: &Supervised| Status {
            engine: engine.name(),
            state: engine.state(),
        };
        self.supervised.iter().map(status).collect()
    }

    /// Stops them cleanly, or by force after some seconds.
    pub async fn stop(self) {
        if tokio::task::spawn_blocking(move || drop(self))
            .await
            .is_err()
        {
            tracing::error!("the engines could not be stopped");
        }
    }

    async fn ready(&mut self) -> Result<(), (&'static str, String)> {
        for engine in &mut self.supervised {
            let name = engine.name();
            engine.ready().await.map_err(|reason| (name, reason))?;
        }
        Ok(())
    }
}

impl Drop for Engines {
    fn drop(&mut self) {
        // A server that fails later in its start must not leave its children to the signal.
        for engine in &self.supervised {
            engine.ask_to_stop();
        }
        for engine in &mut self.supervised {
            engine.await_end();
        }
    }
}

/// This program again, with nothing of our environment: it may hold secrets.
pub(crate) fn child_command(program: &Path) -> Command {
    // The link works for a user who may not enter the folder that the program is in, and after the
    // file was replaced by a newer one.
    let itself = Path::new("/proc/self/exe");
    let is_this = std::fs::read_link(itself).is_ok_and(|target| target == program);
    let mut command = Command::new(if is_this { itself } else { program });
    command
        .env_clear()
        .envs([("TZ", "UTC"), ("LC_ALL", "C"), ("PATH", "/usr/bin:/bin")]);
    command.current_dir("/");
    command
}

/// Makes it, and folders on the way, where they are absent. They are closed to others, but that the account of Postgres
/// passes through where we are root; what is below is closed to it.
fn make_data_dir(path: &Path) -> Result<PathBuf, EngineError> {
    let make = || {
        let absent = path.ancestors().take_while(|folder| !folder.exists());
        let absent: Vec<&Path> = absent.collect();
        std::fs::create_dir_all(path)?;
        let mode = match rustix::process::geteuid().is_root() {
            true => 0o711,
            false => 0o700,
        };
        for folder in absent
            .into_iter()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode))?;
        }
        std::fs::canonicalize(path)
    };
    let made = make();
    made.map_err(|source| EngineError::DataDir {
        path: path.to_owned(),
        source,
    })
}
