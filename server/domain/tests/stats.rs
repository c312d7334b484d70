//! Statistics against what `SciPy`, scikit-learn and statsmodels say of the same input (`golden/stats.py` wrote
//! `golden/stats.json`), and against input that has no answer.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking, and counts are small"
)]

use domain::stats::autocorrelation::{autocorrelation, autocorrelation_time};
use domain::stats::change_point::change_point;
use domain::stats::dbscan::{Point, dbscan, neighbour_distances};
use domain::stats::false_discovery::benjamini_hochberg;
use domain::stats::granger::granger;
use domain::stats::interval::{Z_95, wilson};
use domain::stats::kolmogorov_smirnov::kolmogorov_smirnov;
use domain::stats::pca::principal_components;
use domain::stats::quantile::{
    median, median_absolute_deviation, quantile, sorted, standard_deviation,
};
use domain::stats::raking::{Margin, rake};
use domain::stats::rank::{cliffs_delta, mid_rank, mid_ranks};
use domain::stats::table::dependence;
use domain::stats::tail::{
    Marked, chi_square_upper, f_upper, fisher_upper, normal_upper, student_t_upper,
};
use serde_json::Value;

fn golden(name: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("golden/stats.json")).unwrap();
    all[name].clone()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// Equal to some digits, however small they are.
fn same(found: f64, expected: f64, tolerance: f64) {
    let far = (found - expected).abs();
    assert!(
        far <= tolerance * expected.abs() || far <= 1e-300,
        "{found} is not {expected} to {tolerance}"
    );
}

fn all_same(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= tolerance,
            "{found} is not {expected}"
        );
    }
}

#[test]
fn tails_agree_with_scipy_far_out_as_well() {
    let tails = golden("tails");
    for case in rows(&tails["student_t"]) {
        same(student_t_upper(case[0], case[1]), case[2], 1e-9);
    }
    for case in rows(&tails["f"]) {
        same(f_upper(case[0], case[1], case[2]), case[3], 1e-9);
    }
    for case in rows(&tails["chi_square"]) {
        same(chi_square_upper(case[0], case[1]), case[2], 1e-9);
    }
    for case in tails["fisher"].as_array().unwrap() {
        let count = |at: usize| case[at].as_u64().unwrap() as usize;
        let counts = Marked {
            here: count(0),
            of: count(1),
            there: count(2),
            of_others: count(3),
        };
        same(fisher_upper(counts), number(&case[4]), 1e-9);
    }
}

#[test]
fn the_normal_tail_is_that_of_its_square() {
    // As R and SciPy say it: 1 − Φ(z).
    for (z, p) in [
        (0.0, 0.5),
        (1.959_963_984_540_054, 0.025),
        (3.090_232_306_167_813, 0.001),
    ] {
        same(normal_upper(z), p, 1e-9);
        same(normal_upper(-z), 1.0 - p, 1e-9);
    }
    same(normal_upper(f64::NAN), 1.0, 0.0);
}

#[test]
fn ranks_quantiles_and_effects_agree_with_scipy() {
    let ranks = golden("ranks");
    let (a, b) = (numbers(&ranks["a"]), sorted(numbers(&ranks["b"])));
    all_same(&mid_ranks(&a), &numbers(&ranks["mid_ranks"]), 0.0);
    same(cliffs_delta(&a, &b), number(&ranks["cliffs_delta"]), 1e-12);
    same(mid_rank(&b, 0.5), number(&ranks["mid_rank_of_half"]), 1e-12);
    let a = sorted(a);
    same(median(&a).unwrap(), number(&ranks["median"]), 1e-12);
    same(
        median_absolute_deviation(&a).unwrap(),
        number(&ranks["mad"]),
        1e-12,
    );
    for case in rows(&ranks["quantiles"]) {
        same(quantile(&a, case[0]).unwrap(), case[1], 1e-12);
    }
    let deviation = standard_deviation(&a).unwrap();
    same(deviation, number(&ranks["standard_deviation"]), 1e-12);
}

