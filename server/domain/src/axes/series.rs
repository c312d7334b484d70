//! Series and samples.

use std::fmt;
use std::sync::Arc;

use twox_hash::XxHash3_64;

use super::names::{self, Reading};
use crate::{ProjectId, Timestamp};

/// Labels by name, each once, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Labels(Vec<(Arc<str>, Arc<str>)>);

impl Labels {
    /// Sorted; of several with one name the last stays, and a label without a value is none.
    pub fn new(pairs: impl IntoIterator<Item = (Arc<str>, Arc<str>)>) -> Self {
        let mut labels: Vec<_> = pairs.into_iter().collect();
        labels.sort_by(|(one, _), (other, _)| one.cmp(other));
        labels.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = Arc::clone(&later.1);
            }
            same
        });
        labels.retain(|(_, value)| !value.is_empty());
        Labels(labels)
    }

    /// The value of a label.
    pub fn get(&self, name: &str) -> Option<&str> {
        let at = self
            .0
            .binary_search_by(|(known, _)| known.as_ref().cmp(name));
        at.ok().map(|at| self.0[at].1.as_ref())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_ref(), value.as_ref()))
    }

    /// The same with one more.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Self {
        let more = (Arc::from(name), Arc::from(value));
        Labels::new(self.0.iter().cloned().chain([more]))
    }

    /// Only those that `keep` says.
    #[must_use]
    pub fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.0.iter().filter(|(name, _)| keep(name)).cloned();
        Labels(kept.collect())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What the values of a series are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What is the case at an instant.
    Gauge,
    /// A sum since a start; a value below the one before tells of a restart.
    Counter,
    /// What was added since the value before.
    Increase,
}

impl Kind {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Gauge => "gauge",
            Kind::Counter => "counter",
            Kind::Increase => "increase",
        }
    }

    /// From [`Kind::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        [Kind::Gauge, Kind::Counter, Kind::Increase]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// What a series is of the thing that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// Observations in one bucket of a histogram: up to `le`, or between `gt` and `le` when it has both labels.
    Bucket,
    /// The sum of all observations.
    Sum,
    /// The number of observations.
    Count,
    /// A quantile that the sender computed.
    Quantile,
}

impl Part {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Whole => "whole",
            Part::Bucket => "bucket",
            Part::Sum => "sum",
            Part::Count => "count",
            Part::Quantile => "quantile",
        }
    }

    /// From [`Part::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        [
            Part::Whole,
            Part::Bucket,
            Part::Sum,
            Part::Count,
            Part::Quantile,
        ]
        .into_iter()
        .find(|part| part.as_str() == text)
    }
}

/// One thing that is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name, as the exporter has it.
    pub name: Arc<str>,
    /// What tells it from others of that name.
    pub labels: Labels,
    /// What its values are.
    pub kind: Kind,
    /// What it is of the thing that is measured.
    pub part: Part,
    /// Unit as the sender calls it; empty when it did not say.
    pub unit: Arc<str>,
    /// What it says of an axis, if anything.
    pub reading: Option<Reading>,
}

impl Series {
    /// A series with what the table of names knows of it, which beats what the sender says of its kind.
    pub fn new(name: Arc<str>, labels: Labels, (kind, part): (Kind, Part), unit: Arc<str>) -> Self {
        let reading = names::read(&name, &labels);
        let known = reading.as_ref().filter(|_| part == Part::Whole);
        // What was added can only be told by the sender.
        let kind = match known {
            Some(reading) if kind != Kind::Increase => reading.kind,
            _ => kind,
        };
        let part = known.map_or(part, |reading| reading.part);
        Series {
            name,
            labels,
            kind,
            part,
            unit,
            reading,
        }
    }
}

/// One value of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// When; kept to the millisecond.
    pub time: Timestamp,
    /// The value; not a number: from here on there is none.
    pub value: f64,
}

/// Samples of one series.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The series.
    pub series: Series,
    /// Its samples, in any order.
    pub samples: Vec<Sample>,
    /// When it began at zero, where its sender knows.
    pub began: Option<Timestamp>,
}

/// A series that has samples in the hour of an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its id.
    pub id: SeriesId,
    /// The series.
    pub series: Series,
    /// The beginning of the hour.
    pub hour: Timestamp,
}

/// A sample with the series that it is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The series.
    pub series: SeriesId,
    /// Its sample.
    pub sample: Sample,
}

/// Which series of a project it is: a hash of project, name and labels, so that it is the same on every server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeriesId(pub u64);

impl SeriesId {
    /// Of a series.
    pub fn of(project: ProjectId, name: &str, labels: &Labels) -> Self {
        let mut bytes = project.as_uuid().as_bytes().to_vec();
        let mut push = |text: &str| {
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        };
        push(name);
        for (name, value) in labels.iter() {
            push(name);
            push(value);
        }
        SeriesId(XxHash3_64::oneshot(&bytes))
    }
}

impl fmt::Display for SeriesId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
