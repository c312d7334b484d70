//! One server a data directory, one engine child a data folder.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A held lock; the system frees it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct DataLock {
    _file: File,
}

/// The lock is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error(
        "{path} is in use by another process (pid {pid}): stop it, or use another data directory"
    )]
    Held {
        /// The locked folder.
        path: PathBuf,
        /// Who holds it.
        pid: String,
    },
    /// The file cannot be made or locked.
    #[error("cannot lock {path}: {source}")]
    System {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl DataLock {
    /// Takes the lock or says who holds it.
    pub(crate) fn take(path: &Path) -> Result<Self, LockError> {
        Self::wait(path, Duration::ZERO)
    }

    /// Takes the lock as soon as its holder is gone.
    pub(crate) fn wait(path: &Path, patience: Duration) -> Result<Self, LockError> {
        let system = |source| LockError::System {
            path: path.to_owned(),
            source,
        };
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(system)?;
        let deadline = Instant::now() + patience;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(source)) => return Err(system(source)),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    let mut pid = String::new();
                    // Only for the message; unknown is shown as such.
                    let _ = file.read_to_string(&mut pid);
                    let pid = if pid.trim().is_empty() {
                        "unknown"
                    } else {
                        pid.trim()
                    }
                    .to_owned();
                    let path = path.parent().unwrap_or(path).to_owned();
                    return Err(LockError::Held { path, pid });
                }
            }
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        written.map_err(system)?;
        Ok(DataLock { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_told_who_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = DataLock::take(&path).unwrap();
        let refused = DataLock::take(&path).unwrap_err().to_string();
        assert!(
            refused.contains(&std::process::id().to_string()),
            "{refused}"
        );
        drop(held);
        DataLock::take(&path).unwrap();
    }
}
