//! Prices per token, by what the token is.

use rust_decimal::Decimal;

use crate::span::named_enum;

named_enum!(
    /// A kind of token that has its own price. The names are those of the price file.
    Rate, default Input {
        /// Text read, not from a cache.
        Input = "input",
        /// Text written.
        Output = "output",
        /// Text read from a cache.
        CacheRead = "cache_read",
        /// Text put into a cache for the vendor's default time.
        CacheWrite = "cache_write",
        /// Text put into a cache for an hour.
        CacheWrite1h = "cache_write_1h",
        /// Text put into a cache for twelve hours.
        CacheWrite12h = "cache_write_12h",
        /// Thoughts; listed only where they differ from text written.
        Reasoning = "reasoning",
        /// Sound heard.
        AudioInput = "audio_input",
        /// Sound spoken.
        AudioOutput = "audio_output",
        /// Sound read from a cache.
        AudioCacheRead = "audio_cache_read",
        /// Sound put into a cache.
        AudioCacheWrite = "audio_cache_write",
        /// Images seen.
        ImageInput = "image_input",
        /// Images drawn.
        ImageOutput = "image_output",
        /// Images read from a cache.
        ImageCacheRead = "image_cache_read",
        /// Video seen.
        VideoInput = "video_input",
        /// Video made.
        VideoOutput = "video_output",
    }
);

impl Rate {
    /// The text rate of the same side, which a discount or a surcharge is read from.
    pub(super) fn text(self) -> Rate {
        match self {
            Rate::Output
            | Rate::Reasoning
            | Rate::AudioOutput
            | Rate::ImageOutput
            | Rate::VideoOutput => Rate::Output,
            Rate::Input
            | Rate::CacheRead
            | Rate::CacheWrite
            | Rate::CacheWrite1h
            | Rate::CacheWrite12h
            | Rate::AudioInput
            | Rate::AudioCacheRead
            | Rate::AudioCacheWrite
            | Rate::ImageInput
            | Rate::ImageCacheRead
            | Rate::VideoInput => Rate::Input,
        }
    }
}

/// USD per token, for the kinds that have a price. Five thousand models with three prices each:
/// kept as a short list, not as sixteen optional fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rates(Box<[(Rate, Decimal)]>);

impl Rates {
    /// The rate; `None` when the vendor names none, which is not the same as zero.
    pub fn get(&self, rate: Rate) -> Option<Decimal> {
        self.iter()
            .find(|(kind, _)| *kind == rate)
            .map(|(_, usd)| usd)
    }

    /// Every rate there is.
    pub fn iter(&self) -> impl Iterator<Item = (Rate, Decimal)> {
        self.0.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(Rate, Decimal)> for Rates {
    fn from_iter<I: IntoIterator<Item = (Rate, Decimal)>>(rates: I) -> Self {
        Rates(rates.into_iter().collect())
    }
}
