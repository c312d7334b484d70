//! Series that a target had in its last scrape, so that the end of those that are gone is told.

use std::collections::HashMap;

use domain::axes::{Sample, Series, SeriesId, Track};
use domain::{ProjectId, Timestamp};

/// Series of the last scrape of one target.
#[derive(Debug, Default)]
pub(super) struct Seen(HashMap<SeriesId, Series>);

impl Seen {
    /// Those of a scrape. Series whose samples have times of their own are left out: their exporter, not the scrape, says
    /// when there is a value.
    pub(super) fn of(project: ProjectId, tracks: &[Track], at: Timestamp) -> Self {
        let undated = tracks
            .iter()
            .filter(|track| track.samples.iter().all(|sample| sample.time == at));
        let pairs = undated.map(|track| {
            let series = &track.series;
            let id = SeriesId::of(project, &series.name, &series.labels);
            (id, series.clone())
        });
        Seen(pairs.collect())
    }

    /// The end of each series that `now` does not have any more.
    pub(super) fn ends(&self, now: &Seen, at: Timestamp) -> Vec<Track> {
        let gone = self.0.iter().filter(|(id, _)| !now.0.contains_key(id));
        let end = Sample {
            time: at,
            value: f64::NAN,
        };
        gone.map(|(_, series)| Track {
            series: series.clone(),
            samples: vec![end],
            began: None,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use domain::axes::{Kind, Labels, Part};
    use uuid::Uuid;

    use super::*;

    fn track(name: &str, time: Timestamp) -> Track {
        Track {
            series: Series::new(
                name.into(),
                Labels::default(),
                (Kind::Gauge, Part::Whole),
                "".into(),
            ),
            samples: vec![Sample { time, value: 1.0 }],
            began: None,
        }
    }

    #[test]
    fn only_what_is_gone_and_had_the_time_of_its_scrape_ends() {
        let project = ProjectId(Uuid::nil());
        let at = Timestamp::parse("2026-11-05T13:00:00Z").unwrap();
        let dated = Timestamp::parse("2026-11-05T12:59:00Z").unwrap();
        let before = Seen::of(
            project,
            &[track("a", at), track("b", at), track("c", dated)],
            at,
        );
        let after = Seen::of(project, &[track("a", at)], at);
        let ends = before.ends(&after, at);
        let names: Vec<&str> = ends.iter().map(|end| &*end.series.name).collect();
        assert_eq!(names, ["b"]);
        assert!(ends[0].samples[0].value.is_nan());
        assert!(after.ends(&before, at).is_empty());
    }
}
