use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::baseline::{Baselines, Pool};
use super::cell::{Cell, Cells};
use super::evaluate::{Event, Watched, advance};
use super::kind::{Direction, Kind, NAMES};
use super::measure::{Aggregate, AlertSeries, Axis};
use super::rule::{Rule, RuleDraft, RuleFilter, Severity};
use super::settings::AlertSettings;
use super::state::{Change, Group, Resolution, States};
use crate::{AlertRuleId, Nanos, Timestamp};

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn rule(number: u128, kind: &str, params: Value, series: Option<&str>, for_s: u64) -> Rule {
    let kind = Kind::parse(kind, &fields(params)).unwrap();
    let series = kind.series(series).unwrap();
    Rule {
        id: AlertRuleId(Uuid::from_u128(number)),
        draft: RuleDraft {
            name: format!("rule {number}"),
            kind,
            series,
            filter: RuleFilter::default(),
            for_s,
            severity: Severity::P2,
            channels: Vec::new(),
            enabled: true,
        },
        created_at: Timestamp::EPOCH,
        updated_at: Timestamp::EPOCH,
    }
}

/// Seconds into a day that begins at midnight in UTC.
fn at(seconds: u64) -> Timestamp {
    Timestamp::parse("2026-11-05T00:00:00Z")
        .unwrap()
        .plus(Nanos::from_seconds(seconds))
}

fn second(at: Timestamp) -> i64 {
    at.unix_seconds() - self::at(0).unix_seconds()
}

/// Cells of one group out of values at seconds of the day.
fn cells(step_s: i64, values: impl IntoIterator<Item = (u64, f64)>) -> Cells {
    let mut cells = Cells::default();
    for (second, value) in values {
        let step = at(second).unix_seconds().div_euclid(step_s);
        cells.add(Group::default(), step, &Cell::of(value));
    }
    cells
}

fn walk(rules: &[(&Rule, &Cells)], (from, to): (u64, u64)) -> Vec<Event> {
    let mut states = States::new();
    go(rules, &mut states, (from, to))
}

fn go(rules: &[(&Rule, &Cells)], states: &mut States, (from, to): (u64, u64)) -> Vec<Event> {
    let baselines = Baselines::default();
    let watched: Vec<Watched<'_>> = rules
        .iter()
        .map(|(rule, cells)| Watched {
            rule,
            cells,
            baselines: &baselines,
        })
        .collect();
    advance(
        &AlertSettings::default(),
        &watched,
        states,
        (at(from), at(to)),
    )
}

/// `fired` and `resolved` with their seconds.
fn told(events: &[Event]) -> Vec<(&'static str, i64)> {
    let one = |event: &Event| match event.change {
        Change::Fired { .. } => ("fired", second(event.at)),
        Change::Resolved { .. } => ("resolved", second(event.at)),
    };
    events.iter().map(one).collect()
}

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
fn silence_has_a_rule_of_its_own() {
    let silent = rule(
        1,
        "no_data",
        json!({"window_s": 60, "keep_s": 0}),
        Some("request.count"),
        30,
    );
    let seconds = (0..600).chain(900..1_200).step_by(5);
    let cells = cells(5, seconds.map(|second| (second, 1.0)));
    let events = told(&walk(&[(&silent, &cells)], (60, 1_200)));
    assert_eq!(events, [("fired", 690), ("resolved", 905)]);
}

#[test]
fn money_is_held_against_its_own_hour() {
    let spike = rule(1, "cost_spike", json!({"keep_s": 0}), None, 0);
    let value = |second: u64| {
        if (7_200..7_500).contains(&second) {
            4.0
        } else {
            1.0
        }
    };
    let steady = cells(
        60,
        (0..10_800)
            .step_by(60)
            .map(|second| (second, value(second))),
    );
    let events = told(&walk(&[(&spike, &steady)], (0, 10_800)));
    assert_eq!(events.first().map(|event| event.0), Some("fired"));
    assert!((7_380..=7_500).contains(&events[0].1), "{events:?}");
    assert_eq!(events.len(), 2);
    // What has only just begun has no hour to be held against.
    let young = cells(60, (9_000..10_200).step_by(60).map(|second| (second, 1.0)));
    assert!(walk(&[(&spike, &young)], (0, 10_300)).is_empty());
}

