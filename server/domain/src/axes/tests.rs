use std::sync::Arc;

use uuid::Uuid;

use super::bucket::{Bucket, Exponential, apart, quantile};
use super::names::{self, TABLES};
use super::query::{Aggregation, Comparison, Condition, Steps};
use super::range::{Cell, asked, lines, parts, usual};
use super::{Kind, Labels, Part, Series, SeriesId};
use crate::{Nanos, ProjectId, Timestamp};

fn labels(pairs: &[(&str, &str)]) -> Labels {
    Labels::new(
        pairs
            .iter()
            .map(|(name, value)| (Arc::from(*name), Arc::from(*value))),
    )
}

fn series(name: &str, pairs: &[(&str, &str)]) -> (SeriesId, Series) {
    let labels = labels(pairs);
    let id = SeriesId::of(ProjectId(Uuid::nil()), name, &labels);
    let kinds = (Kind::Gauge, Part::Whole);
    (id, Series::new(name.into(), labels, kinds, "".into()))
}

fn near(value: Option<f64>, expected: f64) {
    let value = value.unwrap();
    assert!(
        (value - expected).abs() < 1e-9 * expected.abs().max(1.0),
        "{value}, not {expected}"
    );
}

#[test]
fn one_name_is_in_one_line_unless_labels_tell_the_lines_apart() {
    for (exporter, names) in TABLES {
        for (at, name) in names.iter().enumerate() {
            let others = names[at + 1..]
                .iter()
                .filter(|other| other.series == name.series);
            assert!(
                others
                    .into_iter()
                    .all(|other| other != name && format!("{other:?}").contains("label: Some")),
                "{exporter}: {}",
                name.series
            );
            assert!(
                name.axis.starts_with("gpu.") || name.axis.starts_with("token."),
                "{}",
                name.axis
            );
            assert!(
                !name.series.ends_with("_total") && !name.series.contains([':', '.']),
                "{}",
                name.series
            );
        }
    }
}

#[test]
fn colons_prefixes_and_totals_do_not_matter() {
    let none = Labels::default();
    for name in [
        "vllm:generation_tokens_total",
        "vllm_generation_tokens",
        "ray_vllm:generation_tokens_total",
    ] {
        let reading = names::read(name, &none).unwrap();
        assert_eq!(
            (reading.axis, reading.kind),
            ("token.decode_tokens_per_s", Kind::Counter),
            "{name}"
        );
    }
    let bucket = names::read("vllm:iteration_tokens_total_bucket", &none).unwrap();
    assert_eq!(
        (bucket.axis, bucket.part),
        ("token.tokens_per_iteration", Part::Bucket)
    );
    let without_suffix = labels(&[("le", "100")]);
    let bucket = names::read("nv_inference_first_response_histogram_ms", &without_suffix).unwrap();
    assert_eq!(bucket.part, Part::Bucket);
    assert_eq!(names::read("my_own_total", &none), None);
}

#[test]
fn what_another_series_tells_already_is_not_read() {
    let router = labels(&[("server", "http://one")]);
    assert_eq!(names::read("vllm:num_requests_running", &router), None);
    let second_rank = labels(&[("tp_rank", "1")]);
    assert_eq!(names::read("sglang:num_running_reqs", &second_rank), None);
    assert!(names::read("sglang:num_running_reqs", &labels(&[("tp_rank", "0")])).is_some());
}

#[test]
fn numbers_that_mean_nothing_are_no_values() {
    for blank in [
        9_223_372_036_854_775_794.0,
        2_147_483_645.0,
        140_737_488_355_328.0,
    ] {
        assert!(
            !names::is_value("DCGM_FI_DEV_MEMORY_TEMP", blank),
            "{blank}"
        );
    }
    assert!(names::is_value("DCGM_FI_DEV_MEMORY_TEMP", 54.0));
    // The end of a series.
    assert!(names::is_value("DCGM_FI_DEV_MEMORY_TEMP", f64::NAN));
    assert!(!names::is_value("vllm:gpu_prefix_cache_hit_rate", -1.0));
    assert!(names::is_value("something", -1.0));
}