#[test]
fn q_values_agree_with_statsmodels() {
    let case = golden("discoveries");
    let found = benjamini_hochberg(&numbers(&case["p"]));
    all_same(&found, &numbers(&case["q"]), 1e-14);
}

#[test]
fn autocorrelation_agrees_with_statsmodels_and_its_time_with_geyers_rule() {
    for case in golden("memory").as_array().unwrap() {
        let series = numbers(&case["series"]);
        for (lag, expected) in numbers(&case["acf"]).into_iter().enumerate() {
            assert!((autocorrelation(&series, lag) - expected).abs() < 1e-12);
        }
        same(autocorrelation_time(&series), number(&case["time"]), 1e-10);
    }
}

#[test]
fn tables_agree_with_scipy_and_bergsmas_formula() {
    for case in golden("tables").as_array().unwrap() {
        let found = dependence(&rows(&case["table"])).unwrap();
        same(found.chi_square, number(&case["chi_square"]), 1e-11);
        same(found.freedom, number(&case["freedom"]), 0.0);
        assert!((found.v - number(&case["v"])).abs() < 1e-11);
    }
}

#[test]
fn distances_of_distributions_agree_with_scipy() {
    for case in golden("distances").as_array().unwrap() {
        let found = kolmogorov_smirnov(&numbers(&case["a"]), &numbers(&case["b"])).unwrap();
        same(found.distance, number(&case["distance"]), 1e-12);
        same(found.p_value, number(&case["p_value"]), 1e-9);
    }
}

#[test]
fn the_change_point_is_the_split_with_the_least_squares() {
    let case = golden("changes");
    let found = change_point(&numbers(&case["series"])).unwrap();
    assert_eq!(found.at as u64, case["at"].as_u64().unwrap());
    same(found.explained, number(&case["explained"]), 1e-10);
    same(found.step, number(&case["step"]), 1e-10);
}

#[test]
fn components_agree_with_scikit_learn() {
    let case = golden("components");
    let found = principal_components(&rows(&case["points"]), 2.0, 3).unwrap();
    all_same(&found.variances, &numbers(&case["variances"]), 1e-9);
    all_same(&found.shares, &numbers(&case["shares"]), 1e-10);
    for (found, expected) in found.directions.iter().zip(rows(&case["directions"])) {
        all_same(found, &expected, 1e-8);
    }
}

#[test]
fn clusters_agree_with_scikit_learn_with_and_without_weights() {
    let case = golden("clusters");
    let points = rows(&case["points"]);
    let weights = numbers(&case["weights"]);
    let radius = number(&case["radius"]);
    for (labels, cores, is_weighted) in [
        ("labels", "cores", false),
        ("weighted_labels", "weighted_cores", true),
    ] {
        let weighed: Vec<Point> = points
            .iter()
            .zip(&weights)
            .map(|(at, weight)| Point {
                at: [at[0], at[1], at[2]],
                weight: if is_weighted { *weight as u32 } else { 1 },
            })
            .collect();
        let found = dbscan(&weighed, radius, 10);
        let expected = numbers(&case[labels]);
        let cores = numbers(&case[cores]);
        // Border points may go to either of two clusters; what is noise and where cores belong is certain.
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.is_none(), *expected < 0.0);
        }
        for core in cores {
            let at = core as usize;
            assert_eq!(found[at], Some(expected[at] as usize));
        }
        if !is_weighted {
            let all: Vec<usize> = (0..points.len()).collect();
            let distances = neighbour_distances(&weighed, &all, 10);
            all_same(&distances, &numbers(&case["tenth_neighbour"]), 1e-10);
        }
    }
}

#[test]
fn foretelling_agrees_with_statsmodels_at_the_lag_of_akaike() {
    for case in golden("foretelling").as_array().unwrap() {
        let found = granger(&numbers(&case["cause"]), &numbers(&case["effect"]), 8).unwrap();
        assert_eq!(found.lag as u64, case["lag"].as_u64().unwrap());
        same(found.f, number(&case["f"]), 1e-8);
        same(found.p_value, number(&case["p_value"]), 1e-7);
    }
}

