use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{cells, fields, go, rule, told, walk};
use crate::AlertRuleId;
use crate::alert::cell::Cells;
use crate::alert::kind::{Kind, NAMES};
use crate::alert::measure::AlertSeries;
use crate::alert::settings::AlertSettings;
use crate::alert::state::{Change, Group, GroupState, Resolution, States};

#[test]
fn something_that_comes_and_goes_for_ten_minutes_is_told_once_and_over_once() {
    let high = rule(
        1,
        "threshold",
        json!({"value": 100, "window_s": 5}),
        Some("token.ttft_ms:avg"),
        60,
    );
    let value = |second: u64| {
        if (600..1_200).contains(&second) && second % 95 < 90 {
            200.0
        } else {
            50.0
        }
    };
    let cells = cells(
        5,
        (0..3_000).step_by(5).map(|second| (second, value(second))),
    );
    let events = told(&walk(&[(&high, &cells)], (0, 3_000)));
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(
        events[0].0 == "fired" && events[1].0 == "resolved",
        "{events:?}"
    );
    assert!((660..760).contains(&events[0].1), "{events:?}");
    assert!((1_200..1_300).contains(&events[1].1), "{events:?}");
}

#[test]
fn what_is_unknown_never_fires_and_is_told_as_such() {
    let errors = rule(
        1,
        "threshold",
        json!({"value": 0.05, "window_s": 300}),
        Some("request.errors"),
        0,
    );
    assert!(walk(&[(&errors, &Cells::default())], (0, 3_600)).is_empty());
    let nans = cells(5, [(300, f64::NAN), (305, f64::INFINITY)]);
    assert!(walk(&[(&errors, &nans)], (0, 3_600)).is_empty());
    let one_good = cells(5, [(300, 0.0)]);
    assert!(walk(&[(&errors, &one_good)], (0, 3_600)).is_empty());
    // One of one: it fires, and is given up when nothing more comes for an hour.
    let one_bad = cells(5, [(300, 1.0)]);
    let events = walk(&[(&errors, &one_bad)], (0, 7_200));
    assert_eq!(told(&events)[0], ("fired", 305));
    assert!(matches!(
        events[1].change,
        Change::Resolved {
            why: Resolution::NoData,
            ..
        }
    ));
    assert_eq!(events.len(), 2);
}

#[test]
fn parameters_have_defaults_come_back_as_they_were_and_are_named_when_wrong() {
    for name in NAMES {
        let params = if name == "threshold" {
            json!({"value": 1})
        } else {
            json!({})
        };
        let kind = Kind::parse(name, &fields(params)).unwrap();
        assert_eq!(
            Kind::parse(name, &fields(kind.params())).unwrap(),
            kind,
            "{name}"
        );
    }
    let field = |name: &str, params: Value| {
        Kind::parse(name, &fields(params))
            .unwrap_err()
            .field
            .unwrap()
    };
    assert_eq!(field("nonsense", json!({})), "kind");
    assert_eq!(field("threshold", json!({})), "params.value");
    assert_eq!(field("threshold", json!({"value": "1"})), "params.value");
    assert_eq!(
        field("threshold", json!({"value": 1, "slip": 1})),
        "params.slip"
    );
    assert_eq!(
        field("threshold", json!({"value": 1, "window_s": 7})),
        "params.window_s"
    );
    assert_eq!(
        field("p99_shift", json!({"direction": "up"})),
        "params.direction"
    );
    assert_eq!(field("composite", json!({"axes": 4})), "params.axes");
    assert_eq!(
        field(
            "slo_burn",
            json!({"burns": [{"long_s": 60, "short_s": 60}]})
        ),
        "params.burns.short_s"
    );
    let shift = Kind::parse("p99_shift", &Map::new()).unwrap();
    assert_eq!(
        shift
            .series(Some("token.ttft_ms:avg"))
            .unwrap_err()
            .field
            .unwrap(),
        "series"
    );
    let series = |text: &str| AlertSeries::parse(text).map(|series| series.to_string());
    assert_eq!(series("token.ttft_ms").unwrap(), "token.ttft_ms:p99");
    assert_eq!(
        series("vllm:num_requests_running:max").unwrap(),
        "vllm:num_requests_running:max"
    );
    assert!(series("quality.nonsense").is_err() && series("").is_err() && series("a\0").is_err());
    let wrong = AlertSettings::default().changed(&fields(json!({"zone": "Atlantis"})));
    assert_eq!(wrong.unwrap_err().field.unwrap(), "zone");
}

