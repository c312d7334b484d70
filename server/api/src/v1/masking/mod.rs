//! What a project does not want stored.

mod set;
mod show;
mod trial;

use std::collections::BTreeMap;

use domain::Fault;
use domain::masking::{Counts, MaskingSettings, Preset};
use serde::Serialize;
use serde_json::{Map, Value};
use service::masking::DayCount;

use crate::extract::wrong;

pub(crate) use set::set_masking;
pub(crate) use show::show_masking;
pub(crate) use trial::try_masking;

#[derive(Serialize)]
struct Shape<'a> {
    preset: Preset,
    #[serde(flatten)]
    settings: &'a MaskingSettings,
    counts: Vec<CountShape<'a>>,
}

#[derive(Serialize)]
struct CountShape<'a> {
    day: &'a str,
    rule: &'a str,
    found: u64,
}

impl<'a> Shape<'a> {
    fn new(settings: &'a MaskingSettings, counts: &'a [DayCount]) -> Self {
        let count = |count: &'a DayCount| CountShape {
            day: &count.day,
            rule: &count.rule,
            found: count.found,
        };
        Shape {
            preset: settings.preset(),
            settings,
            counts: counts.iter().map(count).collect(),
        }
    }
}

/// Settings as they were sent. A preset stands for its detectors where those are not named.
fn settings(mut sent: Map<String, Value>) -> Result<MaskingSettings, Fault> {
    // What was shown may be sent back.
    sent.remove("counts");
    let preset = sent.remove("preset");
    let preset = match preset.as_ref().map(Value::as_str) {
        None => Preset::Custom,
        Some(name) => name
            .and_then(Preset::from_name)
            .ok_or_else(|| wrong("preset", "is not known"))?,
    };
    let names_detectors = sent.contains_key("detectors");
    let mut read = MaskingSettings::default();
    for (field, value) in sent {
        let mistake = |error: serde_json::Error| wrong(&field, &error.to_string());
        match field.as_str() {
            "detectors" => read.detectors = serde_json::from_value(value).map_err(mistake)?,
            "patterns" => read.patterns = serde_json::from_value(value).map_err(mistake)?,
            "paths" => read.paths = serde_json::from_value(value).map_err(mistake)?,
            "fields" => read.fields = serde_json::from_value(value).map_err(mistake)?,
            "attributes" => read.attributes = serde_json::from_value(value).map_err(mistake)?,
            _ => return Err(wrong(&field, "is not known")),
        }
    }
    if !names_detectors {
        read.detectors = preset.detectors();
    }
    Ok(read)
}

fn by_rule(counts: &Counts) -> BTreeMap<&str, u64> {
    counts.iter().collect()
}
