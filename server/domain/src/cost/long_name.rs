//! Names of kinds of usage in Langfuse's words, in which rules of tiers and price lists speak of them.

/// Kinds that are called otherwise there.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("cache_read", "input_cached_tokens"),
    ("cache_write", "input_cache_creation"),
    ("cache_write_5m", "input_cache_creation_5m"),
    ("cache_write_1h", "input_cache_creation_1h"),
    ("cache_write_12h", "input_cache_creation_12h"),
    ("input_audio", "input_audio_tokens"),
    ("input_image", "input_image_tokens"),
    ("input_video", "input_video_tokens"),
    ("cache_read_audio", "input_audio_cached"),
    ("cache_read_image", "input_image_cached"),
    ("cache_write_audio", "input_audio_cache_creation"),
    ("reasoning", "output_reasoning_tokens"),
    ("output_audio", "output_audio_tokens"),
    ("output_image", "output_image_tokens"),
    ("output_video", "output_video_tokens"),
];

/// What a kind of usage is called there.
pub fn long_name(kind: &str) -> &str {
    let other = OTHER_NAMES.iter().find(|(ours, _)| *ours == kind);
    other.map_or(kind, |(_, theirs)| theirs)
}

/// The kind of usage that is called so there.
pub fn kind_of_long_name(name: &str) -> &str {
    let other = OTHER_NAMES.iter().find(|(_, theirs)| *theirs == name);
    other.map_or(name, |(ours, _)| ours)
}
