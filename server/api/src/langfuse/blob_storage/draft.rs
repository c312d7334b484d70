//! An export, as a body describes it.

use domain::Timestamp;
use domain::blob_storage::{
    ExportFrequency, ExportMode, ExportSettings, ExportSource, FieldGroup, FileType, StorageKind,
};
use service::blob_storage::Draft;

use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};

/// Every field that there is.
const FIELDS: [&str; 17] = [
    "projectId",
    "type",
    "bucketName",
    "endpoint",
    "region",
    "accessKeyId",
    "secretAccessKey",
    "prefix",
    "exportFrequency",
    "enabled",
    "forcePathStyle",
    "fileType",
    "exportMode",
    "exportStartDate",
    "compressed",
    "exportSource",
    "exportFieldGroups",
];

/// What a body sets.
///
/// # Errors
/// When a field is missing, unknown, of another type, or names what there is not.
pub(super) fn read(body: &Body) -> Result<Draft> {
    body.only(&FIELDS)?;
    let text = |field: &str| -> Result<_> { Ok(body.text(field)?.map(str::to_owned)) };
    let settings = ExportSettings {
        kind: word(body, "type", StorageKind::from_name, StorageKind::ALL)?,
        bucket: body.required_text("bucketName")?.to_owned(),
        endpoint: text("endpoint")?.filter(|endpoint| !endpoint.is_empty()),
        region: body.required_text("region")?.to_owned(),
        access_key_id: text("accessKeyId")?.unwrap_or_default(),
        prefix: text("prefix")?.unwrap_or_default(),
        frequency: word(
            body,
            "exportFrequency",
            ExportFrequency::from_name,
            ExportFrequency::ALL,
        )?,
        is_enabled: flag(body, "enabled")?,
        is_path_style: flag(body, "forcePathStyle")?,
        file_type: word(body, "fileType", FileType::from_name, FileType::ALL)?,
        mode: word(body, "exportMode", ExportMode::from_name, ExportMode::ALL)?,
        start: start(body)?,
        is_compressed: body.flag("compressed")?.unwrap_or(true),
        source: match body.value("exportSource") {
            None => ExportSource::default(),
            Some(_) => word(
                body,
                "exportSource",
                ExportSource::from_name,
                ExportSource::ALL,
            )?,
        },
        field_groups: field_groups(body)?,
    };
    body.required_text("projectId")?;
    Ok(Draft {
        settings,
        secret: text("secretAccessKey")?,
    })
}

fn word<T: Copy + ToString>(
    body: &Body,
    field: &str,
    from_name: fn(&str) -> Option<T>,
    all: &[T],
) -> Result<T> {
    let names: Vec<String> = all.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let word = body.word(field, from_name, &names)?;
    word.ok_or_else(|| Issue::of_words(field, &names).into())
}

fn flag(body: &Body, field: &str) -> Result<bool> {
    let wrong = || Issue::of_type(field, "boolean, received undefined").into();
    body.flag(field)?.ok_or_else(wrong)
}

fn start(body: &Body) -> Result<Option<Timestamp>> {
    let text = body.text("exportStartDate")?.map(Timestamp::parse);
    let wrong = |_| Issue::new("invalid_format", "exportStartDate", "Invalid ISO datetime").into();
    text.transpose().map_err(wrong)
}

fn field_groups(body: &Body) -> Result<Option<Vec<FieldGroup>>> {
    let Some(names) = body.texts("exportFieldGroups")? else {
        return Ok(None);
    };
    let mut groups = Vec::new();
    for (at, name) in names.into_iter().enumerate() {
        let all: Vec<_> = FieldGroup::ALL.iter().map(|group| group.as_str()).collect();
        let wrong = || Issue::of_words(&format!("exportFieldGroups.{at}"), &all);
        let group = FieldGroup::from_name(name).ok_or_else(wrong)?;
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    Ok(Some(groups))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with(field: &str, value: Value) -> Result<Draft> {
        let mut body = json!({
            "projectId": "p", "type": "S3", "bucketName": "b", "region": "r",
            "exportFrequency": "hourly", "enabled": true, "forcePathStyle": false,
            "fileType": "CSV", "exportMode": "FULL_HISTORY",
        });
        body[field] = value;
        read(&Body::parse(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn what_is_missing_unknown_or_not_there_is_refused() {
        for field in [
            "projectId",
            "type",
            "bucketName",
            "region",
            "exportFrequency",
            "enabled",
            "forcePathStyle",
            "fileType",
            "exportMode",
        ] {
            assert!(with(field, Value::Null).is_err(), "{field}");
            assert!(with(field, json!(1)).is_err(), "{field}");
        }
        for (field, value) in [
            ("type", json!("GOOGLE")),
            ("fileType", json!("ORC")),
            ("exportFrequency", json!("monthly")),
            ("exportStartDate", json!("yesterday")),
            ("exportSource", json!("EVENTS")),
            ("exportFieldGroups", json!(["core", "nonsense"])),
            ("compressed", json!("yes")),
            ("other", json!(1)),
        ] {
            assert!(with(field, value.clone()).is_err(), "{field} {value}");
        }
    }

    #[test]
    fn what_is_left_out_has_its_usual_value() {
        let draft = with("exportFieldGroups", json!(["io", "core", "io"])).unwrap();
        assert!(draft.settings.is_compressed && draft.secret.is_none());
        assert_eq!(draft.settings.source, ExportSource::Legacy);
        let groups = [FieldGroup::Io, FieldGroup::Core];
        assert_eq!(draft.settings.field_groups.as_deref(), Some(&groups[..]));
        assert_eq!(with("prefix", Value::Null).unwrap().settings.prefix, "");
    }
}
