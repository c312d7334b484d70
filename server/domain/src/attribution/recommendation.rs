//! What to do about it: the first that fits.

use super::answer::{Action, Group, Recommendation};
use super::culprits::Found;
use super::frame::{Frame, Place, Side};
use super::reason::Reason;
use super::shares::{Mover, Shares};
use super::symptom::Judged;
use super::tier::Axis;
use super::worse::are_worse;

const MEMORY: [&str; 2] = [
    "gpu.memory_fragmentation_ratio",
    "gpu.largest_free_block_gb",
];
const CROWDING: [&str; 4] = [
    "token.waiting_requests",
    "token.running_requests",
    "token.kv_cache_usage",
    "token.batch_size",
];

/// What part of an axis is a cause of its own.
const CAUSE: f64 = 0.15;

/// What to do when the cause is on `axis`; `movers` are in the order of what they explain. Nothing goes back because of a
/// version or release that is `unproven`.
pub(super) fn recommend(
    frame: &Frame<'_>,
    (axis, shares): (Axis, &Shares),
    (movers, culprits): (&[Mover<'_, '_>], &[Found]),
    unproven: Option<Place>,
) -> Recommendation {
    let first = culprits.first();
    let act = |action, reason| Recommendation {
        action,
        reason,
        contested_by: None,
    };
    let proven = first.filter(|found| is_rollout(found) && unproven != Some(found.place));
    if let Some(found) = proven {
        return Recommendation {
            contested_by: contested_by(shares, culprits),
            ..act(Action::Rollback, why(frame, found))
        };
    }
    let top = movers
        .iter()
        .find(|mover| mover.share > 0.0 && Axis::of(mover.candidate.series) == Some(axis));
    let node = culprits.iter().find(|found| is_node(found));
    if axis == Axis::Gpu {
        if let Some(found) = node {
            return act(Action::Rebalance, why(frame, found));
        }
        if let Some(mover) = top.filter(|mover| MEMORY.contains(&mover.candidate.series)) {
            return act(Action::Defragment, explains(frame, mover));
        }
    }
    let is_crowded = |mover: &&Mover<'_, '_>| CROWDING.contains(&mover.candidate.series);
    if axis == Axis::Token && top.is_some_and(|mover| is_crowded(&mover)) {
        let tenant = culprits
            .iter()
            .find(|found| found.culprit.dimension == "tenant" && found.growth > 0.0);
        return match (tenant, top) {
            (Some(found), _) => act(Action::ScaleOut, why(frame, found)),
            (None, Some(mover)) => act(Action::ScaleOut, explains(frame, mover)),
            (None, None) => act(Action::Inspect, nothing(frame)),
        };
    }
    match (top, first) {
        (Some(mover), _) => act(Action::Inspect, explains(frame, mover)),
        (None, Some(found)) => act(Action::Inspect, why(frame, found)),
        (None, None) => act(Action::Inspect, nothing(frame)),
    }
}

/// The version or release that would go back, where it is not proven that its requests are worse than those beside them.
pub(super) fn unproven(frame: &Frame<'_>, judged: &Judged, culprits: &[Found]) -> Option<Place> {
    let first = culprits.first().filter(|found| is_rollout(found))?;
    let devices = culprits.iter().filter(|found| is_node(found));
    let devices: Vec<Place> = devices.map(|found| found.place).collect();
    (!are_worse(frame, judged, first.place, &devices)).then_some(first.place)
}

/// An axis that has a cause beside a version: devices, or a tenant that floods.
fn contested_by(shares: &Shares, culprits: &[Found]) -> Option<Axis> {
    let is_device = |found: &Found| is_node(found) && found.contrast >= CAUSE;
    let is_flood = |found: &Found| found.culprit.dimension == "tenant" && found.growth >= CAUSE;
    if shares.axes[Axis::Gpu as usize] >= CAUSE || culprits.iter().any(is_device) {
        return Some(Axis::Gpu);
    }
    culprits.iter().any(is_flood).then_some(Axis::Token)
}

/// Whether it is a version or release whose requests are worse than the others', new or grown.
fn is_rollout(found: &Found) -> bool {
    let of_code = matches!(
        found.culprit.dimension.as_str(),
        "prompt_version" | "release"
    );
    let is_new = found.culprit.share_of_baseline == 0.0 || found.growth > 0.0;
    of_code && is_new && found.contrast > 0.0
}

fn is_node(found: &Found) -> bool {
    let of_device = matches!(found.culprit.dimension.as_str(), "instance" | "gpu");
    of_device && found.contrast > 0.0
}

/// Why a culprit is one.
pub(super) fn why(frame: &Frame<'_>, found: &Found) -> Reason {
    let group = Group {
        dimension: found.culprit.dimension.clone(),
        value: found.culprit.value.clone(),
    };
    if found.contrast >= found.growth {
        return Reason::Concentrated {
            group,
            share_of_abnormal: found.culprit.share_of_abnormal,
            share_of_baseline: found.culprit.share_of_baseline,
        };
    }
    let grouping = &frame.groupings[found.place.0];
    let now = grouping.in_alert[usize::from(found.place.1)];
    Reason::Grew {
        group,
        before: found.culprit.share_of_baseline,
        after: crate::stats::number(now) / crate::stats::number(frame.alert.len().max(1)),
    }
}

/// What a mover explains.
pub(super) fn explains(frame: &Frame<'_>, mover: &Mover<'_, '_>) -> Reason {
    Reason::Explains {
        series: mover.candidate.series.to_owned(),
        share: mover.share,
        before: mover.candidate.median(frame, Side::Baseline),
        after: mover.candidate.median(frame, Side::Alert),
    }
}

fn nothing(frame: &Frame<'_>) -> Reason {
    Reason::NothingExplains {
        series: frame.request.symptom.series.clone(),
        left: 1.0,
    }
}
