//! Axis values that follow from others, where an exporter tells only the parts: hit rates out of hits and queries, use out
//! of used and total, means out of sums and counts.
//!
//! They are computed when they are asked for, out of the parts that fall into a step, and never stored. Parts may arrive
//! apart and in any order, and a ratio over several engines and a longer step is that of the sums, which no ratios
//! that were stored would give: Σ growth of the one ÷ Σ growth of the other.

use std::collections::{BTreeMap, BTreeSet};

use super::query::{Aggregation, Steps};
use super::range::{self, Cell, Line};
use super::series::{Labels, Part, Series, SeriesId};

/// How an axis value follows from others: a sum of parts over a sum of parts.
#[derive(Debug, PartialEq)]
pub struct Derivation {
    /// What follows.
    pub axis: &'static str,
    /// What of the parts counts.
    pub(super) way: Way,
    /// Parts with their factors.
    pub(super) over: &'static [(&'static str, f64)],
    /// Likewise; none: 1.
    under: &'static [(&'static str, f64)],
}

impl Derivation {
    /// What the parts come to; `None` where one of them is missing.
    fn share(&self, part: &dyn Fn(&str) -> Option<f64>) -> Option<Share> {
        let sum = |terms: &[(&str, f64)]| {
            let mut terms = terms.iter();
            terms.try_fold(0.0, |sum, (name, factor)| Some(sum + part(name)? * factor))
        };
        let under = match self.under {
            [] => 1.0,
            terms => sum(terms)?,
        };
        Some(Share(sum(self.over)?, under))
    }

    /// The value out of its parts; `None` where one of them is missing or there is nothing to divide by.
    pub(super) fn value(&self, part: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        self.share(part)?.value()
    }
}

/// What of the parts counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// What they grew by within the step.
    Growth,
    /// Their newest values within it.
    Newest,
}

const fn growth(
    axis: &'static str,
    over: &'static [(&'static str, f64)],
    under: &'static [(&'static str, f64)],
) -> Derivation {
    Derivation {
        axis,
        way: Way::Growth,
        over,
        under,
    }
}

const fn newest(
    axis: &'static str,
    over: &'static [(&'static str, f64)],
    under: &'static [(&'static str, f64)],
) -> Derivation {
    Derivation {
        axis,
        way: Way::Newest,
        over,
        under,
    }
}

/// Bytes of a gigabyte.
const GIGA: f64 = 1e9;
const USED: (&str, f64) = ("gpu.memory_used_bytes", 1.0);
const FREE: (&str, f64) = ("gpu.free_memory_gb", GIGA);
const TOTAL: (&str, f64) = ("gpu.memory_total_bytes", 1.0);
const HITS: (&str, f64) = ("token.prefix_cache_hits", 1.0);
const QUERIES: (&str, f64) = ("token.prefix_cache_queries", 1.0);
const CACHED: (&str, f64) = ("token.cached_tokens_per_s", 1.0);
const PROMPT: (&str, f64) = ("token.input_tokens_per_s", 1.0);
const REUSED: (&str, f64) = ("token.kv_cache_reused_blocks", 1.0);
const MISSED: (&str, f64) = ("token.kv_cache_missed_blocks", 1.0);

/// All of them. Of several for one value the first whose parts are all there counts.
pub const DERIVATIONS: &[Derivation] = &[
    growth("token.prefix_cache_hit_rate", &[HITS], &[QUERIES]),
    growth("token.prefix_cache_hit_rate", &[REUSED], &[REUSED, MISSED]),
    growth("token.prefix_cache_hit_rate", &[CACHED], &[PROMPT]),
    growth("token.kv_cache_hit_rate", &[CACHED], &[PROMPT]),
    growth("token.kv_cache_hit_rate", &[REUSED], &[REUSED, MISSED]),
    growth("token.kv_cache_hit_rate", &[HITS], &[QUERIES]),
    growth(
        "token.speculative_acceptance_rate",
        &[("token.speculative_accepted_tokens", 1.0)],
        &[("token.speculative_draft_tokens", 1.0)],
    ),
    newest(
        "token.kv_cache_usage",
        &[("token.kv_cache_used_blocks", 1.0)],
        &[("token.kv_cache_max_blocks", 1.0)],
    ),
    growth(
        "token.tpot_ms",
        &[("token.decode_total_ms", 1.0)],
        &[("token.decode_tokens_per_s", 1.0)],
    ),
    growth(
        "token.queue_ms",
        &[("token.queue_total_ms", 1.0)],
        &[("token.requests_ok_per_s", 1.0)],
    ),
    growth(
        "token.e2e_ms",
        &[("token.e2e_total_ms", 1.0)],
        &[("token.requests_ok_per_s", 1.0)],
    ),
    newest("gpu.memory_used_ratio", &[USED], &[USED, FREE]),
    newest("gpu.memory_used_ratio", &[USED], &[TOTAL]),
    newest(
        "gpu.free_memory_gb",
        &[(TOTAL.0, 1.0 / GIGA), (USED.0, -1.0 / GIGA)],
        &[],
    ),
    newest("gpu.memory_total_bytes", &[USED, FREE], &[]),
];

