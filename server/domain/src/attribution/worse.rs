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

/// Whether they are, within the same instance and bin of time, each request measured by what those of its prompt were like
/// in the baseline: a prompt that always took longer is no worse for it.
pub(super) fn are_worse(frame: &Frame<'_>, judged: &Judged, place: Place) -> bool {
    let y = &judged.badness.y;
    let usual = usual(frame, y);
    let instance = frame.grouping("instance").map(|(_, grouping)| grouping);
    let mut strata: BTreeMap<(u16, u32), Vec<(f64, bool)>> = BTreeMap::new();
    for row in frame.alert.iter().filter(|row| !y[**row].is_nan()) {
        let node = instance.map_or(0, |instance| instance.codes[*row]);
        let beside = strata.entry((node, frame.bins[*row])).or_default();
        beside.push((y[*row] - usual(*row), frame.belongs(*row, Some(place))));
    }
    let z = difference_within(strata.values().map(Vec::as_slice));
    z.is_some_and(|z| normal_upper(z) <= MOST_P)
}

/// What the prompt of a row was like in the baseline; all requests where it is not known.
fn usual<'f>(frame: &'f Frame<'_>, y: &[f64]) -> impl Fn(usize) -> f64 + use<'f> {
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
