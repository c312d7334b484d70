//! What is asked while an incident goes on: when an alert fires, and again later.

use domain::attribution::Request;
use domain::stats::quantile::{quantile, sorted};

use crate::fleet::Call;
use crate::history::History;
use crate::scenario::Scenario;
use crate::told::{instant, request};

/// Seconds after the alert fired at which its cause is looked for.
pub const LOOKS_S: [f64; 4] = [0.0, 30.0, 120.0, 300.0];
/// Seconds that a rule looks back over.
const WINDOW_S: f64 = 30.0;
/// A rule fires where its value is so many times what was usual.
const FACTOR: f64 = 1.3;
/// Share of poor answers from which on a rule fires, and calls that it needs.
const POOR: f64 = 0.06;
const LEAST_CALLS: usize = 10;

/// Second at which a rule over the scenario's symptom fires: over the ninth decile of a latency, or the share of poor
/// answers, of half a minute. `None`: it does not.
pub fn fires_at(history: &History) -> Option<f64> {
    let scenario = &history.scenario;
    let (series, _) = scenario.symptom;
    let is_latency = series.starts_with("token.");
    let value = |from: f64, to: f64| {
        let calls = history.calls.iter();
        let ended = calls.filter(|call| from < call.ended && call.ended <= to);
        let values: Vec<f64> = ended.map(|call| measured(series, call)).collect();
        let enough = values.len() >= LEAST_CALLS;
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        match is_latency {
            true => quantile(&sorted(values), 0.9).filter(|_| enough),
            false => Some(mean).filter(|_| enough),
        }
    };
    let limit = match is_latency {
        true => FACTOR * value(scenario.begins_at - 3000.0, scenario.begins_at)?,
        false => POOR,
    };
    let steps = (0..).map(|step| scenario.begins_at + 5.0 * f64::from(step));
    let mut steps = steps.take_while(|at| *at < scenario.ends_at());
    steps.find(|at| value(at - WINDOW_S, *at).is_some_and(|value| value > limit))
}

fn measured(series: &str, call: &Call) -> f64 {
    match series {
        "token.ttft_ms" => call.first_token - call.at,
        "token.tpot_ms" => (call.ended - call.first_token) / (call.output_tokens - 1.0).max(1.0),
        "quality.format_valid" => f64::from(u8::from(!call.format_valid)),
        "quality.refused" => f64::from(u8::from(call.refused)),
        _ => call.ended - call.at,
    }
}

/// The questions of an alert that fired, each of what had ended by then.
pub fn looks(history: &History, fired: f64) -> Vec<Request> {
    let of = |after: f64| {
        let now = fired + after;
        let known = History {
            scenario: Scenario {
                alert_at: fired - WINDOW_S,
                alert_s: now - (fired - WINDOW_S),
                ..history.scenario.clone()
            },
            calls: history
                .calls
                .iter()
                .filter(|call| call.ended <= now)
                .cloned()
                .collect(),
            readings: history
                .readings
                .iter()
                .take(now as usize)
                .cloned()
                .collect(),
        };
        let mut asked = request(&known);
        asked.moments.alerted = Some(instant(fired));
        asked
    };
    let until = history.readings.len() as f64;
    let times = LOOKS_S.into_iter();
    times
        .filter(|after| fired + after < until)
        .map(of)
        .collect()
}
