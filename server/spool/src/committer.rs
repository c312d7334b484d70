//! The thread that owns all writing. Whatever waits when it is free becomes one transaction with one
//! fsync, so that many small appends cost as much as one.

use tokio::sync::{mpsc, oneshot};

use crate::Shared;
use crate::disk::Meta;
use crate::entry::{Entry, Sequence, SpoolError};

type Answer<T> = oneshot::Sender<Result<T, SpoolError>>;

/// Something to do for the thread.
pub(crate) enum Order {
    /// Keep an entry.
    Append {
        entry: Entry,
        done: Answer<Sequence>,
    },
    /// Remember the border of a batch before it is handed out.
    Mark {
        batch: u64,
        range: (u64, u64),
        done: Answer<()>,
    },
    /// Nobody waits for it.
    Change(Change),
    /// Write the file anew, without what has left.
    Renew { done: Answer<()> },
}

/// A change of the disk; all of one transaction hold or none.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Append { sequence: Sequence, entry: Entry },
    Mark { batch: u64, range: (u64, u64) },
    Forget { batch: u64, sequences: Vec<u64> },
    SetAside { sequence: Sequence, reason: String },
}

/// Bytes after which a transaction takes no more entries.
const TRANSACTION_BYTES: usize = 16 << 20;

/// Works until every sender is gone.
pub(crate) fn run(shared: &Shared, mut inbox: mpsc::Receiver<Order>) {
    // Changes that nobody waits for and that the disk refused: they go with the next transaction.
    let mut owed: Vec<Change> = Vec::new();
    let mut orders = Vec::new();
    while let Some(first) = inbox.blocking_recv() {
        let mut bytes = size(&first);
        orders.push(first);
        while bytes < TRANSACTION_BYTES
            && let Ok(next) = inbox.try_recv()
        {
            bytes += size(&next);
            orders.push(next);
        }
        commit(shared, &mut owed, std::mem::take(&mut orders));
    }
    if !owed.is_empty() {
        commit(shared, &mut owed, Vec::new());
    }
}

fn size(order: &Order) -> usize {
    match order {
        Order::Append { entry, .. } => entry.data.len(),
        Order::Mark { .. } | Order::Change(_) | Order::Renew { .. } => 0,
    }
}

fn commit(shared: &Shared, owed: &mut Vec<Change>, orders: Vec<Order>) {
    let mut changes = std::mem::take(owed);
    let mut appends = Vec::new();
    let mut marks = Vec::new();
    let mut renewals = Vec::new();
    for order in orders {
        let change = match order {
            Order::Append { entry, done } => {
                let sequence = shared.queue().next_sequence();
                appends.push((sequence, entry.clone(), done));
                Change::Append { sequence, entry }
            }
            Order::Mark { batch, range, done } => {
                marks.push(done);
                Change::Mark { batch, range }
            }
            Order::Change(change) => change,
            Order::Renew { done } => {
                renewals.push(done);
                continue;
            }
        };
        changes.push(change);
    }
    let outcome = shared.disk.apply(&changes);
    if let Err(error) = &outcome {
        tracing::error!(error = %error, "spool: the disk refused a write");
        owed.extend(
            changes
                .into_iter()
                .filter(|change| matches!(change, Change::Forget { .. } | Change::SetAside { .. })),
        );
    }
    let mut queue = shared.queue();
    queue.failing(outcome.is_err());
    for (sequence, entry, done) in appends {
        if outcome.is_ok() {
            let meta = Meta::of(&entry);
            queue.appended(sequence, meta, entry.data);
        }
        let _gone = done.send(outcome.clone().map(|()| sequence));
    }
    drop(queue);
    for done in marks {
        let _gone = done.send(outcome.clone());
    }
    shared.changed.notify_waiters();
    if !renewals.is_empty() {
        let renewed = outcome.and_then(|()| shared.disk.renew());
        for done in renewals {
            let _gone = done.send(renewed.clone());
        }
    }
}
