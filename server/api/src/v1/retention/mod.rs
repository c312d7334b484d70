//! How long a project keeps what.

mod set;
mod show;

use std::collections::BTreeMap;

use domain::Fault;
use domain::retention::{Preset, RetentionSettings, Tiers};
use serde::Serialize;
use serde_json::{Map, Value, json};
use service::retention::LastLook;

use crate::extract::wrong;

pub(crate) use set::set_retention;
pub(crate) use show::show_retention;

#[derive(Serialize)]
struct Shape<'a> {
    preset: Preset,
    #[serde(flatten)]
    settings: &'a RetentionSettings,
    verification: Value,
}

impl<'a> Shape<'a> {
    fn new(settings: &'a RetentionSettings, last: &LastLook) -> Self {
        let verification = last.verified_at.map(|at| {
            let past: BTreeMap<String, u64> =
                serde_json::from_value(last.outcome["past"].clone()).unwrap_or_default();
            json!({
                "verified_at": at.to_string(),
                "rows_past_their_time": past.values().sum::<u64>(),
                "past": past,
                "removed": last.outcome["removed"],
            })
        });
        Shape {
            preset: settings.preset(),
            settings,
            verification: verification.unwrap_or(Value::Null),
        }
    }
}

/// Settings as they were sent. A preset stands for its days; what is given beside it goes before it. What is left out is
/// kept for ever, of an environment as long as elsewhere.
fn settings(mut sent: Map<String, Value>) -> Result<RetentionSettings, Fault> {
    // What was shown may be sent back.
    sent.remove("verification");
    let preset = match sent.remove("preset").as_ref().map(Value::as_str) {
        None => Preset::Custom,
        Some(name) => name
            .and_then(Preset::from_name)
            .ok_or_else(|| wrong("preset", "is not known"))?,
    };
    let mut read = preset.settings().unwrap_or_default();
    let environments = sent.remove("environments");
    for (field, value) in sent {
        let days = days(&field, &value)?;
        match field.as_str() {
            "content_days" => read.usual.content_days = days,
            "structure_days" => read.usual.structure_days = days,
            "metrics_days" => read.metrics_days = days,
            "audit_days" => read.audit_days = days,
            _ => return Err(wrong(&field, "is not known")),
        }
    }
    match environments {
        None => {}
        Some(Value::Object(environments)) => {
            for (name, value) in environments {
                let own = tiers(&name, &value, read.usual)?;
                read.environments.insert(name, own);
            }
        }
        Some(_) => return Err(wrong("environments", "must be an object")),
    }
    Ok(read)
}

fn tiers(name: &str, value: &Value, usual: Tiers) -> Result<Tiers, Fault> {
    let path = format!("environments.{name}");
    let Value::Object(fields) = value else {
        return Err(wrong(&path, "must be an object"));
    };
    let mut own = usual;
    for (field, value) in fields {
        let days = days(&format!("{path}.{field}"), value)?;
        match field.as_str() {
            "content_days" => own.content_days = days,
            "structure_days" => own.structure_days = days,
            _ => return Err(wrong(&format!("{path}.{field}"), "is not known")),
        }
    }
    Ok(own)
}

fn days(field: &str, value: &Value) -> Result<Option<u32>, Fault> {
    if value.is_null() {
        return Ok(None);
    }
    let days = value.as_u64().and_then(|days| u32::try_from(days).ok());
    days.map(Some)
        .ok_or_else(|| wrong(field, "must be a number of days, or null for ever"))
}
