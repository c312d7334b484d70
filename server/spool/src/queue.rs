//! Which entries wait and which are out: the index in memory. No disk here.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use bytes::Bytes;
use domain::Timestamp;
use tokio::time::Instant;

use crate::BatchLimits;
use crate::disk::{Found, Meta};
use crate::entry::{Sequence, SpoolError, Stats, Stored};

/// Entries are kept in memory besides the disk up to so many bytes, so that in good times nothing is
/// read back.
const RECENT_BYTES: u64 = 48 << 20;

pub(crate) struct Queue {
    max_bytes: u64,
    /// Bytes of all entries here, out, set aside, or on their way to the disk.
    bytes: u64,
    recent_bytes: u64,
    next_sequence: u64,
    next_batch: u64,
    /// Entries that wait, by sequence.
    waiting: BTreeMap<u64, Waiting>,
    waiting_rows: u64,
    waiting_weight: u64,
    /// Batches to be handed out again as they are.
    again: VecDeque<u64>,
    out: BTreeMap<u64, Vec<Waiting>>,
    set_aside: u64,
    failing: bool,
    closed: bool,
}

#[derive(Clone, Debug)]
struct Waiting {
    sequence: u64,
    meta: Meta,
    since: Instant,
    recent: Option<Bytes>,
}

/// What a reader gets.
pub(crate) enum Take {
    Batch(Taken),
    /// Nothing yet; look again then, or when something changes.
    Wait(Option<Instant>),
    Closed,
}

/// Entries that were taken for a batch.
pub(crate) struct Taken {
    pub(crate) batch: u64,
    /// Whether its border is not yet on disk.
    pub(crate) is_new: bool,
    entries: Vec<Waiting>,
}

impl Taken {
    pub(crate) fn range(&self) -> (u64, u64) {
        let first = self.entries.first().map_or(0, |entry| entry.sequence);
        let last = self.entries.last().map_or(0, |entry| entry.sequence);
        (first, last)
    }

    pub(crate) fn all_in_memory(&self) -> Option<Vec<Stored>> {
        let stored = |entry: &Waiting| {
            Some(Stored {
                sequence: Sequence(entry.sequence),
                received: entry.meta.received,
                rows: entry.meta.rows,
                data: entry.recent.clone()?,
            })
        };
        self.entries.iter().map(stored).collect()
    }

    pub(crate) fn wanted(&self) -> Vec<(u64, Meta)> {
        self.entries
            .iter()
            .map(|entry| (entry.sequence, entry.meta))
            .collect()
    }
}

impl Queue {
    pub(crate) fn new(max_bytes: u64, found: Found) -> Self {
        let mut queue = Queue {
            max_bytes,
            bytes: found.set_aside_bytes,
            recent_bytes: 0,
            next_sequence: found.next_sequence,
            next_batch: found.next_batch,
            waiting: BTreeMap::new(),
            waiting_rows: 0,
            waiting_weight: 0,
            again: VecDeque::new(),
            out: BTreeMap::new(),
            set_aside: found.set_aside,
            failing: false,
            closed: false,
        };
        let since = Instant::now();
        for (sequence, meta) in found.entries {
            queue.bytes += u64::from(meta.bytes);
            let entry = Waiting {
                sequence,
                meta,
                since,
                recent: None,
            };
            queue.insert(entry);
        }
        for (batch, (first, last)) in found.batches {
            let sequences: Vec<u64> = queue
                .waiting
                .range(first..=last)
                .map(|(sequence, _)| *sequence)
                .collect();
            let entries = sequences
                .into_iter()
                .filter_map(|at| queue.remove(at))
                .collect();
            queue.out.insert(batch, entries);
            queue.again.push_back(batch);
        }
        queue
    }

