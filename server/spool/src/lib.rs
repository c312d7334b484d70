//! The durable queue between receipt and store: what it has taken survives a crash at any moment.
//!
//! An entry is opaque here: some rows, encoded. [`Spool::append`] returns once the entry is on disk;
//! appends that wait at the same time share one fsync. Readers take batches of whole entries, oldest
//! first, and acknowledge them; an entry that can never be stored is set aside.
//!
//! **Invariants:**
//! - an appended entry is either pending, in one batch, or set aside; it leaves the disk only by
//!   [`Spool::acknowledge`];
//! - the border of a batch is on disk before the batch is handed out, so that after a crash the same
//!   entries come back as the same batch with the same token;
//! - no disk access on an async thread.
//!
//! To add something that is kept: a table in `disk.rs`, an operation in `Change`, its effect in
//! `disk::apply`.

/// The thread that owns all writing: group commit.
mod committer;
/// Tables on disk and the one function that changes them.
mod disk;
/// What goes in, what comes out, what can go wrong.
mod entry;
/// Which entries wait and which are out: the index in memory.
mod queue;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::Timestamp;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::Instant;

use crate::committer::{Change, Order};
use crate::disk::Disk;
use crate::queue::{Queue, Taken};

pub use crate::entry::{Batch, Entry, Sequence, SetAside, SpoolError, Stats, Stored};

/// Where the spool is and how large it may grow.
#[derive(Clone, Debug)]
pub struct Config {
    /// Folder of its own.
    pub dir: PathBuf,
    /// Most bytes of entries; over it, [`Spool::append`] answers [`SpoolError::Full`].
    pub max_bytes: u64,
}

/// When a batch is large or old enough to be handed out.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// Enough rows.
    pub max_rows: u64,
    /// Enough decoded bytes; a batch has more only where one entry alone has.
    pub max_weight: u64,
    /// Waiting for more is worth it only while more than so many rows wait already.
    pub few_rows: u64,
    /// Longest that the oldest of few rows waits.
    pub short_wait: Duration,
    /// Longest that the oldest of more rows waits.
    pub long_wait: Duration,
}

/// Appends that may wait for the disk at once; more than that wait before they are queued.
const WAITING_APPENDS: usize = 1024;

/// The durable queue. Share it in an `Arc`; dropping the last one finishes what was begun.
pub struct Spool {
    shared: Arc<Shared>,
    orders: mpsc::Sender<Order>,
    committer: Option<std::thread::JoinHandle<()>>,
}

