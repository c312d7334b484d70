//! A log record as JSON.

use domain::{SpanId, TraceId};

use super::RawLog;
use super::allowance::{Allowance, MAX_DEPTH};
use super::json::Json;
use super::json_value::{
    Enumerator, read_attributes, read_enum, read_id, read_string, read_u64, read_value,
};
use super::otlp_json::Lists;
use super::record::{Read, Record};

/// The lists of an `ExportLogsServiceRequest`.
pub(super) const LISTS: Lists = Lists {
    resources: &["resourceLogs", "resource_logs"],
    scopes: &["scopeLogs", "scope_logs"],
    records: &["logRecords", "log_records"],
};

/// Reads a `LogRecord`.
pub(super) fn read_log(json: &mut Json<'_>, allowance: &mut Allowance) -> Read<RawLog> {
    let (mut trace_id, mut span_id) = (String::new(), String::new());
    let mut log = RawLog::default();
    let mut dropped = 0;
    json.object(|json, key| {
        match key {
            "timeUnixNano" | "time_unix_nano" => {
                log.time_unix_nanos = read_u64(json)?.unwrap_or(0);
            }
            "observedTimeUnixNano" | "observed_time_unix_nano" => {
                log.observed_unix_nanos = read_u64(json)?.unwrap_or(0);
            }
            "severityNumber" | "severity_number" => {
                log.severity_number = match read_enum(json, "SEVERITY_NUMBER_")? {
                    Enumerator::Number(number) => number,
                    Enumerator::Name(name) => severity_of(&name),
                };
            }
            "severityText" | "severity_text" => log.severity_text = read_string(json, allowance)?,
            "eventName" | "event_name" => log.event_name = read_string(json, allowance)?,
            "body" => log.body = read_value(json, MAX_DEPTH, allowance)?,
            "attributes" => dropped += read_attributes(json, &mut log.attributes, allowance)?,
            "droppedAttributesCount" | "dropped_attributes_count" => {
                dropped += read_u64(json)?.unwrap_or(0) & 0xffff_ffff;
            }
            "traceId" | "trace_id" => read_id(json, &mut trace_id)?,
            "spanId" | "span_id" => read_id(json, &mut span_id)?,
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    log.keep_ids(
        TraceId::from_otlp_hex(&trace_id),
        SpanId::from_otlp_hex(&span_id),
    );
    log.keep_dropped(dropped);
    allowance.marks.invalid_utf8 |= json.replaced;
    log.mark(allowance.marks);
    Ok(Ok(log))
}

/// `info` is 9, `info2` is 10.
fn severity_of(name: &str) -> u64 {
    let word = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let names = ["trace", "debug", "info", "warn", "error", "fatal"];
    let Some(place) = names.iter().position(|known| *known == word) else {
        return 0;
    };
    let step = name[word.len()..].parse::<u64>().unwrap_or(1);
    place as u64 * 4 + step.clamp(1, 4)
}
