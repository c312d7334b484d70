//! Free-form parts: metadata, parameters, tags, and the words of a failure.

use std::collections::{BTreeMap, BTreeSet};

use domain::attr::{
    gen_ai, langfuse, langsmith, openinference, openllmetry, otel, triaxis, vendor, vercel_ai,
};
use domain::context::Context;
use domain::span::{Level, SpanError, SpanEvent};
use domain::value;
use serde_json::Value as Json;

use super::field::Field;
use super::found::Found;
use super::lookup::{Key, Lookup, family, keys};
use super::read;

/// Keys below which applications put what they like.
const METADATA_PREFIXES: &[&str] = &[
    langfuse::TRACE_METADATA,
    langfuse::OBSERVATION_METADATA,
    openllmetry::TRACELOOP_ASSOCIATION_PROPERTIES,
    langsmith::METADATA,
    vercel_ai::TELEMETRY_METADATA,
];

/// Parameters of a call, by the names that they are shown under.
const PARAMETERS: &[(&str, &[Key])] = &[
    (
        "temperature",
        keys![
            gen_ai::REQUEST_TEMPERATURE,
            triaxis::SAMPLING_TEMPERATURE,
            vercel_ai::SETTINGS_TEMPERATURE
        ],
    ),
    (
        "top_p",
        keys![gen_ai::REQUEST_TOP_P, vercel_ai::SETTINGS_TOP_P],
    ),
    (
        "top_k",
        keys![gen_ai::REQUEST_TOP_K, openllmetry::LLM_TOP_K],
    ),
    (
        "max_tokens",
        keys![
            gen_ai::REQUEST_MAX_TOKENS,
            gen_ai::REQUEST_MAX_COMPLETION_TOKENS,
            vercel_ai::SETTINGS_MAX_OUTPUT_TOKENS,
            vercel_ai::SETTINGS_MAX_TOKENS,
        ],
    ),
    (
        "frequency_penalty",
        keys![
            gen_ai::REQUEST_FREQUENCY_PENALTY,
            openllmetry::LLM_FREQUENCY_PENALTY
        ],
    ),
    (
        "presence_penalty",
        keys![
            gen_ai::REQUEST_PRESENCE_PENALTY,
            openllmetry::LLM_PRESENCE_PENALTY
        ],
    ),
    ("seed", keys![gen_ai::REQUEST_SEED]),
    (
        "stop",
        keys![
            gen_ai::REQUEST_STOP_SEQUENCES,
            openllmetry::LLM_CHAT_STOP_SEQUENCES
        ],
    ),
    (
        "choice_count",
        keys![
            gen_ai::REQUEST_CHOICE_COUNT,
            gen_ai::REQUEST_N,
            gen_ai::REQUEST_CANDIDATE_COUNT
        ],
    ),
    (
        "stream",
        keys![
            gen_ai::REQUEST_STREAM,
            gen_ai::IS_STREAMING,
            gen_ai::REQUEST_STREAMING,
            openllmetry::LLM_IS_STREAMING,
            langsmith::REQUEST_STREAMING,
        ],
    ),
    (
        "reasoning_effort",
        keys![
            gen_ai::REQUEST_REASONING_LEVEL,
            gen_ai::REQUEST_REASONING_EFFORT,
            openllmetry::LLM_REQUEST_REASONING_EFFORT,
        ],
    ),
    ("output_type", keys![gen_ai::OUTPUT_TYPE]),
    (
        "response_format",
        keys![
            gen_ai::REQUEST_STRUCTURED_OUTPUT_SCHEMA,
            gen_ai::OPENAI_REQUEST_RESPONSE_FORMAT,
            vercel_ai::SCHEMA,
        ],
    ),
    // What the answer got goes before what was asked for (`auto`): the price depends on it.
    (
        "service_tier",
        keys![
            vendor::OPENAI_RESPONSE_SERVICE_TIER,
            gen_ai::OPENAI_RESPONSE_SERVICE_TIER,
            vendor::ANTHROPIC_RESPONSE_SERVICE_TIER,
            gen_ai::RESPONSE_SERVICE_TIER,
            vendor::OPENAI_REQUEST_SERVICE_TIER,
            gen_ai::OPENAI_REQUEST_SERVICE_TIER,
            gen_ai::REQUEST_SERVICE_TIER,
        ],
    ),
];

/// Beginnings of keys that become metadata, and keys that become parameters.
pub(super) fn read_prefixes() -> impl Iterator<Item = &'static str> {
    let parameters = PARAMETERS.iter().flat_map(|(_, keys)| keys.iter());
    let metadata = METADATA_PREFIXES.iter().copied();
    metadata.chain(parameters.map(|key| key.name))
}

/// Metadata by key; each value is JSON text.
#[derive(Default)]
pub(super) struct Metadata {
    pub(super) entries: BTreeMap<String, String>,
    /// Keys of those that are said of the whole trace.
    pub(super) of_trace: BTreeSet<String>,
}

impl Metadata {
    fn insert(&mut self, prefix: &str, name: String, text: String) {
        if prefix == langfuse::TRACE_METADATA {
            self.of_trace.insert(name.clone());
        }
        self.entries.insert(name, text);
    }

    fn insert_object(&mut self, prefix: &str, object: Option<serde_json::Map<String, Json>>) {
        for (name, text) in entries(object) {
            self.insert(prefix, name, text);
        }
    }
}

