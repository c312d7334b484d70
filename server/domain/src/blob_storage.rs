//! Exports of a project's telemetry to an object store: what is set, and when what is due.

use crate::ids::ProjectId;
use crate::span::named_enum;
use crate::time::{Nanos, Timestamp};

named_enum!(
    /// The kind of store.
    StorageKind, default Compatible {
        /// Amazon S3.
        S3 = "S3",
        /// Whatever speaks its protocol.
        Compatible = "S3_COMPATIBLE",
        /// Azure: the account is the key's id, the container the bucket.
        Azure = "AZURE_BLOB_STORAGE",
    }
);

named_enum!(
    /// How long the windows of time are of which each is exported at once.
    ExportFrequency, default Daily {
        /// Twenty minutes.
        TwentyMinutes = "every_20_minutes",
        /// An hour.
        Hourly = "hourly",
        /// A day of UTC.
        Daily = "daily",
        /// A week from Monday.
        Weekly = "weekly",
    }
);

named_enum!(
    /// How files are written.
    FileType, default Jsonl {
        /// One list.
        Json = "JSON",
        /// A row of names, then a row for each thing.
        Csv = "CSV",
        /// An object a line.
        Jsonl = "JSONL",
        /// By columns, each of one kind.
        Parquet = "PARQUET",
    }
);

named_enum!(
    /// Where the first window begins.
    ExportMode, default FullHistory {
        /// With the oldest telemetry.
        FullHistory = "FULL_HISTORY",
        /// With the day on which it was set.
        FromToday = "FROM_TODAY",
        /// With an instant that is given.
        FromCustomDate = "FROM_CUSTOM_DATE",
    }
);

named_enum!(
    /// Which tables are exported; scores are always among them.
    ExportSource, default Legacy {
        /// Traces, and observations by themselves.
        Legacy = "LEGACY_TRACES_OBSERVATIONS",
        /// Observations with what is known of their trace.
        Enriched = "OBSERVATIONS_V2",
        /// All of that.
        Both = "LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS",
    }
);

named_enum!(
    /// Fields of observations that are exported with what is known of their trace.
    FieldGroup, default Core {
        /// Ids and times, which are always there.
        Core = "core",
        /// Name, level, user, session.
        Basic = "basic",
        /// When it was stored.
        Time = "time",
        /// Input and output.
        Io = "io",
        /// Metadata.
        Metadata = "metadata",
        /// Model and its parameters.
        Model = "model",
        /// Tokens and costs.
        Usage = "usage",
        /// Managed prompt.
        Prompt = "prompt",
        /// Latencies.
        Metrics = "metrics",
        /// Tools that a model was offered and called.
        Tools = "tools",
        /// What is known of the trace.
        TraceContext = "trace_context",
    }
);

named_enum!(
    /// How an export stands.
    SyncStatus, default Idle {
        /// It is on, and nothing was exported yet.
        Idle = "idle",
        /// A window is due.
        Queued = "queued",
        /// A window is being exported.
        Running = "running",
        /// Everything that was due is exported.
        UpToDate = "up_to_date",
        /// It is off.
        Disabled = "disabled",
        /// The last try failed; it is tried again.
        Error = "error",
    }
);

named_enum!(
    /// What is in one file.
    ExportTable, default Traces {
        /// Traces.
        Traces = "traces",
        /// Observations by themselves.
        Observations = "observations",
        /// Observations with what is known of their trace.
        Enriched = "observations_v2",
        /// Scores.
        Scores = "scores",
    }
);

/// How long after the end of a window it is exported: what arrives later than that is not.
pub const LAG: Nanos = Nanos::from_seconds(30 * 60);

impl ExportFrequency {
    /// Length of a window.
    pub fn period(self) -> Nanos {
        Nanos::from_seconds(match self {
            ExportFrequency::TwentyMinutes => 20 * 60,
            ExportFrequency::Hourly => 3_600,
            ExportFrequency::Daily => DAY,
            ExportFrequency::Weekly => 7 * DAY,
        })
    }

    /// The end of the window in which an instant lies. Windows lie at the same places whoever asks and
    /// whenever, so that a repetition writes the same files.
    pub fn window_end(self, within: Timestamp) -> Timestamp {
        self.window_begin(within).plus(self.period())
    }

    /// The beginning of the window in which an instant lies: also the end of the last one that is over.
    pub fn window_begin(self, within: Timestamp) -> Timestamp {
        // 1970 began on a Thursday; weeks begin on Monday.
        let shift = match self {
            ExportFrequency::Weekly => 3 * DAY * 1_000_000_000,
            _ => 0,
        };
        let nanos = u64::try_from(within.unix_nanos()).unwrap_or(0);
        within.minus(Nanos(nanos.saturating_add(shift) % self.period().0))
    }
}

const DAY: u64 = 86_400;

