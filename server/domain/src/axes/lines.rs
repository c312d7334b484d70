//! Values of the axes over time: what is asked of requests and of the fleet, step by step.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ask::{Ask, MAX_GROUPS, Statistic};
use super::columns::{Codes, Requests};
use super::dimension::Dimension;
use super::query::Steps;
use super::state::{FleetState, Stretch};
use super::topology::Unit;
use super::value::{AxisValue, Fold};

/// A line of a chart, or the value of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisLine {
    /// Of each dimension that it is grouped by its value; `None`: unknown.
    pub group: Vec<(Dimension, Option<Arc<str>>)>,
    /// A value a step; `None`: no data. Never 0 for nothing, but of counts.
    pub values: Vec<Option<f64>>,
    /// How many values each step has.
    pub counts: Vec<u32>,
}

/// The answer to a question, its lines in the order of their groups. Without a fleet, requests answer what the fleet would.
pub fn lines(
    requests: &Requests,
    fleet: Option<&FleetState>,
    ask: &Ask,
    steps: &Steps,
) -> Vec<AxisLine> {
    let mut lines = match fleet.filter(|_| ask.is_of_fleet()) {
        Some(state) => of_fleet(state, ask, steps),
        None => of_requests(requests, ask, steps),
    };
    lines.sort_by(|one, other| one.group.cmp(&other.group));
    lines
}

/// What becomes of some values, in the order of time. Counts and sums of nothing are nothing; of requests none is 0.
pub fn statistic(values: &mut [f64], statistic: Statistic, seconds: f64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "no step has 2^53 values")]
    let count = values.len() as f64;
    Some(match statistic {
        Statistic::Avg | Statistic::Rate => values.iter().sum::<f64>() / count,
        Statistic::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
        Statistic::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Statistic::Sum => values.iter().sum(),
        Statistic::Count => count,
        Statistic::Last => *values.last()?,
        Statistic::PerSecond => values.iter().sum::<f64>() / seconds,
        Statistic::Quantile(q) => quantile(values, q),
    })
}

/// Between two values in proportion: Hyndman and Fan, "Sample quantiles in statistical packages" (1996), type 7.
fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place among values that are in memory"
    )]
    let (place, below) = {
        let place = (values.len() - 1) as f64 * q.clamp(0.0, 1.0);
        (place, place as usize)
    };
    let above = (below + 1).min(values.len() - 1);
    let part = place.fract();
    values[below] + (values[above] - values[below]) * part
}

/// A group by the codes of its dimensions.
type Group = Vec<u32>;

fn of_requests(requests: &Requests, ask: &Ask, steps: &Steps) -> Vec<AxisLine> {
    let count = usize::try_from(steps.count()).unwrap_or(0);
    let column = requests.column(&ask.series.value);
    let is_kept = kept(requests, ask);
    let codes = ask
        .group_by
        .iter()
        .map(|dimension| requests.dimension(*dimension));
    let codes: Vec<&Codes> = codes.collect();
    let mut rows: BTreeMap<Group, Vec<(usize, f64)>> = BTreeMap::new();
    if ask.group_by.is_empty() {
        rows.insert(Vec::new(), Vec::new());
    }
    for (row, start) in requests.starts.iter().enumerate() {
        let step = step_of(*start, steps).filter(|step| *step < count && is_kept(row));
        let value = match &ask.series.value {
            AxisValue::Requests => Some(1.0),
            _ => column.and_then(|column| column.get(row)),
        };
        if let (Some(step), Some(value)) = (step, value) {
            let group = codes.iter().map(|codes| codes.codes[row]).collect();
            rows.entry(group).or_default().push((step, value));
        }
    }
    let most = most_frequent(rows.into_iter().collect(), |(_, rows)| rows.len());
    let line = |(group, rows): (Group, Vec<(usize, f64)>)| {
        let (values, counts) = by_step(&rows, ask, (count, seconds_of(steps)));
        let names = group
            .iter()
            .zip(&codes)
            .map(|(code, codes)| codes.names.get(*code as usize).cloned());
        AxisLine {
            group: ask.group_by.iter().copied().zip(names).collect(),
            values,
            counts,
        }
    };
    most.into_iter().map(line).collect()
}

/// Those that most lies behind: dimensions may have any number of values.
fn most_frequent<T>(mut groups: Vec<T>, weight: impl Fn(&T) -> usize) -> Vec<T> {
    if groups.len() > MAX_GROUPS {
        groups.sort_by_key(|group| std::cmp::Reverse(weight(group)));
        groups.truncate(MAX_GROUPS);
    }
    groups
}

/// What becomes of the values of each step, and how many there are. `rows` in the order of time.
fn by_step(
    rows: &[(usize, f64)],
    ask: &Ask,
    (count, seconds): (usize, f64),
) -> (Vec<Option<f64>>, Vec<u32>) {
    let counted = [Statistic::Count, Statistic::Sum, Statistic::PerSecond];
    let is_count =
        ask.series.value == AxisValue::Requests && counted.contains(&ask.series.statistic);
    let mut values = vec![is_count.then_some(0.0); count];
    let mut counts = vec![0; count];
    for of_step in rows.chunk_by(|one, other| one.0 == other.0) {
        let Some((step, _)) = of_step.first() else {
            continue;
        };
        let mut numbers: Vec<f64> = of_step.iter().map(|(_, value)| *value).collect();
        counts[*step] = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        values[*step] = statistic(&mut numbers, ask.series.statistic, seconds);
    }
    (values, counts)
}

