//! The version of a prompt that is under suspicion.

use super::answer::PromptSuspect;
use super::culprits::Found;
use super::frame::Frame;
use crate::stats::quantile::mean;

/// Culprits among which a version has to be.
const FIRST: usize = 3;

/// The suspect, if a version is among the first culprits, with how much of its prefix was found in the cache.
pub(super) fn suspect(frame: &Frame<'_>, culprits: &[Found]) -> Option<PromptSuspect> {
    let found = culprits
        .iter()
        .take(FIRST)
        .find(|found| found.culprit.dimension == "prompt_version")?;
    let (dimension, code) = found.place;
    let grouping = &frame.groupings[dimension];
    let (name, version) = split(grouping.values[usize::from(code)]);
    let others = (0..grouping.values.len()).filter(|other| {
        let (other_name, _) = split(grouping.values[*other]);
        *other != usize::from(code) && other_name == name && grouping.in_baseline[*other] > 0
    });
    // Of equally frequent ones the one that was seen first.
    let previous =
        others.max_by_key(|other| (grouping.in_baseline[*other], std::cmp::Reverse(*other)));
    let reuse = reuse(frame);
    let mean_of = |rows: &[usize], wanted: usize| {
        let of = rows
            .iter()
            .filter(|row| usize::from(grouping.codes[**row]) == wanted);
        let known: Vec<f64> = of.map(|row| reuse[*row]).filter(|x| !x.is_nan()).collect();
        mean(&known)
    };
    Some(PromptSuspect {
        name: name.to_owned(),
        suspect_version: version.to_owned(),
        previous_version: previous.map(|other| split(grouping.values[other]).1.to_owned()),
        diverges_at_token: None,
        prefix_reuse_before: previous.and_then(|other| mean_of(&frame.baseline, other)),
        prefix_reuse_after: mean_of(&frame.alert, usize::from(code)),
    })
}

/// Share of each request's input that was in the cache: as told, else cached by all tokens.
fn reuse(frame: &Frame<'_>) -> Vec<f64> {
    let values = |series| {
        frame
            .request
            .rows
            .column(series)
            .map(|column| frame.values(column))
    };
    let told = values("token.kv_cache_hit_rate");
    let cached = values("token.cached_tokens");
    let input = values("token.input_tokens");
    (0..frame.order.len())
        .map(|row| {
            let told = told.as_ref().map_or(f64::NAN, |told| told[row]);
            match (&cached, &input) {
                (Some(cached), Some(input)) if told.is_nan() && input[row] > 0.0 => {
                    cached[row] / input[row]
                }
                _ => told,
            }
        })
        .collect()
}

/// A prompt's name and version; a name may have `@` in it.
fn split(value: &str) -> (&str, &str) {
    value.rsplit_once('@').unwrap_or((value, ""))
}
