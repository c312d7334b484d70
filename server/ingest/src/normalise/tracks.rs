//! Series and samples of one request while they are put together, within limits.

use std::sync::Arc;

use domain::axes::bucket::Bucket;
use domain::axes::{Kind, Labels, Part, Sample, Series, Track, names};
use domain::{Code, Fault, Nanos, Timestamp};

use crate::decode::Rejected;
use crate::decode::metric::RawExponential;

/// Series of one request. A small body could tell of very many: each point of a histogram is one of every bucket.
pub(super) const MAX_SERIES: usize = 200_000;
/// Labels of one series.
pub(super) const MAX_LABELS: usize = 64;
/// Bytes of a name, and of a label's value.
pub(super) const MAX_TEXT_BYTES: usize = 4_096;

/// A day.
const DAY: u64 = 24 * 3600;
/// How far ahead of us a sender's clock may be.
const AHEAD: Nanos = Nanos::from_seconds(DAY);
/// How old a sample may be: it keeps a request from touching hundreds of months.
const OLDEST: Nanos = Nanos::from_seconds(731 * DAY);

/// What came of a request.
#[derive(Debug)]
pub struct Tracks {
    arrival: Timestamp,
    /// Series with their samples.
    pub tracks: Vec<Track>,
    /// Points that cannot be used.
    pub rejected: Rejected,
}

/// What all series of one point have in common.
pub(super) struct Point<'p> {
    /// Name of the metric.
    pub(super) name: &'p str,
    /// Its labels.
    pub(super) labels: Labels,
    /// Its unit.
    pub(super) unit: &'p Arc<str>,
    /// What sums and counts are: since a start, or since the point before.
    pub(super) kind: Kind,
    /// When it was measured.
    pub(super) time: Timestamp,
    /// When it began at zero.
    pub(super) began: Option<Timestamp>,
}

impl Tracks {
    /// Of a request that arrived then.
    pub fn new(arrival: Timestamp) -> Self {
        Tracks {
            arrival,
            tracks: Vec::new(),
            rejected: Rejected::default(),
        }
    }

    /// How many samples there are.
    pub fn samples(&self) -> u64 {
        self.tracks
            .iter()
            .map(|track| track.samples.len() as u64)
            .sum()
    }

    /// An instant that can be believed.
    pub(super) fn time(&self, nanos: u64) -> Option<Timestamp> {
        let time = Timestamp::from_unix_nanos(nanos)?;
        let earliest = self.arrival.minus(OLDEST);
        (earliest..self.arrival.plus(AHEAD))
            .contains(&time)
            .then_some(time)
    }

    /// When the request arrived.
    pub(super) fn arrival(&self) -> Timestamp {
        self.arrival
    }

    /// Whether texts and labels are within the limits; why not.
    pub(super) fn check(name: &str, labels: &Labels) -> Result<(), &'static str> {
        if name.is_empty() {
            return Err("it has no name");
        }
        if labels.len() > MAX_LABELS {
            return Err("it has more than 64 labels");
        }
        let is_long = |text: &str| text.len() > MAX_TEXT_BYTES;
        if is_long(name)
            || labels
                .iter()
                .any(|(label, value)| is_long(label) || is_long(value))
        {
            return Err("a name or a label is longer than 4,096 bytes");
        }
        Ok(())
    }

    /// One series of a point.
    ///
    /// # Errors
    /// `too_large` for more than [`MAX_SERIES`].
    pub(super) fn push(
        &mut self,
        point: &Point<'_>,
        (suffix, bounds): (&str, &[(&str, f64)]),
        (kind, part): (Kind, Part),
        value: f64,
    ) -> Result<(), Fault> {
        if self.tracks.len() >= MAX_SERIES {
            let message = "more than 200,000 series: send smaller requests";
            return Err(Fault::new(Code::TooLarge, message));
        }
        let name: Arc<str> = match suffix {
            "" => point.name.into(),
            suffix => format!("{}{suffix}", point.name).into(),
        };
        if !names::is_value(&name, value) {
            return Ok(());
        }
        let mut labels = point.labels.clone();
        for (label, bound) in bounds {
            labels = labels.with(label, &text_of(*bound));
        }
        let series = Series::new(name, labels, (kind, part), Arc::clone(point.unit));
        // Times are kept to the millisecond, and what began within it began before it.
        let latest = point.time.minus(Nanos::from_millis(1));
        let began = point
            .began
            .filter(|began| *began < point.time && series.kind == Kind::Counter)
            .map(|began| began.min(latest));
        let sample = Sample {
            time: point.time,
            value,
        };
        self.tracks.push(Track {
            series,
            samples: vec![sample],
            began,
        });
        Ok(())
    }

    /// The series of a histogram whose bounds grow by a factor; `None`: there is no value any more.
    ///
    /// # Errors
    /// As [`Tracks::push`].
    pub(super) fn push_exponential(
        &mut self,
        point: &Point<'_>,
        histogram: Option<&RawExponential>,
    ) -> Result<(), Fault> {
        let Some(histogram) = histogram else {
            return self.push_count_and_sum(point, f64::NAN, Some(f64::NAN));
        };
        let (above, below) = (histogram.positive.buckets(), histogram.negative.buckets());
        let (Some(above), Some(below)) = (above, below) else {
            self.rejected
                .add("an exponential histogram has an impossible scale or too many buckets");
            return Ok(());
        };
        self.push_count_and_sum(point, histogram.count, histogram.sum)?;
        let mirrored = below.iter().map(|bucket| Bucket {
            above: -bucket.up_to,
            up_to: -bucket.above,
            count: bucket.count,
        });
        let near = histogram.zero_threshold.abs();
        let zero = (histogram.zero_count > 0.0).then_some(Bucket {
            above: 0.0 - near,
            up_to: near,
            count: histogram.zero_count,
        });
        for bucket in mirrored.chain(zero).chain(above) {
            let bounds = [("gt", bucket.above), ("le", bucket.up_to)];
            self.push(
                point,
                ("_bucket", &bounds),
                (point.kind, Part::Bucket),
                bucket.count,
            )?;
        }
        Ok(())
    }

    /// The number of observations and their sum.
    ///
    /// # Errors
    /// As [`Tracks::push`].
    pub(super) fn push_count_and_sum(
        &mut self,
        point: &Point<'_>,
        count: f64,
        sum: Option<f64>,
    ) -> Result<(), Fault> {
        self.push(point, ("_count", &[]), (point.kind, Part::Count), count)?;
        if let Some(sum) = sum {
            self.push(point, ("_sum", &[]), (point.kind, Part::Sum), sum)?;
        }
        Ok(())
    }
}

/// A bound as Prometheus writes it.
fn text_of(bound: f64) -> String {
    let size = bound.abs();
    if bound.is_infinite() {
        return if bound > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if bound == 0.0 {
        return "0".to_owned();
    }
    if (1e-5..1e15).contains(&size) {
        bound.to_string()
    } else {
        format!("{bound:e}")
    }
}
