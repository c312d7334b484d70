//! Tables on disk and the one function that changes them. See `docs/decisions/0003-spool.md` for why
//! redb.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use domain::Timestamp;
use redb::{
    Database, ReadTransaction, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    TableDefinition, TableError, WriteTransaction,
};
use uuid::Uuid;

use crate::committer::Change;
use crate::entry::{Entry, Sequence, SetAside, SpoolError, Stored};

/// Sequence → entry.
const ENTRIES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("entries");
/// Sequence → rows, bytes, weight, received: apart, so that opening does not read the entries.
const META: TableDefinition<'_, u64, (u32, u32, u32, i64)> = TableDefinition::new("entries_meta");
/// Batch that is out → first and last sequence.
const BATCHES: TableDefinition<'_, u64, (u64, u64)> = TableDefinition::new("batches");
/// Sequence → reason, rows, received, entry.
const ASIDE: TableDefinition<'_, u64, (&str, u32, i64, &[u8])> = TableDefinition::new("set_aside");
/// Names → numbers: what must not be used twice.
const COUNTERS: TableDefinition<'_, &str, u64> = TableDefinition::new("counters");
/// Names → texts: the identity.
const IDENTITY: TableDefinition<'_, &str, &str> = TableDefinition::new("identity");

const NEXT_SEQUENCE: &str = "next_sequence";
const NEXT_BATCH: &str = "next_batch";

/// Pages kept in memory; entries are read once, so that a large cache gives nothing.
const CACHE_BYTES: usize = 16 << 20;
/// A file larger than that, with little in it, is made smaller on opening.
const WORTH_SHRINKING: u64 = 256 << 20;

/// What is known of an entry without reading it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta {
    pub(crate) rows: u32,
    pub(crate) bytes: u32,
    pub(crate) weight: u32,
    pub(crate) received: Timestamp,
}

impl Meta {
    pub(crate) fn of(entry: &Entry) -> Self {
        Meta {
            rows: entry.rows,
            bytes: u32::try_from(entry.data.len()).unwrap_or(u32::MAX),
            weight: entry.weight,
            received: entry.received,
        }
    }
}

/// What was on disk when it was opened.
pub(crate) struct Found {
    pub(crate) entries: Vec<(u64, Meta)>,
    pub(crate) batches: Vec<(u64, (u64, u64))>,
    pub(crate) next_sequence: u64,
    pub(crate) next_batch: u64,
    pub(crate) set_aside: u64,
    pub(crate) set_aside_bytes: u64,
}

pub(crate) struct Disk {
    path: PathBuf,
    id: String,
    /// `None` after the disk refused: the next use opens it anew.
    database: Mutex<Option<Arc<Database>>>,
}

type Anything = Box<dyn Error + Send + Sync>;

impl Disk {
    pub(crate) fn open(dir: &Path) -> Result<(Self, Found), SpoolError> {
        open(dir).map_err(failing)
    }

    /// Differs between any two spools.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Does all changes in one transaction; they are on disk when it returns.
    pub(crate) fn apply(&self, changes: &[Change]) -> Result<(), SpoolError> {
        self.with(|database| apply(database, changes))
    }

    pub(crate) fn read(&self, wanted: &[(u64, Meta)]) -> Result<Vec<Stored>, SpoolError> {
        self.with(|database| {
            let entries = database.begin_read()?.open_table(ENTRIES)?;
            let mut stored = Vec::with_capacity(wanted.len());
            for (sequence, meta) in wanted {
                let Some(data) = entries.get(sequence)? else {
                    return Err(format!("entry {sequence} is not on disk").into());
                };
                stored.push(Stored {
                    sequence: Sequence(*sequence),
                    received: meta.received,
                    rows: meta.rows,
                    data: Bytes::copy_from_slice(data.value()),
                });
            }
            Ok(stored)
        })
    }

