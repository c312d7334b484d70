//! Numbers as they came: from keys of their own, or from one object with names of its own.

use serde_json::{Map, Value as Json};

use crate::normalise::field::Field;
use crate::normalise::found::Found;
use crate::normalise::read;

/// Special tokens of the input, by the names that details have.
pub(super) const INPUT_PARTS: [&str; 7] = [
    "cache_read",
    "cache_write",
    "cache_write_5m",
    "cache_write_1h",
    "input_audio",
    "input_image",
    "input_video",
];
/// Special tokens of the output.
pub(super) const OUTPUT_PARTS: [&str; 3] = ["reasoning", "output_audio", "output_image"];

/// Numbers as they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reported {
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) total: Option<u64>,
    input_parts: [u64; INPUT_PARTS.len()],
    output_parts: [u64; OUTPUT_PARTS.len()],
}

/// Where objects have a part: a name, or a name within another object.
type Names = &'static [(&'static str, &'static [&'static str])];

const PARTS: Names = &[
    (
        "cache_read",
        &[
            "input_cached_tokens",
            "input_cache_read",
            "cache_read_input_tokens",
            "cached_tokens",
            "cache_read_tokens",
            "cached_input_tokens",
            "prompt_tokens_details.cached_tokens",
            "input_tokens_details.cached_tokens",
            "input_token_details.cache_read",
        ],
    ),
    (
        "cache_write_5m",
        &["cache_creation.ephemeral_5m_input_tokens"],
    ),
    (
        "cache_write_1h",
        &[
            "cache_creation.ephemeral_1h_input_tokens",
            "cache_creation_input_tokens_above_1hr",
        ],
    ),
    (
        "cache_write",
        &[
            "input_cache_creation",
            "cache_creation_input_tokens",
            "cache_write_input_tokens",
            "cache_write_tokens",
            "input_token_details.cache_creation",
            "prompt_tokens_details.cache_creation_tokens",
        ],
    ),
    (
        "input_audio",
        &[
            "input_audio_tokens",
            "input_audio",
            "prompt_tokens_details.audio_tokens",
            "input_tokens_details.audio_tokens",
            "input_token_details.audio",
        ],
    ),
    (
        "input_image",
        &[
            "input_image_tokens",
            "input_image",
            "prompt_tokens_details.image_tokens",
        ],
    ),
    (
        "reasoning",
        &[
            "output_reasoning_tokens",
            "output_reasoning",
            "reasoning_tokens",
            "completion_tokens_details.reasoning_tokens",
            "output_tokens_details.reasoning_tokens",
            "output_token_details.reasoning",
        ],
    ),
    (
        "output_audio",
        &[
            "output_audio_tokens",
            "output_audio",
            "completion_tokens_details.audio_tokens",
            "output_tokens_details.audio_tokens",
            "output_token_details.audio",
        ],
    ),
];

impl Reported {
    /// From keys of their own.
    pub(super) fn from_fields(found: &Found<'_>) -> Self {
        let mut reported = Reported {
            input: found.count(Field::InputTokens),
            output: found.count(Field::OutputTokens),
            total: found.count(Field::TotalTokens),
            ..Reported::default()
        };
        let parts = [
            ("cache_read", Field::CacheRead),
            ("cache_write", Field::CacheWrite),
            ("input_audio", Field::InputAudio),
            ("input_image", Field::InputImage),
            ("reasoning", Field::Reasoning),
            ("output_audio", Field::OutputAudio),
            ("output_image", Field::OutputImage),
        ];
        for (name, field) in parts {
            reported.set(name, found.count(field).unwrap_or(0));
        }
        reported
    }

    /// From one object with names of its own, as Langfuse, `MLflow` and providers have it.
    pub(super) fn from_object(object: &Map<String, Json>) -> Self {
        let first = |names: &[&str]| names.iter().find_map(|name| count(object, name));
        let mut reported = Reported {
            input: first(&[
                "input",
                "input_tokens",
                "prompt_tokens",
                "inputTokens",
                "promptTokens",
            ]),
            output: first(&[
                "output",
                "output_tokens",
                "completion_tokens",
                "outputTokens",
                "completionTokens",
            ]),
            total: first(&["total", "total_tokens", "totalTokens"]),
            ..Reported::default()
        };
        for (name, names) in PARTS {
            reported.set(name, first(names).unwrap_or(0));
        }
        reported.split_cache_writes();
        reported
    }

    /// Special tokens of the input, in all.
    pub(super) fn input_parts(&self) -> u64 {
        self.input_parts
            .iter()
            .fold(0, |sum, part| sum.saturating_add(*part))
    }

    /// Special tokens of the output, in all.
    pub(super) fn output_parts(&self) -> u64 {
        self.output_parts
            .iter()
            .fold(0, |sum, part| sum.saturating_add(*part))
    }

    /// Every part by name, zeros too.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let input = INPUT_PARTS.into_iter().zip(self.input_parts);
        input.chain(OUTPUT_PARTS.into_iter().zip(self.output_parts))
    }

    /// The parts of the input that come out of a cache or go into one.
    pub(super) fn cached(&self) -> u64 {
        let cached = self.parts().filter(|(name, _)| name.starts_with("cache_"));
        cached.fold(0, |sum, (_, count)| sum.saturating_add(count))
    }

    fn set(&mut self, name: &str, count: u64) {
        let input = INPUT_PARTS.iter().position(|part| *part == name);
        let output = OUTPUT_PARTS.iter().position(|part| *part == name);
        if let Some(at) = input {
            self.input_parts[at] = count;
        } else if let Some(at) = output {
            self.output_parts[at] = count;
        }
    }

    /// Some give both the sum of cache writes and its split by lifetime: the split says more.
    fn split_cache_writes(&mut self) {
        let [_, sum, short, long, ..] = &mut self.input_parts;
        *sum = sum.saturating_sub(short.saturating_add(*long));
    }
}

fn count(object: &Map<String, Json>, path: &str) -> Option<u64> {
    match path.split_once('.') {
        None => object.get(path).and_then(read::json_count),
        Some((outer, inner)) => object.get(outer)?.get(inner).and_then(read::json_count),
    }
}