impl ExportSource {
    /// The tables of it.
    pub fn tables(self) -> &'static [ExportTable] {
        match self {
            ExportSource::Legacy => &[
                ExportTable::Traces,
                ExportTable::Observations,
                ExportTable::Scores,
            ],
            ExportSource::Enriched => &[ExportTable::Enriched, ExportTable::Scores],
            ExportSource::Both => ExportTable::ALL,
        }
    }
}

impl FileType {
    /// End of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            FileType::Json => "json",
            FileType::Csv => "csv",
            FileType::Jsonl => "jsonl",
            FileType::Parquet => "parquet",
        }
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            FileType::Json => "application/json",
            FileType::Csv => "text/csv",
            FileType::Jsonl => "application/x-ndjson",
            FileType::Parquet => "application/vnd.apache.parquet",
        }
    }
}

/// Where to, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportSettings {
    /// The kind of store.
    pub kind: StorageKind,
    /// The bucket.
    pub bucket: String,
    /// Address of the store, where it is not Amazon's.
    pub endpoint: Option<String>,
    /// Region, a part of every signature.
    pub region: String,
    /// Public part of the credential.
    pub access_key_id: String,
    /// What every key begins with: empty, or with a slash at its end.
    pub prefix: String,
    /// Length of the windows.
    pub frequency: ExportFrequency,
    /// Whether it is on.
    pub is_enabled: bool,
    /// Whether the bucket stands in the path, not before the host.
    pub is_path_style: bool,
    /// How files are written.
    pub file_type: FileType,
    /// Where the first window begins.
    pub mode: ExportMode,
    /// The instant of [`ExportMode::FromCustomDate`].
    pub start: Option<Timestamp>,
    /// Whether files are compressed.
    pub is_compressed: bool,
    /// Which tables.
    pub source: ExportSource,
    /// Fields of [`ExportTable::Enriched`]; `None`: all of them.
    pub field_groups: Option<Vec<FieldGroup>>,
}

impl ExportSettings {
    /// Where the first window begins, when it is set at an instant.
    pub fn begin(&self, now: Timestamp) -> Timestamp {
        match self.mode {
            ExportMode::FullHistory => Timestamp::EPOCH,
            ExportMode::FromToday => ExportFrequency::Daily.window_begin(now),
            ExportMode::FromCustomDate => self.start.unwrap_or(now),
        }
    }

    /// Whether files are compressed with gzip as wholes; those of Parquet are so within, that parts can be read.
    pub fn is_gzipped(&self) -> bool {
        self.is_compressed && self.file_type != FileType::Parquet
    }

    /// The name of a file.
    pub fn key(&self, project: ProjectId, table: ExportTable, until: Timestamp) -> String {
        let utc = until.to_utc();
        let (date, extension) = (utc.date(), self.file_type.extension());
        let gzip = if self.is_gzipped() { ".gz" } else { "" };
        format!(
            "{}{project}/{table}/{date}T{:02}-{:02}-{:02}.{extension}{gzip}",
            self.prefix,
            utc.hour(),
            utc.minute(),
            utc.second()
        )
    }
}

/// How far an export is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportProgress {
    /// Everything before is exported.
    pub exported_until: Timestamp,
    /// When the next window is due, or is tried again.
    pub next_sync_at: Timestamp,
    /// When a window was exported last.
    pub last_sync_at: Option<Timestamp>,
    /// What the last try failed with, without secrets; `None`: it did not.
    pub last_error: Option<String>,
    /// When that was.
    pub last_error_at: Option<Timestamp>,
    /// Until when a server works on it.
    pub held_until: Option<Timestamp>,
}

/// The export of a project, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobStorage {
    /// The project.
    pub project_id: ProjectId,
    /// Where to, and what.
    pub settings: ExportSettings,
    /// How far it is.
    pub progress: ExportProgress,
    /// When it was first set.
    pub created_at: Timestamp,
    /// When it was last set.
    pub updated_at: Timestamp,
}

impl BlobStorage {
    /// How it stands at an instant.
    pub fn status(&self, now: Timestamp) -> SyncStatus {
        let progress = &self.progress;
        if !self.settings.is_enabled {
            SyncStatus::Disabled
        } else if progress.held_until.is_some_and(|until| now < until) {
            SyncStatus::Running
        } else if progress.last_error.is_some() {
            SyncStatus::Error
        } else if progress.next_sync_at <= now {
            SyncStatus::Queued
        } else if progress.last_sync_at.is_none() {
            SyncStatus::Idle
        } else {
            SyncStatus::UpToDate
        }
    }

    /// When the next window is due; `None` where it is off.
    pub fn next_sync_at(&self) -> Option<Timestamp> {
        Some(self.progress.next_sync_at).filter(|_| self.settings.is_enabled)
    }
}

#[cfg(test)]
mod tests;
