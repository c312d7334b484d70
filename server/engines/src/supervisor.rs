//! Keeps one engine running: starts it, waits until it answers, starts it again when it dies or hangs.
//!
//! Each engine has a thread of its own that lives as long as the server: the system's parent-death
//! signal is bound to the thread that started a child.

use std::fs::{File, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tokio::sync::watch;

use crate::pulse::{Limits, Probe, Pulse};

/// How an engine is run.
pub(crate) struct Plan {
    /// Its name, of the pid file and the log file too.
    pub(crate) name: &'static str,
    /// Folder of both files.
    pub(crate) data_dir: PathBuf,
    /// Makes everything ready for the child and says how to start it.
    pub(crate) command: Box<dyn Fn() -> Result<Command, String> + Send>,
    /// First line of the child's standard input.
    pub(crate) first_line: Option<String>,
    /// Whether it answers.
    pub(crate) is_ready: Box<dyn Fn() -> bool + Send>,
    /// Whether it is there at all.
    pub(crate) responds: Probe,
    /// When it counts as hanging.
    pub(crate) limits: Limits,
    /// Signal that ends it cleanly.
    pub(crate) stop_signal: Signal,
}

/// What an engine does at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It was started and does not answer yet.
    Starting,
    /// It answers.
    Ready,
    /// It ended by itself and is started again; says why.
    Restarting(String),
    /// It never came up; says why.
    Failed(String),
    /// It was stopped.
    Stopped,
}

/// A supervised engine.
pub(crate) struct Supervised {
    name: &'static str,
    stop: Sender<()>,
    state: watch::Receiver<State>,
    thread: Option<JoinHandle<()>>,
}

/// How often a starting engine is asked whether it answers.
const STARTING_PAUSE: Duration = Duration::from_millis(10);
/// How soon an engine's death is seen.
const RUNNING_PAUSE: Duration = Duration::from_millis(50);
/// Starting may take this long: recovery after a crash is a part of it.
const START_PATIENCE: Duration = Duration::from_secs(60);
/// Stopping may take this long before the engine is killed.
const STOP_PATIENCE: Duration = Duration::from_secs(10);
/// Without a single success, so many attempts mean that it cannot work.
const FIRST_ATTEMPTS: u32 = 3;
const LONGEST_BACKOFF: Duration = Duration::from_secs(5);
/// Running this long makes an earlier failure forgotten.
const STEADY: Duration = Duration::from_secs(30);
const LARGEST_LOG_BYTES: u64 = 16 << 20;

impl Supervised {
    /// Starts the thread that starts the engine.
    pub(crate) fn start(plan: Plan) -> std::io::Result<Self> {
        let (stop, stopping) = channel();
        let (states, state) = watch::channel(State::Starting);
        let name = plan.name;
        let thread = std::thread::Builder::new()
            .name(format!("{name}-engine"))
            .spawn(move || supervise(&plan, &stopping, &states))?;
        Ok(Supervised {
            name,
            stop,
            state,
            thread: Some(thread),
        })
    }

    /// Waits until it answers, or has failed for good.
    pub(crate) async fn ready(&mut self) -> Result<(), String> {
        let settled = self
            .state
            .wait_for(|state| matches!(state, State::Ready | State::Failed(_)));
        match settled.await.as_deref() {
            Ok(State::Failed(reason)) => Err(reason.clone()),
            Ok(_) => Ok(()),
            Err(_) => Err("its thread ended".to_owned()),
        }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// What it does at the moment.
    pub(crate) fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Asks it to end; `await_end` waits for that.
    pub(crate) fn ask_to_stop(&self) {
        // A thread that is gone has nothing to stop.
        let _ = self.stop.send(());
    }

    /// Waits until it has ended.
    pub(crate) fn await_end(&mut self) {
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!(engine = self.name, "the engine's thread failed");
        }
    }
}

fn supervise(plan: &Plan, stopping: &Receiver<()>, states: &watch::Sender<State>) {
    let mut failures = 0;
    let mut was_ready = false;
    loop {
        let started = Instant::now();
        let end = match attempt(plan, stopping, states) {
            Ok(End::Stopped) => break,
            Ok(End::Died {
                reason,
                was_ready: ready,
            }) => {
                was_ready |= ready;
                reason
            }
            Err(reason) => reason,
        };
        failures = if started.elapsed() > STEADY {
            1
        } else {
            failures + 1
        };
        if !was_ready && failures >= FIRST_ATTEMPTS {
            states.send_replace(State::Failed(end));
            return;
        }
        tracing::warn!(
            engine = plan.name,
            reason = end,
            failures,
            "the engine ended and is started again"
        );
        states.send_replace(State::Restarting(end));
        let backoff = Duration::from_millis(50) * 2_u32.pow(failures.min(10) - 1);
        if was_asked(stopping, backoff.min(LONGEST_BACKOFF)) {
            break;
        }
    }
    states.send_replace(State::Stopped);
}

