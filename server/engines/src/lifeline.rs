//! A child never outlives its server, however that ends.
//!
//! Linux sends a signal when the parent's *thread* that started the child ends, so children are
//! started by threads that live as long as the server. The end of standard input says the same on
//! every system.

use std::io::Read as _;

use rustix::process::{Pid, Signal};

/// The parent was gone before the child could watch it.
#[derive(Debug)]
pub(crate) struct Orphan;

/// Asks the system to send `signal` when the parent ends, and checks that it has not ended yet.
pub(crate) fn die_with_parent(parent: u32, signal: Signal) -> Result<(), Orphan> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(signal)).map_err(|_| Orphan)?;
    #[cfg(not(target_os = "linux"))]
    let _ = signal;
    let actual = rustix::process::getppid().map(Pid::as_raw_pid);
    if actual.and_then(|pid| u32::try_from(pid).ok()) == Some(parent) {
        Ok(())
    } else {
        Err(Orphan)
    }
}

/// Returns when standard input ends.
pub(crate) fn await_stdin_end() {
    let mut input = std::io::stdin().lock();
    let mut buffer = [0_u8; 64];
    while input.read(&mut buffer).is_ok_and(|count| count > 0) {}
}

/// Ends this process at once, without the engine's destructors, which would crash.
pub(crate) fn kill_self() -> ! {
    let me = rustix::process::getpid();
    loop {
        // It cannot fail for oneself; the loop is for the type.
        let _ = rustix::process::kill_process(me, Signal::KILL);
    }
}