#[test]
fn a_budget_burns_when_both_windows_say_so() {
    let burn = rule(
        1,
        "slo_burn",
        json!({"objective": 0.99, "keep_s": 600}),
        Some("request.errors:rate"),
        0,
    );
    // A fifth fails from the second hour on: twenty times what is allowed.
    let value = |second: u64| {
        if second >= 3_600 && second % 300 == 0 {
            1.0
        } else {
            0.0
        }
    };
    let cells = cells(
        60,
        (0..14_400)
            .step_by(60)
            .map(|second| (second, value(second))),
    );
    let events = told(&walk(&[(&burn, &cells)], (0, 14_400)));
    assert_eq!(events.len(), 1, "{events:?}");
    assert!(
        (3_600..7_200).contains(&events[0].1) && events[0].0 == "fired",
        "{events:?}"
    );
}

fn three_axes() -> (Vec<Rule>, Vec<Cells>) {
    let params = json!({"value": 1, "window_s": 5, "keep_s": 0});
    let one = |number, series| rule(number, "threshold", params.clone(), Some(series), 0);
    let rules = vec![
        one(1, "gpu.sm_active:avg"),
        one(2, "token.ttft_ms:avg"),
        rule(
            9,
            "composite",
            json!({"keep_s": 0, "within_s": 60}),
            None,
            0,
        ),
    ];
    let high = |from: u64, to: u64| {
        let value = move |second| {
            if (from..to).contains(&second) {
                2.0
            } else {
                0.0
            }
        };
        cells(
            5,
            (0..1_200).step_by(5).map(|second| (second, value(second))),
        )
    };
    (
        rules,
        vec![high(100, 500), high(130, 400), Cells::default()],
    )
}

#[test]
fn axes_that_go_wrong_together_are_one_incident_and_keep_silent_alone() {
    let (rules, cells) = three_axes();
    let all: Vec<(&Rule, &Cells)> = rules.iter().zip(&cells).collect();
    let events = walk(&all, (0, 1_200));
    let of = |number: u128| -> Vec<&Event> {
        let id = AlertRuleId(Uuid::from_u128(number));
        events.iter().filter(|event| event.rule == id).collect()
    };
    assert!(
        of(1)
            .iter()
            .chain(&of(2))
            .all(|event| event.suppressed_by == Some(rules[2].id))
    );
    let composite = of(9);
    assert_eq!(composite.len(), 2);
    assert_eq!(second(composite[0].at), 135);
    let axes: Vec<Axis> = composite[0]
        .members
        .iter()
        .map(|member| member.axis)
        .collect();
    assert_eq!(axes, [Axis::Gpu, Axis::Token]);
    assert_eq!(second(composite[1].at), 405);
    // Far apart they have nothing to do with each other.
    let (rules, mut cells) = three_axes();
    cells[0] = self::cells(
        5,
        (0..1_200)
            .step_by(5)
            .map(|second| (second, f64::from(u8::from(second >= 600)) * 2.0)),
    );
    let all: Vec<(&Rule, &Cells)> = rules.iter().zip(&cells).collect();
    let events = walk(&all, (0, 1_200));
    assert!(events.iter().all(|event| event.rule != rules[2].id));
}

