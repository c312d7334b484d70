//! The embedded Postgres: a child on a Unix socket that only its own user can reach.
//!
//! Postgres refuses root. Then it runs as `postgres` or `nobody`, and so does this program's own
//! child that becomes it: the parent-death signal is lost when a process changes its user, so the
//! user is changed first, then the signal asked for, then the program becomes Postgres.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use sha2::{Digest as _, Sha256};

use crate::account::Account;
use crate::engine::child_command;
use crate::lifeline;
use crate::pulse::Limits;
use crate::supervisor::Plan;

const USER: &str = "triaxis";
const DATABASE: &str = "triaxis";
const SOCKET: &str = ".s.PGSQL.5432";
/// Systems allow a little more than 100 bytes for a socket's path.
const LONGEST_SOCKET_PATH: usize = 100;
/// A Postgres of the last server may need this long to end.
const STALE_PATIENCE: Duration = Duration::from_secs(10);
/// And this long from its last breath until its number is free, on a busy machine.
const ENDING_PATIENCE: Duration = Duration::from_secs(10);
const PROBE_PATIENCE: Duration = Duration::from_millis(500);

/// Small, and safe: `fsync` and full page writes stay on. What rows and statements hold is kept out of the
/// log; the server tells of errors itself.
const SETTINGS: &[&str] = &[
    "listen_addresses=",
    "shared_buffers=32MB",
    "max_connections=50",
    "superuser_reserved_connections=2",
    "work_mem=4MB",
    "maintenance_work_mem=32MB",
    "wal_buffers=1MB",
    "min_wal_size=32MB",
    "max_wal_size=256MB",
    "wal_level=minimal",
    "max_wal_senders=0",
    "jit=off",
    "max_parallel_workers=0",
    "max_parallel_workers_per_gather=0",
    "autovacuum_max_workers=1",
    "huge_pages=off",
    "timezone=UTC",
    "log_timezone=UTC",
    "lc_messages=C",
    "log_error_verbosity=terse",
    "log_min_error_statement=panic",
];

