//! From samples of steps to lines of a chart.

use std::collections::BTreeMap;

use super::bucket::{self, Bucket};
use super::query::{Aggregation, Steps};
use super::series::{Kind, Labels, Part, Series, SeriesId};

/// What one series did within one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Which series.
    pub series: SeriesId,
    /// Number of the step, from 0 on.
    pub step: u32,
    /// Its newest value; not a number when it ended.
    pub last: f64,
    /// When that was, in milliseconds since 1970.
    pub last_ms: i64,
    /// How many values it has.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// What it grew by since the value before, restarts counted from zero.
    pub growth: f64,
    /// How many of its values have one before them.
    pub grown: u64,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is of.
    pub labels: Labels,
    /// A value a step; `None` where nothing is known.
    pub values: Vec<Option<f64>>,
}

/// Series as they were asked for: by the name of an axis value, in its unit and each source's best alone; by their own
/// name, as they are.
pub fn asked(series: Vec<(SeriesId, Series)>, metric: &str) -> Vec<(SeriesId, Series)> {
    let mut best: BTreeMap<String, u8> = BTreeMap::new();
    let mut series = series;
    for (_, series) in &mut series {
        series.reading = series
            .reading
            .take()
            .filter(|reading| reading.axis == metric);
        if let Some(reading) = &series.reading {
            let known = best.entry(source(&series.labels)).or_insert(u8::MAX);
            *known = reading.rank.min(*known);
        }
    }
    let is_best = |series: &Series| match &series.reading {
        Some(reading) => best.get(&source(&series.labels)) == Some(&reading.rank),
        None => true,
    };
    series.retain(|(_, series)| is_best(series));
    series
}

/// What suits series: rates of counters, the 95th percentile of histograms, means of the rest.
pub fn usual(series: &[(SeriesId, Series)]) -> Aggregation {
    let is_any = |test: fn(&Series) -> bool| series.iter().any(|(_, series)| test(series));
    if is_any(|series| series.part == Part::Bucket) {
        Aggregation::Quantile(0.95)
    } else if is_any(|series| series.kind != Kind::Gauge) {
        Aggregation::Rate
    } else {
        Aggregation::Avg
    }
}

/// Which parts of histograms an aggregation is made of: the mean of sum and count, the rate of the count.
pub fn parts(
    mut series: Vec<(SeriesId, Series)>,
    aggregation: Aggregation,
) -> Vec<(SeriesId, Series)> {
    let is_meant = |series: &Series| match (aggregation, series.part) {
        (Aggregation::Quantile(_), part) => part == Part::Bucket,
        (_, Part::Whole | Part::Quantile) => true,
        (_, _) if series.reading.is_none() => true,
        (Aggregation::Avg, part) => part != Part::Bucket,
        (Aggregation::Rate, part) => part == Part::Count,
        _ => false,
    };
    series.retain(|(_, series)| is_meant(series));
    series
}

/// Who tells: the GPU where one is named, else the process.
pub(super) fn source(labels: &Labels) -> String {
    let gpu = ["UUID", "uuid", "gpu_uuid", "GPU_UUID", "hw.id"];
    if let Some(id) = gpu.into_iter().find_map(|label| labels.get(label)) {
        let id = id.strip_prefix("GPU-").unwrap_or(id).to_lowercase();
        let slice = labels.get("GPU_I_ID").or(labels.get("gpu_instance_id"));
        return format!("{id} {}", slice.unwrap_or_default());
    }
    let process = ["instance", "pod", "k8s.pod.name", "host.name", "model_name"];
    let named = process.into_iter().find_map(|label| labels.get(label));
    named.unwrap_or_default().to_owned()
}

/// What the series of one line did, by step.
type BySteps<'a> = BTreeMap<u32, Vec<(&'a Series, &'a Cell)>>;

/// Lines, in the order of their labels. `cells` in any order.
pub fn lines(
    series: &[(SeriesId, Series)],
    cells: &[Cell],
    (steps, aggregation): (&Steps, Aggregation),
    group_by: Option<&[String]>,
) -> Vec<Line> {
    let by_id: BTreeMap<SeriesId, &Series> =
        series.iter().map(|(id, series)| (*id, series)).collect();
    let count = usize::try_from(steps.count()).unwrap_or(0);
    let mut groups: BTreeMap<Labels, BySteps<'_>> = BTreeMap::new();
    for cell in cells {
        let Some(series) = by_id.get(&cell.series) else {
            continue;
        };
        let group = groups.entry(group_of(series, group_by)).or_default();
        group.entry(cell.step).or_default().push((series, cell));
    }
    let to_line = |(labels, by_step): (Labels, BySteps<'_>)| {
        let mut values = vec![None; count];
        for (step, cells) in by_step {
            if let Some(value) = values.get_mut(step as usize) {
                let seconds = seconds_of(steps);
                *value = value_of(&cells, aggregation, seconds).filter(|value| value.is_finite());
            }
        }
        Line { labels, values }
    };
    groups.into_iter().map(to_line).collect()
}

#[expect(clippy::cast_precision_loss, reason = "steps are at most a year")]
fn seconds_of(steps: &Steps) -> f64 {
    steps.step.0 as f64 / 1e9
}

/// Series that stand alone are told apart by their name, too; a histogram is one thing.
fn group_of(series: &Series, group_by: Option<&[String]>) -> Labels {
    match group_by {
        Some(names) => series
            .labels
            .only(|name| names.iter().any(|wanted| wanted == name)),
        None => {
            let name = match series.reading {
                Some(_) => family(series),
                None => &series.name,
            };
            let own = series
                .labels
                .only(|name| series.part != Part::Bucket || !matches!(name, "le" | "gt"));
            own.with("__name__", name)
        }
    }
}

