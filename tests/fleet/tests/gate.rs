//! The probability with which an attribution takes chance for a symptom is what it says.
#![expect(clippy::cast_precision_loss, reason = "counts are small")]

use domain::attribution::attribute;
use domain::attribution::request::{Direction, Symptom};
use fleet::{Cause, History, Scenario, told};

/// Fleets in which nothing happens, with seeds that nothing was tuned on.
const SEEDS: std::ops::Range<u64> = 9_000..9_060;
/// Series, whether a rise of it is bad.
const SYMPTOMS: [(&str, bool); 4] = [
    ("token.ttft_ms", true),
    ("token.e2e_ms", true),
    ("quality.format_valid", false),
    ("quality.refused", true),
];
/// Probabilities of which the first is that of the gate.
const LEVELS: [f64; 4] = [0.001, 0.01, 0.05, 0.2];

/// A small fleet over twenty minutes.
fn quiet(seed: u64) -> Scenario {
    Scenario {
        seed,
        instances: 2,
        requests_per_s: 1.5,
        cause: Cause::Quiet,
        begins_at: 0.0,
        alert_at: 900.0,
        alert_s: 300.0,
        harmless_rollout: None,
        missing_scrapes: 0.0,
        symptom: SYMPTOMS[0],
    }
}

#[test]
fn chance_is_taken_for_a_symptom_as_seldom_as_its_probability_says() {
    let mut found = vec![Vec::new(); SYMPTOMS.len()];
    for seed in SEEDS {
        let mut request = told::request(&History::of(quiet(seed)));
        for ((series, is_rise), found) in SYMPTOMS.iter().zip(&mut found) {
            request.symptom = Symptom {
                series: (*series).to_owned(),
                direction: match is_rise {
                    true => Direction::Up,
                    false => Direction::Down,
                },
                threshold: None,
            };
            found.push(attribute(&request).unwrap().symptom_p_value);
        }
    }
    for ((series, _), found) in SYMPTOMS.iter().zip(&found) {
        let n = found.len() as f64;
        for level in LEVELS {
            let below = found.iter().filter(|p| **p < level).count() as f64;
            // Four standard deviations of a binomial, and one fleet of so few.
            let most = n * level + 4.0 * (n * level * (1.0 - level)).sqrt() + 1.0;
            assert!(
                below <= most,
                "{series}: p < {level} in {below} of {n}, at most {most:.1}"
            );
        }
    }
}
