//! What an incident asks of an attribution: which series went wrong, which way, since when.

use serde::{Deserialize, Serialize};

use super::evaluate::Event;
use super::kind::{Condition, Direction};
use super::measure::{AlertSeries, RequestMeasure, Source};
use super::rule::Rule;
use super::state::Change;
use crate::axes::AxisValue;
use crate::filter::Filter;
use crate::{Nanos, Timestamp};

/// The question of an incident, kept with it: rules may change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Symptom {
    /// The series, a value of the axes.
    pub series: String,
    /// Which way is bad: `up` or `down`.
    pub direction: Direction,
    /// When the requests began that the rule found abnormal first.
    pub since: Timestamp,
    /// Which requests the rule is about. Its group plays no part: what is fine beside it tells who is to blame.
    pub filter: Filter,
}

/// The symptom of what a rule fired about; of several axes that of the one nearest to who asked: latency and failures,
/// then answers, then what is left. `None` where no request has the series: counts, metrics of one's own, no data.
pub fn symptom(rule: &Rule, all: &[Rule], event: &Event) -> Option<Symptom> {
    let Change::Fired { onset } = event.change else {
        return None;
    };
    if !matches!(rule.draft.kind.condition, Condition::Composite { .. }) {
        return of_rule(rule, onset);
    }
    let members = event.members.iter().filter_map(|member| {
        let rule = all.iter().find(|rule| rule.id == member.rule)?;
        of_rule(rule, member.onset)
    });
    members.min_by_key(|symptom| (distance(&symptom.series), symptom.since))
}

fn of_rule(rule: &Rule, onset: Timestamp) -> Option<Symptom> {
    let kind = &rule.draft.kind;
    let direction = match &kind.condition {
        Condition::Threshold { direction, .. }
        | Condition::Adaptive { direction, .. }
        | Condition::SloBurn { direction, .. } => *direction,
        Condition::P99Shift { .. } | Condition::CostSpike { .. } => Direction::Up,
        Condition::Composite { .. } | Condition::NoData => return None,
    };
    let window_s = match &kind.condition {
        // The long window holds hours of good ones; the short one is why it fires now.
        Condition::SloBurn { burns, .. } => burns.iter().map(|burn| burn.short_s).min()?,
        _ => kind.window_s,
    };
    Some(Symptom {
        series: value(rule.draft.series.as_ref()?)?.to_string(),
        direction,
        since: onset.minus(Nanos::from_seconds(window_s)),
        filter: rule.draft.filter.filter.clone(),
    })
}

/// What requests have of a series.
fn value(series: &AlertSeries) -> Option<AxisValue> {
    match &series.source {
        Source::Requests(RequestMeasure::Requests) => None,
        Source::Requests(RequestMeasure::Errors) => Some(AxisValue::Errors),
        Source::Requests(RequestMeasure::Cost) => Some(AxisValue::Cost),
        Source::Requests(measure) => AxisValue::parse(measure.as_str()),
        Source::Scores(name) | Source::Metric(name) => AxisValue::parse(name),
    }
}

/// How far a series is from what a person notices.
fn distance(series: &str) -> u8 {
    const NOTICED: [&str; 4] = ["token.ttft_ms", "token.e2e_ms", "token.tpot_ms", "errors"];
    match series.split_once('.') {
        _ if NOTICED.contains(&series) => 0,
        Some(("quality" | "score", _)) => 1,
        Some(("gpu", _)) => 3,
        _ => 2,
    }
}