#[test]
fn quantiles_of_bounds_are_those_of_prometheus() {
    // histogram_quantile over le = 0.1: 50, 0.5: 90, 1: 100, +Inf: 100.
    let buckets = apart(vec![
        (1.0, 100.0),
        (0.1, 50.0),
        (f64::INFINITY, 100.0),
        (0.5, 90.0),
    ]);
    near(quantile(0.5, &buckets, false), 0.1);
    near(quantile(0.25, &buckets, false), 0.05);
    near(quantile(0.7, &buckets, false), 0.1 + 0.4 * 0.5);
    near(quantile(0.95, &buckets, false), 0.75);
    near(quantile(1.0, &buckets, false), 1.0);
    let beyond = apart(vec![(1.0, 10.0), (f64::INFINITY, 20.0)]);
    near(quantile(0.9, &beyond, false), 1.0);
    assert_eq!(
        quantile(0.9, &apart(vec![(f64::INFINITY, 20.0)]), false),
        None
    );
    assert_eq!(
        quantile(0.9, &apart(vec![(1.0, 0.0), (f64::INFINITY, 0.0)]), false),
        None
    );
}

#[test]
fn quantiles_of_exponential_histograms_lie_evenly_by_factors() {
    // Scale 0: base 2, offset 0: (1, 2], (2, 4], (4, 8].
    let plain = Exponential {
        scale: 0,
        counts: vec![(0, 1.0), (1, 2.0), (2, 1.0)],
    };
    let buckets = plain.buckets().unwrap();
    assert_eq!(
        buckets[1],
        Bucket {
            above: 2.0,
            up_to: 4.0,
            count: 2.0
        }
    );
    near(quantile(0.5, &buckets, true), 2.0 * 2.0_f64.sqrt());
    near(quantile(0.25, &buckets, true), 2.0);
    near(quantile(1.0, &buckets, true), 8.0);
}

#[test]
fn finer_buckets_are_merged_exactly() {
    // Scale 5 has 32 buckets an octave; four of them are one of scale 3.
    let fine = Exponential {
        scale: 5,
        counts: (-4..4).map(|index| (index, 1.0)).collect(),
    };
    let buckets = fine.buckets().unwrap();
    let counts: Vec<f64> = buckets.iter().map(|bucket| bucket.count).collect();
    assert_eq!(counts, [4.0, 4.0]);
    assert_eq!(buckets[0].up_to.to_bits(), 1.0_f64.to_bits());
    near(Some(buckets[1].up_to), 2.0_f64.powf(0.125));
    let many = Exponential {
        scale: 0,
        counts: (0..1_001).map(|index| (index, 1.0)).collect(),
    };
    assert_eq!(many.buckets(), None);
    let far = Exponential {
        scale: 60,
        counts: vec![(i64::from(i32::MAX), 1.0)],
    };
    assert_eq!(far.buckets().unwrap().len(), 1);
}

#[test]
fn conditions_are_read_as_they_are_written() {
    let parse =
        |text| Condition::parse(text).map(|condition| (condition.comparison, condition.value));
    assert_eq!(
        parse("model=a=b").unwrap(),
        (Comparison::Is, "a=b".to_owned())
    );
    assert_eq!(
        parse("model!=").unwrap(),
        (Comparison::IsNot, String::new())
    );
    assert_eq!(
        parse("model=~a|b").unwrap(),
        (Comparison::Matches, "^(?:a|b)$".to_owned())
    );
    assert_eq!(
        parse("model!~x.*").unwrap(),
        (Comparison::MatchesNot, "^(?:x.*)$".to_owned())
    );
    for wrong in ["", "=x", "model", "model=~(", "model!x"] {
        assert_eq!(
            parse(wrong).unwrap_err().field.as_deref(),
            Some("match"),
            "{wrong}"
        );
    }
}

fn cell(id: SeriesId, step: u32, values: &[f64], growth: Option<f64>) -> Cell {
    Cell {
        series: id,
        step,
        last: values.last().copied().unwrap_or(f64::NAN),
        last_ms: i64::from(step),
        count: values.len() as u64,
        sum: values.iter().sum(),
        min: values.iter().copied().fold(f64::INFINITY, f64::min),
        max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        growth: growth.unwrap_or(0.0),
        grown: u64::from(growth.is_some()),
    }
}

fn two_steps() -> Steps {
    let range = (
        Timestamp::EPOCH,
        Timestamp::EPOCH.plus(Nanos::from_seconds(20)),
    );
    Steps::new(range, Some(10.0)).unwrap()
}

