use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::safety::{all_hold, checks};
use super::*;
use crate::Timestamp;
use crate::alert::cell::Cell;
use crate::alert::measure::RequestMeasure;
use crate::prompt::Label;

/// So many requests, with these values of each.
fn vitals(count: u32, values: &[(RequestMeasure, f64)]) -> Vitals {
    let mut vitals = Vitals::default();
    for _ in 0..count {
        vitals.add(RequestMeasure::Requests, &Cell::of(1.0));
        for (measure, value) in values {
            vitals.add(*measure, &Cell::of(*value));
        }
    }
    vitals
}

fn usual() -> [(RequestMeasure, f64); 5] {
    [
        (RequestMeasure::InputTokens, 1_000.0),
        (RequestMeasure::OutputTokens, 200.0),
        (RequestMeasure::FormatValid, 1.0),
        (RequestMeasure::Refused, 0.0),
        (RequestMeasure::E2eMs, 2_000.0),
    ]
}

fn failed(checks: &[Check]) -> Vec<&str> {
    let failed = checks.iter().filter(|check| !check.ok);
    failed.map(|check| check.metric.as_str()).collect()
}

fn time(seconds: u64) -> Timestamp {
    Timestamp::from_unix_nanos(seconds * 1_000_000_000).unwrap()
}

#[test]
fn each_check_fails_for_its_own_reason_and_says_so() {
    let limits = Limits::default();
    let current = vitals(40, &usual());
    assert_eq!(failed(&checks(&limits, &current, &current)), [""; 0]);
    let worse = [
        (
            RequestMeasure::InputTokens,
            1_600.0,
            "token.input_tokens:p50",
        ),
        (
            RequestMeasure::OutputTokens,
            310.0,
            "token.output_tokens:p99",
        ),
        (
            RequestMeasure::FormatValid,
            0.9,
            "quality.format_valid:rate",
        ),
        (RequestMeasure::Refused, 0.1, "quality.refused:rate"),
        (RequestMeasure::E2eMs, 3_100.0, "token.e2e_ms:p99"),
    ];
    for (measure, value, metric) in worse {
        let mut values = BTreeMap::from(usual());
        values.insert(measure, value);
        let values: Vec<_> = values.into_iter().collect();
        let found = checks(&limits, &vitals(40, &values), &current);
        assert_eq!(failed(&found), [metric]);
        let check = found.iter().find(|check| !check.ok).unwrap();
        assert!(check.reason.starts_with("beyond"), "{check:?}");
        assert!(check.limit.is_some() && check.current.is_some());
    }
}

#[test]
fn too_few_say_nothing_and_what_is_measured_nowhere_does_not_matter() {
    let limits = Limits::default();
    let (many, few) = (vitals(30, &usual()), vitals(29, &usual()));
    for (target, current) in [(&few, &many), (&many, &few), (&few, &few)] {
        let found = checks(&limits, target, current);
        assert_eq!(failed(&found).len(), 6, "{found:?}");
        assert!(
            found
                .iter()
                .all(|check| check.reason.starts_with("too few"))
        );
    }
    let plain = vitals(30, &usual()[..2]);
    let found = checks(&limits, &plain, &plain);
    assert!(all_hold(&found), "{found:?}");
    assert_eq!(found[3].target_7d, None);
    // Known on one side alone it cannot be compared.
    assert_eq!(failed(&checks(&limits, &plain, &many)).len(), 3);
    assert!(!all_hold(&checks(
        &limits,
        &Vitals::default(),
        &Vitals::default()
    )));
    assert!(!all_hold(&[]));
}

#[test]
fn limits_are_read_with_their_paths() {
    let parse = |value: Value| Limits::parse(value.as_object().unwrap());
    assert_eq!(parse(json!({})).unwrap(), Limits::default());
    let set = parse(json!({"min_requests": 5, "latency_ratio": 2})).unwrap();
    assert_eq!((set.min_requests, set.latency_ratio), (5, 2.0));
    for (wrong, path) in [
        (json!({"min_requests": 0}), "limits.min_requests"),
        (json!({"latency_ratio": 0.5}), "limits.latency_ratio"),
        (json!({"refused_rise": "much"}), "limits.refused_rise"),
        (json!({"slip": 1}), "limits.slip"),
    ] {
        assert_eq!(parse(wrong).unwrap_err().field.as_deref(), Some(path));
    }
}

