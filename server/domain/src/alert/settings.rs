//! What a project sets for all its rules.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::params::Reader;
use crate::{Fault, Nanos, Timestamp};

/// Settings of a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlertSettings {
    /// Time zone by its name in the IANA database; hours of the day are told in it.
    pub zone: String,
    /// Hour at which what is usual is worked out anew, 0 to 23.
    pub refresh_hour: u8,
    /// Days before that which it is worked out of, 1 to 28.
    pub baseline_days: u32,
    /// How many MADs are added to the median.
    pub baseline_mads: f64,
    /// Adaptive rules fire beyond the baseline times this.
    pub adaptive_factor: f64,
    /// Fewer minutes with values than that tell nothing of an hour.
    pub min_samples: u32,
    /// How long telemetry may take to arrive, seconds: steps are looked at that much later.
    pub delay_s: u64,
}

impl Default for AlertSettings {
    fn default() -> Self {
        AlertSettings {
            zone: "UTC".to_owned(),
            refresh_hour: 4,
            baseline_days: 7,
            baseline_mads: 3.0,
            adaptive_factor: 2.5,
            min_samples: 30,
            delay_s: 10,
        }
    }
}

impl AlertSettings {
    /// From JSON; what is left out stays as it is.
    ///
    /// # Errors
    /// `invalid` on the field.
    pub fn changed(&self, fields: &Map<String, Value>) -> Result<Self, Fault> {
        let mut reader = Reader::new("", fields);
        let zone = reader.text("zone", &self.zone)?;
        if TimeZone::get(&zone).is_err() {
            return Err(reader.wrong("zone", "give a name such as Europe/Berlin"));
        }
        let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let hour = reader.whole("refresh_hour", self.refresh_hour.into(), 0..=23)?;
        let changed = AlertSettings {
            zone,
            refresh_hour: u8::try_from(hour).unwrap_or(0),
            baseline_days: whole(reader.whole(
                "baseline_days",
                self.baseline_days.into(),
                1..=28,
            )?),
            baseline_mads: reader.number("baseline_mads", self.baseline_mads, 0.0..=100.0)?,
            adaptive_factor: reader.number("adaptive_factor", self.adaptive_factor, 0.01..=1e6)?,
            min_samples: whole(reader.whole("min_samples", self.min_samples.into(), 2..=1440)?),
            delay_s: reader.whole("delay_s", self.delay_s, 0..=600)?,
        };
        reader.end()?;
        Ok(changed)
    }

    /// The hour of the day, 0 to 23.
    pub fn hour_of(&self, at: Timestamp) -> u8 {
        self.civil(at)
            .map_or(0, |local| local.hour().unsigned_abs())
    }

    /// When what is usual was last worked out before an instant: the refresh hour of that day, or of the day before.
    pub fn refreshed_before(&self, at: Timestamp) -> Timestamp {
        let day = Nanos::from_seconds(86_400);
        [at, at.minus(day), at.minus(day).minus(day)]
            .into_iter()
            .filter_map(|instant| self.refresh_of_day(instant))
            .find(|refresh| *refresh <= at)
            .unwrap_or(Timestamp::EPOCH)
    }

    /// The hour of the day that an instant is in, so many days before it: begin and end.
    pub fn same_hour(&self, at: Timestamp, days_before: u32) -> Option<(Timestamp, Timestamp)> {
        let local = self.civil(at)?;
        let days = jiff::Span::new().try_days(days_before).ok()?;
        let date = local.date().checked_sub(days).ok()?;
        let begin = instant(&local, date.at(local.hour(), 0, 0, 0))?;
        Some((begin, begin.plus(Nanos::from_seconds(3_600))))
    }

    fn refresh_of_day(&self, at: Timestamp) -> Option<Timestamp> {
        let local = self.civil(at)?;
        let hour = i8::try_from(self.refresh_hour).ok()?;
        instant(&local, local.date().at(hour, 0, 0, 0))
    }

    fn civil(&self, at: Timestamp) -> Option<jiff::ZonedDateTime> {
        let zone = TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC);
        let instant = jiff::Timestamp::from_nanosecond(at.unix_nanos().into()).ok()?;
        Some(instant.to_zoned_datetime(zone))
    }
}

/// A time of the calendar in the zone of another. Where it is left out by a change of the clock, the one after it.
fn instant(local: &jiff::ZonedDateTime, time: jiff::civil::DateTime) -> Option<Timestamp> {
    let zone = local.time_zone();
    let instant = zone.to_ambiguous_timestamp(time).compatible().ok()?;
    Timestamp::from_unix_nanos(u64::try_from(instant.as_nanosecond()).ok()?)
}