#[test]
fn values_are_those_of_the_axis_and_nothing_is_not_zero() {
    let (a, b) = (
        series("DCGM_FI_DEV_GPU_UTIL", &[("UUID", "GPU-A")]),
        series("DCGM_FI_DEV_GPU_UTIL", &[("UUID", "GPU-B")]),
    );
    let cells = [
        cell(a.0, 0, &[10.0, 30.0], None),
        cell(b.0, 0, &[50.0], None),
    ];
    let both = [a, b];
    let steps = two_steps();
    let all = |aggregation| {
        lines(&both, &cells, (&steps, aggregation), Some(&[]))[0]
            .values
            .clone()
    };
    near(all(Aggregation::Avg)[0], 0.3);
    near(all(Aggregation::Sum)[0], 0.8);
    near(all(Aggregation::Min)[0], 0.1);
    near(all(Aggregation::Max)[0], 0.5);
    assert_eq!(all(Aggregation::Avg)[1], None);
    assert_eq!(all(Aggregation::Rate), [None, None]);
    assert_eq!(
        lines(&both, &cells, (&steps, Aggregation::Last), None).len(),
        2
    );
}

#[test]
fn of_several_sources_of_one_value_each_gpus_best_speaks() {
    let exact = series("DCGM_FI_PROF_SM_ACTIVE", &[("UUID", "GPU-A")]);
    let rough = series("DCGM_FI_DEV_GPU_UTIL", &[("UUID", "GPU-A")]);
    let alone = series("DCGM_FI_DEV_GPU_UTIL", &[("UUID", "GPU-B")]);
    let kept = asked(vec![exact.clone(), rough, alone.clone()], "gpu.sm_active");
    assert_eq!(kept, [exact, alone]);
}

#[test]
fn a_quantile_adds_histograms_of_equal_bounds_and_keeps_others_out() {
    let bucket = |instance: &str, le: &str| {
        series(
            "vllm:time_to_first_token_seconds_bucket",
            &[("instance", instance), ("le", le)],
        )
    };
    let all = [
        bucket("a", "0.1"),
        bucket("a", "+Inf"),
        bucket("b", "0.1"),
        bucket("b", "+Inf"),
        bucket("c", "7"),
        bucket("c", "+Inf"),
    ];
    let growth = [5.0, 10.0, 15.0, 30.0, 1.0, 2.0];
    let cells: Vec<Cell> = all
        .iter()
        .zip(growth)
        .map(|((id, _), growth)| cell(*id, 0, &[growth], Some(growth)))
        .collect();
    let found = lines(
        &all,
        &cells,
        (&two_steps(), Aggregation::Quantile(0.25)),
        Some(&[]),
    );
    near(found[0].values[0], 50.0);
}

#[test]
fn a_histogram_has_a_mean_and_a_rate_and_its_own_series_stay_as_they_are() {
    let base = "vllm:e2e_request_latency_seconds";
    let (sum, count) = (
        series(&format!("{base}_sum"), &[]),
        series(&format!("{base}_count"), &[]),
    );
    let cells = [
        cell(sum.0, 0, &[30.0], Some(6.0)),
        cell(count.0, 0, &[10.0], Some(4.0)),
    ];
    let both = vec![sum, count];
    let steps = two_steps();
    let ask = |metric: &str, aggregation| {
        let meant = parts(asked(both.clone(), metric), aggregation);
        lines(&meant, &cells, (&steps, aggregation), None)
    };
    let mean = ask("token.e2e_ms", Aggregation::Avg);
    assert_eq!(mean.len(), 1);
    near(mean[0].values[0], 1_500.0);
    near(ask("token.e2e_ms", Aggregation::Rate)[0].values[0], 0.4);
    assert_eq!(ask("token.e2e_ms", Aggregation::Last), []);
    let own = ask("vllm:e2e_request_latency_seconds_sum", Aggregation::Last);
    near(own[1].values[0], 30.0);
}

#[test]
fn what_suits_follows_from_what_is_there() {
    let counter = series("vllm:generation_tokens_total", &[]);
    let gauge = series("vllm:avg_generation_throughput_toks_per_s", &[]);
    let both = asked(vec![gauge.clone(), counter], "token.decode_tokens_per_s");
    assert_eq!(usual(&both), Aggregation::Rate);
    assert_eq!(both.len(), 1);
    assert_eq!(usual(&[gauge]), Aggregation::Avg);
    let bucket = series("vllm:time_to_first_token_seconds_bucket", &[("le", "1")]);
    assert_eq!(usual(&[bucket]), Aggregation::Quantile(0.95));
}