    pub(crate) fn list_set_aside(&self, limit: usize) -> Result<Vec<SetAside>, SpoolError> {
        self.with(|database| {
            let table = database.begin_read()?.open_table(ASIDE)?;
            let mut listed = Vec::new();
            for row in table.iter()?.take(limit) {
                let (sequence, value) = row?;
                let (reason, rows, received, data) = value.value();
                listed.push(SetAside {
                    sequence: Sequence(sequence.value()),
                    reason: reason.to_owned(),
                    rows,
                    bytes: data.len() as u64,
                    received: timestamp(received),
                });
            }
            Ok(listed)
        })
    }

    /// Writes all that is kept into a new file, which takes the place of the old one: as a whole, or not at all.
    pub(crate) fn renew(&self) -> Result<(), SpoolError> {
        self.with(|database| copy(database, &self.path))?;
        *self.slot() = None;
        Ok(())
    }

    /// Runs with the database, opened anew where the last use failed: after an I/O error the handle
    /// refuses everything.
    fn with<T>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, Anything>,
    ) -> Result<T, SpoolError> {
        let database = self.database().map_err(failing)?;
        let outcome = work(&database);
        if outcome.is_err() {
            *self.slot() = None;
        }
        outcome.map_err(failing)
    }

    fn database(&self) -> Result<Arc<Database>, Anything> {
        let mut slot = self.slot();
        if let Some(database) = &*slot {
            return Ok(Arc::clone(database));
        }
        let database = Arc::new(open_file(&self.path)?);
        *slot = Some(Arc::clone(&database));
        Ok(database)
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Arc<Database>>> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open(dir: &Path) -> Result<(Disk, Found), Anything> {
    fs::create_dir_all(dir)?;
    let path = dir.join("spool.redb");
    let is_new = !path.exists();
    let mut database = open_file(&path)?;
    if is_new {
        // Without this a power cut could take the whole file along, entries and all.
        fs::File::open(dir)?.sync_all()?;
    }
    let (id, found) = load(&database)?;
    let bytes: u64 = found
        .entries
        .iter()
        .map(|(_, meta)| u64::from(meta.bytes))
        .sum();
    let file_bytes = fs::metadata(&path)?.len();
    if file_bytes > WORTH_SHRINKING && (bytes + found.set_aside_bytes) < file_bytes / 8 {
        database.compact()?;
    }
    let database = Mutex::new(Some(Arc::new(database)));
    Ok((Disk { path, id, database }, found))
}

fn open_file(path: &Path) -> Result<Database, Anything> {
    Ok(Database::builder()
        .set_cache_size(CACHE_BYTES)
        .create(path)?)
}

fn load(database: &Database) -> Result<(String, Found), Anything> {
    let transaction = database.begin_write()?;
    let (id, found) = {
        let mut identity = transaction.open_table(IDENTITY)?;
        let known = identity.get("id")?.map(|id| id.value().to_owned());
        let id = known.unwrap_or_else(|| Uuid::now_v7().simple().to_string());
        identity.insert("id", id.as_str())?;
        transaction.open_table(ENTRIES)?;
        let mut entries = Vec::new();
        for row in transaction.open_table(META)?.iter()? {
            let (sequence, value) = row?;
            let (rows, bytes, weight, received) = value.value();
            entries.push((
                sequence.value(),
                Meta {
                    rows,
                    bytes,
                    weight,
                    received: timestamp(received),
                },
            ));
        }
        let mut batches = Vec::new();
        for row in transaction.open_table(BATCHES)?.iter()? {
            let (batch, range) = row?;
            batches.push((batch.value(), range.value()));
        }
        let aside = transaction.open_table(ASIDE)?;
        let mut set_aside_bytes = 0;
        for row in aside.iter()? {
            set_aside_bytes += row?.1.value().3.len() as u64;
        }
        let counters = transaction.open_table(COUNTERS)?;
        let counter = |name: &str| -> Result<u64, Anything> {
            Ok(counters.get(name)?.map_or(0, |number| number.value()))
        };
        let found = Found {
            next_sequence: counter(NEXT_SEQUENCE)?,
            next_batch: counter(NEXT_BATCH)?,
            entries,
            batches,
            set_aside: aside.len()?,
            set_aside_bytes,
        };
        (id, found)
    };
    transaction.commit()?;
    Ok((id, found))
}

fn apply(database: &Database, changes: &[Change]) -> Result<(), Anything> {
    let transaction = database.begin_write()?;
    {
        let mut entries = transaction.open_table(ENTRIES)?;
        let mut meta = transaction.open_table(META)?;
        let mut batches = transaction.open_table(BATCHES)?;
        let mut counters = transaction.open_table(COUNTERS)?;
        for change in changes {
            match change {
                Change::Append { sequence, entry } => {
                    let Meta {
                        rows,
                        bytes,
                        weight,
                        received,
                    } = Meta::of(entry);
                    entries.insert(sequence.0, &*entry.data)?;
                    meta.insert(sequence.0, (rows, bytes, weight, received.unix_nanos()))?;
                    raise(&mut counters, NEXT_SEQUENCE, sequence.0 + 1)?;
                }
                Change::Mark { batch, range } => {
                    batches.insert(batch, range)?;
                    raise(&mut counters, NEXT_BATCH, batch + 1)?;
                }
                Change::Forget { batch, sequences } => {
                    batches.remove(batch)?;
                    for sequence in sequences {
                        entries.remove(sequence)?;
                        meta.remove(sequence)?;
                    }
                }
                Change::SetAside { sequence, reason } => {
                    let mut aside = transaction.open_table(ASIDE)?;
                    let known = meta.remove(sequence.0)?.map(|known| known.value());
                    let (rows, _, _, received) = known.unwrap_or_default();
                    if let Some(data) = entries.remove(sequence.0)? {
                        aside
                            .insert(sequence.0, (reason.as_str(), rows, received, data.value()))?;
                    }
                }
            }
        }
    }
    transaction.commit()?;
    Ok(())
}

/// Copies every table into a new file beside the old one, and gives it its name.
fn copy(database: &Database, path: &Path) -> Result<(), Anything> {
    let beside = path.with_extension("new");
    if beside.exists() {
        // Left behind by a server that was killed.
        fs::remove_file(&beside)?;
    }
    let new = open_file(&beside)?;
    let (read, write) = (database.begin_read()?, new.begin_write()?);
    copy_table(&read, &write, ENTRIES)?;
    copy_table(&read, &write, META)?;
    copy_table(&read, &write, BATCHES)?;
    copy_table(&read, &write, ASIDE)?;
    copy_table(&read, &write, COUNTERS)?;
    copy_table(&read, &write, IDENTITY)?;
    write.commit()?;
    drop(new);
    fs::rename(&beside, path)?;
    if let Some(folder) = path.parent() {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn copy_table<K: redb::Key + 'static, V: redb::Value + 'static>(
    from: &ReadTransaction,
    to: &WriteTransaction,
    table: TableDefinition<'_, K, V>,
) -> Result<(), Anything> {
    let mut new = to.open_table(table)?;
    let old = match from.open_table(table) {
        Ok(old) => old,
        Err(TableError::TableDoesNotExist(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for row in old.iter()? {
        let (key, value) = row?;
        new.insert(key.value(), value.value())?;
    }
    Ok(())
}

fn raise(
    counters: &mut redb::Table<'_, &str, u64>,
    name: &str,
    at_least: u64,
) -> Result<(), Anything> {
    let now = counters.get(name)?.map_or(0, |number| number.value());
    if now < at_least {
        counters.insert(name, at_least)?;
    }
    Ok(())
}

fn timestamp(nanos: i64) -> Timestamp {
    u64::try_from(nanos)
        .ok()
        .and_then(Timestamp::from_unix_nanos)
        .unwrap_or(Timestamp::EPOCH)
}

fn failing(error: Anything) -> SpoolError {
    SpoolError::Failing(Arc::from(error))
}
