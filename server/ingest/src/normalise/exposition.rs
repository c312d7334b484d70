//! Samples of a scraped target to series.

use std::collections::HashMap;
use std::sync::Arc;

use domain::axes::Labels;
use domain::{Fault, Nanos, Timestamp};

use super::remote_write::{NAME, add_series};
use super::tracks::Tracks;
use crate::decode::exposition::RawSample;
use crate::decode::remote_write::RawSeries;

/// How far a sample's own time may be from that of the scrape; beyond it the scrape's time is taken.
const NEAR: Nanos = Nanos::from_seconds(300);
/// Before a label of a sample that the target has, too.
const EXPORTED: &str = "exported_";
/// Behind the name of a family: when its counters began at zero, in seconds.
const CREATED: &str = "_created";

/// Labels of a thing, in the order of their names.
type Key<'s> = Vec<(&'s str, &'s str)>;
/// When things of a family began, in milliseconds since 1970.
type Beginnings<'s> = HashMap<(&'s str, Key<'s>), i64>;

/// Adds the samples of a scrape; what cannot be used is counted.
///
/// # Errors
/// As [`add_series`].
pub fn add_scraped(
    tracks: &mut Tracks,
    samples: &[RawSample],
    (target, at): (&Labels, Timestamp),
) -> Result<(), Fault> {
    let near = at.minus(NEAR).unix_millis()..=at.plus(NEAR).unix_millis();
    let beginnings = beginnings(samples, at);
    for sample in samples {
        let time = sample.time_ms.filter(|time| near.contains(time));
        let series = RawSeries {
            labels: labels(sample, target),
            sort: sample.sort,
            unit: Arc::clone(&sample.unit),
            samples: vec![(time.unwrap_or(at.unix_millis()), sample.value)],
            histograms: Vec::new(),
            began_ms: began(sample, &beginnings),
        };
        add_series(tracks, &series)?;
    }
    Ok(())
}

/// The target's labels go before those of the sample, which are kept under another name, as Prometheus does.
fn labels(sample: &RawSample, target: &Labels) -> Vec<(Arc<str>, Arc<str>)> {
    let name = (Arc::from(NAME), Arc::clone(&sample.name));
    let of_target = target.iter();
    let of_target = of_target.map(|(name, value)| (Arc::from(name), Arc::from(value)));
    let own = sample.labels.iter().filter(|(_, value)| !value.is_empty());
    let is_taken = |name: &str| {
        target.get(name).is_some() || sample.labels.iter().any(|(other, _)| &**other == name)
    };
    let own = own.map(|(name, value)| {
        if target.get(name).is_none() {
            return (Arc::clone(name), Arc::clone(value));
        }
        let mut exported = format!("{EXPORTED}{name}");
        while is_taken(&exported) {
            exported.insert_str(0, EXPORTED);
        }
        (exported.into(), Arc::clone(value))
    });
    [name].into_iter().chain(own).chain(of_target).collect()
}

/// Labels as a key, without those that tell parts of one thing apart.
fn key(sample: &RawSample) -> Key<'_> {
    let labels = sample.labels.iter();
    let labels = labels.map(|(name, value)| (&**name, &**value));
    let mut labels: Vec<_> = labels
        .filter(|(name, _)| !["le", "quantile"].contains(name))
        .collect();
    labels.sort_unstable();
    labels
}

/// Counters that began a moment ago, in milliseconds: what they had grown to when they were first seen is not lost. What
/// began earlier would put the growth of days into one instant.
fn beginnings(samples: &[RawSample], at: Timestamp) -> Beginnings<'_> {
    let recent = at.minus(NEAR).unix_millis()..at.unix_millis();
    let found = samples.iter().filter_map(|sample| {
        let family = sample.name.strip_suffix(CREATED)?;
        // It saturates: what is no time lies outside.
        #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
        let millis = (sample.value * 1e3) as i64;
        let is_recent = recent.contains(&millis);
        is_recent.then(|| ((family, key(sample)), millis))
    });
    found.collect()
}

fn began(sample: &RawSample, beginnings: &Beginnings<'_>) -> i64 {
    if beginnings.is_empty() {
        return 0;
    }
    let name = &sample.name;
    let mut families = ["_total", "_bucket", "_sum", "_count", ""]
        .into_iter()
        .filter_map(|suffix| name.strip_suffix(suffix));
    let key = key(sample);
    let known = families.find_map(|family| beginnings.get(&(family, key.clone())));
    known.copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use domain::axes::Track;

    use super::*;
    use crate::decode;

    const AT_MS: i64 = 1_790_000_000_000;

    fn scraped(text: &str, target: &[(&str, &str)]) -> Vec<Track> {
        let at = Timestamp::from_unix_millis(AT_MS).unwrap();
        let read = decode::exposition("", text.as_bytes()).unwrap();
        let pairs = target.iter();
        let target = Labels::new(pairs.map(|(name, value)| ((*name).into(), (*value).into())));
        let mut tracks = Tracks::new(at);
        add_scraped(&mut tracks, &read.samples, (&target, at)).unwrap();
        assert_eq!(tracks.rejected.count, 0);
        tracks.tracks
    }

    fn pairs(track: &Track) -> Vec<(&str, &str)> {
        track.series.labels.iter().collect()
    }

    #[test]
    fn labels_of_the_target_go_before_and_nothing_is_lost() {
        let target = [("job", "gpus"), ("instance", "a:9400"), ("pod", "")];
        let found = scraped(
            "m{job=\"j\",exported_job=\"e\",x=\"\",pod=\"p\"} 1",
            &target,
        );
        let expected = [
            ("exported_exported_job", "j"),
            ("exported_job", "e"),
            ("instance", "a:9400"),
            ("job", "gpus"),
            ("pod", "p"),
        ];
        assert_eq!(pairs(&found[0]), expected);
    }

    #[test]
    fn a_time_of_its_own_counts_when_it_is_near() {
        let near = AT_MS - 60_000;
        let text = format!("a 1 {near}\nb 1 {}\nc 1", AT_MS - 600_000);
        let found = scraped(&text, &[]);
        let times: Vec<i64> = found
            .iter()
            .map(|track| track.samples[0].time.unix_millis())
            .collect();
        assert_eq!(times, [near, AT_MS, AT_MS]);
    }

    #[test]
    fn a_counter_that_began_a_moment_ago_began_at_zero() {
        let text = "# TYPE a counter\na_total{x=\"1\"} 7\na_created{x=\"1\"} 1.78999999e9\na_total{x=\"2\"} 7\n\
                    # TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_count 2\nh_created 1.78e9\n";
        let found = scraped(text, &[]);
        let began = |at: usize| found[at].began.map(Timestamp::unix_millis);
        assert_eq!(began(0), Some(1_789_999_990_000));
        assert_eq!((began(2), began(3)), (None, None));
    }
}