#[test]
fn prometheus_gets_what_it_can_say_and_the_rest_as_comments() {
    let mut odd = rule(
        1,
        "threshold",
        json!({"value": 800}),
        Some("token.ttft_ms:p99"),
        30,
    );
    odd.draft.name = "slow \"first\" {{token}}\n- alert: x".to_owned();
    let rules = [odd, rule(2, "cost_spike", json!({}), None, 0)];
    let file = crate::alert::prometheus::file(rules.iter());
    assert!(file.starts_with("# \"rule 2\": "), "{file}");
    let expected = "1000 * histogram_quantile(0.99, sum by (le)(rate(vllm:time_to_first_token_seconds_bucket[60s]))) > 800";
    assert!(file.contains(expected), "{file}");
    assert_eq!(file.matches("- alert:").count(), 2, "{file}");
    assert!(!file.contains("{{"), "{file}");
    assert_eq!(
        file.lines()
            .filter(|line| line.trim_start().starts_with("- alert:"))
            .count(),
        1
    );
}

/// A value a second, or none.
fn series() -> impl Strategy<Value = BTreeMap<u64, f64>> {
    let value = prop_oneof![Just(0.0), Just(200.0), Just(f64::NAN), 0.0..200.0];
    proptest::collection::btree_map(0_u64..900, value, 0..200)
}

proptest! {
    #[test]
    fn order_repetition_of_looks_and_restarts_change_nothing(
        values in series(),
        seed in any::<u64>(),
        stops in proptest::collection::btree_set(0_u64..900, 0..6),
        for_s in 0_u64..60,
        keep_s in 0_u64..60,
    ) {
        let params = json!({"value": 100, "window_s": 20, "keep_s": keep_s});
        let high = rule(1, "threshold", params, Some("token.ttft_ms:avg"), for_s);
        let whole = walk(&[(&high, &cells(5, values.clone()))], (0, 900));
        // In another order, by the hash of each.
        let mut shuffled: Vec<(u64, f64)> = values.clone().into_iter().collect();
        shuffled.sort_by_key(|(second, _)| second.wrapping_mul(seed | 1));
        prop_assert_eq!(&walk(&[(&high, &cells(5, shuffled))], (0, 900)), &whole);
        // Broken off at any instants, with the state as it is stored, and only what has come by then.
        let (mut states, mut pieces, mut from) = (States::new(), Vec::new(), 0);
        for to in stops.into_iter().chain([900]) {
            let come = values.clone().into_iter().filter(|(second, _)| *second < to);
            pieces.extend(go(&[(&high, &cells(5, come))], &mut states, (from, to)));
            // The same look again, as after a lost answer, has nothing left to tell.
            let floor = to / 5 * 5;
            prop_assert!(go(&[(&high, &cells(5, values.clone()))], &mut states, (floor, to)).is_empty());
            let text = serde_json::to_string(&stored(&states)).unwrap();
            states = read(&text);
            from = to;
        }
        prop_assert_eq!(&pieces, &whole);
        // Told and over take turns.
        for (place, event) in whole.iter().enumerate() {
            prop_assert_eq!(matches!(event.change, Change::Fired { .. }), place % 2 == 0);
        }
    }
}

type Stored = Vec<(AlertRuleId, Vec<(Group, GroupState)>)>;

fn stored(states: &States) -> Stored {
    let groups = |groups: &BTreeMap<Group, _>| groups.clone().into_iter().collect();
    states
        .iter()
        .map(|(rule, of)| (*rule, groups(of)))
        .collect()
}

fn read(text: &str) -> States {
    let stored: Stored = serde_json::from_str(text).unwrap();
    stored
        .into_iter()
        .map(|(rule, groups)| (rule, groups.into_iter().collect()))
        .collect()
}
