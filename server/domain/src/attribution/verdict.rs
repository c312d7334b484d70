//! The whole of it, step by step.

use super::answer::{Action, Attribution, Feature, Recommendation};
use super::confidence;
use super::culprits::{Found, culprits};
use super::distribution::distributions;
use super::explain::Window;
use super::features::{Candidate, candidates};
use super::frame::{Frame, Place, Side};
use super::onset::{foretells, onset};
use super::prompt::suspect;
use super::reason::Reason;
use super::recommendation::{explains, recommend, unproven, why};
use super::request::{Request, Unanswerable};
use super::shares::{Mover, Shares, share};
use super::symptom::{Judged, judge};
use super::tier::Axis;
use super::timeline::{group, samples, timeline};
use super::vote::votes;
use super::work::excuse;

/// Features that are listed.
const MOST_FEATURES: usize = 20;
/// Features that are tested for lead and lag.
const MOST_GRANGER: usize = 5;
/// Features and culprits that are told of in the reasons.
const MOST_TOLD: usize = 2;

/// Says what a window's symptom comes from, or that there is none. Pure: the same request has the same answer, in
/// whatever order its rows are.
///
/// # Errors
/// When a window has too few requests with a value of the symptom, or columns are not of one length.
pub fn attribute(request: &Request) -> Result<Attribution, Unanswerable> {
    let frame = Frame::new(request)?;
    let judged = judge(&frame)?;
    let mut candidates = candidates(&frame);
    excuse(&frame, &mut candidates);
    let axes = votes(&frame, &candidates);
    let symptom_onset = onset(&frame, &judged.badness.y, None);
    let window = Window::new(&frame, &judged);
    let is_real = judged.is_real() && window.excess > 0.0;
    let mut movers: Vec<Mover<'_, '_>> = candidates
        .iter()
        .filter(|candidate| candidate.has_moved())
        .map(|candidate| mover(&window, candidate))
        .collect();
    let shares = if is_real {
        share(&window, &judged, &mut movers)
    } else {
        Shares::default()
    };
    by_weight(&mut movers);
    let found = if is_real {
        culprits(&frame, &judged, window.excess)
    } else {
        Vec::new()
    };
    let unproven = unproven(&frame, &judged, &found);
    let unseen = confidence::unseen(&frame);
    let axis = shares.winner().map(|(axis, ..)| axis);
    let considered = (frame.baseline.len() + frame.alert.len()) as u64;
    Ok(Attribution {
        axis,
        confidence: match axis {
            Some(_) => confidence::of_axis(&frame, &judged, &shares, &unseen),
            None => confidence::of_none(&judged),
        },
        reasons: reasons(
            (&frame, &judged),
            (&movers, &found),
            unproven,
            (axis, &shares, &unseen),
        ),
        axes,
        features: features(&frame, &judged, &movers),
        distributions: distributions(&frame, movers.iter().map(|mover| mover.candidate)),
        prompt: suspect(&frame, &found),
        recommendation: match axis {
            Some(axis) => recommend(&frame, (axis, &shares), (&movers, &found), unproven),
            None => Recommendation {
                action: Action::None,
                reason: as_before(&frame),
                contested_by: None,
            },
        },
        timeline: timeline(
            &frame,
            &judged,
            (&movers, &found),
            symptom_onset.filter(|_| is_real),
        ),
        sample_trace_ids: if is_real {
            samples(&frame, &judged, &found)
        } else {
            Vec::new()
        },
        culprits: found.into_iter().map(|found| found.culprit).collect(),
        requests_considered: request.requests_considered.unwrap_or(considered),
        symptom_p_value: judged.p_value,
    })
}

fn mover<'c, 'a>(window: &Window<'_>, candidate: &'c Candidate<'a>) -> Mover<'c, 'a> {
    Mover {
        candidate,
        binned: window.bin(candidate),
        onset: onset(window.frame(), &candidate.values, candidate.place),
        share: 0.0,
    }
}

/// Those that explain most first, then those that moved most.
fn by_weight(movers: &mut [Mover<'_, '_>]) {
    movers.sort_by(|one, other| {
        let effect = |mover: &Mover<'_, '_>| mover.candidate.effect.abs();
        other
            .share
            .total_cmp(&one.share)
            .then_with(|| effect(other).total_cmp(&effect(one)))
            .then_with(|| one.candidate.series.cmp(other.candidate.series))
    });
}

fn features(frame: &Frame<'_>, judged: &Judged, movers: &[Mover<'_, '_>]) -> Vec<Feature> {
    let symptom = &judged.badness.y;
    let listed = movers.iter().take(MOST_FEATURES).enumerate();
    listed
        .filter_map(|(at, mover)| {
            let candidate = mover.candidate;
            let own = onset(frame, symptom, candidate.place);
            Some(Feature {
                series: candidate.series.to_owned(),
                axis: Axis::of(candidate.series)?,
                effect: candidate.effect,
                q_value: candidate.q_value,
                baseline_median: candidate.median(frame, Side::Baseline),
                alert_median: candidate.median(frame, Side::Alert),
                leads_symptom_by_s: own.zip(mover.onset).map(|(symptom, own)| symptom - own),
                granger_p: (at < MOST_GRANGER)
                    .then(|| foretells(frame, &candidate.values, symptom, candidate.place))
                    .flatten(),
                share: mover.share,
                group: candidate.place.map(|place| group(frame, place)),
            })
        })
        .collect()
}

fn as_before(frame: &Frame<'_>) -> Reason {
    Reason::AsBefore {
        series: frame.request.symptom.series.clone(),
        traffic: frame.traffic(),
    }
}

/// Why the answer is what it is, the weightiest first.
fn reasons(
    (frame, judged): (&Frame<'_>, &Judged),
    (movers, found): (&[Mover<'_, '_>], &[Found]),
    unproven: Option<Place>,
    (axis, shares, unseen): (Option<Axis>, &Shares, &[Axis]),
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let series = &frame.request.symptom.series;
    if let Some(axis) = axis {
        let own = |mover: &&Mover<'_, '_>| {
            mover.share > 0.0 && Axis::of(mover.candidate.series) == Some(axis)
        };
        let told = movers.iter().filter(own).take(MOST_TOLD);
        reasons.extend(told.map(|mover| explains(frame, mover)));
        if reasons.is_empty() || shares.left > 0.5 {
            reasons.push(Reason::NothingExplains {
                series: series.clone(),
                left: shares.left.clamp(0.0, 1.0),
            });
        }
        reasons.extend(found.iter().take(MOST_TOLD).map(|found| why(frame, found)));
        reasons.extend(unproven.map(|place| Reason::Unproven {
            group: group(frame, place),
        }));
        let harmless = found
            .iter()
            .find(|found| found.contrast <= 0.0 && is_new(found));
        reasons.extend(harmless.map(|found| Reason::HarmlessNewcomer {
            group: group(frame, found.place),
        }));
    } else {
        reasons.push(as_before(frame));
    }
    reasons.extend(unseen.iter().map(|axis| Reason::Unseen { axis: *axis }));
    if frame.alert.len() < confidence::ENOUGH {
        let count = frame.alert.len();
        reasons.push(Reason::FewRequests { count });
    }
    if judged.is_unstable {
        let series = series.clone();
        reasons.push(Reason::UnstableBaseline { series });
    }
    reasons
}

fn is_new(found: &Found) -> bool {
    found.culprit.share_of_baseline == 0.0
}
