//! A walk over steps, with what goes in and what comes out.

/// What each kind says.
mod kinds;
/// Order, repetition, restarts; parameters; Prometheus.
mod rules;
/// Versions that went back.
mod successors;
/// What incidents ask of an attribution.
mod symptom;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::alert::baseline::Baselines;
use crate::alert::cell::{Cell, Cells};
use crate::alert::evaluate::{Event, Watched, advance};
use crate::alert::kind::Kind;
use crate::alert::rule::{Rule, RuleDraft, RuleFilter, Severity};
use crate::alert::settings::AlertSettings;
use crate::alert::state::{Change, Group, States};
use crate::alert::successor::Successors;
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
    let (baselines, successors) = (Baselines::default(), Successors::new());
    let watched: Vec<Watched<'_>> = rules
        .iter()
        .map(|(rule, cells)| Watched {
            rule,
            cells,
            baselines: &baselines,
            successors: &successors,
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