/// Postgres cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// The server is root, and there is nobody else to run Postgres.
    #[error("Postgres does not run as root, and there is no user `postgres` or `nobody`")]
    NoAccount,
    /// That user cannot come to a folder that it needs.
    #[error(
        "Postgres runs as the user `{user}`, who cannot enter {folder}: allow it (chmod o+x), use \
         another data directory, or start the server as a user without root's rights"
    )]
    Unreachable {
        /// The user.
        user: String,
        /// The closed folder.
        folder: PathBuf,
    },
    /// Anything of the system.
    #[error("cannot prepare Postgres in {path}: {source}")]
    System {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Command line of the child.
#[derive(clap::Args, Clone, Debug)]
pub struct ChildSettings {
    /// The `postgres` program.
    #[arg(long)]
    pub postgres: PathBuf,
    /// Folder of the data.
    #[arg(long)]
    pub data: PathBuf,
    /// Folder of the socket.
    #[arg(long)]
    pub sockets: PathBuf,
    /// Process that must be the parent.
    #[arg(long)]
    pub parent: u32,
}

/// Why the child ends with an error.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// The parent is another process than it said.
    #[error("the server that started this engine is gone")]
    Orphan,
    /// Postgres cannot be run.
    #[error("cannot run {program}: {source}")]
    Run {
        /// The program.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Becomes Postgres, which ends when the parent does.
#[expect(clippy::needless_pass_by_value, reason = "the process is over with it")]
pub fn run_child(settings: ChildSettings) -> Result<(), ChildError> {
    // Immediate shutdown: as after a crash, everything committed is there at the next start, and the
    // next server does not wait for a checkpoint.
    lifeline::die_with_parent(settings.parent, Signal::QUIT).map_err(|_| ChildError::Orphan)?;
    let mut command = Command::new(&settings.postgres);
    command
        .arg("-D")
        .arg(&settings.data)
        .arg("-k")
        .arg(&settings.sockets);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    if major_version(&settings.data).is_some_and(|version| version >= 18) {
        // Three processes less; the data is small and cached.
        command.args(["-c", "io_method=sync"]);
    }
    become_postgres(command).map_err(|source| ChildError::Run {
        program: settings.postgres.clone(),
        source,
    })
}

#[cfg(target_os = "linux")]
fn become_postgres(mut command: Command) -> std::io::Result<()> {
    Err(command.exec())
}

/// Without a parent-death signal this process stays, and stops Postgres when its input ends.
#[cfg(not(target_os = "linux"))]
fn become_postgres(mut command: Command) -> std::io::Result<()> {
    let mut child = command.stdin(Stdio::null()).spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    std::thread::spawn(move || {
        lifeline::await_stdin_end();
        if let Some(pid) = pid {
            let _ = rustix::process::kill_process(pid, Signal::QUIT);
        }
    });
    child.wait().map(|_| ())
}

/// An embedded Postgres before it is started.
pub(crate) struct Postgres {
    programs: PathBuf,
    data: PathBuf,
    sockets: PathBuf,
    account: Option<Account>,
}

impl Postgres {
    /// Finds the user and makes the folder of the socket.
    pub(crate) fn new(programs: PathBuf, data_dir: &Path) -> Result<Self, PostgresError> {
        let account = match rustix::process::geteuid().is_root() {
            true => Some(Account::unprivileged().ok_or(PostgresError::NoAccount)?),
            false => None,
        };
        let data = data_dir.join("postgres");
        if let Some(account) = &account {
            for path in [&data, &programs.join("postgres")] {
                if let Some(folder) = account.barrier(path) {
                    let user = account.name.clone();
                    return Err(PostgresError::Unreachable { user, folder });
                }
            }
        }
        let sockets = socket_dir(data_dir, account.as_ref())?;
        Ok(Postgres {
            programs,
            data,
            sockets,
            account,
        })
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        let encoded: String =
            form_urlencoded::byte_serialize(self.sockets.as_os_str().as_bytes()).collect();
        // Spaces only: everything else is written the same way in both encodings.
        format!(
            "postgres://{USER}@localhost/{DATABASE}?host={}",
            encoded.replace('+', "%20")
        )
    }

    /// How it is run.
    pub(crate) fn plan(self, program: PathBuf, data_dir: &Path, limits: Limits) -> Plan {
        let socket = self.sockets.join(SOCKET);
        let probed = socket.clone();
        Plan {
            name: "postgres",
            data_dir: data_dir.to_owned(),
            command: Box::new(move || self.command(&program).map_err(|error| error.to_string())),
            first_line: None,
            is_ready: Box::new(move || matches!(asked(&socket, PROBE_PATIENCE), Ok(b'R'))),
            // A refusal, as with too many connections, is an answer, too.
            responds: Arc::new(move |within| asked(&probed, within).is_ok()),
            limits,
            stop_signal: Signal::INT,
        }
    }

    fn command(&self, program: &Path) -> Result<Command, PostgresError> {
        if self.data.join("PG_VERSION").exists() {
            if let Some(account) = &self.account {
                account
                    .own(&self.data)
                    .map_err(|source| self.system(source))?;
            }
            end_stale(&self.data);
        } else {
            self.initialise().map_err(|source| self.system(source))?;
        }
        let mut command = self.as_account(child_command(program));
        command
            .args(["engine", "postgres", "--postgres"])
            .arg(self.programs.join("postgres"))
            .arg("--data")
            .arg(&self.data)
            .arg("--sockets")
            .arg(&self.sockets)
            .args(["--parent", &std::process::id().to_string()]);
        Ok(command)
    }

    /// Makes the cluster beside its place and moves it there when it is complete.
    fn initialise(&self) -> std::io::Result<()> {
        let unfinished = self.data.with_extension("new");
        if unfinished.exists() {
            std::fs::remove_dir_all(&unfinished)?;
        }
        std::fs::DirBuilder::new().mode(0o700).create(&unfinished)?;
        if let Some(account) = &self.account {
            account.own(&unfinished)?;
        }
        let mut initdb = self.program("initdb");
        initdb
            .arg("-D")
            .arg(&unfinished)
            .args(["-U", USER, "-E", "UTF8", "--locale=C"]);
        initdb.args(["--auth=trust", "--no-instructions"]);
        run(initdb, "")?;
        let mut single = self.program("postgres");
        single
            .args(["--single", "-D"])
            .arg(&unfinished)
            .arg("postgres");
        run(single, &format!("CREATE DATABASE {DATABASE}\n"))?;
        std::fs::rename(&unfinished, &self.data)
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command
            .env_clear()
            .envs([("TZ", "UTC"), ("LC_ALL", "C"), ("PATH", "/usr/bin:/bin")]);
        command.current_dir("/");
        self.as_account(command)
    }

    fn as_account(&self, mut command: Command) -> Command {
        if let Some(account) = &self.account {
            command.uid(account.user).gid(account.group);
        }
        command
    }

    fn system(&self, source: std::io::Error) -> PostgresError {
        PostgresError::System {
            path: self.data.clone(),
            source,
        }
    }
}

/// Runs a program to its end.
fn run(mut command: Command, input: &str) -> std::io::Result<()> {
    let name = command.get_program().display().to_string();
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(std::io::Error::other(format!(
        "{name}: {}: {}",
        output.status,
        said.trim()
    )))
}

/// A folder for the socket that only Postgres's user can enter, with a short enough path.
fn socket_dir(data_dir: &Path, account: Option<&Account>) -> Result<PathBuf, PostgresError> {
    let beside = data_dir.join("sockets");
    let fits = beside.join(SOCKET).as_os_str().len() <= LONGEST_SOCKET_PATH;
    let path = if fits {
        beside
    } else {
        let hash = hex::encode(Sha256::digest(data_dir.as_os_str().as_bytes()));
        PathBuf::from(format!("/tmp/triaxis-{}", &hash[..16]))
    };
    let system = |source| PostgresError::System {
        path: path.clone(),
        source,
    };
    match std::fs::DirBuilder::new().mode(0o700).create(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(system(error));
        }
        _ => {}
    }
    let found = std::fs::symlink_metadata(&path).map_err(system)?;
    let us = rustix::process::geteuid().as_raw();
    let owner = account.map_or(us, |account| account.user);
    if !found.is_dir() || (found.uid() != us && found.uid() != owner) {
        let reason = "somebody else has made it; remove it";
        return Err(system(std::io::Error::other(reason)));
    }
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).map_err(system)?;
    if let Some(account) = account {
        account.own(&path).map_err(system)?;
    }
    Ok(path)
}

