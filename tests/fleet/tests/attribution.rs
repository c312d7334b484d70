//! How often attributions of simulated fleets are right, and what must not change an answer. Seeds from
//! [`HELD_BACK`] on were never used to tune anything.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "counts are small"
)]

use domain::attribution::answer::{Action, Attribution};
use domain::attribution::request::{Direction, GUARD, Unanswerable, Window};
use domain::attribution::{Axis, Column, Dimension, Request, attribute};
use fleet::accuracy::{Outcome, Tally, ask, by_cause, reliability};
use fleet::scenario::KINDS;
use fleet::{Cause, History, Scenario, told};

/// Where the seeds begin that nothing was tuned on.
const HELD_BACK: u64 = 5000;
/// Seeds of each cause.
const SEEDS: u64 = 4;
/// Kinds of causes by their number.
const QUIET: usize = 0;
const THROTTLE: usize = 2;
const BROKEN_PREFIX: usize = 5;
const FLOOD: usize = 6;

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

fn told_of(kind: usize, seed: u64) -> (Scenario, Request) {
    let scenario = Scenario::drawn(kind, seed);
    let request = told::request(&History::of(scenario.clone()));
    (scenario, request)
}

#[test]
fn the_axis_and_the_culprit_are_right_and_quiet_windows_stay_quiet() {
    let outcomes: Vec<Outcome> = (HELD_BACK..HELD_BACK + SEEDS)
        .flat_map(|seed| (0..KINDS).map(move |kind| ask(Scenario::drawn(kind, seed))))
        .collect();
    let tallies = by_cause(&outcomes);
    let all = Tally::sum(tallies.values());
    assert!(share(all.axis_right, all.windows) >= 0.95, "{tallies:#?}");
    assert!(
        share(all.culprit_right, all.with_culprit) >= 0.9,
        "{tallies:#?}"
    );
    for (cause, tally) in &tallies {
        assert!(
            share(tally.axis_right, tally.windows) >= 0.7,
            "{cause}: {tally:?}"
        );
    }
    let quiet = Tally::sum(["quiet", "growth without harm"].map(|cause| &tallies[cause]));
    let alarms = quiet.windows - quiet.axis_right;
    // Two in a hundred; of so few windows one may be that one.
    assert!(alarms <= 1.max(quiet.windows / 50), "{tallies:#?}");
    // Who is surer than right would mislead; of few windows chance takes three standard deviations.
    for bin in reliability(&outcomes) {
        let (n, sure) = (bin.windows as f64, bin.confidence);
        let least = sure - 3.0 * (sure * (1.0 - sure) / n).sqrt() - 1.0 / n;
        assert!(bin.right >= least, "{bin:?}");
    }
}

/// What an answer says, without the names of what it says it of.
fn gist(answer: &Attribution) -> impl PartialEq + std::fmt::Debug + use<> {
    let features: Vec<_> = answer
        .features
        .iter()
        .map(|f| {
            (
                f.series.clone(),
                f.effect.to_bits(),
                f.q_value.to_bits(),
                f.share.to_bits(),
            )
        })
        .collect();
    let culprits: Vec<_> = answer
        .culprits
        .iter()
        .map(|c| (c.dimension.clone(), c.score.to_bits(), c.q_value.to_bits()))
        .collect();
    (
        answer.axis,
        answer.confidence.to_bits(),
        answer.recommendation.action,
        features,
        culprits,
        answer.timeline.len(),
    )
}

/// Rows in another order.
fn reordered(request: &Request, order: &[usize]) -> Request {
    let mut other = request.clone();
    let rows = &request.rows;
    other.rows.trace_ids = order
        .iter()
        .map(|row| rows.trace_ids[*row].clone())
        .collect();
    other.rows.starts = order.iter().map(|row| rows.starts[*row]).collect();
    other.rows.columns = rows
        .columns
        .iter()
        .map(|column| {
            let values = order.iter().map(|row| column.get(*row).map(|x| x as f32));
            like(column, values)
        })
        .collect();
    other.rows.dimensions = rows
        .dimensions
        .iter()
        .map(|dimension| {
            Dimension::new(&dimension.name, order.iter().map(|row| dimension.get(*row)))
        })
        .collect();
    other
}