/// The ways in which a value follows from others, the best first.
pub(super) fn of(axis: &str) -> impl Iterator<Item = &'static Derivation> {
    DERIVATIONS.iter().filter(move |known| known.axis == axis)
}

/// Axis values that a value follows from; none for one that is only ever told.
pub fn parts_of(axis: &str) -> BTreeSet<&'static str> {
    of(axis)
        .flat_map(|known| known.over.iter().chain(known.under))
        .map(|(part, _)| *part)
        .collect()
}

/// Series by axis value.
pub type Parts = BTreeMap<&'static str, Vec<(SeriesId, Series)>>;

/// One GPU or instance whose value follows from others, within one line.
#[derive(Debug)]
pub struct Source {
    line: Labels,
    derivation: &'static Derivation,
    parts: Parts,
}

impl Source {
    /// All series that its value follows from.
    pub fn series(&self) -> impl Iterator<Item = SeriesId> {
        self.parts.values().flatten().map(|(id, _)| *id)
    }
}

/// Which GPUs or instances have a value that follows from `parts`. One that tells the value itself exactly is left as it
/// is; one that tells it nearly is taken out of `direct`.
pub fn sources(
    axis: &str,
    direct: &mut Vec<(SeriesId, Series)>,
    parts: Parts,
    group_by: Option<&[String]>,
) -> Vec<Source> {
    let told: BTreeSet<String> = direct
        .iter()
        .filter(|(_, series)| {
            let reading = series.reading.as_ref();
            reading.is_some_and(|reading| !reading.is_approximate)
        })
        .map(|(_, series)| range::source(&series.labels))
        .collect();
    let mut apart: BTreeMap<(String, Labels), Parts> = BTreeMap::new();
    for (part, series) in parts {
        for (id, series) in range::asked(series, part) {
            let source = range::source(&series.labels);
            if series.part != Part::Whole || told.contains(&source) {
                continue;
            }
            // Without a wish each source is a line, whatever else tells its parts apart.
            let line = group_by.map_or_else(Labels::default, |names| {
                let is_wanted = |name: &str| names.iter().any(|wanted| wanted == name);
                series.labels.only(is_wanted)
            });
            let of = apart.entry((source, line)).or_default();
            of.entry(part).or_default().push((id, series));
        }
    }
    let mut found = Vec::new();
    let mut derived = BTreeSet::new();
    for ((source, line), mut parts) in apart {
        let is_whole = |known: &&Derivation| {
            let mut needed = known.over.iter().chain(known.under);
            known.axis == axis && needed.all(|(part, _)| parts.contains_key(part))
        };
        let Some(derivation) = DERIVATIONS.iter().find(is_whole) else {
            continue;
        };
        let needed = || derivation.over.iter().chain(derivation.under);
        parts.retain(|part, _| needed().any(|(name, _)| name == part));
        let line = match group_by {
            Some(_) => line,
            None => common(&parts).with("__name__", axis),
        };
        derived.insert(source);
        found.push(Source {
            line,
            derivation,
            parts,
        });
    }
    direct.retain(|(_, series)| !derived.contains(&range::source(&series.labels)));
    found
}

/// Labels that all parts have alike.
fn common(parts: &Parts) -> Labels {
    let mut all = parts.values().flatten().map(|(_, series)| &series.labels);
    let first = all.next().cloned().unwrap_or_default();
    all.fold(first, |common, labels| {
        common.only(|name| common.get(name) == labels.get(name))
    })
}

