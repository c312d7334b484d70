use super::*;

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

#[test]
fn windows_lie_at_the_same_places_whoever_asks() {
    let within = at("2026-11-05T13:47:11.5Z");
    for (frequency, begin, end) in [
        (
            "every_20_minutes",
            "2026-11-05T13:40:00Z",
            "2026-11-05T14:00:00Z",
        ),
        ("hourly", "2026-11-05T13:00:00Z", "2026-11-05T14:00:00Z"),
        ("daily", "2026-11-05T00:00:00Z", "2026-11-06T00:00:00Z"),
        ("weekly", "2026-11-02T00:00:00Z", "2026-11-09T00:00:00Z"),
    ] {
        let frequency = ExportFrequency::from_name(frequency).unwrap();
        assert_eq!(frequency.window_begin(within), at(begin), "{frequency}");
        assert_eq!(frequency.window_end(within), at(end), "{frequency}");
        assert_eq!(frequency.window_begin(at(begin)), at(begin), "{frequency}");
        assert_eq!(frequency.window_end(at(begin)), at(end), "{frequency}");
    }
    let epoch = Timestamp::EPOCH;
    assert_eq!(ExportFrequency::Weekly.window_begin(epoch), epoch);
    assert!(ExportFrequency::Weekly.window_end(epoch) > epoch);
}

#[test]
fn each_status_has_its_turn() {
    let now = at("2026-11-05T13:00:00Z");
    let (before, after) = (now.minus(LAG), now.plus(LAG));
    let mut export = BlobStorage {
        project_id: ProjectId(uuid::Uuid::nil()),
        settings: ExportSettings {
            kind: StorageKind::S3,
            bucket: "b".to_owned(),
            endpoint: None,
            region: "r".to_owned(),
            access_key_id: "a".to_owned(),
            prefix: "p/".to_owned(),
            frequency: ExportFrequency::Hourly,
            is_enabled: true,
            is_path_style: false,
            file_type: FileType::Csv,
            mode: ExportMode::FromToday,
            start: None,
            is_compressed: true,
            source: ExportSource::Both,
            field_groups: None,
        },
        progress: ExportProgress {
            exported_until: before,
            next_sync_at: after,
            last_sync_at: None,
            last_error: None,
            last_error_at: None,
            held_until: None,
        },
        created_at: before,
        updated_at: before,
    };
    assert_eq!(export.status(now), SyncStatus::Idle);
    export.progress.next_sync_at = now;
    assert_eq!(export.status(now), SyncStatus::Queued);
    export.progress.last_error = Some("the store answered 403".to_owned());
    assert_eq!(export.status(now), SyncStatus::Error);
    export.progress.held_until = Some(after);
    assert_eq!(export.status(now), SyncStatus::Running);
    export.settings.is_enabled = false;
    assert_eq!(export.status(now), SyncStatus::Disabled);
    assert_eq!(export.next_sync_at(), None);
    export.settings.is_enabled = true;
    export.progress = ExportProgress {
        next_sync_at: after,
        last_sync_at: Some(before),
        last_error: None,
        held_until: None,
        ..export.progress
    };
    assert_eq!(export.status(now), SyncStatus::UpToDate);
    let settings = &mut export.settings;
    assert_eq!(settings.begin(now), at("2026-11-05T00:00:00Z"));
    assert_eq!(
        settings.key(export.project_id, ExportTable::Scores, now),
        "p/00000000-0000-0000-0000-000000000000/scores/2026-11-05T13-00-00.csv.gz"
    );
    settings.file_type = FileType::Parquet;
    let key = settings.key(export.project_id, ExportTable::Scores, now);
    assert!(
        key.ends_with("T13-00-00.parquet"),
        "compressed within: {key}"
    );
}
