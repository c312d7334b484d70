//! Attributions of simulated fleets: how often they are right, by cause, and how long one takes.

use std::collections::BTreeMap;
use std::time::Instant;

use domain::attribution::{Request, attribute};
use fleet::accuracy::{Bin, Outcome, Tally, by_cause, outcomes, reliability};
use fleet::blame::{Blamed, bad_versions, coincidences};
use fleet::{Cause, History, Scenario, told};

/// Where the seeds begin that nothing was tuned on.
const HELD_BACK: u64 = 100_000;
/// Attributions that are timed.
const TIMED: usize = 15;

/// What was measured.
pub(crate) struct Measured {
    tallies: BTreeMap<&'static str, Tally>,
    reliability: Vec<Bin>,
    /// Incidents of GPUs that throttle with a version in the same minute, and of versions that do harm.
    beside_throttles: Vec<Blamed>,
    bad_versions: Vec<Blamed>,
    /// Milliseconds of one attribution, ascending.
    times_ms: Vec<f64>,
    /// Requests and columns of the one that was timed.
    size: (usize, usize),
}

/// So many windows of each cause.
pub(crate) fn measure(windows: u64) -> Measured {
    let outcomes: Vec<Outcome> = outcomes(HELD_BACK..HELD_BACK + windows).collect();
    let request = large();
    let mut times_ms: Vec<f64> = (0..TIMED)
        .map(|_| {
            let began = Instant::now();
            let answer = attribute(&request);
            let took = began.elapsed().as_secs_f64() * 1e3;
            std::hint::black_box(&answer);
            took
        })
        .collect();
    times_ms.sort_by(f64::total_cmp);
    Measured {
        tallies: by_cause(&outcomes),
        reliability: reliability(&outcomes),
        beside_throttles: coincidences(HELD_BACK..HELD_BACK + windows),
        bad_versions: bad_versions(HELD_BACK..HELD_BACK + windows.div_ceil(2)),
        times_ms,
        size: (request.rows.len(), request.rows.columns.len()),
    }
}

/// Some ten thousand requests of a fleet in which a node throttles.
fn large() -> Request {
    let scenario = Scenario {
        seed: 1,
        instances: 4,
        requests_per_s: 2.55,
        cause: Cause::Throttle {
            instance: 1,
            severity: 0.5,
        },
        begins_at: 3630.0,
        alert_at: 3660.0,
        alert_s: 300.0,
        harmless_rollout: None,
        missing_scrapes: 0.0,
        symptom: ("token.e2e_ms", true),
    };
    told::request(&History::of(scenario))
}

pub(crate) fn report(measured: &Measured) {
    println!("\nattribution, simulated fleets on seeds held back");
    println!(
        "  {:<28} {:>7} {:>7} {:>9} {:>11}  named",
        "cause", "windows", "axis", "culprit", "vote alone"
    );
    for (cause, tally) in &measured.tallies {
        print(cause, tally);
    }
    let none = ["quiet", "growth without harm"].map(|cause| measured.tallies.get(cause));
    let quiet = Tally::sum(none.into_iter().flatten());
    print("all", &Tally::sum(measured.tallies.values()));
    println!(
        "  false alarms                 {:>7} of {} windows without harm",
        quiet.windows - quiet.axis_right,
        quiet.windows
    );
    for bin in &measured.reliability {
        println!(
            "  confidence {:.2}              {:>7.1} % right of {} windows",
            bin.confidence,
            100.0 * bin.right,
            bin.windows
        );
    }
    blame("version beside a throttle", &measured.beside_throttles);
    blame("version that does harm", &measured.bad_versions);
    let (rows, columns) = measured.size;
    println!(
        "  one attribution              {:>7.1} ms median, {:.1} ms most ({rows} requests, {columns} columns)",
        measured.times_ms[measured.times_ms.len() / 2],
        measured.times_ms[measured.times_ms.len() - 1],
    );
}

/// How often a version is to go back: at the first look, at the last, at any, and how often one does by itself; and how often
/// one would be, were it not for the proof that it is worse than what ran beside it.
fn blame(what: &str, all: &[Blamed]) {
    let count = |is: &dyn Fn(&Blamed) -> bool| all.iter().filter(|one| is(one)).count();
    println!(
        "  {what:<28} {:>7} incidents, to go back: {} at the first look, {} at the last, {} at any, {} by itself; not proven: {} at the first, {} at any",
        all.len(),
        count(&|one| one.recommended.first() == Some(&true)),
        count(&|one| one.recommended.last() == Some(&true)),
        count(&|one| one.recommended.contains(&true)),
        count(&|one| one.acted_at.is_some()),
        count(&|one| one.doubted.first() == Some(&true)),
        count(&|one| one.doubted.contains(&true)),
    );
}

fn print(cause: &str, tally: &Tally) {
    let percent = |part: usize, whole: usize| match whole {
        0 => "–".to_owned(),
        whole => format!("{:.1} %", 100.0 * share(part, whole)),
    };
    let named: Vec<String> = tally
        .named
        .iter()
        .map(|(axis, count)| format!("{axis} {count}"))
        .collect();
    println!(
        "  {cause:<28} {:>7} {:>7} {:>9} {:>11}  {}",
        tally.windows,
        percent(tally.axis_right, tally.windows),
        percent(tally.culprit_right, tally.with_culprit),
        percent(tally.vote_right, tally.windows),
        named.join(", ")
    );
}

#[expect(clippy::cast_precision_loss, reason = "windows are few")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