fn major_version(data: &Path) -> Option<u32> {
    std::fs::read_to_string(data.join("PG_VERSION"))
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// Waits for a Postgres that a killed server left, and kills it when it does not end. Only a
/// process that works in our data folder is ours; a number in a file proves nothing.
fn end_stale(data: &Path) {
    let Ok(text) = std::fs::read_to_string(data.join("postmaster.pid")) else {
        return;
    };
    let pid = text
        .lines()
        .next()
        .and_then(|line| line.trim().parse().ok())
        .and_then(Pid::from_raw);
    let Some(pid) = pid else { return };
    let deadline = Instant::now() + STALE_PATIENCE;
    loop {
        match stale(pid, data) {
            Stale::Gone => return,
            Stale::Works if Instant::now() >= deadline => {
                tracing::warn!(
                    pid = pid.as_raw_pid(),
                    "an old Postgres on our data does not end and is killed"
                );
                // It may end by itself in between.
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
            // A new Postgres would still find its number taken and not start.
            Stale::Ends if Instant::now() >= deadline + ENDING_PATIENCE => return,
            Stale::Works | Stale::Ends => {}
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What became of a Postgres that a killed server left.
enum Stale {
    /// It works in our data folder.
    Works,
    /// It has left its folder and is not yet gone: it was killed a moment ago.
    Ends,
    /// There is none; a process of that number is somebody else's.
    Gone,
}

fn stale(pid: Pid, data: &Path) -> Stale {
    let process = PathBuf::from(format!("/proc/{}", pid.as_raw_pid()));
    match std::fs::read_link(process.join("cwd")) {
        Ok(folder) if folder == data => Stale::Works,
        Err(error) if error.kind() == ErrorKind::NotFound && process.exists() => Stale::Ends,
        Ok(_) | Err(_) => Stale::Gone,
    }
}

/// The first letter of what it answers to a start-up message: `R` asks for a password, so that it lets
/// somebody in; while it still starts it is an error.
fn asked(socket: &Path, within: Duration) -> std::io::Result<u8> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(within))?;
    let mut message = vec![0, 3, 0, 0];
    for text in ["user", USER, "database", DATABASE] {
        message.extend_from_slice(text.as_bytes());
        message.push(0);
    }
    message.push(0);
    let length = u32::try_from(message.len() + 4).unwrap_or_default();
    stream.write_all(&length.to_be_bytes())?;
    stream.write_all(&message)?;
    let mut kind = [0];
    stream.read_exact(&mut kind)?;
    // Said politely, or it would log a lost connection.
    stream.write_all(&[b'X', 0, 0, 0, 4])?;
    Ok(kind[0])
}
