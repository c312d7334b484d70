use std::collections::BTreeMap;

use serde_json::json;
use uuid::Uuid;

use super::{at, rule, told};
use crate::Timestamp;
use crate::alert::baseline::Baselines;
use crate::alert::cell::{Cell, Cells};
use crate::alert::evaluate::{Event, Watched, advance};
use crate::alert::settings::AlertSettings;
use crate::alert::state::{Change, Group, Resolution, States};
use crate::alert::successor::{Successor, Successors};
use crate::prompt::{Label, PromptName};
use crate::rollback::{Rollback, State};

fn group(prompt: &str, version: &str) -> Group {
    let named = [("prompt", prompt), ("prompt_version", version)];
    Group::of(named.map(|(name, value)| (name.to_owned(), value.to_owned())))
}

fn rollback(decided_at: Option<Timestamp>) -> Rollback {
    Rollback {
        id: Uuid::nil().into(),
        prompt: PromptName::parse("team/greet").unwrap(),
        label: Label::parse("production").unwrap(),
        from_version: 2,
        to_version: Some(1),
        incident: None,
        is_automatic: true,
        actor: "server".to_owned(),
        state: State::Applied,
        reason: String::new(),
        checks: Vec::new(),
        created_at: at(0),
        decided_at,
        undone_at: None,
        undone_by: None,
        recovered_at: None,
    }
}

/// Version 2 fails until second 60, version 1 says `good` of each second from then on.
fn walk(good: Option<f64>, successors: &Successors) -> Vec<Event> {
    let params = json!({"value": 0.5, "window_s": 10, "keep_s": 20,
        "group_by": ["prompt", "prompt_version"]});
    let rule = rule(1, "threshold", params, Some("request.errors:rate"), 0);
    let mut cells = Cells::default();
    let mut add = |version: &str, second: u64, value: f64| {
        let step = at(second).unix_seconds().div_euclid(5);
        cells.add(group("team/greet", version), step, &Cell::of(value));
    };
    (0..60).step_by(5).for_each(|second| add("2", second, 1.0));
    for second in (60..7_200).step_by(5) {
        if let Some(value) = good {
            add("1", second, value);
        }
    }
    let watched = [Watched {
        rule: &rule,
        cells: &cells,
        baselines: &Baselines::default(),
        successors,
    }];
    let settings = AlertSettings::default();
    advance(&settings, &watched, &mut States::new(), (at(0), at(7_200)))
}

fn successors() -> Successors {
    let silent = group("team/greet", "2");
    let successor = Successor::of(&silent, &rollback(Some(at(50)))).unwrap();
    assert_eq!(successor.group, group("team/greet", "1"));
    BTreeMap::from([(silent, successor)])
}

#[test]
fn a_version_that_went_back_is_well_where_the_one_before_is() {
    let events = walk(Some(0.0), &successors());
    // The last of version 2 has left the window at 70; 20 seconds are waited for.
    assert_eq!(told(&events), [("fired", 5), ("resolved", 90)]);
    let why = |event: &Event| match event.change {
        Change::Resolved { why, .. } => Some(why),
        Change::Fired { .. } => None,
    };
    assert_eq!(why(&events[1]), Some(Resolution::Recovered));
}

#[test]
fn a_version_that_went_back_is_not_well_where_the_one_before_is_unknown_or_bad() {
    let unknown = walk(None, &successors());
    assert_eq!(told(&unknown), [("fired", 5), ("resolved", 3_670)]);
    let bad = walk(Some(1.0), &successors());
    let of_silent: Vec<Event> = bad
        .into_iter()
        .filter(|event| event.group == group("team/greet", "2"))
        .collect();
    assert_eq!(told(&of_silent), [("fired", 5), ("resolved", 3_670)]);
    let none = walk(Some(0.0), &Successors::new());
    assert_eq!(told(&none), [("fired", 5), ("resolved", 3_670)]);
}

#[test]
fn only_what_a_rollback_moved_has_a_successor() {
    let applied = rollback(Some(at(50)));
    let of = |prompt, version, rollback: &Rollback| {
        Successor::of(&group(prompt, version), rollback).is_some()
    };
    assert!(of("team/greet", "2", &applied) && of("", "2", &applied));
    assert!(!of("team/greet", "3", &applied) && !of("other", "2", &applied));
    assert!(!of("team/greet", "", &applied) && !of("team/greet", "2", &rollback(None)));
    for state in [
        State::Waiting,
        State::Suggested,
        State::Refused,
        State::Undone,
    ] {
        let other = Rollback {
            state,
            ..applied.clone()
        };
        assert!(!of("team/greet", "2", &other), "{state}");
    }
}
