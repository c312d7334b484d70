//! An export: of its credential the public part alone.

use domain::Timestamp;
use domain::blob_storage::{BlobStorage, FieldGroup};
use serde::Serialize;

use crate::langfuse::time::Millis;

/// An export, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlobStorageShape<'a> {
    id: String,
    project_id: String,
    r#type: &'static str,
    bucket_name: &'a str,
    endpoint: Option<&'a str>,
    region: &'a str,
    access_key_id: &'a str,
    prefix: &'a str,
    export_frequency: &'static str,
    enabled: bool,
    force_path_style: bool,
    file_type: &'static str,
    export_mode: &'static str,
    export_start_date: Option<Millis>,
    compressed: bool,
    export_source: &'static str,
    export_field_groups: Option<&'a [FieldGroup]>,
    next_sync_at: Option<Millis>,
    last_sync_at: Option<Millis>,
    last_error: Option<&'a str>,
    last_error_at: Option<Millis>,
    created_at: Millis,
    updated_at: Millis,
}

impl<'a> From<&'a BlobStorage> for BlobStorageShape<'a> {
    fn from(export: &'a BlobStorage) -> Self {
        let (settings, progress) = (&export.settings, &export.progress);
        BlobStorageShape {
            id: export.project_id.to_string(),
            project_id: export.project_id.to_string(),
            r#type: settings.kind.as_str(),
            bucket_name: &settings.bucket,
            endpoint: settings.endpoint.as_deref(),
            region: &settings.region,
            access_key_id: &settings.access_key_id,
            prefix: &settings.prefix,
            export_frequency: settings.frequency.as_str(),
            enabled: settings.is_enabled,
            force_path_style: settings.is_path_style,
            file_type: settings.file_type.as_str(),
            export_mode: settings.mode.as_str(),
            export_start_date: settings.start.map(Millis),
            compressed: settings.is_compressed,
            export_source: settings.source.as_str(),
            export_field_groups: settings.field_groups.as_deref(),
            next_sync_at: export.next_sync_at().map(Millis),
            last_sync_at: progress.last_sync_at.map(Millis),
            last_error: progress.last_error.as_deref(),
            last_error_at: progress.last_error_at.map(Millis),
            created_at: Millis(export.created_at),
            updated_at: Millis(export.updated_at),
        }
    }
}

/// How an export stands, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StatusShape<'a> {
    id: String,
    project_id: String,
    sync_status: &'static str,
    enabled: bool,
    last_sync_at: Option<Millis>,
    next_sync_at: Option<Millis>,
    last_error: Option<&'a str>,
    last_error_at: Option<Millis>,
}

impl<'a> StatusShape<'a> {
    /// At an instant.
    pub(super) fn new(export: &'a BlobStorage, now: Timestamp) -> Self {
        let progress = &export.progress;
        StatusShape {
            id: export.project_id.to_string(),
            project_id: export.project_id.to_string(),
            sync_status: export.status(now).as_str(),
            enabled: export.settings.is_enabled,
            last_sync_at: progress.last_sync_at.map(Millis),
            next_sync_at: export.next_sync_at().map(Millis),
            last_error: progress.last_error.as_deref(),
            last_error_at: progress.last_error_at.map(Millis),
        }
    }
}
