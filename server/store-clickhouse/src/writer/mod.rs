//! Moves what the spool has into ClickHouse: large batches, each inserted once, in parallel.
//!
//! - ClickHouse away or busy: wait and try the same batch again with the same token; nothing is lost.
//! - A block that ClickHouse can never take: it alone is set aside, kept and counted.
//! - ClickHouse refuses everything (a column is missing): that is told from a bad block by a probe, and
//!   everything waits until it is mended.

/// Finds the blocks of a batch that can never be stored.
mod poison;
/// What became of the writing so far, for metrics and health.
mod status;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::{ProjectId, Timestamp};
use spool::{BatchLimits, Spool};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::block::batch::Batch;
use crate::block::{self, Format, Header, Table};
use crate::changes::{Changed, subjects};
use crate::client::ClickHouse;
use crate::error::StoreError;

pub use status::{Status, WriterStats};

/// A batch is written when it has so many rows, or bytes (decoded: that is what it costs in memory), or
/// its oldest entry has waited long enough: what arrives is seen within a second. Where much arrives it
/// waits longer, for large inserts are cheap, and so are the merges that follow them.
const LIMITS: BatchLimits = BatchLimits {
    max_rows: 20_000,
    max_weight: 64 << 20,
    few_rows: 1_000,
    short_wait: Duration::from_millis(150),
    long_wait: Duration::from_millis(350),
};

/// How much longer than that each inserter lets a batch wait that is not full. The second one helps
/// out: with full batches under load, and while the first is held up. Two that share the work evenly
/// make twice as many parts of half the size, and merging those costs more than inserting.
const INSERTERS: [Duration; 2] = [Duration::ZERO, Duration::from_millis(600)];

const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Told after each insert of spans: a project whose spans have become readable, and the newest start of them.
pub type OnInserted = Arc<dyn Fn(ProjectId, Timestamp) + Send + Sync>;

/// Asked after each insert of changes to store what they come to now; asked again until it succeeds.
pub type Settle = Arc<dyn Fn(ProjectId, Changed) -> Settled + Send + Sync>;
/// What [`Settle`] returns.
pub type Settled = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// What follows inserts.
#[derive(Clone)]
pub struct Follow {
    /// After spans.
    pub on_inserted: OnInserted,
    /// After changes.
    pub settle: Settle,
}

/// Writes until `stop`; then writes what the spool still has, unless ClickHouse is away, and returns.
pub async fn run(
    clickhouse: ClickHouse,
    spool: Arc<Spool>,
    follow: Follow,
    stop: CancellationToken,
) {
    let mut inserters = tokio::task::JoinSet::new();
    for longer in INSERTERS {
        let limits = BatchLimits {
            short_wait: LIMITS.short_wait + longer,
            long_wait: LIMITS.long_wait + longer,
            ..LIMITS
        };
        let inserter = Inserter {
            limits,
            clickhouse: clickhouse.clone(),
            spool: Arc::clone(&spool),
            follow: follow.clone(),
            stop: stop.clone(),
        };
        inserters.spawn(inserter.run());
    }
    stop.cancelled().await;
    spool.close();
    while let Some(ended) = inserters.join_next().await {
        if let Err(error) = ended {
            tracing::error!(error = %error, "an inserter ended by a fault");
        }
    }
}

struct Inserter {
    limits: BatchLimits,
    clickhouse: ClickHouse,
    spool: Arc<Spool>,
    follow: Follow,
    stop: CancellationToken,
}

impl Inserter {
    async fn run(self) {
        let mut wait = FIRST_WAIT;
        loop {
            match self.spool.read_batch(self.limits).await {
                Ok(Some(batch)) => {
                    wait = FIRST_WAIT;
                    if !self.store(&batch).await {
                        self.spool.release(&batch);
                        return;
                    }
                    self.spool.acknowledge(&batch).await;
                }
                Ok(None) => return,
                Err(error) => {
                    tracing::error!(error = %error, "the spool cannot be read");
                    if !self.pause(&mut wait).await {
                        return;
                    }
                }
            }
        }
    }

    /// Stores a batch, however long it takes; `false` when told to stop while ClickHouse is away.
    async fn store(&self, batch: &spool::Batch) -> bool {
        let mut wait = FIRST_WAIT;
        loop {
            let begun = Instant::now();
            match self.attempt(batch).await {
                Ok(inserted) => {
                    self.clickhouse
                        .status()
                        .inserted(inserted.rows, begun.elapsed());
                    for (project, newest) in inserted.projects {
                        (self.follow.on_inserted)(project, newest);
                    }
                    return true;
                }
                Err(error) => self.clickhouse.status().failed(&error),
            }
            if !self.pause(&mut wait).await {
                return false;
            }
        }
    }

