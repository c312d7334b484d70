//! Are requests with a value worse than those beside them? Whatever happens to everybody of an instance, or at a time,
//! is no fault of a version that came in the same minute.

use std::collections::BTreeMap;

use super::frame::{Frame, Place};
use super::symptom::Judged;
use crate::stats::number;
use crate::stats::strata::difference_within;
use crate::stats::tail::normal_upper;

/// Largest p-value at which they are.
const MOST_P: f64 = 0.01;
/// Requests of a prompt that tell what it is like.
const LEAST_KNOWN: usize = 10;

/// What is alike: the instance, and the bin of time.
type Stratum = (u16, u32);
/// Badness beyond what is usual of its prompt, and whether it is of those that are asked about.
type Strata = BTreeMap<Stratum, Vec<(f64, bool)>>;

/// Whether they are: within the same instance and bin of time, each request measured by what those of its prompt were like
/// in the baseline, for a prompt that always took longer is no worse for it. Where few have others beside them, because
/// everybody has the value by now, they are held against the baseline, but for those of the devices that are to blame.
pub(super) fn are_worse(
    frame: &Frame<'_>,
    judged: &Judged,
    place: Place,
    devices: &[Place],
) -> bool {
    let y = &judged.badness.y;
    let usual = usual(frame, y);
    let beyond = |row: usize| y[row] - usual(row);
    let instance = frame.grouping("instance").map(|(_, grouping)| grouping);
    let node = |row: usize| instance.map_or(0, |instance| instance.codes[row]);
    let known = |rows: &[usize]| -> Vec<usize> {
        let known = rows.iter().copied().filter(|row| !y[*row].is_nan());
        known.collect()
    };
    let is_asked_about = |row: usize| frame.belongs(row, Some(place));
    let alert = known(&frame.alert);
    let mut beside = Strata::new();
    for row in &alert {
        let stratum = beside.entry((node(*row), frame.bins[*row])).or_default();
        stratum.push((beyond(*row), is_asked_about(*row)));
    }
    if !have_company(&beside) {
        beside.clear();
        let is_elsewhere = |row: &usize| {
            !devices
                .iter()
                .any(|device| frame.belongs(*row, Some(*device)))
        };
        let now = alert.into_iter().filter(|row| is_asked_about(*row));
        let before = known(&frame.baseline);
        let all = now.map(|row| (row, true));
        let all = all.chain(before.into_iter().map(|row| (row, false)));
        for (row, is_now) in all.filter(|(row, _)| is_elsewhere(row)) {
            let stratum = beside.entry((node(row), 0)).or_default();
            stratum.push((beyond(row), is_now));
        }
    }
    let z = difference_within(beside.values().map(Vec::as_slice));
    z.is_some_and(|z| normal_upper(z) <= MOST_P)
}

/// Whether half of those that are asked about have others beside them.
fn have_company(strata: &Strata) -> bool {
    let (mut all, mut in_company) = (0, 0);
    for stratum in strata.values() {
        let asked_about = stratum.iter().filter(|(_, is_of_them)| *is_of_them).count();
        all += asked_about;
        if asked_about < stratum.len() {
            in_company += asked_about;
        }
    }
    2 * in_company >= all
}

/// What the prompt of a row was like in the baseline; all requests where it is not known.
fn usual(frame: &Frame<'_>, y: &[f64]) -> impl Fn(usize) -> f64 {
    let prompt = frame.grouping("prompt").map(|(_, grouping)| grouping);
    let mut sums = vec![(0.0, 0_usize); prompt.map_or(0, |prompt| prompt.values.len())];
    let mut all = (0.0, 0_usize);
    for row in frame.baseline.iter().filter(|row| !y[**row].is_nan()) {
        let own = prompt.and_then(|prompt| sums.get_mut(usize::from(prompt.codes[*row])));
        for sum in own.into_iter().chain([&mut all]) {
            sum.0 += y[*row];
            sum.1 += 1;
        }
    }
    let mean = |(sum, count): (f64, usize)| sum / number(count.max(1));
    let of_all = mean(all);
    let known = |sum: &(f64, usize)| match sum.1 >= LEAST_KNOWN {
        true => mean(*sum),
        false => of_all,
    };
    let means: Vec<f64> = sums.iter().map(known).collect();
    move |row| {
        let code = prompt.map(|prompt| usize::from(prompt.codes[row]));
        let own = code.and_then(|code| means.get(code));
        own.copied().unwrap_or(of_all)
    }
}
