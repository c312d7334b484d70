//! Sums of parts over sums of parts, source by source.

use std::sync::Arc;

use uuid::Uuid;

use super::super::names::TABLES;
use super::super::{Kind, Part};
use super::*;
use crate::{Nanos, ProjectId, Timestamp};

fn series(name: &str, pairs: &[(&str, &str)]) -> (SeriesId, Series) {
    let pairs = pairs.iter();
    let labels = Labels::new(pairs.map(|(name, value)| (Arc::from(*name), Arc::from(*value))));
    let id = SeriesId::of(ProjectId(Uuid::nil()), name, &labels);
    let kinds = (Kind::Gauge, Part::Whole);
    (id, Series::new(name.into(), labels, kinds, "".into()))
}

fn cell(id: SeriesId, step: u32, last: f64, growth: Option<f64>) -> Cell {
    Cell {
        series: id,
        step,
        last,
        last_ms: i64::from(step),
        count: 1,
        sum: last,
        min: last,
        max: last,
        growth: growth.unwrap_or(0.0),
        grown: u64::from(growth.is_some()),
    }
}

fn parts(all: &[&(SeriesId, Series)]) -> Parts {
    let mut parts = Parts::new();
    for (id, series) in all {
        let axis = series.reading.as_ref().unwrap().axis;
        let of = parts.entry(axis).or_default();
        of.push((*id, series.clone()));
    }
    parts
}

fn two_steps() -> Steps {
    let end = Timestamp::EPOCH.plus(Nanos::from_seconds(20));
    Steps::new((Timestamp::EPOCH, end), Some(10.0)).unwrap()
}

const HITS: &str = "vllm:prefix_cache_hits_total";
const QUERIES: &str = "vllm:prefix_cache_queries_total";
const HIT_RATE: &str = "token.prefix_cache_hit_rate";

#[test]
fn every_part_is_told_by_some_exporter() {
    let told: BTreeSet<&str> = TABLES
        .iter()
        .flat_map(|(_, names)| names.iter().map(|name| name.axis))
        .collect();
    for derivation in DERIVATIONS {
        let parts = derivation.over.iter().chain(derivation.under);
        for (part, _) in parts {
            assert!(told.contains(part), "{part}");
            assert_ne!(*part, derivation.axis);
        }
    }
}

#[test]
fn a_ratio_of_several_engines_is_that_of_their_sums() {
    let of = |name: &str, instance: &str| series(name, &[("instance", instance), ("m", "x")]);
    let (hits_a, queries_a) = (of(HITS, "a"), of(QUERIES, "a"));
    let (hits_b, queries_b) = (of(HITS, "b"), of(QUERIES, "b"));
    let all = parts(&[&hits_a, &queries_a, &hits_b, &queries_b]);
    let cells = [
        cell(hits_a.0, 0, 1_000.0, Some(90.0)),
        cell(queries_a.0, 0, 2_000.0, Some(100.0)),
        cell(hits_b.0, 0, 5.0, Some(10.0)),
        cell(queries_b.0, 0, 2.0, Some(900.0)),
        // Nothing was asked, and the first value of a counter says nothing of its growth.
        cell(hits_a.0, 1, 1_000.0, Some(0.0)),
        cell(queries_a.0, 1, 2_000.0, Some(0.0)),
        cell(hits_b.0, 1, 5.0, None),
    ];
    let ask = |aggregation, group_by: Option<&[String]>| {
        let sources = sources(HIT_RATE, &mut Vec::new(), all.clone(), group_by);
        lines(&sources, &cells, (&two_steps(), aggregation))
    };
    let together = ask(Aggregation::Avg, Some(&[]));
    assert_eq!(together.len(), 1);
    assert_eq!(together[0].values, [Some(0.1), None]);
    assert_eq!(ask(Aggregation::Max, Some(&[]))[0].values[0], Some(0.9));
    let alone = ask(Aggregation::Avg, None);
    let firsts: Vec<_> = alone.iter().map(|line| line.values[0]).collect();
    assert_eq!(firsts, [Some(0.9), Some(10.0 / 900.0)]);
    assert_eq!(alone[0].labels.get("m"), Some("x"));
    assert_eq!(alone[0].labels.get("__name__"), Some(HIT_RATE));
    assert_eq!(ask(Aggregation::Rate, None), []);
}

#[test]
fn what_is_told_exactly_goes_before_and_what_is_told_nearly_after() {
    let near = series("sglang:cache_hit_rate", &[("instance", "a")]);
    let (cached, prompt) = (
        series("sglang:cached_tokens_total", &[("instance", "a")]),
        series("sglang:prompt_tokens_total", &[("instance", "a")]),
    );
    let mut direct = vec![near];
    let found = sources(HIT_RATE, &mut direct, parts(&[&cached, &prompt]), None);
    assert_eq!((found.len(), direct.len()), (1, 0));
    let exact = series("vllm:gpu_prefix_cache_hit_rate", &[("instance", "a")]);
    let mut direct = vec![exact];
    let (hits, queries) = (
        series(HITS, &[("instance", "a")]),
        series(QUERIES, &[("instance", "a")]),
    );
    let found = sources(HIT_RATE, &mut direct, parts(&[&hits, &queries]), None);
    assert_eq!((found.len(), direct.len()), (0, 1));
    // A part without the other says nothing.
    let found = sources(HIT_RATE, &mut Vec::new(), parts(&[&hits]), None);
    assert!(found.is_empty());
}

#[test]
fn memory_is_used_out_of_used_and_free_in_one_unit() {
    let of = |name: &str| series(name, &[("UUID", "GPU-1"), ("device", "nvidia0")]);
    let (used, free) = (of("DCGM_FI_DEV_FB_USED"), of("DCGM_FI_DEV_FB_FREE"));
    let cells = [cell(used.0, 0, 300.0, None), cell(free.0, 0, 900.0, None)];
    let all = parts(&[&used, &free]);
    let found = sources("gpu.memory_used_ratio", &mut Vec::new(), all.clone(), None);
    let ratio = lines(&found, &cells, (&two_steps(), Aggregation::Avg));
    assert!((ratio[0].values[0].unwrap() - 0.25).abs() < 1e-12);
    let found = sources("gpu.memory_total_bytes", &mut Vec::new(), all, None);
    let total = lines(&found, &cells, (&two_steps(), Aggregation::Last));
    assert!((total[0].values[0].unwrap() - 1_200.0 * 1_048_576.0).abs() < 1.0);
}

#[test]
fn told_and_derived_lines_of_one_name_count_alike() {
    let line = |name: &str, value| Line {
        labels: Labels::default().with("a", name),
        values: vec![value],
    };
    let told = vec![line("1", Some(0.5)), line("2", None)];
    let derived = vec![line("1", Some(0.7)), line("2", Some(0.1)), line("3", None)];
    let all = merged(told, derived, Aggregation::Avg);
    let values: Vec<_> = all.iter().map(|line| line.values[0]).collect();
    assert_eq!(values, [Some(0.6), Some(0.1), None]);
}