fn like(column: &Column, values: impl IntoIterator<Item = Option<f32>>) -> Column {
    match column.scale() {
        domain::attribution::rows::Scale::Number => Column::numbers(column.series(), values),
        domain::attribution::rows::Scale::Boolean => {
            let truths = values.into_iter().map(|value| value.map(|x| x > 0.5));
            Column::booleans(column.series(), truths)
        }
    }
}

#[test]
fn the_order_of_rows_and_the_names_of_values_change_nothing() {
    for kind in [THROTTLE, BROKEN_PREFIX, FLOOD] {
        let (_, request) = told_of(kind, 11);
        let answer = attribute(&request).unwrap();
        assert_eq!(answer, attribute(&request).unwrap());
        let n = request.rows.len();
        // A step that shares no factor with the number of rows visits each once.
        let step = (n / 3..n).find(|step| gcd(*step, n) == 1).unwrap();
        let order: Vec<usize> = (0..n).map(|at| at * step % n).collect();
        assert_eq!(answer, attribute(&reordered(&request, &order)).unwrap());

        let mut renamed = request.clone();
        for dimension in &mut renamed.rows.dimensions {
            for (at, value) in dimension.values.iter_mut().enumerate() {
                let (name, version) = value.rsplit_once('@').unwrap_or((value, "0"));
                *value = format!("{}{at}@{version}", name.chars().rev().collect::<String>());
            }
        }
        assert_eq!(gist(&answer), gist(&attribute(&renamed).unwrap()));
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn another_unit_changes_nothing_but_medians() {
    let (_, request) = told_of(THROTTLE, 12);
    let answer = attribute(&request).unwrap();
    let mut other = request.clone();
    for column in &mut other.rows.columns {
        // Powers of two are exact.
        let factor = match column.series() {
            "gpu.power_w" | "token.queue_ms" => 1024.0,
            series if series == request.symptom.series => 0.125,
            _ => continue,
        };
        let values: Vec<_> = (0..column.len())
            .map(|row| column.get(row).map(|x| x as f32 * factor))
            .collect();
        *column = like(column, values);
    }
    let answer_in_other = attribute(&other).unwrap();
    assert_eq!(answer.axis, answer_in_other.axis);
    assert_eq!(answer.culprits, answer_in_other.culprits);
    assert!((answer.confidence - answer_in_other.confidence).abs() < 1e-6);
}

#[test]
fn without_the_requests_of_the_culprit_nothing_is_wrong() {
    for (kind, seed) in [(THROTTLE, 13), (BROKEN_PREFIX, 14)] {
        let (scenario, request) = told_of(kind, seed);
        let answer = attribute(&request).unwrap();
        assert_eq!(answer.axis.map(Axis::as_str), Some(scenario.truth().axis));
        let culprit = &answer.culprits[0];
        let dimension = request.rows.dimension(&culprit.dimension).unwrap();
        let others: Vec<usize> = (0..request.rows.len())
            .filter(|row| dimension.get(*row) != Some(culprit.value.as_str()))
            .collect();
        let without = attribute(&reordered(&request, &others)).unwrap();
        assert_eq!(without.axis, None, "{scenario:?}: {:?}", without.reasons);
        assert_eq!(without.recommendation.action, Action::None);
    }
}

#[test]
fn a_quiet_pair_of_windows_is_quiet_the_other_way_round() {
    for seed in [21, 22, 23] {
        let (scenario, mut request) = told_of(QUIET, seed);
        let (begin, end) = (scenario.alert_at - 3600.0, scenario.ends_at());
        // What was before is mirrored to be after.
        for start in &mut request.rows.starts {
            let at = (*start - told::instant(0.0)).as_millis_f64() / 1000.0;
            *start = told::instant(begin + end - at);
        }
        let length = scenario.alert_s;
        request.windows.baseline = Window {
            from: told::instant(begin),
            to: told::instant(end - length),
        };
        request.windows.alert = Window {
            from: told::instant(end - length),
            to: told::instant(end),
        };
        assert_eq!(attribute(&request).unwrap().axis, None, "{scenario:?}");
    }
}

#[test]
fn a_fall_is_judged_as_a_rise_of_the_opposite() {
    let (_, request) = told_of(THROTTLE, 15);
    let answer = attribute(&request).unwrap();
    let mut other = request.clone();
    let series = request.symptom.series.clone();
    for column in &mut other.rows.columns {
        if column.series() == series {
            let values: Vec<_> = (0..column.len())
                .map(|row| column.get(row).map(|x| -x as f32))
                .collect();
            *column = like(column, values);
        }
    }
    other.symptom.direction = Direction::Down;
    let mirrored = attribute(&other).unwrap();
    assert_eq!(gist(&answer), gist(&mirrored));
}

#[test]
fn what_cannot_be_seen_lowers_the_confidence() {
    let (_, request) = told_of(BROKEN_PREFIX, 16);
    let answer = attribute(&request).unwrap();
    let mut blind = request.clone();
    for column in &mut blind.rows.columns {
        if column.series().starts_with("gpu.") {
            *column = like(column, vec![None; column.len()]);
        }
    }
    let less = attribute(&blind).unwrap();
    assert_eq!(
        (answer.axis, less.axis),
        (Some(Axis::Token), Some(Axis::Token))
    );
    assert!(less.confidence < 0.6 * answer.confidence);
    assert!(
        less.reasons
            .iter()
            .any(|reason| reason.to_string().contains("gpu axis"))
    );

    let mut empty = request.clone();
    for column in &mut empty.rows.columns {
        if column.series() != request.symptom.series {
            *column = like(column, vec![None; column.len()]);
        }
    }
    empty.rows.dimensions.clear();
    let nothing_seen = attribute(&empty).unwrap();
    assert!(nothing_seen.features.is_empty() && nothing_seen.confidence < 0.3);
}

#[test]
fn a_rollback_is_recommended_for_a_version_and_not_for_a_node() {
    let (_, request) = told_of(BROKEN_PREFIX, 17);
    let answer = attribute(&request).unwrap();
    assert_eq!(answer.recommendation.action, Action::Rollback);
    let prompt = answer.prompt.unwrap();
    assert_ne!(
        Some(&prompt.suspect_version),
        prompt.previous_version.as_ref()
    );
    assert!(prompt.prefix_reuse_before.unwrap() > 0.5 && prompt.prefix_reuse_after.unwrap() < 0.1);
    assert_eq!(answer.sample_trace_ids.len(), 10);

    let (_, request) = told_of(THROTTLE, 17);
    let answer = attribute(&request).unwrap();
    assert_eq!(answer.recommendation.action, Action::Rebalance);
    assert!(answer.timeline.is_sorted_by_key(|moment| moment.at));
}

#[test]
fn fewer_than_thirty_requests_are_too_few() {
    let (scenario, request) = told_of(QUIET, 18);
    let begin = told::instant(scenario.alert_at);
    let within: Vec<usize> = (0..request.rows.len())
        .filter(|row| request.rows.starts[*row] >= begin.minus(GUARD))
        .collect();
    let found = attribute(&reordered(&request, &within));
    assert!(
        matches!(found, Err(Unanswerable::TooFew { baseline: 0, alert }) if alert >= 30),
        "{found:?}"
    );
    let mut uneven = request.clone();
    uneven.rows.starts.pop();
    assert!(matches!(attribute(&uneven), Err(Unanswerable::Uneven(_))));
    let empty = attribute(&reordered(&request, &[]));
    assert!(matches!(
        empty,
        Err(Unanswerable::TooFew {
            baseline: 0,
            alert: 0
        })
    ));
}

#[test]
fn the_same_scenario_happens_the_same_way() {
    let scenario = Scenario::drawn(FLOOD, 19);
    assert!(matches!(scenario.cause, Cause::Flood { .. }));
    let (one, other) = (History::of(scenario.clone()), History::of(scenario));
    assert_eq!(one.calls, other.calls);
    assert_eq!(one.readings, other.readings);
}
