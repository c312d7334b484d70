use serde_json::json;
use uuid::Uuid;

use super::{at, cells, rule, second, told, walk};
use crate::alert::baseline::{Baselines, Pool};
use crate::alert::cell::{Cell, Cells};
use crate::alert::evaluate::{Event, Watched, advance};
use crate::alert::kind::Direction;
use crate::alert::measure::{Aggregate, Axis};
use crate::alert::rule::Rule;
use crate::alert::settings::AlertSettings;
use crate::alert::state::{Group, States};
use crate::alert::successor::Successors;
use crate::{AlertRuleId, Nanos, Timestamp};

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
        if second >= 3_600 && second.is_multiple_of(300) {
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
    cells[0] = super::cells(
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
    // The same hour of other days, over a change of the clock: ten o'clock there is 08:00 in UTC, and was 09:00.
    let same = |days| {
        settings
            .same_hour(time("2026-03-30T08:30:00Z"), days)
            .unwrap()
    };
    for (days, begin) in [
        (0, "2026-03-30T08"),
        (1, "2026-03-29T08"),
        (2, "2026-03-28T09"),
    ] {
        let (from, to) = same(days);
        assert_eq!(from, time(&format!("{begin}:00:00Z")));
        assert_eq!(to, from.plus(Nanos::from_seconds(3_600)));
    }
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
            successors: &Successors::new(),
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