    async fn attempt(&self, batch: &spool::Batch) -> Result<Inserted, StoreError> {
        let blocks: Vec<Bytes> = batch
            .entries
            .iter()
            .map(|entry| entry.data.clone())
            .collect();
        let mut inserted = match insert_blocks(&self.clickhouse, blocks, &batch.token).await {
            Err(error) if !error.is_transient() => {
                poison::insert_without_poison(&self.clickhouse, &self.spool, batch).await
            }
            outcome => outcome,
        }?;
        for (project, changed) in std::mem::take(&mut inserted.changed) {
            match (self.follow.settle)(project, changed).await {
                // The changes are stored: the next one of the same thing brings them to light.
                Err(error) if !error.is_transient() => {
                    tracing::error!(error = %error, "changes cannot be put together");
                }
                outcome => outcome?,
            }
        }
        Ok(inserted)
    }

    /// Waits, longer each time; `false` when told to stop.
    async fn pause(&self, wait: &mut Duration) -> bool {
        let now = *wait;
        *wait = (now * 2).min(LONGEST_WAIT);
        tokio::select! {
            () = self.stop.cancelled() => false,
            () = tokio::time::sleep(now) => true,
        }
    }
}

/// What an insert made readable.
#[derive(Clone, Debug, Default, PartialEq)]
struct Inserted {
    rows: u64,
    projects: Vec<(ProjectId, Timestamp)>,
    changed: Vec<(ProjectId, Changed)>,
}

impl Inserted {
    fn add(&mut self, other: Inserted) {
        self.rows += other.rows;
        for (project, newest) in other.projects {
            self.note(project, newest);
        }
        for (project, changed) in other.changed {
            self.note_changed(project, changed);
        }
    }

    fn note_changed(&mut self, project: ProjectId, more: Changed) {
        let mut known = self.changed.iter_mut();
        match known.find(|(known, _)| *known == project) {
            Some((_, changed)) => changed.add(more),
            None => self.changed.push((project, more)),
        }
    }

    fn note(&mut self, project: ProjectId, newest: Timestamp) {
        match self
            .projects
            .iter_mut()
            .find(|(known, _)| *known == project)
        {
            Some((_, known)) => *known = (*known).max(newest),
            None => self.projects.push((project, newest)),
        }
    }
}

/// Inserts blocks as one insert of each table and format among them (one format, but just after an
/// update).
async fn insert_blocks(
    clickhouse: &ClickHouse,
    blocks: Vec<Bytes>,
    token: &str,
) -> Result<Inserted, StoreError> {
    let mut inserted = Inserted::default();
    for (format, blocks) in by_format(blocks)? {
        let Prepared {
            statement,
            native,
            headers,
            changed,
        } = prepare(blocks).await?;
        if headers.iter().all(|header| header.rows == 0) {
            continue;
        }
        clickhouse
            .insert(statement, native, &token_of(format, token))
            .await?;
        for (project, changed) in changed {
            inserted.note_changed(project, changed);
        }
        for header in headers {
            inserted.rows += u64::from(header.rows);
            // Lists and live views show spans; records only join them.
            if format.table == Table::Spans {
                inserted.note(header.project_id, header.newest);
            }
        }
    }
    Ok(inserted)
}

/// The token of one insert of a batch: each table has a memory of its own, and each format of a table
/// is an insert of its own.
fn token_of(format: Format, token: &str) -> String {
    format!("{token}-{}", format.number)
}

/// Inserts encoded blocks at once: what follows from an insert, and for measuring how fast that is at
/// most.
///
/// # Errors
/// When ClickHouse is away or refuses them.
pub async fn insert_unspooled(
    clickhouse: &ClickHouse,
    blocks: Vec<Bytes>,
    token: &str,
) -> Result<u64, StoreError> {
    Ok(insert_blocks(clickhouse, blocks, token).await?.rows)
}

fn by_format(blocks: Vec<Bytes>) -> Result<Vec<(Format, Vec<Bytes>)>, StoreError> {
    let mut groups: Vec<(Format, Vec<Bytes>)> = Vec::new();
    for bytes in blocks {
        let format = block::header(&bytes)?.format;
        match groups.iter_mut().find(|(known, _)| *known == format) {
            Some((_, group)) => group.push(bytes),
            None => groups.push((format, vec![bytes])),
        }
    }
    Ok(groups)
}

/// Blocks as one insert.
struct Prepared {
    statement: String,
    native: Vec<Bytes>,
    headers: Vec<Header>,
    changed: Vec<(ProjectId, Changed)>,
}

/// Strings blocks together, away from the async threads.
async fn prepare(blocks: Vec<Bytes>) -> Result<Prepared, StoreError> {
    let work = move || {
        let batch = Batch::read(&blocks)?;
        let changes = batch.blocks().iter();
        let changes = changes.filter(|block| block.header.table() == Table::Changes);
        Ok(Prepared {
            statement: batch.statement(),
            native: batch.to_native(),
            headers: batch.headers().copied().collect(),
            changed: changes
                .map(|block| Ok((block.header.project_id, subjects(block)?)))
                .collect::<Result<_, StoreError>>()?,
        })
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|panicked| Err(StoreError::BadRow(panicked.to_string())))
}