struct Shared {
    disk: Disk,
    queue: Mutex<Queue>,
    /// Something was appended, or the spool was closed.
    changed: Notify,
    /// Something was taken for a batch, or left.
    left: Notify,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spool {
    /// Opens the spool, or makes an empty one. Blocks; call it before serving.
    ///
    /// # Errors
    /// When the folder cannot be used, or another process has it open.
    pub fn open(config: Config) -> Result<Self, SpoolError> {
        let Config { dir, max_bytes } = config;
        let (disk, found) = Disk::open(&dir)?;
        let queue = Queue::new(max_bytes, found);
        let shared = Arc::new(Shared {
            disk,
            queue: Mutex::new(queue),
            changed: Notify::new(),
            left: Notify::new(),
        });
        let (orders, inbox) = mpsc::channel(WAITING_APPENDS);
        let for_thread = Arc::clone(&shared);
        let committer = std::thread::Builder::new()
            .name("spool".to_owned())
            .spawn(move || committer::run(&for_thread, inbox))
            .map_err(SpoolError::failing)?;
        Ok(Spool {
            shared,
            orders,
            committer: Some(committer),
        })
    }

    /// Takes an entry; returns once it is on disk for good.
    ///
    /// # Errors
    /// [`SpoolError::Full`] over the limit, [`SpoolError::Failing`] when the disk refuses,
    /// [`SpoolError::Closed`] while shutting down.
    pub async fn append(&self, entry: Entry) -> Result<Sequence, SpoolError> {
        let bytes = entry.data.len();
        self.shared.queue().reserve(bytes)?;
        let (done, outcome) = oneshot::channel();
        let order = Order::Append { entry, done };
        let result = match self.orders.send(order).await {
            Ok(()) => outcome.await.unwrap_or(Err(SpoolError::Closed)),
            Err(_) => Err(SpoolError::Closed),
        };
        if result.is_err() {
            self.shared.queue().give_back(bytes);
        }
        result
    }

    /// The next batch: whole entries, oldest first. Batches that were out when the process ended
    /// come first, as they were. Waits until there is enough or the oldest entry has waited long
    /// enough; `None` once the spool is closed and empty.
    ///
    /// # Errors
    /// [`SpoolError::Failing`] when the disk refuses; nothing is lost then, ask again.
    pub async fn read_batch(&self, limits: BatchLimits) -> Result<Option<Batch>, SpoolError> {
        let Some(taken) = self.wait_for_batch(limits).await else {
            return Ok(None);
        };
        match self.load(&taken).await {
            Ok(entries) => Ok(Some(Batch {
                token: format!("{}-{}", self.shared.disk.id(), taken.batch),
                id: taken.batch,
                entries,
            })),
            Err(error) => {
                self.shared.queue().put_back(taken);
                self.shared.changed.notify_waiters();
                Err(error)
            }
        }
    }

    /// Forgets a batch: the store has it.
    pub async fn acknowledge(&self, batch: &Batch) {
        let Some(sequences) = self.shared.queue().finish(batch.id) else {
            return;
        };
        let change = Change::Forget {
            batch: batch.id,
            sequences,
        };
        let _closed = self.orders.send(Order::Change(change)).await;
        self.shared.left.notify_waiters();
    }

    /// Gives a batch back unfinished, to be read again as it is.
    pub fn release(&self, batch: &Batch) {
        self.shared.queue().release(batch.id);
        self.shared.changed.notify_waiters();
    }

    /// Takes an entry of a batch that is out of the queue for good, but keeps it on disk with the
    /// reason why it could not be stored.
    pub async fn set_aside(&self, batch: &Batch, sequence: Sequence, reason: &str) {
        if !self.shared.queue().set_aside(batch.id, sequence) {
            return;
        }
        let change = Change::SetAside {
            sequence,
            reason: reason.to_owned(),
        };
        let _closed = self.orders.send(Order::Change(change)).await;
    }

    /// Writes the file anew with what is in it now. Of an entry that has left, bytes stay in pages that are free until
    /// others take their place; after this there are none. Appends wait meanwhile: best where little is in it.
    ///
    /// # Errors
    /// [`SpoolError::Failing`] when the disk refuses; the old file stays then. [`SpoolError::Closed`] while shutting
    /// down.
    pub async fn renew(&self) -> Result<(), SpoolError> {
        let (done, outcome) = oneshot::channel();
        match self.orders.send(Order::Renew { done }).await {
            Ok(()) => outcome.await.unwrap_or(Err(SpoolError::Closed)),
            Err(_) => Err(SpoolError::Closed),
        }
    }

    /// What was set aside, oldest first, at most `limit` of them.
    ///
    /// # Errors
    /// [`SpoolError::Failing`] when the disk refuses.
    pub async fn list_set_aside(&self, limit: usize) -> Result<Vec<SetAside>, SpoolError> {
        let shared = Arc::clone(&self.shared);
        run_blocking(move || shared.disk.list_set_aside(limit)).await
    }

    /// How much is in it, as seen at `now`.
    pub fn stats(&self, now: Timestamp) -> Stats {
        self.shared.queue().stats(now)
    }

    /// Whether more waits than is kept in memory besides the disk.
    pub fn is_long(&self) -> bool {
        self.shared.queue().is_long()
    }

    /// Waits until everything that was appended up to now has left, at most `patience`; whether it
    /// has.
    pub async fn wait_until_drained(&self, patience: Duration) -> bool {
        let newest = self.shared.queue().newest();
        let deadline = Instant::now() + patience;
        loop {
            let left = self.shared.left.notified();
            if self
                .shared
                .queue()
                .oldest()
                .is_none_or(|oldest| oldest > newest)
            {
                return true;
            }
            if tokio::time::timeout_at(deadline, left).await.is_err() {
                return false;
            }
        }
    }

    /// Waits while the readers are behind: while the oldest entry that no batch has taken has waited
    /// longer than `lag`, at most `patience`. Whoever appends in its own time after this need not wait
    /// long to be read.
    pub async fn let_readers_catch_up(&self, lag: Duration, patience: Duration) {
        let deadline = Instant::now() + patience;
        loop {
            let taken = self.shared.left.notified();
            tokio::pin!(taken);
            // Registered before looking, so that no batch between looking and waiting is missed.
            taken.as_mut().enable();
            if self.shared.queue().behind(Instant::now()) <= lag
                || tokio::time::timeout_at(deadline, taken).await.is_err()
            {
                return;
            }
        }
    }

    /// Takes nothing more; readers get what is there at once, then `None`.
    pub fn close(&self) {
        self.shared.queue().close();
        self.shared.changed.notify_waiters();
    }

    async fn wait_for_batch(&self, limits: BatchLimits) -> Option<Taken> {
        loop {
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            // Registered before looking, so that no change between looking and waiting is missed.
            changed.as_mut().enable();
            let wait = match self.shared.queue().take(limits, Instant::now()) {
                queue::Take::Batch(taken) => {
                    self.shared.left.notify_waiters();
                    return Some(taken);
                }
                queue::Take::Closed => return None,
                queue::Take::Wait(until) => until,
            };
            match wait {
                Some(deadline) => {
                    let _ready = tokio::time::timeout_at(deadline, changed).await;
                }
                None => changed.await,
            }
        }
    }

    async fn load(&self, taken: &Taken) -> Result<Vec<Stored>, SpoolError> {
        if taken.is_new {
            let (done, outcome) = oneshot::channel();
            let order = Order::Mark {
                batch: taken.batch,
                range: taken.range(),
                done,
            };
            self.orders
                .send(order)
                .await
                .map_err(|_| SpoolError::Closed)?;
            outcome.await.unwrap_or(Err(SpoolError::Closed))?;
        }
        if let Some(entries) = taken.all_in_memory() {
            return Ok(entries);
        }
        let shared = Arc::clone(&self.shared);
        let wanted = taken.wanted();
        run_blocking(move || shared.disk.read(&wanted)).await
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        let (closed, _) = mpsc::channel(1);
        self.orders = closed;
        if let Some(committer) = self.committer.take() {
            let _ended = committer.join();
        }
    }
}

async fn run_blocking<T, F>(work: F) -> Result<T, SpoolError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, SpoolError> + Send + 'static,
{
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|panicked| Err(SpoolError::failing(panicked)))
}

#[cfg(test)]
mod tests;
