//! From the names of exporters to the names of the axes: one file an exporter, one line a series.
//!
//! Names are compared with `:`, `.` and `-` as `_` and without `_total`, because collectors rewrite the one and add or
//! remove the other. What a table says of a kind beats what the exporter declares: some declare it wrongly.
//!
//! To add an exporter: a file with its table, a line in [`TABLES`], a captured exposition in
//! `tests/fixtures/metrics`.

mod amd;
mod dcgm;
mod dynamo;
mod litellm;
mod llama_cpp;
mod nim;
mod nvidia_smi;
mod otel;
mod ray;
mod sglang;
mod tensorrt_llm;
mod tgi;
mod triton;
mod vllm;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::series::{Kind, Labels, Part};

/// Tables by exporter. Of two that know a name the first counts.
pub const TABLES: &[(&str, &[Name])] = &[
    ("vllm", vllm::NAMES),
    ("sglang", sglang::NAMES),
    ("tgi", tgi::NAMES),
    ("tensorrt_llm", tensorrt_llm::NAMES),
    ("triton", triton::NAMES),
    ("nim", nim::NAMES),
    ("llama_cpp", llama_cpp::NAMES),
    ("ray", ray::NAMES),
    ("dynamo", dynamo::NAMES),
    ("litellm", litellm::NAMES),
    ("dcgm", dcgm::NAMES),
    ("nvidia_smi", nvidia_smi::NAMES),
    ("amd", amd::NAMES),
    ("otel", otel::NAMES),
];

/// A series of an exporter, and what it says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Name {
    /// Its name, with `_` for `:` and `.`, without `_total`; of a histogram without `_bucket`, `_sum`, `_count`.
    pub series: &'static str,
    /// Name of the axis value.
    pub axis: &'static str,
    shape: Shape,
    factor: f64,
    rank: u8,
    is_approximate: bool,
    label: Option<(&'static str, &'static str)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Gauge,
    Counter,
    Histogram,
}

impl Name {
    const fn new(series: &'static str, axis: &'static str, shape: Shape) -> Self {
        Name {
            series,
            axis,
            shape,
            factor: 1.0,
            rank: 0,
            is_approximate: false,
            label: None,
        }
    }

    /// The axis value is the series' times that.
    const fn times(mut self, factor: f64) -> Self {
        self.factor = factor;
        self
    }

    /// Only where nothing of a lower rank is there; 0 by default.
    const fn after(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// It says something near what the axis means.
    const fn roughly(mut self) -> Self {
        self.is_approximate = true;
        self
    }

    /// Only where a label has that value, or begins with it where a `*` ends it.
    const fn when(mut self, label: &'static str, value: &'static str) -> Self {
        self.label = Some((label, value));
        self
    }
}

const fn gauge(series: &'static str, axis: &'static str) -> Name {
    Name::new(series, axis, Shape::Gauge)
}

const fn counter(series: &'static str, axis: &'static str) -> Name {
    Name::new(series, axis, Shape::Counter)
}

const fn histogram(series: &'static str, axis: &'static str) -> Name {
    Name::new(series, axis, Shape::Histogram)
}

/// What a series says of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Name of the axis value: `gpu.power_w`.
    pub axis: &'static str,
    /// Who exports it.
    pub exporter: &'static str,
    /// The axis value is the series' times that; counts of histograms are as they are.
    pub factor: f64,
    /// It counts only where nothing of a lower rank is there.
    pub rank: u8,
    /// It says something near what the axis means.
    pub is_approximate: bool,
    /// What its values are.
    pub kind: Kind,
    /// What it is of a histogram.
    pub part: Part,
}

static INDEX: LazyLock<HashMap<&str, Vec<(&str, &Name)>>> = LazyLock::new(|| {
    let mut index: HashMap<&str, Vec<(&str, &Name)>> = HashMap::new();
    for (exporter, names) in TABLES {
        for name in *names {
            index.entry(name.series).or_default().push((exporter, name));
        }
    }
    index
});

