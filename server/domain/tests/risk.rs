//! Risks against what `SciPy` and statsmodels say of the same counts (`golden/risk.py` wrote `golden/risk.json`).
#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking, and counts are small"
)]

use domain::stats::risk::{Estimate, Stratum, katz, newcombe, risk};
use domain::stats::tail::{Marked, fisher_two_sided};
use serde_json::Value;

fn golden(name: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("golden/risk.json")).unwrap();
    all[name].as_array().unwrap().clone()
}

fn stratum(counts: &Value) -> Stratum {
    let count = |at: usize| counts[at].as_u64().unwrap() as usize;
    Stratum {
        hits: count(0),
        of: count(1),
        other_hits: count(2),
        of_others: count(3),
    }
}

fn near(found: f64, expected: &Value, tolerance: f64) {
    let expected = expected.as_f64().unwrap();
    let far = (found - expected).abs();
    assert!(
        far <= tolerance * expected.abs().max(1e-12),
        "{found} is not {expected}"
    );
}

fn same(found: Estimate, expected: &Value) {
    for (at, value) in [found.value, found.low, found.high].into_iter().enumerate() {
        near(value, &expected[at], 1e-9);
    }
}

#[test]
fn one_stratum_agrees_with_scipy_and_statsmodels() {
    for case in golden("single") {
        let counts = stratum(&case["counts"]);
        same(newcombe(counts), &case["difference"]);
        same(katz(counts), &case["ratio"]);
        let marked = Marked {
            here: counts.hits,
            of: counts.of,
            there: counts.other_hits,
            of_others: counts.of_others,
        };
        near(fisher_two_sided(marked), &case["fisher"], 1e-7);
        let found = risk(&[counts]).unwrap();
        assert_eq!(found.difference, newcombe(counts));
        let exact = (found.p_value - fisher_two_sided(marked)).abs() < 1e-15;
        if !exact {
            near(found.p_value, &case["mantel_haenszel"], 1e-9);
        }
    }
}

#[test]
fn several_strata_agree_with_statsmodels() {
    for case in golden("pooled") {
        let strata: Vec<Stratum> = case["strata"]
            .as_array()
            .unwrap()
            .iter()
            .map(stratum)
            .collect();
        let found = risk(&strata).unwrap();
        same(found.difference, &case["difference"]);
        same(found.ratio, &case["ratio"]);
        near(found.p_value, &case["mantel_haenszel"], 1e-8);
    }
}
