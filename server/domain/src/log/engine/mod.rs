//! Log lines of serving engines, read into one schema: one file an engine.
//!
//! They are read when they are asked for, beside what came and never instead of it, so that a line of a format that is learnt
//! later is read as well as one that arrives then.
//!
//! To add a format: a file with a function that reads a line, its name in [`FORMATS`].

mod tgi;
mod triton;
mod vllm;

use serde_json::Value as Json;

use super::LogRecord;
use crate::attr::{gen_ai, triaxis};
use crate::value::{self, Attributes, Value};

/// Bytes of a line; a longer one is none.
const MAX_BYTES: usize = 1024 * 1024;
/// Bytes of an id.
const MAX_ID_BYTES: usize = 200;

/// What reads a line.
type Format = fn(&Said<'_>) -> Option<EngineLine>;

/// Every format that is known.
const FORMATS: &[Format] = &[vllm::read, tgi::read, triton::read];

/// A line as it was said.
struct Said<'l> {
    /// The message.
    text: &'l str,
    /// Its fields, where it is JSON.
    fields: Option<&'l Json>,
    /// The library that said it; empty when not given.
    logger: &'l str,
}

/// What a line of an engine tells of a request; what it does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineLine {
    /// The engine: `vllm`, `tgi`, `triton`.
    pub backend: &'static str,
    /// What happened: `received`, `added`, `generated`, `finished`, `aborted`, `failed`.
    pub event: &'static str,
    /// The engine's id of the request.
    pub request_id: Option<String>,
    /// Model that was asked.
    pub model: Option<String>,
    /// Tokens of the prompt.
    pub input_tokens: Option<u64>,
    /// Tokens of the answer.
    pub output_tokens: Option<u64>,
    /// Most tokens that the answer may have.
    pub max_tokens: Option<u64>,
    /// Why it ended.
    pub finish_reason: Option<String>,
    /// Requests that were put together.
    pub batch_size: Option<u64>,
    /// Milliseconds in the queue.
    pub queue_ms: Option<f64>,
    /// Milliseconds of checking the request.
    pub validation_ms: Option<f64>,
    /// Milliseconds of computing.
    pub inference_ms: Option<f64>,
    /// Milliseconds per token after the first.
    pub tpot_ms: Option<f64>,
    /// Milliseconds from beginning to end.
    pub e2e_ms: Option<f64>,
}

impl EngineLine {
    /// What is known, under keys of its own.
    pub fn attributes(&self) -> Attributes {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let count = |count: Option<u64>| Some(Value::Int(i64::try_from(count?).ok()?));
        let time = |ms: Option<f64>| ms.map(Value::Double);
        let pairs = [
            (triaxis::ENGINE_BACKEND, Some(Value::from(self.backend))),
            (triaxis::ENGINE_EVENT, Some(Value::from(self.event))),
            (triaxis::ENGINE_REQUEST_ID, text(&self.request_id)),
            (triaxis::ENGINE_MODEL, text(&self.model)),
            (triaxis::ENGINE_INPUT_TOKENS, count(self.input_tokens)),
            (triaxis::ENGINE_OUTPUT_TOKENS, count(self.output_tokens)),
            (triaxis::ENGINE_MAX_TOKENS, count(self.max_tokens)),
            (triaxis::ENGINE_FINISH_REASON, text(&self.finish_reason)),
            (triaxis::ENGINE_BATCH_SIZE, count(self.batch_size)),
            (triaxis::ENGINE_QUEUE_MS, time(self.queue_ms)),
            (triaxis::ENGINE_VALIDATION_MS, time(self.validation_ms)),
            (triaxis::ENGINE_INFERENCE_MS, time(self.inference_ms)),
            (triaxis::ENGINE_TPOT_MS, time(self.tpot_ms)),
            (triaxis::ENGINE_E2E_MS, time(self.e2e_ms)),
        ];
        let known = pairs.into_iter();
        known
            .filter_map(|(key, value)| Some((key.into(), value?)))
            .collect()
    }
}

/// What a record tells, where it is a line of a known engine.
pub fn read(record: &LogRecord) -> Option<EngineLine> {
    if !record.event_name.is_empty() {
        return None;
    }
    match &record.body {
        Value::Str(text) => read_text(text, &record.scope.name),
        Value::Map(_) => read_text(&record.body.to_text(), &record.scope.name),
        _ => None,
    }
}

fn read_text(text: &str, logger: &str) -> Option<EngineLine> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let fields: Option<Json> = text
        .trim_start()
        .starts_with('{')
        .then(|| serde_json::from_str(text).ok())
        .flatten();
    let message = fields.as_ref().and_then(message_of).unwrap_or(text);
    let said = Said {
        text: message,
        fields: fields.as_ref(),
        logger,
    };
    FORMATS.iter().find_map(|read| read(&said))
}

/// The message of a line that is JSON.
fn message_of(fields: &Json) -> Option<&str> {
    let mut places = ["message", "msg", "log"].into_iter();
    let own = places.find_map(|place| fields.get(place)?.as_str());
    own.or_else(|| fields.get("fields")?.get("message")?.as_str())
}

/// The engine's id of the request that a record tells of.
pub fn request_id(record: &LogRecord) -> Option<String> {
    let told = [triaxis::ENGINE_REQUEST_ID, gen_ai::REQUEST_ID]
        .into_iter()
        .find_map(|key| value::get(&record.attributes, key)?.as_str());
    match told {
        Some(id) => id_of(id),
        None => read(record)?.request_id,
    }
}

/// A text that can be an id.
fn id_of(text: &str) -> Option<String> {
    let is_id = (1..=MAX_ID_BYTES).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_graphic());
    is_id.then(|| text.to_owned())
}

/// What stands between two marks; to the end where the second is missing.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after).map_or(rest, |(inner, _)| inner))
}

/// A length of time with its unit, as Rust writes it, in milliseconds.
fn millis(text: &str) -> Option<f64> {
    let at = text.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let (number, unit) = text.split_at(at);
    let factor = match unit {
        "s" => 1e3,
        "ms" => 1.0,
        "µs" | "us" | "μs" => 1e-3,
        "ns" => 1e-6,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    Some(number * factor)
}

#[cfg(test)]
mod tests;