/// What a series of that name and those labels says of an axis, if anything.
pub fn read(name: &str, labels: &Labels) -> Option<Reading> {
    let name = plain(name);
    if is_told_twice(&name, labels) {
        return None;
    }
    let found = find(&name, labels, Part::Whole).or_else(|| {
        let parts = [
            ("_bucket", Part::Bucket),
            ("_sum", Part::Sum),
            ("_count", Part::Count),
        ];
        parts.into_iter().find_map(|(suffix, part)| {
            let base = name.strip_suffix(suffix)?;
            find(base, labels, part)
        })
    })?;
    let (exporter, name, part) = found;
    Some(Reading {
        axis: name.axis,
        exporter,
        factor: if part == Part::Count {
            1.0
        } else {
            name.factor
        },
        rank: name.rank,
        is_approximate: name.is_approximate,
        kind: match name.shape {
            Shape::Gauge => Kind::Gauge,
            Shape::Counter | Shape::Histogram => Kind::Counter,
        },
        part,
    })
}

/// Which exporter knows a name, whatever its labels.
pub fn exporter_of(name: &str) -> Option<&'static str> {
    let name = plain(name);
    let bases = ["", "_total", "_bucket", "_sum", "_count"].into_iter();
    let mut known = bases.filter_map(|suffix| INDEX.get(name.strip_suffix(suffix)?));
    known.next()?.first().map(|(exporter, _)| *exporter)
}

fn find(name: &str, labels: &Labels, part: Part) -> Option<(&'static str, &'static Name, Part)> {
    let names = INDEX
        .get(name)
        .or_else(|| INDEX.get(name.strip_suffix("_total")?))?;
    let is_meant = |known: &Name| match known.label {
        None => true,
        Some((label, value)) => {
            labels
                .get(label)
                .is_some_and(|found| match value.strip_suffix('*') {
                    Some(begin) => found.starts_with(begin),
                    None => found == value,
                })
        }
    };
    // Some write a bucket of a histogram without `_bucket`.
    let part = match part {
        Part::Whole if labels.get("le").is_some() => Part::Bucket,
        Part::Whole if labels.get("quantile").is_some() => return None,
        part => part,
    };
    let is_histogram = part != Part::Whole;
    let mut fitting = names
        .iter()
        .filter(|(_, known)| (known.shape == Shape::Histogram) == is_histogram && is_meant(known));
    fitting
        .next()
        .map(|(exporter, name)| (*exporter, *name, part))
}

/// Whether an engine's own series tells the same already.
fn is_told_twice(name: &str, labels: &Labels) -> bool {
    let by_router = name.starts_with("vllm_")
        && labels.get("server").is_some()
        && labels.get("model_name").is_none();
    // With all ranks on, each tells of the same requests.
    let by_rank =
        name.starts_with("sglang_") && labels.get("tp_rank").is_some_and(|rank| rank != "0");
    by_router || by_rank
}

/// As names stand in the tables.
fn plain(name: &str) -> String {
    let name = name.replace([':', '.', '-'], "_");
    match name.strip_prefix("ray_") {
        Some(engine) if engine.starts_with("vllm_") => engine.to_owned(),
        _ => name,
    }
}

/// Where DCGM's 64-bit marks for "no value" begin: 2⁶³ − 16, as near as a double comes.
const BLANK_INT64: f64 = 9_223_372_036_854_775_000.0;
/// Where its 32-bit marks begin and end.
const BLANK_INT32: std::ops::RangeInclusive<f64> = 2_147_483_632.0..=2_147_483_647.0;
/// Where its marks in doubles begin and end.
const BLANK_DOUBLE: std::ops::RangeInclusive<f64> = 140_737_488_355_000.0..=140_737_488_356_000.0;

/// Whether a value is one: some exporters have numbers that mean "there is none". The end of a series is kept.
pub fn is_value(name: &str, value: f64) -> bool {
    if value.is_nan() {
        return true;
    }
    if name.starts_with("DCGM_") {
        return value < BLANK_INT64
            && !BLANK_INT32.contains(&value)
            && !BLANK_DOUBLE.contains(&value);
    }
    value >= 0.0 || !plain(name).ends_with("prefix_cache_hit_rate")
}
