//! A row, and what it says.

use domain::blob_storage::{
    BlobStorage, ExportFrequency, ExportMode, ExportProgress, ExportSettings, ExportSource,
    FieldGroup, FileType, StorageKind,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::work::Taken;

pub(super) struct Row {
    pub(super) project_id: Uuid,
    pub(super) kind: String,
    pub(super) bucket: String,
    pub(super) endpoint: Option<String>,
    pub(super) region: String,
    pub(super) access_key_id: String,
    pub(super) secret: Vec<u8>,
    pub(super) prefix: String,
    pub(super) frequency: String,
    pub(super) is_enabled: bool,
    pub(super) is_path_style: bool,
    pub(super) file_type: String,
    pub(super) mode: String,
    pub(super) start_at: Option<OffsetDateTime>,
    pub(super) is_compressed: bool,
    pub(super) source: String,
    pub(super) field_groups: Option<Vec<String>>,
    pub(super) exported_until: OffsetDateTime,
    pub(super) split_until: Option<OffsetDateTime>,
    pub(super) next_sync_at: OffsetDateTime,
    pub(super) last_sync_at: Option<OffsetDateTime>,
    pub(super) last_error: Option<String>,
    pub(super) last_error_at: Option<OffsetDateTime>,
    pub(super) tries: i32,
    pub(super) held_until: Option<OffsetDateTime>,
    pub(super) created_at: OffsetDateTime,
    pub(super) updated_at: OffsetDateTime,
}

impl Row {
    pub(super) fn into_export(self) -> BlobStorage {
        // The table's constraints keep other names out.
        let groups = |names: Vec<String>| {
            let known = names.iter().filter_map(|name| FieldGroup::from_name(name));
            known.collect()
        };
        BlobStorage {
            project_id: self.project_id.into(),
            settings: ExportSettings {
                kind: StorageKind::from_name(&self.kind).unwrap_or_default(),
                bucket: self.bucket,
                endpoint: self.endpoint,
                region: self.region,
                access_key_id: self.access_key_id,
                prefix: self.prefix,
                frequency: ExportFrequency::from_name(&self.frequency).unwrap_or_default(),
                is_enabled: self.is_enabled,
                is_path_style: self.is_path_style,
                file_type: FileType::from_name(&self.file_type).unwrap_or_default(),
                mode: ExportMode::from_name(&self.mode).unwrap_or_default(),
                start: self.start_at.map(Into::into),
                is_compressed: self.is_compressed,
                source: ExportSource::from_name(&self.source).unwrap_or_default(),
                field_groups: self.field_groups.map(groups),
            },
            progress: ExportProgress {
                exported_until: self.exported_until.into(),
                next_sync_at: self.next_sync_at.into(),
                last_sync_at: self.last_sync_at.map(Into::into),
                last_error: self.last_error,
                last_error_at: self.last_error_at.map(Into::into),
                held_until: self.held_until.map(Into::into),
            },
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        }
    }

    pub(super) fn into_taken(mut self, claim: Uuid) -> Taken {
        Taken {
            claim,
            secret: std::mem::take(&mut self.secret),
            split_until: self.split_until.map(Into::into),
            tries: self.tries.unsigned_abs(),
            export: self.into_export(),
        }
    }
}

/// Names of the groups of fields.
pub(super) fn names(settings: &ExportSettings) -> Option<Vec<String>> {
    let groups = settings.field_groups.as_ref()?;
    Some(groups.iter().map(ToString::to_string).collect())
}
