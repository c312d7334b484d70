//! Kinds of usage, and which price each one takes.

use super::rate::Rate;
use crate::span::named_enum;

named_enum!(
    /// A kind of token as usage counts it. Kinds are disjoint: they add up to the whole.
    Bucket, default Input {
        /// Text read, not from a cache.
        Input = "input",
        /// Read from a cache.
        CacheRead = "cache_read",
        /// Put into a cache, for how long is unknown.
        CacheWrite = "cache_write",
        /// Put into a cache for five minutes.
        CacheWrite5m = "cache_write_5m",
        /// Put into a cache for an hour.
        CacheWrite1h = "cache_write_1h",
        /// Put into a cache for twelve hours.
        CacheWrite12h = "cache_write_12h",
        /// Sound heard.
        InputAudio = "input_audio",
        /// Images seen.
        InputImage = "input_image",
        /// Video seen.
        InputVideo = "input_video",
        /// Sound read from a cache.
        CacheReadAudio = "cache_read_audio",
        /// Images read from a cache.
        CacheReadImage = "cache_read_image",
        /// Sound put into a cache.
        CacheWriteAudio = "cache_write_audio",
        /// Text written.
        Output = "output",
        /// Thoughts.
        Reasoning = "reasoning",
        /// Sound spoken.
        OutputAudio = "output_audio",
        /// Images drawn.
        OutputImage = "output_image",
        /// Video made.
        OutputVideo = "output_video",
    }
);

/// Names that emitters and Langfuse's price rows use for the same things.
const OTHER_NAMES: &[(&str, Bucket)] = &[
    ("prompt_tokens", Bucket::Input),
    ("completion_tokens", Bucket::Output),
    ("input_cached_tokens", Bucket::CacheRead),
    ("cached_tokens", Bucket::CacheRead),
    ("cache_read_tokens", Bucket::CacheRead),
    ("input_cache_read", Bucket::CacheRead),
    ("cache_read_input_tokens", Bucket::CacheRead),
    ("input_cache_creation", Bucket::CacheWrite),
    ("input_cache_write", Bucket::CacheWrite),
    ("cache_write_tokens", Bucket::CacheWrite),
    ("cache_creation_input_tokens", Bucket::CacheWrite),
    ("input_cache_creation_5m", Bucket::CacheWrite5m),
    ("input_cache_creation_1h", Bucket::CacheWrite1h),
    ("input_cache_creation_12h", Bucket::CacheWrite12h),
    ("input_audio_tokens", Bucket::InputAudio),
    ("input_image_tokens", Bucket::InputImage),
    ("input_video_tokens", Bucket::InputVideo),
    ("input_audio_cached", Bucket::CacheReadAudio),
    ("input_image_cached", Bucket::CacheReadImage),
    ("input_audio_cache_read", Bucket::CacheReadAudio),
    ("input_image_cache_read", Bucket::CacheReadImage),
    ("input_audio_cache_creation", Bucket::CacheWriteAudio),
    ("reasoning_tokens", Bucket::Reasoning),
    ("output_reasoning", Bucket::Reasoning),
    ("output_reasoning_tokens", Bucket::Reasoning),
    ("output_audio_tokens", Bucket::OutputAudio),
    ("output_image_tokens", Bucket::OutputImage),
    ("output_video_tokens", Bucket::OutputVideo),
];

impl Bucket {
    /// The kind that a usage name means. A name unknown that begins with `input` or `output` counts
    /// as text of that side; any other (`total`) is `None` and costs nothing.
    pub fn from_usage(name: &str) -> Option<Bucket> {
        Self::known(name)
            .or_else(|| name.starts_with("input").then_some(Bucket::Input))
            .or_else(|| name.starts_with("output").then_some(Bucket::Output))
    }

    /// The kind of that name or of another name in use for it.
    pub fn known(name: &str) -> Option<Bucket> {
        Self::from_name(name).or_else(|| {
            let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
            other.map(|(_, bucket)| *bucket)
        })
    }

    /// Whether it is part of the request, not of the answer.
    pub fn is_input(self) -> bool {
        self.rates().iter().all(|rate| rate.text() == Rate::Input)
    }

    /// The rate it takes, then what stands in where the vendor names none.
    pub fn rates(self) -> &'static [Rate] {
        match self {
            Bucket::Input => &[Rate::Input],
            Bucket::CacheRead => &[Rate::CacheRead, Rate::Input],
            Bucket::CacheWrite | Bucket::CacheWrite5m => &[Rate::CacheWrite, Rate::Input],
            Bucket::CacheWrite1h => &[Rate::CacheWrite1h, Rate::CacheWrite, Rate::Input],
            Bucket::CacheWrite12h => &[Rate::CacheWrite12h, Rate::CacheWrite, Rate::Input],
            Bucket::InputAudio => &[Rate::AudioInput, Rate::Input],
            Bucket::InputImage => &[Rate::ImageInput, Rate::Input],
            Bucket::InputVideo => &[Rate::VideoInput, Rate::Input],
            Bucket::CacheReadAudio => &[Rate::AudioCacheRead, Rate::CacheRead, Rate::Input],
            Bucket::CacheReadImage => &[Rate::ImageCacheRead, Rate::CacheRead, Rate::Input],
            Bucket::CacheWriteAudio => &[Rate::AudioCacheWrite, Rate::CacheWrite, Rate::Input],
            Bucket::Output => &[Rate::Output],
            Bucket::Reasoning => &[Rate::Reasoning, Rate::Output],
            Bucket::OutputAudio => &[Rate::AudioOutput, Rate::Output],
            Bucket::OutputImage => &[Rate::ImageOutput, Rate::Output],
            Bucket::OutputVideo => &[Rate::VideoOutput, Rate::Output],
        }
    }
}
