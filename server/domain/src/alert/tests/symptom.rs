//! What incidents ask of an attribution.

use serde_json::json;

use super::{at, rule};
use crate::alert::evaluate::{Event, Member};
use crate::alert::kind::Direction;
use crate::alert::measure::Axis;
use crate::alert::state::{Change, Group, Reading};
use crate::alert::symptom::{Symptom, symptom};
use crate::alert::{AlertSeries, Rule};

fn fired(rule: &Rule, members: &[(&Rule, u64)]) -> Event {
    let axis = |rule: &Rule| rule.draft.series.as_ref().and_then(AlertSeries::axis);
    let member = |(rule, onset): &(&Rule, u64)| Member {
        rule: rule.id,
        group: Group::default(),
        axis: axis(rule).unwrap_or(Axis::Token),
        onset: at(*onset),
    };
    Event {
        rule: rule.id,
        group: Group::default(),
        at: at(1_010),
        change: Change::Fired { onset: at(1_000) },
        reading: Reading::default(),
        members: members.iter().map(member).collect(),
        suppressed_by: None,
    }
}

fn of(rule: &Rule) -> Option<Symptom> {
    symptom(rule, std::slice::from_ref(rule), &fired(rule, &[]))
}

#[test]
fn the_window_begins_with_what_the_rule_found_abnormal_first() {
    let slow = rule(1, "p99_shift", json!({}), None, 0);
    let found = of(&slow).unwrap();
    assert_eq!(
        (found.series.as_str(), found.direction),
        ("token.ttft_ms", Direction::Up)
    );
    assert_eq!(found.since, at(940));
    let params = json!({"direction": "down", "value": 0.9, "window_s": 300});
    let poor = rule(2, "threshold", params, Some("quality.format_valid"), 0);
    let found = of(&poor).unwrap();
    assert_eq!((found.direction, found.since), (Direction::Down, at(700)));
    let params = json!({"direction": "up", "objective": 0.99});
    let burns = rule(3, "slo_burn", params, Some("request.errors:rate"), 0);
    let found = of(&burns).unwrap();
    assert_eq!((found.series.as_str(), found.since), ("errors", at(700)));
}

#[test]
fn what_no_request_has_is_not_asked_about() {
    for series in ["request.count", "my_own_metric"] {
        let counted = rule(1, "threshold", json!({"value": 1}), Some(series), 0);
        assert_eq!(of(&counted), None, "{series}");
    }
    assert_eq!(
        of(&rule(2, "no_data", json!({}), Some("token.ttft_ms"), 0)),
        None
    );
}

#[test]
fn of_several_axes_people_notice_latency_first() {
    let high = |number, series| rule(number, "threshold", json!({"value": 1}), Some(series), 0);
    let (busy, slow) = (high(1, "gpu.sm_active"), high(2, "token.ttft_ms"));
    let poor = high(3, "quality.refused");
    let both = rule(4, "composite", json!({}), None, 0);
    let all = [busy.clone(), slow.clone(), poor.clone(), both.clone()];
    let asked = |members: &[(&Rule, u64)]| symptom(&both, &all, &fired(&both, members));
    let found = asked(&[(&busy, 900), (&poor, 940), (&slow, 950)]).unwrap();
    assert_eq!(
        (found.series.as_str(), found.since),
        ("token.ttft_ms", at(890))
    );
    let found = asked(&[(&busy, 900), (&poor, 940)]).unwrap();
    assert_eq!(found.series, "quality.refused");
    assert_eq!(asked(&[]), None);
}
