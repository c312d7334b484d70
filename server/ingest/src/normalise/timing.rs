//! Parts of the latency, in milliseconds.

use domain::attr::{gen_ai, openllmetry, otel, vercel_ai};
use domain::span::{SpanEvent, Timings};
use domain::{Timestamp, Value};

use super::field::Field;
use super::found::Found;
use super::read;

/// Events that mark the first token, in some dialect.
const FIRST_TOKEN_EVENTS: &[&str] = &[
    vercel_ai::STREAM_FIRST_CHUNK,
    gen_ai::CONTENT_COMPLETION_CHUNK,
    openllmetry::LLM_CONTENT_COMPLETION_CHUNK,
    otel::FIRST_TOKEN_EVENT,
];

/// Instrumentations that write milliseconds under keys of seconds, by scope.
const IN_MILLIS: &[&str] = &["strands"];

/// What the span says about its parts.
pub(super) fn timings(
    found: &Found<'_>,
    events: &[SpanEvent],
    (start, scope): (Timestamp, &str),
) -> Timings {
    let in_millis = IN_MILLIS.iter().any(|name| scope.starts_with(name));
    let to_millis = |number: f64| {
        if in_millis {
            number
        } else {
            millis_of_seconds(number)
        }
    };
    let millis = |field| found.number(field).map(to_millis);
    let ttft = match found.get(Field::TtftSeconds) {
        Some((key, _)) => millis(Field::TtftSeconds).map(|ttft| (ttft, key.name.to_owned())),
        None => time_to_first_token(found, events, start),
    };
    let (ttft_ms, ttft_source) = ttft.unzip();
    Timings {
        ttft_ms,
        tpot_ms: millis(Field::TpotSeconds),
        queue_ms: millis(Field::QueueSeconds),
        prefill_ms: millis(Field::PrefillSeconds),
        decode_ms: millis(Field::DecodeSeconds),
        ttft_source,
    }
}

fn time_to_first_token(
    found: &Found<'_>,
    events: &[SpanEvent],
    start: Timestamp,
) -> Option<(f64, String)> {
    if let Some((key, value)) = found.get(Field::TtftMillis) {
        return Some((read::number(value)?, key.name.to_owned()));
    }
    if let Some((key, value)) = found.get(Field::FirstTokenAt)
        && let Some(at) = instant(value).filter(|&at| at >= start)
    {
        return Some(((at - start).as_millis_f64(), key.name.to_owned()));
    }
    let first = events
        .iter()
        .filter(|event| event.time >= start && FIRST_TOKEN_EVENTS.contains(&&*event.name))
        .min_by_key(|event| event.time)?;
    Some(((first.time - start).as_millis_f64(), first.name.clone()))
}

/// RFC 3339, sometimes once more in quotes.
fn instant(value: &Value) -> Option<Timestamp> {
    Timestamp::parse(value.as_str()?.trim_matches('"')).ok()
}

/// Some write milliseconds where the conventions say seconds; nobody waits three hours.
fn millis_of_seconds(seconds: f64) -> f64 {
    if seconds >= 10_000.0 {
        seconds
    } else {
        seconds * 1_000.0
    }
}