/// What a source's parts come to within a step: over, under.
#[derive(Clone, Copy)]
struct Share(f64, f64);

impl Share {
    fn value(self) -> Option<f64> {
        (self.1 != 0.0).then_some(self.0 / self.1)
    }
}

/// Lines of derived values, in the order of their labels. The mean of several sources is that of their parts together; a
/// quantile or a rate cannot be derived.
pub fn lines(
    sources: &[Source],
    cells: &[Cell],
    (steps, aggregation): (&Steps, Aggregation),
) -> Vec<Line> {
    if matches!(aggregation, Aggregation::Quantile(_) | Aggregation::Rate) {
        return Vec::new();
    }
    let count = usize::try_from(steps.count()).unwrap_or(0);
    let mut by_series: BTreeMap<SeriesId, Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        by_series.entry(cell.series).or_default().push(cell);
    }
    let mut grouped: BTreeMap<Labels, Vec<Vec<Share>>> = BTreeMap::new();
    for source in sources {
        let line = grouped.entry(source.line.clone());
        let line = line.or_insert_with(|| vec![Vec::new(); count]);
        for (step, share) in shares(source, &by_series) {
            if let Some(shares) = line.get_mut(step as usize) {
                shares.push(share);
            }
        }
    }
    let to_line = |(labels, shares): (Labels, Vec<Vec<Share>>)| Line {
        labels,
        values: shares
            .iter()
            .map(|shares| put_together(shares, aggregation))
            .collect(),
    };
    grouped.into_iter().map(to_line).collect()
}

/// What a source's parts come to, by step; steps in which a part is missing are left out.
fn shares(source: &Source, cells: &BTreeMap<SeriesId, Vec<&Cell>>) -> BTreeMap<u32, Share> {
    let derivation = source.derivation;
    let mut by_step: BTreeMap<u32, BTreeMap<&str, f64>> = BTreeMap::new();
    for (part, series) in &source.parts {
        for (id, series) in series {
            for cell in cells.get(id).into_iter().flatten() {
                let value = match derivation.way {
                    Way::Growth => range::grown(series, cell),
                    Way::Newest => (!cell.last.is_nan()).then_some(cell.last),
                };
                let factor = series.reading.as_ref().map_or(1.0, |read| read.factor);
                if let Some(value) = value {
                    let parts = by_step.entry(cell.step).or_default();
                    *parts.entry(part).or_default() += value * factor;
                }
            }
        }
    }
    by_step
        .iter()
        .filter_map(|(step, parts)| {
            let share = derivation.share(&|part| parts.get(part).copied())?;
            Some((*step, share))
        })
        .collect()
}

fn put_together(shares: &[Share], aggregation: Aggregation) -> Option<f64> {
    let values = || shares.iter().filter_map(|share| share.value());
    match aggregation {
        Aggregation::Min => values().reduce(f64::min),
        Aggregation::Max => values().reduce(f64::max),
        Aggregation::Sum => values().reduce(|one, other| one + other),
        _ => {
            let add = |one: Share, other: Share| Share(one.0 + other.0, one.1 + other.1);
            shares.iter().copied().reduce(add)?.value()
        }
    }
    .filter(|value| value.is_finite())
}

/// Told and derived lines together. Where both have a value in a line of one name, each counts alike.
pub fn merged(told: Vec<Line>, derived: Vec<Line>, aggregation: Aggregation) -> Vec<Line> {
    let mut all: BTreeMap<Labels, Vec<Option<f64>>> = BTreeMap::new();
    for line in told.into_iter().chain(derived) {
        let Some(known) = all.get_mut(&line.labels) else {
            all.insert(line.labels, line.values);
            continue;
        };
        for (one, other) in known.iter_mut().zip(line.values) {
            *one = match (*one, other) {
                (Some(one), Some(other)) => Some(match aggregation {
                    Aggregation::Min => one.min(other),
                    Aggregation::Max => one.max(other),
                    Aggregation::Sum | Aggregation::Rate => one + other,
                    _ => f64::midpoint(one, other),
                }),
                (one, other) => one.or(other),
            };
        }
    }
    all.into_iter()
        .map(|(labels, values)| Line { labels, values })
        .collect()
}

#[cfg(test)]
#[path = "derived_tests.rs"]
mod tests;
