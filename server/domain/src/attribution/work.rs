//! What follows from more work is no fault of a device: a busy GPU draws power, gets warm, and moves bytes. Were such
//! readings taken for causes, every surge would be a device's fault, for they explain all of it.

use super::features::{Candidate, effect_at};
use super::frame::{Frame, Place};
use super::tier::Follows;

/// Features that tell how much work there is.
const WORK: [&str; 4] = [
    "token.running_requests",
    "token.batch_size",
    "token.waiting_requests",
    "token.kv_cache_usage",
];
/// Features that tell how much heat there is to be.
const POWER: [&str; 2] = ["gpu.power_w", "gpu.sm_active"];
/// Least rise, as Cliff's delta, that excuses.
const LEAST_RISE: f64 = 0.15;
/// So many times the baseline's traffic excuse where no feature tells of work.
const MORE_TRAFFIC: f64 = 1.15;

/// Marks the candidates that moved as they do with more work, where there was more.
pub(super) fn excuse(frame: &Frame<'_>, candidates: &mut [Candidate<'_>]) {
    for at in 0..candidates.len() {
        let candidate = &candidates[at];
        if !candidate.has_moved() {
            continue;
        }
        let excused = match candidate.known.follows {
            Follows::Nothing => false,
            Follows::Work => {
                candidate.effect > 0.0 && has_more_work(frame, candidates, candidate.place)
            }
            Follows::IdleCapacity => {
                candidate.effect < 0.0 && has_more_work(frame, candidates, candidate.place)
            }
            Follows::Power => {
                candidate.effect > 0.0 && rises(frame, candidates, (&POWER, candidate.place))
            }
        };
        candidates[at].is_excused = excused;
    }
}

fn has_more_work(frame: &Frame<'_>, candidates: &[Candidate<'_>], place: Option<Place>) -> bool {
    let is_told = candidates
        .iter()
        .any(|candidate| WORK.contains(&candidate.series));
    if is_told {
        rises(frame, candidates, (&WORK, place))
    } else {
        frame.traffic() > MORE_TRAFFIC
    }
}

fn rises(
    frame: &Frame<'_>,
    candidates: &[Candidate<'_>],
    (drivers, place): (&[&str], Option<Place>),
) -> bool {
    candidates
        .iter()
        .filter(|candidate| drivers.contains(&candidate.series))
        .any(|driver| effect_at(frame, driver, place) >= LEAST_RISE)
}