#[test]
fn only_a_version_that_is_to_blame_above_all_else_is_a_suspect() {
    let answer = |action: &str, dimension: &str, version: &str| {
        json!({"recommendation": {"action": action},
            "culprits": [{"dimension": dimension, "value": "a@7"}, {"dimension": "prompt_version"}],
            "prompt": {"name": "a", "suspect_version": version, "previous_version": "6"}})
    };
    let found = Suspect::of_answer(&answer("rollback", "prompt_version", "7")).unwrap();
    assert_eq!(
        (found.prompt.as_str(), found.version, found.previous),
        ("a", 7, Some(6))
    );
    let (name, blamed) = (found.prompt, answer("inspect", "prompt_version", "7"));
    assert!(blames(&blamed, &name, 7) && !blames(&blamed, &name, 6));
    assert!(!blames(&answer("rollback", "release", "7"), &name, 7));
    let alone = Suspect::of_answer(&answer("rollback", "prompt_version", "6")).unwrap();
    assert_eq!(alone.previous, None);
    for other in [
        answer("rebalance", "prompt_version", "7"),
        answer("rollback", "release", "7"),
        answer("rollback", "prompt_version", "v7"),
        answer("rollback", "prompt_version", "0"),
        json!({"recommendation": {"action": "rollback"}, "prompt": null}),
        Value::Null,
    ] {
        assert_eq!(Suspect::of_answer(&other), None, "{other}");
    }
}

#[test]
fn where_another_axis_shows_a_cause_the_version_is_blamed_twice_before_it_goes_back() {
    let answer = |version: &str, contested_by: Value| {
        json!({"recommendation": {"action": "rollback", "contested_by": contested_by},
            "culprits": [{"dimension": "prompt_version"}],
            "prompt": {"name": "a", "suspect_version": version, "previous_version": "6"}})
    };
    let version = |answer: &Value, before: Option<&Value>, says_more| {
        Suspect::to_act_on(answer, before, says_more).map(|suspect| suspect.version)
    };
    let (alone, contested) = (answer("7", Value::Null), answer("7", json!("gpu")));
    let (yes, no) = (SaysMore::Yes, SaysMore::No);
    assert_eq!(version(&alone, None, yes), Some(7));
    assert_eq!(version(&alone, Some(&answer("8", Value::Null)), no), None);
    assert_eq!(version(&contested, None, yes), None);
    assert_eq!(
        version(&contested, Some(&answer("8", Value::Null)), yes),
        None
    );
    for before in [&alone, &contested] {
        assert_eq!(version(&contested, Some(before), no), Some(7));
    }
    let device = json!({"recommendation": {"action": "rebalance"}});
    assert_eq!(version(&contested, Some(&device), yes), None);
    assert_eq!(version(&device, Some(&contested), yes), None);
}

fn policy(mode: Mode) -> Policy {
    Policy {
        mode,
        ..Policy::usual(Label::production())
    }
}

fn facts<'f>(policy: &'f Policy, checks: &'f [Check]) -> Facts<'f> {
    Facts {
        policy,
        suspect: 7,
        stands_on: Some(7),
        target: Some(6),
        checks,
        target_is_suspect: false,
        is_out_of_reach: false,
        last: None,
        is_over: false,
        now: time(10_000),
    }
}

fn found(count: u32) -> Vec<Check> {
    let limits = Limits::default();
    checks(&limits, &vitals(count, &usual()), &vitals(40, &usual()))
}

/// Facts that nothing speaks against, but for what is changed.
fn changed<'f>(
    policy: &'f Policy,
    checks: &'f [Check],
    change: impl Fn(&mut Facts<'f>),
) -> Facts<'f> {
    let mut facts = facts(policy, checks);
    change(&mut facts);
    facts
}