enum End {
    Stopped,
    Died { reason: String, was_ready: bool },
}

/// One life of the child.
fn attempt(
    plan: &Plan,
    stopping: &Receiver<()>,
    states: &watch::Sender<State>,
) -> Result<End, String> {
    let mut command = (plan.command)()?;
    let pid_file = plan.data_dir.join(format!("{}.pid", plan.name));
    let log_path = plan.data_dir.join(format!("{}.log", plan.name));
    let log = open_log(&log_path).map_err(|error| format!("{}: {error}", log_path.display()))?;
    let errors = log.try_clone().map_err(|error| error.to_string())?;
    let spawned = command
        .stdin(Stdio::piped())
        .stdout(log)
        .stderr(errors)
        .spawn();
    let mut child =
        Killed(spawned.map_err(|error| {
            format!("cannot start {}: {error}", command.get_program().display())
        })?);
    if let (Some(line), Some(input)) = (&plan.first_line, child.0.stdin.as_mut()) {
        // A child that is gone already is seen below.
        let _ = writeln!(input, "{line}");
    }
    if let Err(error) = std::fs::write(&pid_file, format!("{}\n", child.0.id())) {
        tracing::warn!(file = %pid_file.display(), %error, "cannot write the pid file");
    }
    let started = Instant::now();
    let mut ready = false;
    let mut pulse = None;
    loop {
        if let Some(status) = child.0.try_wait().map_err(|error| error.to_string())? {
            let reason = death(status, &log_path);
            return Ok(End::Died {
                reason,
                was_ready: ready,
            });
        }
        if !ready && (plan.is_ready)() {
            ready = true;
            let probe = Probe::clone(&plan.responds);
            let asking = Pulse::start(plan.name, probe, plan.limits);
            pulse = Some(asking.map_err(|error| error.to_string())?);
            states.send_replace(State::Ready);
            tracing::info!(
                engine = plan.name,
                pid = child.0.id(),
                duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
                "the engine is ready"
            );
        }
        if pulse.as_ref().is_some_and(Pulse::is_lost) {
            // It is killed when it is let go of.
            return Ok(End::Died {
                reason: format!("it hangs: {} questions unanswered", plan.limits.misses),
                was_ready: ready,
            });
        }
        if !ready && started.elapsed() > START_PATIENCE {
            return Err(format!(
                "it does not answer after {} s",
                START_PATIENCE.as_secs()
            ));
        }
        if was_asked(stopping, if ready { RUNNING_PAUSE } else { STARTING_PAUSE }) {
            stop(&mut child.0, plan);
            // Gone already is as good.
            let _ = std::fs::remove_file(&pid_file);
            return Ok(End::Stopped);
        }
    }
}

/// True when the engine shall stop; the server's end counts as that.
fn was_asked(stopping: &Receiver<()>, patience: Duration) -> bool {
    !matches!(
        stopping.recv_timeout(patience),
        Err(RecvTimeoutError::Timeout)
    )
}

fn stop(child: &mut Child, plan: &Plan) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // The end of standard input would end some engines too, but less gently.
    if let Some(pid) = pid {
        let _ = rustix::process::kill_process(pid, plan.stop_signal);
    }
    let deadline = Instant::now() + STOP_PATIENCE;
    while Instant::now() < deadline {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(STARTING_PAUSE);
    }
    tracing::warn!(engine = plan.name, "the engine does not stop and is killed");
}

/// A child that is killed when it is let go of.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            // It may end by itself in between.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

/// Engines may write down what they work on, so only this user reads it.
fn open_log(path: &Path) -> std::io::Result<File> {
    let before = path.with_extension("log.1");
    if std::fs::metadata(path).is_ok_and(|found| found.len() > LARGEST_LOG_BYTES) {
        std::fs::rename(path, &before)?;
    }
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)?;
    // Older versions made them readable.
    log.set_permissions(Permissions::from_mode(0o600))?;
    if before.exists() {
        std::fs::set_permissions(&before, Permissions::from_mode(0o600))?;
    }
    Ok(log)
}

/// Why it ended, with the last that it said.
fn death(status: ExitStatus, log: &Path) -> String {
    let said = std::fs::read(log).unwrap_or_default();
    let said = String::from_utf8_lossy(&said[said.len().saturating_sub(2000)..]).into_owned();
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = lines[lines.len().saturating_sub(3)..].join(" / ");
    if last.is_empty() {
        status.to_string()
    } else {
        format!("{status}: {last}")
    }
}
