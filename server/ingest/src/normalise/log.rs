//! Log records as sent to log records of the clean model.

use domain::attr::otel;
use domain::log::LogRecord;
use domain::{Timestamp, Value, value};

use crate::decode::RawLog;

/// A log record as sent → one of the clean model.
pub fn normalise_log(raw: RawLog) -> LogRecord {
    let event_name = event_name(&raw);
    let happened = [raw.time_unix_nanos, raw.observed_unix_nanos];
    let time = happened
        .into_iter()
        .filter(|nanos| *nanos > 0)
        .find_map(Timestamp::from_unix_nanos);
    LogRecord {
        trace_id: raw.trace_id,
        span_id: raw.span_id,
        time: time.unwrap_or(Timestamp::EPOCH),
        severity_number: u8::try_from(raw.severity_number).unwrap_or(0),
        severity_text: raw.severity_text,
        event_name,
        body: raw.body,
        attributes: raw.attributes,
        resource: raw.resource,
        scope: raw.scope,
        cut: raw.cut,
        invalid_utf8: raw.invalid_utf8,
        place: raw.place,
        keep: domain::retention::Keep::default(),
    }
}

/// The field for it, else an attribute, else a field of the body.
fn event_name(raw: &RawLog) -> String {
    if !raw.event_name.is_empty() {
        return raw.event_name.clone();
    }
    let of_body = || match &raw.body {
        Value::Map(pairs) => value::get(pairs, otel::EVENT_NAME),
        _ => None,
    };
    [otel::EVENT_NAME, otel::EVENT_NAME_FLAT]
        .into_iter()
        .find_map(|key| value::get(&raw.attributes, key))
        .or_else(of_body)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(raw: RawLog) -> LogRecord {
        normalise_log(raw)
    }

    #[test]
    fn the_name_stands_in_the_field_else_in_an_attribute_else_in_the_body() {
        let body = Value::Map(vec![("event.name".into(), "of body".into())]);
        let mut raw = RawLog {
            body,
            ..RawLog::default()
        };
        assert_eq!(record(raw.clone()).event_name, "of body");
        raw.attributes = vec![("event.name".into(), "of attribute".into())];
        assert_eq!(record(raw.clone()).event_name, "of attribute");
        raw.event_name = "of field".to_owned();
        assert_eq!(record(raw).event_name, "of field");
        assert_eq!(record(RawLog::default()).event_name, "");
    }

    #[test]
    fn when_it_was_seen_stands_in_for_when_it_happened() {
        let mut raw = RawLog {
            observed_unix_nanos: 7,
            ..RawLog::default()
        };
        assert_eq!(record(raw.clone()).time.unix_nanos(), 7);
        raw.time_unix_nanos = 5;
        assert_eq!(record(raw).time.unix_nanos(), 5);
        assert_eq!(record(RawLog::default()).time, Timestamp::EPOCH);
    }
}