/// What applications put below the keys that are free for them.
pub(super) fn metadata(lookup: &Lookup<'_>) -> Metadata {
    const SIGNS: u32 = family::LANGFUSE
        | family::TRACELOOP
        | family::LANGSMITH
        | family::AI
        | family::OPENINFERENCE;
    let mut metadata = Metadata::default();
    if lookup.families & SIGNS == 0 {
        return metadata;
    }
    if let Some(value) = lookup.get(const { Key::new(openinference::METADATA) }) {
        metadata.insert_object(openinference::METADATA, read::object(value));
    }
    for (key, value) in lookup.attributes {
        let below = METADATA_PREFIXES
            .iter()
            .find_map(|prefix| Some((*prefix, key.strip_prefix(prefix)?)));
        match below {
            Some((prefix, "")) => metadata.insert_object(prefix, read::object(value)),
            Some((prefix, rest)) => {
                if let Some(name) = rest.strip_prefix('.').filter(|name| !name.is_empty()) {
                    let is_langfuse = key.starts_with(langfuse::PREFIX);
                    let text = read::json_text(value);
                    let text = if is_langfuse { undone(text) } else { text };
                    metadata.insert(prefix, name.to_owned(), text);
                }
            }
            None => {}
        }
    }
    metadata
}

/// Newer Langfuse SDKs write each value as JSON: a text comes with quotes of its own.
fn undone(text: String) -> String {
    let inner: Option<String> = serde_json::from_str(&text).ok();
    let is_text =
        |inner: &String| inner.starts_with('"') && serde_json::from_str::<String>(inner).is_ok();
    inner.filter(is_text).unwrap_or(text)
}

/// What the application says of the data that it retrieved or called.
pub(super) fn context(lookup: &Lookup<'_>) -> Context {
    let texts = |key| lookup.first(key).map(|(_, value)| read::texts(value));
    Context {
        chunk_ids: texts(keys![triaxis::PDF_CHUNK_ID]).unwrap_or_default(),
        row_keys: texts(keys![triaxis::DB_ROW_PK]).unwrap_or_default(),
        payload_hashes: texts(keys![triaxis::API_PAYLOAD_HASH]).unwrap_or_default(),
        ..Context::default()
    }
}

/// Parameters by name; each value is JSON text.
pub(super) fn parameters(found: &Found<'_>, lookup: &Lookup<'_>) -> BTreeMap<String, String> {
    let told = found.value(Field::Parameters).and_then(read::object);
    let mut parameters: BTreeMap<String, String> = entries(told).collect();
    let signs = family::GEN_AI | family::LLM | family::AI | family::LANGSMITH;
    if lookup.families & signs == 0 {
        return parameters;
    }
    for (name, keys) in PARAMETERS {
        if let Some((_, value)) = lookup.first(keys) {
            parameters.insert((*name).to_owned(), value.to_json().to_string());
        }
    }
    parameters
}

/// Labels, sorted, without repeats. One text may hold several with commas between.
pub(super) fn tags(found: &Found<'_>) -> Vec<String> {
    let Some((key, value)) = found.get(Field::Tags) else {
        return Vec::new();
    };
    let mut tags = read::texts(value);
    if key.name == langsmith::SPAN_TAGS {
        tags = tags
            .iter()
            .flat_map(|tag| tag.split(','))
            .map(|tag| tag.trim().to_owned())
            .collect();
    }
    tags.retain(|tag| !tag.is_empty());
    tags.sort();
    tags.dedup();
    tags
}

/// Words of loggers for levels, beside the names of these.
const LEVEL_WORDS: &[(&str, Level)] = &[
    ("TRACE", Level::Debug),
    ("VERBOSE", Level::Debug),
    ("INFO", Level::Default),
    ("LOG", Level::Default),
    ("NOTICE", Level::Default),
    ("OK", Level::Default),
    ("SUCCESS", Level::Default),
    ("WARN", Level::Warning),
    ("FATAL", Level::Error),
    ("CRITICAL", Level::Error),
];

/// How loud: as said, else by the status.
pub(super) fn level(found: &Found<'_>, failed: bool) -> Level {
    let said = found.text(Field::Level).and_then(|text| {
        let word = text.trim().trim_matches('"').to_ascii_uppercase();
        let of_logger = || LEVEL_WORDS.iter().find(|(known, _)| *known == word);
        Level::from_name(&word).or_else(|| of_logger().map(|(_, level)| *level))
    });
    said.unwrap_or(if failed { Level::Error } else { Level::Default })
}

/// The failure in words: what the status says, else what the exception said, else its class.
pub(super) fn error(
    found: &Found<'_>,
    lookup: &Lookup<'_>,
    events: &[SpanEvent],
    status_message: &str,
) -> SpanError {
    let exception = events.iter().rev().find(|event| event.is_exception());
    let of_exception = |key: &str| {
        let text = read::text(value::get(&exception?.attributes, key)?);
        Some(text).filter(|text| !text.is_empty())
    };
    let class = lookup
        .first(keys![otel::ERROR_TYPE])
        .map(|(_, value)| read::text(value));
    let kind = class.or_else(|| of_exception(otel::EXCEPTION_TYPE));
    let message = Some(status_message.to_owned())
        .filter(|message| !message.is_empty())
        .or_else(|| found.text(Field::StatusMessage))
        .or_else(|| of_exception(otel::EXCEPTION_MESSAGE))
        .or_else(|| kind.clone())
        .unwrap_or_default();
    SpanError { kind, message }
}

/// What stands in an object, each value as JSON text.
fn entries(
    object: Option<serde_json::Map<String, Json>>,
) -> impl Iterator<Item = (String, String)> {
    let entries = object.into_iter().flatten();
    entries.map(|(name, value)| (name, value.to_string()))
}
