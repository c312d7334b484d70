//! Instants and durations with their unit in the type.

use std::fmt;
use std::ops::Sub;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// An instant: nanoseconds since 1970-01-01T00:00:00Z, from the year 1970 to 2262.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

/// A length of time in nanoseconds, never negative.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Nanos(pub u64);

/// Text that should have been an instant was not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time: give RFC 3339 such as 2026-01-05T01:00:00Z")]
pub struct InvalidTime;

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Timestamp = Timestamp(0);
    /// The last instant that fits: in the year 2262.
    pub const MAX: Timestamp = Timestamp(i64::MAX);

    /// From nanoseconds since the epoch; `None` past the year 2262.
    pub fn from_unix_nanos(nanos: u64) -> Option<Self> {
        i64::try_from(nanos).ok().map(Timestamp)
    }

    /// From milliseconds since the epoch; `None` out of range.
    pub fn from_unix_millis(millis: i64) -> Option<Self> {
        let nanos = millis.checked_mul(1_000_000)?;
        (nanos >= 0).then_some(Timestamp(nanos))
    }

    /// Nanoseconds since the epoch.
    pub fn unix_nanos(self) -> i64 {
        self.0
    }

    /// Milliseconds since the epoch, rounded down.
    pub fn unix_millis(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Seconds since the epoch, rounded down.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000_000)
    }

    /// The second in which it lies, from its beginning.
    #[must_use]
    pub fn whole_seconds(self) -> Self {
        Timestamp(self.0 - self.0.rem_euclid(1_000_000_000))
    }

    /// Later by `by`, at most [`Timestamp::MAX`].
    #[must_use]
    pub fn plus(self, by: Nanos) -> Self {
        Timestamp(self.0.saturating_add_unsigned(by.0))
    }

    /// Earlier by `by`, at least the epoch.
    #[must_use]
    pub fn minus(self, by: Nanos) -> Self {
        Timestamp(self.0.saturating_sub_unsigned(by.0).max(0))
    }

    /// Parses RFC 3339 (`2026-01-05T01:00:00Z`, `…+09:00`).
    ///
    /// # Errors
    /// When there is no zone, the text is something else, or the year is outside 1970–2262.
    pub fn parse(text: &str) -> Result<Self, InvalidTime> {
        let instant = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| InvalidTime)?;
        let nanos = i64::try_from(instant.unix_timestamp_nanos()).map_err(|_| InvalidTime)?;
        if nanos < 0 {
            Err(InvalidTime)
        } else {
            Ok(Timestamp(nanos))
        }
    }

    /// Parses a bound for times that are asked for, as [`Timestamp::parse`] does; one outside 1970–2262 is the
    /// nearest instant that fits, for nothing is stored beyond it.
    ///
    /// # Errors
    /// When there is no zone, or the text is something else.
    pub fn parse_bound(text: &str) -> Result<Self, InvalidTime> {
        let instant = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| InvalidTime)?;
        Ok(Timestamp::from(instant))
    }

    /// The same instant as a calendar type, in UTC.
    pub fn to_utc(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0))
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }
}

impl Timestamp {
    /// RFC 3339 in UTC with nanoseconds: the whole instant, for programs of our own.
    pub fn to_exact_text(self) -> String {
        let text = self.to_string();
        let nanos = self.0.rem_euclid(1_000);
        format!("{}{nanos:03}Z", text.trim_end_matches('Z'))
    }
}

impl From<OffsetDateTime> for Timestamp {
    /// Instants before 1970 become the epoch, those past the year 2262 the last that fits.
    fn from(instant: OffsetDateTime) -> Self {
        let nanos = instant.unix_timestamp_nanos().max(0);
        Timestamp(i64::try_from(nanos).unwrap_or(i64::MAX))
    }
}

impl Sub for Timestamp {
    type Output = Nanos;

    /// The time from `earlier` to `self`, zero when `earlier` is the later one.
    fn sub(self, earlier: Timestamp) -> Nanos {
        Nanos(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

/// RFC 3339 in UTC with microseconds, as the API gives every time.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let utc = self.to_utc();
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
            utc.year(),
            u8::from(utc.month()),
            utc.day(),
            utc.hour(),
            utc.minute(),
            utc.second(),
            utc.microsecond()
        )
    }
}

impl Nanos {
    /// From whole seconds.
    pub const fn from_seconds(seconds: u64) -> Self {
        Nanos(seconds.saturating_mul(1_000_000_000))
    }

    /// From whole milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Nanos(millis.saturating_mul(1_000_000))
    }

    /// As milliseconds with fractions.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a float of milliseconds is what JSON shows"
    )]
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_are_kept_and_shown_in_utc() {
        let instant = Timestamp::from_unix_nanos(1_750_000_000_123_456_789).unwrap();
        assert_eq!(instant.to_string(), "2025-06-15T15:06:40.123456Z");
    }

    #[test]
    fn a_zone_is_needed_and_honoured() {
        let utc = Timestamp::parse("2026-01-05T01:00:00Z").unwrap();
        assert_eq!(Timestamp::parse("2026-01-05T10:00:00+09:00").unwrap(), utc);
        for wrong in [
            "2026-01-05T10:00:00",
            "2026-01-05",
            "1767574800",
            "yesterday",
            "",
        ] {
            assert_eq!(Timestamp::parse(wrong), Err(InvalidTime), "{wrong}");
        }
    }

    #[test]
    fn a_bound_that_does_not_fit_is_the_nearest_that_does() {
        for (text, expected) in [
            ("0001-01-01T00:00:00Z", Timestamp::EPOCH),
            ("0001-01-01T00:00:00+14:00", Timestamp::EPOCH),
            ("1900-01-01T00:00:00Z", Timestamp::EPOCH),
            ("1969-12-31T23:59:59.999Z", Timestamp::EPOCH),
            ("2299-01-01T00:00:00Z", Timestamp::MAX),
            ("9999-12-31T23:59:59.999Z", Timestamp::MAX),
            ("9999-12-31T23:59:59-14:00", Timestamp::MAX),
            ("1970-01-01T00:00:00.000000007Z", Timestamp(7)),
        ] {
            assert_eq!(Timestamp::parse_bound(text), Ok(expected), "{text}");
        }
        for wrong in ["", "9999", "10000-01-01T00:00:00Z", "0001-01-01T00:00:00"] {
            assert_eq!(Timestamp::parse_bound(wrong), Err(InvalidTime), "{wrong}");
        }
    }

    #[test]
    fn a_difference_is_never_negative() {
        let (early, late) = (Timestamp(5), Timestamp(9));
        assert_eq!(late - early, Nanos(4));
        assert_eq!(early - late, Nanos(0));
    }
}
