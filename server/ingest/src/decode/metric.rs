//! Metrics as sent.

use std::sync::Arc;

use domain::Attributes;
use domain::axes::bucket::Exponential;
use domain::span::Scope;

use super::Rejected;

/// A metric as its sender wrote it: nothing interpreted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawMetric {
    /// Its name.
    pub name: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// What its values are.
    pub sort: Sort,
    /// Its values.
    pub points: Vec<RawPoint>,
    /// Points that cannot be used.
    pub rejected: Rejected,
    /// Attributes of the instrumentation library, under a prefix.
    pub attributes: Attributes,
    /// Attributes of the sending process.
    pub resource: Arc<Attributes>,
    /// Instrumentation library.
    pub scope: Arc<Scope>,
    /// Something was longer, deeper or more than is kept.
    pub cut: bool,
    /// Bytes that were not UTF-8 were replaced.
    pub invalid_utf8: bool,
}

/// What the values of a metric are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// They are sums or histograms; otherwise what is the case at an instant.
    pub is_sum: bool,
    /// They tell what was added since the point before.
    pub is_delta: bool,
    /// They only grow. Histograms do.
    pub is_monotonic: bool,
}

/// One point of a metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawPoint {
    /// Its attributes, in the order sent.
    pub attributes: Attributes,
    /// Nanoseconds since 1970 when it began at zero; 0 when not given.
    pub start_unix_nanos: u64,
    /// Nanoseconds since 1970; 0 when not given.
    pub time_unix_nanos: u64,
    /// Bits of OTLP; the lowest says that there is no value any more.
    pub flags: u64,
    /// What was measured.
    pub value: RawValue,
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RawValue {
    /// Nothing that can be read.
    #[default]
    None,
    /// A number.
    Number(f64),
    /// Counts between bounds.
    Histogram(RawHistogram),
    /// Counts between bounds that grow by a factor.
    Exponential(RawExponential),
    /// Quantiles that the sender computed.
    Summary(RawSummary),
}

/// Counts between bounds: there is one count more than bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawHistogram {
    /// Observations.
    pub count: f64,
    /// Their sum.
    pub sum: Option<f64>,
    /// Upper bounds, in order.
    pub bounds: Vec<f64>,
    /// Observations of each bucket alone.
    pub counts: Vec<f64>,
}

/// Counts between bounds that grow by a factor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawExponential {
    /// Observations.
    pub count: f64,
    /// Their sum.
    pub sum: Option<f64>,
    /// Observations near zero.
    pub zero_count: f64,
    /// How near.
    pub zero_threshold: f64,
    /// Those above.
    pub positive: Exponential,
    /// Those below, by their distance from zero.
    pub negative: Exponential,
}

/// Quantiles that the sender computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawSummary {
    /// Observations.
    pub count: f64,
    /// Their sum.
    pub sum: f64,
    /// Quantiles and values.
    pub quantiles: Vec<(f64, f64)>,
}