#[test]
fn intervals_agree_with_statsmodels() {
    for case in golden("intervals").as_array().unwrap() {
        let count = |at: usize| case[at].as_u64().unwrap() as usize;
        let (low, high) = wilson(count(0), count(1), Z_95);
        all_same(&[low, high], &[number(&case[2]), number(&case[3])], 1e-12);
    }
}

#[test]
fn raked_weights_have_the_margins_that_were_asked_for() {
    let one: Vec<u8> = (0..600).map(|at| (at % 3) as u8).collect();
    let other: Vec<u8> = (0..600).map(|at| (at % 7 % 2) as u8).collect();
    let (shares, halves) = ([0.6, 0.3, 0.1], [0.2, 0.8]);
    let margins = [
        Margin {
            bins: &one,
            shares: &shares,
        },
        Margin {
            bins: &other,
            shares: &halves,
        },
    ];
    let weights = rake(600, &margins, 20);
    let share = |bins: &[u8], bin: u8| {
        let within = weights.iter().zip(bins).filter(|(_, other)| **other == bin);
        within.map(|(weight, _)| weight).sum::<f64>() / weights.iter().sum::<f64>()
    };
    for (bin, expected) in shares.into_iter().enumerate() {
        assert!((share(&one, bin as u8) - expected).abs() < 1e-6);
    }
    assert!((share(&other, 1) - 0.8).abs() < 1e-6);
}

#[test]
fn what_has_no_answer_gets_none_and_nothing_panics() {
    let nan = [f64::NAN; 50];
    let constant = [3.0; 50];
    assert_eq!(median(&[]), None);
    assert_eq!(standard_deviation(&[1.0]), None);
    assert_eq!(mid_ranks(&[]), Vec::<f64>::new());
    assert_eq!(mid_ranks(&nan).len(), 50);
    assert!((cliffs_delta(&[], &[1.0])).abs() < 1e-12);
    assert_eq!(benjamini_hochberg(&[f64::NAN, 0.01]), [1.0, 0.02]);
    for series in [&nan[..], &constant[..], &[]] {
        assert!((autocorrelation_time(series) - 1.0).abs() < 1e-12);
        assert_eq!(change_point(series), None);
        assert_eq!(granger(series, series, 8), None);
    }
    assert_eq!(kolmogorov_smirnov(&[], &[1.0]), None);
    assert_eq!(kolmogorov_smirnov(&nan, &constant), None);
    assert_eq!(dependence(&[]), None);
    assert_eq!(dependence(&[vec![4.0, 0.0], vec![9.0, 0.0]]), None);
    assert_eq!(principal_components(&[], 0.9, 3), None);
    assert_eq!(
        principal_components(&[vec![1.0, 2.0], vec![1.0, 2.0]], 0.9, 3),
        None
    );
    assert_eq!(
        principal_components(&[vec![f64::NAN], vec![1.0]], 0.9, 3),
        None
    );
    let nowhere = Point {
        at: [f64::NAN; 3],
        weight: 1,
    };
    assert_eq!(dbscan(&[nowhere; 3], 1.0, 2), [None; 3]);
    assert_eq!(wilson(0, 0, Z_95), (0.0, 1.0));
    assert!((student_t_upper(f64::NAN, 5.0) - 1.0).abs() < 1e-12);
    assert!((student_t_upper(1.0, f64::NAN) - 1.0).abs() < 1e-12);
    assert!((f_upper(2.0, 0.0, 5.0) - 1.0).abs() < 1e-12);
    let nobody = Marked {
        here: 0,
        of: 0,
        there: 0,
        of_others: 0,
    };
    assert!((fisher_upper(nobody) - 1.0).abs() < 1e-12);
}
