//! Choice of a time range.

use domain::Timestamp;

use super::{Choice, Shell};
use crate::choices::Choices;
use crate::pages::traces::query::{ListQuery, PRESETS, Range};
use crate::urls;

/// Choice of a time range.
#[derive(Clone, Debug)]
pub(crate) struct RangeControl {
    /// The range in words.
    pub(crate) label: String,
    /// The zone in which times are shown: `UTC+8`.
    pub(crate) zone: String,
    /// Its name.
    pub(crate) zone_name: String,
    /// Lengths up to now.
    pub(crate) presets: Vec<Choice>,
    /// The stretch before.
    pub(crate) earlier_url: String,
    /// The stretch after; empty when it lies in the future.
    pub(crate) later_url: String,
    /// Target of the form for a range of one's own.
    pub(crate) action: String,
    /// What the form keeps.
    pub(crate) keep: Vec<(&'static str, String)>,
    /// First instant, as a form shows it.
    pub(crate) from: String,
    /// Last instant, likewise.
    pub(crate) to: String,
    /// Zones to choose from.
    pub(crate) zones: Vec<Choice>,
    /// Sets the zone of the browser; its name is added by a script.
    pub(crate) zone_url: String,
}

/// Zones that the menu offers beside the browser's own.
const ZONES: [&str; 6] = [
    "UTC",
    "America/Los_Angeles",
    "America/New_York",
    "Europe/Berlin",
    "Asia/Shanghai",
    "Asia/Tokyo",
];

impl RangeControl {
    /// For a page; `address` is where it stands with another state.
    pub(crate) fn new(
        address: &dyn Fn(&ListQuery) -> String,
        query: &ListQuery,
        (shell, choices): (&Shell, &Choices),
        now: Timestamp,
    ) -> Self {
        let (from, to) = query.bounds(now);
        let zone = &choices.zone;
        let label = match query.range {
            Range::Last(preset) => shell.t(preset.label).to_owned(),
            Range::Between(from, to) => zone.span(from, to),
        };
        let later = query.moved(1, now);
        let later_starts = later.bounds(now).0;
        let keep = query.changed(|query| {
            query.range = ListQuery::default().range;
            query.live = false;
        });
        RangeControl {
            label,
            zone: zone.offset(to),
            zone_name: zone.name().to_owned(),
            presets: PRESETS
                .into_iter()
                .map(|preset| Choice {
                    label: shell.t(preset.label).to_owned(),
                    url: address(&query.changed(|query| query.range = Range::Last(preset))),
                    current: query.range == Range::Last(preset),
                })
                .collect(),
            earlier_url: address(&query.moved(-1, now)),
            later_url: if later_starts < now {
                address(&later)
            } else {
                String::new()
            },
            action: address(&ListQuery::default()),
            keep: keep.to_pairs(),
            from: zone.to_input(from),
            to: zone.to_input(to),
            zones: ZONES
                .iter()
                .map(|name| Choice {
                    label: (*name).to_owned(),
                    url: urls::preference("tz", name, &shell.here),
                    current: zone.name() == *name,
                })
                .collect(),
            zone_url: urls::preference("tz", "", &shell.here),
        }
    }
}
