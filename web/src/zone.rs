//! Instants in a named time zone. Pages show every time in one zone, and name it.

use domain::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp as Instant, ZonedDateTime};

use crate::i18n::Lang;

/// The zone in which a reader sees times.
#[derive(Clone, Debug)]
pub(crate) struct Zone {
    name: String,
    rules: TimeZone,
    numeric: bool,
}

impl Zone {
    /// Coordinated universal time.
    pub(crate) fn utc() -> Self {
        Zone {
            name: "UTC".to_owned(),
            rules: TimeZone::UTC,
            numeric: false,
        }
    }

    /// A zone by its IANA name (`Asia/Shanghai`); `None` for a name nobody knows.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        if name == "UTC" {
            return Some(Zone::utc());
        }
        let rules = TimeZone::get(name).ok()?;
        let name = rules.iana_name()?.to_owned();
        Some(Zone {
            name,
            rules,
            numeric: false,
        })
    }

    /// The same zone, its dates in the manner of a language: `12 Mar`, `03-12`.
    #[must_use]
    pub(crate) fn for_lang(mut self, lang: Lang) -> Self {
        self.numeric = lang == Lang::Zh;
        self
    }

    fn day(&self) -> &'static str {
        if self.numeric { "%m-%d" } else { "%-d %b" }
    }

    fn day_of_year(&self) -> &'static str {
        if self.numeric {
            "%Y-%m-%d"
        } else {
            "%-d %b %Y"
        }
    }

    /// Its IANA name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its distance from UTC at an instant, as `UTC`, `UTC+8`, `UTC−3:30`.
    pub(crate) fn offset(&self, at: Timestamp) -> String {
        let seconds = self.at(at).offset().seconds();
        let (sign, minutes) = if seconds < 0 {
            ('−', -seconds / 60)
        } else {
            ('+', seconds / 60)
        };
        match (minutes / 60, minutes % 60) {
            (0, 0) => "UTC".to_owned(),
            (hours, 0) => format!("UTC{sign}{hours}"),
            (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
        }
    }

    /// `12 Mar 2026 02:31:07.214`, the year only where it is not this one.
    pub(crate) fn date_time(&self, at: Timestamp, now: Timestamp) -> String {
        let (then, now) = (self.at(at), self.at(now));
        let date = if then.year() == now.year() {
            self.day()
        } else {
            self.day_of_year()
        };
        let pattern = format!("{date} %H:%M:%S");
        format!("{}.{:03}", then.strftime(&pattern), then.millisecond())
    }

    /// `02:57:48.6` on the same day as `now`, else `11 Mar 02:57`, with the year where it is not
    /// this one.
    pub(crate) fn row_time(&self, at: Timestamp, now: Timestamp) -> String {
        let (then, now) = (self.at(at), self.at(now));
        if then.date() == now.date() {
            format!("{}.{}", then.strftime("%H:%M:%S"), then.millisecond() / 100)
        } else if then.year() == now.year() {
            then.strftime(&format!("{} %H:%M", self.day())).to_string()
        } else {
            self.minute(at)
        }
    }

    /// Every digit that is kept, for a hint: `12 Mar 2026 02:31:07.214000 UTC+8`.
    pub(crate) fn exact(&self, at: Timestamp) -> String {
        let pattern = format!("{} %H:%M:%S%.6f", self.day_of_year());
        format!("{} {}", self.at(at).strftime(&pattern), self.offset(at))
    }

    /// `12 Mar 2026 02:31`.
    pub(crate) fn minute(&self, at: Timestamp) -> String {
        self.at(at)
            .strftime(&format!("{} %H:%M", self.day_of_year()))
            .to_string()
    }

    /// `12 Mar 2026`.
    pub(crate) fn date(&self, at: Timestamp) -> String {
        self.at(at).strftime(self.day_of_year()).to_string()
    }

    /// `02:31`, or the date where columns are days apart.
    pub(crate) fn tick(&self, at: Timestamp, days_apart: bool) -> String {
        self.at(at)
            .strftime(if days_apart { self.day() } else { "%H:%M" })
            .to_string()
    }

    /// `02:31:07`.
    pub(crate) fn clock(&self, at: Timestamp) -> String {
        self.at(at).strftime("%H:%M:%S").to_string()
    }

    /// `Today 02:14 – 02:58`, `11 Mar 22:00 – 12 Mar 02:00`.
    pub(crate) fn span(&self, from: Timestamp, to: Timestamp) -> String {
        let (start, end) = (self.at(from), self.at(to));
        let whole = format!("{} %H:%M", self.day());
        let second = if start.date() == end.date() {
            "%H:%M"
        } else {
            whole.as_str()
        };
        format!("{} – {}", start.strftime(&whole), end.strftime(second))
    }

    /// The value of an `<input type="datetime-local">`.
    pub(crate) fn to_input(&self, at: Timestamp) -> String {
        self.at(at).strftime("%Y-%m-%dT%H:%M:%S").to_string()
    }

    /// The instant of an `<input type="datetime-local">`; `None` when it is not one.
    pub(crate) fn read_input(&self, text: &str) -> Option<Timestamp> {
        let civil: DateTime = text.parse().ok()?;
        let nanos = self
            .rules
            .to_ambiguous_zoned_datetime(civil)
            .compatible()
            .ok()?
            .timestamp();
        u64::try_from(nanos.as_nanosecond())
            .ok()
            .and_then(Timestamp::from_unix_nanos)
    }

    /// Seconds since midnight of an instant, to place ticks on round times.
    pub(crate) fn second_of_day(&self, at: Timestamp) -> i64 {
        let time = self.at(at).time();
        i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second())
    }

    /// An instant on the clocks of the zone.
    pub(crate) fn at(&self, at: Timestamp) -> ZonedDateTime {
        Instant::from_nanosecond(i128::from(at.unix_nanos()))
            .unwrap_or(Instant::UNIX_EPOCH)
            .to_zoned_datetime(self.rules.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_zone_is_named_by_its_distance_from_utc() {
        let shanghai = Zone::from_name("Asia/Shanghai").unwrap();
        let kathmandu = Zone::from_name("Asia/Kathmandu").unwrap();
        let now = at("2026-03-12T02:31:07.214Z");
        assert_eq!(shanghai.offset(now), "UTC+8");
        assert_eq!(kathmandu.offset(now), "UTC+5:45");
        assert_eq!(Zone::utc().offset(now), "UTC");
        assert!(Zone::from_name("../../etc/passwd").is_none());
    }

    #[test]
    fn times_are_short_where_the_rest_is_known() {
        let (zone, now) = (Zone::utc(), at("2026-03-12T02:58:00Z"));
        assert_eq!(
            zone.row_time(at("2026-03-12T02:57:48.612Z"), now),
            "02:57:48.6"
        );
        assert_eq!(
            zone.row_time(at("2026-03-11T02:57:48Z"), now),
            "11 Mar 02:57"
        );
        assert_eq!(
            zone.row_time(at("2025-03-11T02:57:48Z"), now),
            "11 Mar 2025 02:57"
        );
        assert_eq!(
            zone.exact(at("2026-03-12T02:31:07.214Z")),
            "12 Mar 2026 02:31:07.214000 UTC"
        );
        let instant = at("2026-03-12T02:31:07.214Z");
        assert_eq!(zone.date_time(instant, now), "12 Mar 02:31:07.214");
        let chinese = zone.clone().for_lang(Lang::Zh);
        assert_eq!(chinese.date_time(instant, now), "03-12 02:31:07.214");
        assert_eq!(chinese.minute(instant), "2026-03-12 02:31");
    }

    #[test]
    fn what_a_form_shows_it_reads_back() {
        let zone = Zone::from_name("Europe/Berlin").unwrap();
        let summer = at("2026-07-01T10:00:05Z");
        assert_eq!(zone.to_input(summer), "2026-07-01T12:00:05");
        assert_eq!(zone.read_input("2026-07-01T12:00:05"), Some(summer));
        assert_eq!(
            zone.read_input("2026-07-01T12:00"),
            Some(at("2026-07-01T10:00:00Z"))
        );
        assert_eq!(zone.read_input("yesterday"), None);
    }
}