    /// Room for an entry of that many bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), SpoolError> {
        if self.closed {
            return Err(SpoolError::Closed);
        }
        if self.bytes + bytes as u64 > self.max_bytes {
            return Err(SpoolError::Full {
                bytes: self.bytes,
                max_bytes: self.max_bytes,
            });
        }
        self.bytes += bytes as u64;
        Ok(())
    }

    /// The next place. Given out in the order in which entries reach the disk: a batch is known on
    /// disk by its first and last place, so nothing may appear between the two afterwards.
    pub(crate) fn next_sequence(&mut self) -> Sequence {
        let sequence = Sequence(self.next_sequence);
        self.next_sequence += 1;
        sequence
    }

    /// The reserved bytes did not come to anything.
    pub(crate) fn give_back(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes as u64);
    }

    /// An entry is on disk.
    pub(crate) fn appended(&mut self, sequence: Sequence, meta: Meta, data: Bytes) {
        let keep = self.recent_bytes + u64::from(meta.bytes) <= RECENT_BYTES;
        if keep {
            self.recent_bytes += u64::from(meta.bytes);
        }
        self.insert(Waiting {
            sequence: sequence.0,
            meta,
            since: Instant::now(),
            recent: keep.then_some(data),
        });
    }

    pub(crate) fn failing(&mut self, failing: bool) {
        self.failing = failing;
    }

    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    pub(crate) fn take(&mut self, limits: BatchLimits, now: Instant) -> Take {
        if let Some(batch) = self.again.pop_front() {
            let entries = self.out.get(&batch).cloned().unwrap_or_default();
            return Take::Batch(Taken {
                batch,
                is_new: false,
                entries,
            });
        }
        let Some(oldest) = self.waiting.values().map(|entry| entry.since).next() else {
            return if self.closed {
                Take::Closed
            } else {
                Take::Wait(None)
            };
        };
        let enough =
            self.waiting_rows >= limits.max_rows || self.waiting_weight >= limits.max_weight;
        let wait = if self.waiting_rows <= limits.few_rows {
            limits.short_wait
        } else {
            limits.long_wait
        };
        let deadline = oldest + wait;
        if !enough && !self.closed && now < deadline {
            return Take::Wait(Some(deadline));
        }
        Take::Batch(self.take_oldest(limits))
    }

    fn take_oldest(&mut self, limits: BatchLimits) -> Taken {
        let (mut rows, mut weight) = (0u64, 0u64);
        let mut entries: Vec<Waiting> = Vec::new();
        while let Some((&sequence, next)) = self.waiting.first_key_value() {
            rows += u64::from(next.meta.rows);
            weight += u64::from(next.meta.weight);
            // An entry larger than the limit goes alone.
            if weight > limits.max_weight && !entries.is_empty() {
                break;
            }
            entries.extend(self.remove(sequence));
            if rows >= limits.max_rows {
                break;
            }
        }
        let batch = self.next_batch;
        self.next_batch += 1;
        self.out.insert(batch, entries.clone());
        Taken {
            batch,
            is_new: true,
            entries,
        }
    }

    /// Undoes [`Queue::take`].
    pub(crate) fn put_back(&mut self, taken: Taken) {
        if !taken.is_new {
            self.again.push_front(taken.batch);
            return;
        }
        // Its border may be on disk already: it stays a batch, and is marked again.
        self.out.remove(&taken.batch);
        for entry in taken.entries {
            self.insert(entry);
        }
    }

    /// A batch that is out is to be handed out again.
    pub(crate) fn release(&mut self, batch: u64) {
        if self.out.contains_key(&batch) {
            self.again.push_back(batch);
        }
    }

    /// A batch is done; its sequences.
    pub(crate) fn finish(&mut self, batch: u64) -> Option<Vec<u64>> {
        let entries = self.out.remove(&batch)?;
        for entry in &entries {
            self.bytes = self.bytes.saturating_sub(u64::from(entry.meta.bytes));
            self.forget_recent(entry);
        }
        Some(entries.iter().map(|entry| entry.sequence).collect())
    }

    /// Takes an entry out of a batch; whether it was there.
    pub(crate) fn set_aside(&mut self, batch: u64, sequence: Sequence) -> bool {
        let Some(entries) = self.out.get_mut(&batch) else {
            return false;
        };
        let Some(at) = entries
            .iter()
            .position(|entry| entry.sequence == sequence.0)
        else {
            return false;
        };
        let entry = entries.remove(at);
        self.forget_recent(&entry);
        self.set_aside += 1;
        true
    }

    pub(crate) fn is_long(&self) -> bool {
        self.bytes > RECENT_BYTES
    }

    pub(crate) fn newest(&self) -> u64 {
        self.next_sequence.saturating_sub(1)
    }

    pub(crate) fn oldest(&self) -> Option<u64> {
        let out = self
            .out
            .values()
            .flatten()
            .map(|entry| entry.sequence)
            .min();
        let waiting = self.waiting.keys().next().copied();
        out.into_iter().chain(waiting).min()
    }

    /// How long the oldest entry that no batch has taken has waited.
    pub(crate) fn behind(&self, now: Instant) -> Duration {
        let oldest = self.waiting.values().next();
        oldest.map_or(Duration::ZERO, |entry| {
            now.saturating_duration_since(entry.since)
        })
    }

    pub(crate) fn stats(&self, now: Timestamp) -> Stats {
        let out = || self.out.values().flatten();
        let oldest = out()
            .chain(self.waiting.values().next())
            .map(|entry| entry.meta.received)
            .min();
        Stats {
            entries: (out().count() + self.waiting.len()) as u64,
            rows: out().map(|entry| u64::from(entry.meta.rows)).sum::<u64>() + self.waiting_rows,
            bytes: self.bytes,
            max_bytes: self.max_bytes,
            oldest_age: oldest.map(|oldest| now - oldest),
            set_aside: self.set_aside,
            failing: self.failing,
        }
    }

    fn insert(&mut self, entry: Waiting) {
        self.waiting_rows += u64::from(entry.meta.rows);
        self.waiting_weight += u64::from(entry.meta.weight);
        self.waiting.insert(entry.sequence, entry);
    }

    fn remove(&mut self, sequence: u64) -> Option<Waiting> {
        let entry = self.waiting.remove(&sequence)?;
        self.waiting_rows -= u64::from(entry.meta.rows);
        self.waiting_weight -= u64::from(entry.meta.weight);
        Some(entry)
    }

    fn forget_recent(&mut self, entry: &Waiting) {
        if entry.recent.is_some() {
            self.recent_bytes -= u64::from(entry.meta.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: BatchLimits = BatchLimits {
        max_rows: 100,
        max_weight: 1 << 20,
        few_rows: 10,
        short_wait: Duration::from_millis(100),
        long_wait: Duration::from_millis(300),
    };

    fn queue_of(entries: &[u32]) -> (Queue, Instant) {
        let nothing = Found {
            entries: Vec::new(),
            batches: Vec::new(),
            next_sequence: 0,
            next_batch: 0,
            set_aside: 0,
            set_aside_bytes: 0,
        };
        let mut queue = Queue::new(u64::MAX, nothing);
        for &rows in entries {
            let sequence = queue.next_sequence();
            let meta = Meta {
                rows,
                bytes: 1,
                weight: 1,
                received: Timestamp::EPOCH,
            };
            queue.reserve(1).unwrap();
            queue.appended(sequence, meta, Bytes::from_static(b"x"));
        }
        (queue, Instant::now())
    }

    fn is_ready(entries: &[u32], after: u64) -> bool {
        let (mut queue, now) = queue_of(entries);
        let now = now + Duration::from_millis(after);
        matches!(queue.take(LIMITS, now), Take::Batch(_))
    }

    #[test]
    fn few_rows_go_soon_more_rows_wait_for_more_and_enough_go_at_once() {
        assert!(!is_ready(&[10], 0));
        assert!(is_ready(&[10], 100));
        assert!(!is_ready(&[10, 1], 100));
        assert!(is_ready(&[10, 1], 300));
        assert!(is_ready(&[99, 1], 0));
    }

    #[test]
    fn what_does_not_fit_in_memory_is_long() {
        let (mut queue, _) = queue_of(&[1]);
        assert!(!queue.is_long());
        queue
            .reserve(usize::try_from(RECENT_BYTES).unwrap())
            .unwrap();
        assert!(queue.is_long());
    }
}