#[test]
fn what_is_usual_is_told_by_hour_in_the_zone_of_the_project() {
    let settings = AlertSettings {
        zone: "Europe/Berlin".to_owned(),
        min_samples: 3,
        ..AlertSettings::default()
    };
    let time = |text: &str| Timestamp::parse(text).unwrap();
    assert_eq!(settings.hour_of(time("2026-07-01T22:30:00Z")), 0);
    assert_eq!(settings.hour_of(time("2026-12-01T22:30:00Z")), 23);
    let refreshed = |text| settings.refreshed_before(time(text)).to_string();
    assert_eq!(
        refreshed("2026-07-01T01:59:00Z"),
        "2026-06-30T02:00:00.000000Z"
    );
    assert_eq!(
        refreshed("2026-07-01T02:00:00Z"),
        "2026-07-01T02:00:00.000000Z"
    );
    // The hour that is left out in spring.
    let spring = AlertSettings {
        refresh_hour: 2,
        ..settings.clone()
    };
    assert_eq!(
        spring
            .refreshed_before(time("2026-03-29T12:00:00Z"))
            .to_string(),
        "2026-03-29T01:00:00.000000Z"
    );
    let mut cells = Cells::default();
    for (minute, value) in [(0, 10.0), (1, 12.0), (2, 11.0), (3, 1_000.0), (60, 7.0)] {
        let step = time("2026-06-30T10:00:00Z").unix_seconds() / 60 + minute;
        cells.add(Group::default(), step, &Cell::of(value));
    }
    let now = time("2026-07-01T10:30:00Z");
    let mut baselines = Baselines::default();
    baselines.add(
        &settings,
        &cells,
        Aggregate::Avg,
        settings.refreshed_before(now),
    );
    let pool = baselines.at(&settings, &Group::default(), now).unwrap();
    // Of 10, 11, 12, 1000: median 11.5, distances 0.5, 0.5, 1.5, 988.5.
    assert_eq!((pool.median, pool.mad, pool.samples), (11.5, 1.0, 4));
    assert_eq!(pool.baseline(3.0, Direction::Up), 14.5);
    // One minute is too few, and of other hours there is none.
    assert!(
        baselines
            .at(&settings, &Group::default(), time("2026-07-01T11:30:00Z"))
            .is_none()
    );
    assert!(Pool::of(&mut []).is_none());
}

#[test]
fn rules_against_what_is_usual_need_to_know_it() {
    let settings = AlertSettings::default();
    let shift = rule(
        1,
        "p99_shift",
        json!({"min_count": 1, "keep_s": 0}),
        None,
        0,
    );
    let usual = cells(
        60,
        (0..86_400)
            .step_by(60)
            .map(|second| (second, 100.0 + f64::from((second / 60 % 3) as u32))),
    );
    let mut baselines = Baselines::default();
    let next = at(86_400 + 5 * 3_600);
    baselines.add(
        &settings,
        &usual,
        Aggregate::P99,
        settings.refreshed_before(next),
    );
    let value = |second: u64| {
        if second >= 86_400 + 5 * 3_600 + 600 {
            500.0
        } else {
            250.0
        }
    };
    let seconds = (86_400 + 5 * 3_600..86_400 + 5 * 3_600 + 1_200).step_by(5);
    let now = cells(5, seconds.map(|second| (second, value(second))));
    let run = |baselines: &Baselines| {
        let watched = [Watched {
            rule: &shift,
            cells: &now,
            baselines,
        }];
        let range = (next, next.plus(Nanos::from_seconds(1_200)));
        advance(&settings, &watched, &mut States::new(), range)
    };
    let events = run(&baselines);
    // 250 is beyond 1.8 times what is usual, but not 200 ms above it.
    assert_eq!(told(&events), [("fired", 86_400 + 5 * 3_600 + 605)]);
    let baseline = events[0].reading.baseline.unwrap();
    assert!((100.0..110.0).contains(&baseline), "{baseline}");
    assert!(run(&Baselines::default()).is_empty());
}

#[test]
fn quantiles_are_right_within_a_hundredth() {
    let mut cell = Cell::default();
    for value in 1..=1_000 {
        cell.add(&Cell::of(f64::from(value)));
    }
    for (aggregate, exact) in [
        (Aggregate::P50, 500.0),
        (Aggregate::P90, 900.0),
        (Aggregate::P99, 990.0),
    ] {
        let value = cell.value(aggregate).unwrap();
        assert!((value / exact - 1.0).abs() < 0.011, "{aggregate}: {value}");
    }
    assert_eq!(cell.value(Aggregate::Avg), Some(500.5));
    let mut signed = Cell::of(-5.0);
    signed.add(&Cell::of(0.0));
    assert_eq!(signed.value(Aggregate::P50), Some(-5.0));
    assert_eq!(Cell::default().value(Aggregate::Count), None);
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
    let file = super::prometheus::file(rules.iter());
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

type Stored = Vec<(AlertRuleId, Vec<(Group, super::state::GroupState)>)>;

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
