//! Agreement of raters against what krippendorff, statsmodels and scikit-learn say of the same ratings
//! (`golden/agreement.py` wrote `golden/agreement.json`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use domain::stats::agreement::{Level, cohen, fleiss, krippendorff, quadratic_cohen};
use serde_json::Value;

fn golden(name: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("golden/agreement.json")).unwrap();
    all[name].as_array().unwrap().clone()
}

fn same(found: Option<f64>, expected: &Value) {
    let (found, expected) = (found.unwrap(), expected.as_f64().unwrap());
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

fn codes(units: &Value) -> Vec<Vec<usize>> {
    serde_json::from_value(units.clone()).unwrap()
}

#[test]
fn alpha_agrees_with_krippendorff_on_each_level_and_with_holes() {
    let cases = golden("alphas");
    assert!(cases.len() >= 6);
    for case in cases {
        let units: Vec<Vec<Option<f64>>> = serde_json::from_value(case["units"].clone()).unwrap();
        let units: Vec<Vec<f64>> = units
            .into_iter()
            .map(|unit| unit.into_iter().flatten().collect())
            .collect();
        same(krippendorff(&units, Level::Nominal), &case["nominal"]);
        same(krippendorff(&units, Level::Ordinal), &case["ordinal"]);
        same(krippendorff(&units, Level::Interval), &case["interval"]);
    }
}

#[test]
fn kappa_of_two_agrees_with_scikit_learn() {
    for case in golden("kappas") {
        let pairs: Vec<(usize, usize)> = serde_json::from_value(case["pairs"].clone()).unwrap();
        same(cohen(&pairs), &case["plain"]);
        same(quadratic_cohen(&pairs), &case["quadratic"]);
    }
}

#[test]
fn kappa_of_several_agrees_with_statsmodels() {
    for case in golden("fleiss") {
        same(fleiss(&codes(&case["units"])), &case["kappa"]);
    }
}