#[test]
fn a_label_goes_back_where_nothing_speaks_against_it_and_else_a_person_is_asked() {
    let (auto, suggest) = (policy(Mode::Auto), policy(Mode::Suggest));
    let (good, bad) = (found(40), found(4));
    let auto_good = |change: fn(&mut Facts<'_>)| changed(&auto, &good, change);
    let cooled = auto_good(|facts| facts.last = Some(time(6_400)));
    for facts in [facts(&auto, &good), cooled] {
        assert!(matches!(decide(&facts), Decision::Apply(6, _)));
    }
    for (facts, word) in [
        (facts(&auto, &bad), "request.count"),
        (facts(&auto, &[]), "did not pass"),
        (facts(&suggest, &good), "to suggest"),
        (auto_good(|facts| facts.target = None), "no version"),
        (
            auto_good(|facts| facts.target_is_suspect = true),
            "version 6, too",
        ),
        (auto_good(|facts| facts.is_out_of_reach = true), "protected"),
        (auto_good(|facts| facts.last = Some(time(6_401))), "until"),
    ] {
        let decision = decide(&facts);
        assert!(
            matches!(&decision, Decision::Suggest(why) if why.contains(word)),
            "{word}: {decision:?}"
        );
    }
}

#[test]
fn a_label_that_has_nothing_to_go_back_from_is_left_alone() {
    let (auto, off, good) = (policy(Mode::Auto), policy(Mode::Off), found(40));
    let auto_good = |change: fn(&mut Facts<'_>)| changed(&auto, &good, change);
    for (facts, word) in [
        (facts(&off, &good), "switched off"),
        (auto_good(|facts| facts.is_over = true), "over"),
        (auto_good(|facts| facts.stands_on = Some(8)), "version 8"),
        (
            auto_good(|facts| facts.stands_on = None),
            "no version any more",
        ),
    ] {
        let decision = decide(&facts);
        assert!(
            matches!(&decision, Decision::Refuse(why) if why.contains(word)),
            "{word}: {decision:?}"
        );
    }
}

proptest! {
    #[test]
    fn what_is_as_usual_passes_and_what_is_worse_never_passes_where_the_better_fails(
        values in prop::collection::vec((1.0..1e4_f64, 1.0..1e4_f64, 0.0..1.0_f64), 30..60),
        worse in 0.0..5.0_f64,
    ) {
        let limits = Limits::default();
        let of = |factor: f64| {
            let mut all = Vitals::default();
            for (tokens, ms, share) in &values {
                all.add(RequestMeasure::Requests, &Cell::of(1.0));
                all.add(RequestMeasure::OutputTokens, &Cell::of(tokens * factor));
                all.add(RequestMeasure::E2eMs, &Cell::of(ms * factor));
                all.add(RequestMeasure::FormatValid, &Cell::of(share / factor));
            }
            all
        };
        let current = of(1.0);
        prop_assert!(all_hold(&checks(&limits, &current, &current)));
        let some = checks(&limits, &of(1.0 + worse), &current);
        let more = checks(&limits, &of((1.0 + worse) * 1.1), &current);
        for (some, more) in some.iter().zip(&more) {
            prop_assert!(some.ok || !more.ok, "{some:?} {more:?}");
        }
    }

    #[test]
    fn too_few_samples_never_let_a_label_move(
        target in 0..60_u32, current in 0..60_u32, least in 1..60_u64,
    ) {
        let policy = policy(Mode::Auto);
        let limits = Limits { min_requests: least, ..policy.limits };
        let checks = checks(&limits, &vitals(target, &usual()), &vitals(current, &usual()));
        let facts = Facts {
            policy: &policy, suspect: 2, stands_on: Some(2), target: Some(1), checks: &checks,
            target_is_suspect: false, is_out_of_reach: false, last: None, is_over: false,
            now: time(1),
        };
        let is_enough = u64::from(target.min(current)) >= least;
        prop_assert_eq!(matches!(decide(&facts), Decision::Apply(1, _)), is_enough);
    }
}