/// The name of the histogram that a series is a part of.
fn family(series: &Series) -> &str {
    let suffix = match series.part {
        Part::Bucket => "_bucket",
        Part::Sum => "_sum",
        Part::Count => "_count",
        Part::Whole | Part::Quantile => "",
    };
    series.name.strip_suffix(suffix).unwrap_or(&series.name)
}

/// The mean of what histograms observed within the step; `None` where there are none.
fn mean(cells: &[(&Series, &Cell)]) -> Option<f64> {
    let of = |part: Part| {
        let cells = cells.iter().filter(|(series, _)| series.part == part);
        let grown = cells.filter_map(|(series, cell)| {
            let factor = series.reading.as_ref()?.factor;
            Some(grown(series, cell)? * factor)
        });
        sum(grown)
    };
    let (sum, count) = (of(Part::Sum)?, of(Part::Count)?);
    (count > 0.0).then_some(sum / count)
}

fn value_of(cells: &[(&Series, &Cell)], aggregation: Aggregation, seconds: f64) -> Option<f64> {
    let scaled = |series: &Series, value: f64| {
        value
            * series
                .reading
                .as_ref()
                .map_or(1.0, |reading| reading.factor)
    };
    let with_values = || cells.iter().filter(|(_, cell)| cell.count > 0);
    match aggregation {
        Aggregation::Last => {
            let order = |cell: &Cell| (cell.last_ms, cell.series);
            let newest = cells.iter().max_by_key(|(_, cell)| order(cell));
            newest.map(|(series, cell)| scaled(series, cell.last))
        }
        Aggregation::Sum => {
            let last = cells.iter().filter(|(_, cell)| !cell.last.is_nan());
            sum(last.map(|(series, cell)| scaled(series, cell.last)))
        }
        Aggregation::Avg if cells.iter().any(|(series, _)| is_of_histogram(series)) => mean(cells),
        Aggregation::Avg => {
            let total = sum(with_values().map(|(series, cell)| scaled(series, cell.sum)))?;
            #[expect(clippy::cast_precision_loss, reason = "no step has 2^53 samples")]
            let count = with_values().map(|(_, cell)| cell.count).sum::<u64>() as f64;
            Some(total / count)
        }
        Aggregation::Min => with_values()
            .map(|(series, cell)| scaled(series, cell.min))
            .reduce(f64::min),
        Aggregation::Max => with_values()
            .map(|(series, cell)| scaled(series, cell.max))
            .reduce(f64::max),
        Aggregation::Rate => {
            let grown = cells
                .iter()
                .filter_map(|(series, cell)| Some(scaled(series, grown(series, cell)?)));
            sum(grown).map(|total| total / seconds)
        }
        Aggregation::Quantile(q) => quantile(cells, q),
    }
}

/// Asked for by the axis; by their own names sums and counts are plain counters.
fn is_of_histogram(series: &Series) -> bool {
    series.reading.is_some() && matches!(series.part, Part::Sum | Part::Count)
}

fn sum(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.reduce(|one, other| one + other)
}

/// What a series grew by within a step; a gauge may shrink, but what is asked of it is the same.
pub(super) fn grown(series: &Series, cell: &Cell) -> Option<f64> {
    match series.kind {
        Kind::Increase => (cell.count > 0).then_some(cell.sum),
        Kind::Counter | Kind::Gauge => (cell.grown > 0).then_some(cell.growth),
    }
}

/// Series with equal bounds are added up. Histograms of different bounds must not be mixed: of several the one whose
/// bounds counted most speaks.
fn quantile(cells: &[(&Series, &Cell)], q: f64) -> Option<f64> {
    let mut alone: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    let mut histograms: BTreeMap<Labels, Vec<(f64, f64)>> = BTreeMap::new();
    let mut factor = 1.0;
    for (series, cell) in cells {
        let Some(growth) = grown(series, cell) else {
            continue;
        };
        factor = series
            .reading
            .as_ref()
            .map_or(1.0, |reading| reading.factor);
        let bound = |label| {
            series
                .labels
                .get(label)
                .and_then(|text| text.parse::<f64>().ok())
        };
        match (bound("gt"), bound("le")) {
            (Some(above), Some(up_to)) => {
                *alone.entry((above.to_bits(), up_to.to_bits())).or_default() += growth;
            }
            (None, Some(up_to)) => {
                let of = series
                    .labels
                    .only(|name| name != "le")
                    .with("__name__", &series.name);
                histograms.entry(of).or_default().push((up_to, growth));
            }
            _ => {}
        }
    }
    if !alone.is_empty() {
        let buckets: Vec<Bucket> = alone
            .into_iter()
            .map(|((above, up_to), count)| Bucket {
                above: f64::from_bits(above),
                up_to: f64::from_bits(up_to),
                count,
            })
            .collect();
        return bucket::quantile(q, &buckets, true).map(|value| value * factor);
    }
    let mut by_bounds: BTreeMap<Vec<u64>, Vec<(f64, f64)>> = BTreeMap::new();
    for mut histogram in histograms.into_values() {
        histogram.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let bounds = histogram.iter().map(|(bound, _)| bound.to_bits()).collect();
        let total = by_bounds
            .entry(bounds)
            .or_insert_with(|| histogram.iter().map(|(bound, _)| (*bound, 0.0)).collect());
        for ((_, total), (_, count)) in total.iter_mut().zip(&histogram) {
            *total += count;
        }
    }
    let most = |histogram: &Vec<(f64, f64)>| histogram.last().map_or(0.0, |(_, count)| *count);
    let spoken = by_bounds
        .into_values()
        .max_by(|one, other| most(one).total_cmp(&most(other)))?;
    bucket::quantile(q, &bucket::apart(spoken), false).map(|value| value * factor)
}