/// Whether a request has one of the values that each dimension is narrowed to.
fn kept<'a>(requests: &'a Requests, ask: &'a Ask) -> impl Fn(usize) -> bool + use<'a> {
    let only: Vec<(&Codes, Vec<bool>)> = ask
        .only
        .iter()
        .map(|(dimension, values)| {
            let codes = requests.dimension(*dimension);
            let meant = |name: &Arc<str>| values.iter().any(|value| **value == **name);
            (codes, codes.names.iter().map(meant).collect())
        })
        .collect();
    move |row| {
        let mut all = only.iter();
        all.all(|(codes, meant)| {
            meant
                .get(codes.codes[row] as usize)
                .copied()
                .unwrap_or(false)
        })
    }
}

fn of_fleet(state: &FleetState, ask: &Ask, steps: &Steps) -> Vec<AxisLine> {
    let name = ask.series.value.to_string();
    let fleet = &state.fleet;
    let is_gpu = matches!(ask.series.value, AxisValue::Gpu(_));
    let units = if is_gpu {
        &fleet.gpus
    } else {
        &fleet.instances
    };
    let mut groups: BTreeMap<Vec<Option<Arc<str>>>, Vec<&Unit>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let of = |dimension: Dimension| match (dimension, is_gpu) {
            (Dimension::Gpu, true) | (Dimension::Instance, false) => Some(Arc::clone(&unit.name)),
            (Dimension::Instance, true) => {
                let instance = fleet.instance_of(at)?;
                Some(Arc::clone(&fleet.instances[instance].name))
            }
            (Dimension::Gpu, false) => match fleet.gpus_of[at].as_slice() {
                [gpu] => Some(Arc::clone(&fleet.gpus[*gpu].name)),
                _ => None,
            },
            _ => None,
        };
        let is_meant = |(dimension, values): &(Dimension, Vec<String>)| {
            of(*dimension).is_some_and(|name| values.iter().any(|value| **value == *name))
        };
        if ask.only.iter().all(is_meant) {
            let group = ask
                .group_by
                .iter()
                .map(|dimension| of(*dimension))
                .collect();
            groups.entry(group).or_default().push(unit);
        }
    }
    if ask.group_by.is_empty() {
        groups.entry(Vec::new()).or_default();
    }
    let seconds = seconds_of(steps);
    let step_ms = i64::try_from(steps.step.0 / 1_000_000)
        .unwrap_or(i64::MAX)
        .max(1);
    let count = i64::try_from(steps.count()).unwrap_or(0);
    let line = |(group, units): (Vec<Option<Arc<str>>>, Vec<&Unit>)| {
        let by_step = (0..count).map(|step| {
            let from_ms = steps.from.unix_millis() + step * step_ms;
            let to_ms = (from_ms + step_ms).min(steps.to.unix_millis());
            let stretch = Stretch { from_ms, to_ms };
            let mut values = match ask.series.statistic {
                Statistic::Sum => means(state, &units, &name, stretch),
                _ => state.within(&units, &name, stretch),
            };
            let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
            (statistic(&mut values, ask.series.statistic, seconds), count)
        });
        let (values, counts) = by_step.unzip();
        AxisLine {
            group: ask.group_by.iter().copied().zip(group).collect(),
            values,
            counts,
        }
    };
    let most = most_frequent(groups.into_iter().collect(), |(_, units)| units.len());
    most.into_iter().map(line).collect()
}

/// The mean of each, so that their sum does not grow with the number of scrapes.
fn means(state: &FleetState, units: &[&Unit], name: &str, stretch: Stretch) -> Vec<f64> {
    let means = units.iter().filter_map(|unit| {
        let values = state.within(&[*unit], name, stretch);
        Fold::Mean.of(values.into_iter())
    });
    means.collect()
}

fn step_of(time: crate::Timestamp, steps: &Steps) -> Option<usize> {
    if time < steps.from || time >= steps.to {
        return None;
    }
    usize::try_from((time - steps.from).0 / steps.step.0.max(1)).ok()
}

#[expect(clippy::cast_precision_loss, reason = "steps are at most a year")]
fn seconds_of(steps: &Steps) -> f64 {
    steps.step.0 as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_those_of_numpy() {
        let of = |text: &str| {
            let mut values = vec![4.0, 1.0, 3.0, 2.0];
            statistic(&mut values, Statistic::parse(text).unwrap(), 8.0)
        };
        // numpy.percentile([4, 1, 3, 2], q)
        for (text, expected) in [
            ("p0", 1.0),
            ("p25", 1.75),
            ("p50", 2.5),
            ("p99", 3.97),
            ("p100", 4.0),
            ("avg", 2.5),
            ("min", 1.0),
            ("max", 4.0),
            ("sum", 10.0),
            ("count", 4.0),
            ("last", 2.0),
            ("per_s", 1.25),
        ] {
            let found = of(text).unwrap();
            assert!((found - expected).abs() < 1e-12, "{text}: {found}");
        }
        assert_eq!(statistic(&mut [], Statistic::Sum, 1.0), None);
        assert_eq!(Statistic::parse("p99.9").unwrap().to_string(), "p99.9");
        for wrong in ["p101", "p", "p1e1", "p-1", "most", "pNaN"] {
            assert_eq!(Statistic::parse(wrong), None, "{wrong}");
        }
    }
}
